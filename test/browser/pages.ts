/**
 * A page in a context of its own, and everything that it did wrong: errors and warnings in its console, exceptions that
 * nobody caught, violations of its Content-Security-Policy (also silent ones), requests that failed.
 */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface WatchedContext {
  readonly context: BrowserContext;
  /** What went wrong on all pages of the context since the last call. */
  takeFaults(): Promise<readonly string[]>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const DESKTOP: Size = { width: 1280, height: 800 };
export const PHONE: Size = { width: 360, height: 740 };

/** Ends only what would never end: how fast a page is depends on what else the machine does. */
const HANGS_MS = 120_000;

/** Chrome names violations in the console, except where a page caught the exception. */
const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) => {
  reportViolation(event.effectiveDirective + ' forbids ' + (event.blockedURI || event.sample));
});`;

/** @example const { context, takeFaults } = await watchedContext(browser); const page = await context.newPage(); */
export async function watchedContext(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedContext> {
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en', timezoneId: 'UTC', ...options });
  context.setDefaultTimeout(HANGS_MS);
  let faults: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) {
      faults.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // The page took it back, or went away.
    if (reason === 'net::ERR_ABORTED') return;
    faults.push(`request failed: ${request.method()} ${request.url()} (${reason})`);
  });
  context.on('page', (page) => {
    page.on('crash', () => faults.push('the page crashed'));
  });
  await context.exposeBinding('reportViolation', (_, violation: string) => {
    faults.push(`policy: ${violation}`);
  });
  await context.addInitScript(REPORT_VIOLATIONS);
  return {
    context,
    async takeFaults() {
      // What a page has reported comes before the answer to a question that is asked now.
      await Promise.all(context.pages().map((page) => page.evaluate('undefined')));
      const taken = faults;
      faults = [];
      return taken;
    },
  };
}

/** Opens `url` and waits for its answer; throws if that is an error. */
export async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  const answer = await page.goto(url);
  if (answer?.ok() === false) throw new Error(`GET ${url}: ${answer.status()} ${answer.statusText()}`);
  return page;
}
