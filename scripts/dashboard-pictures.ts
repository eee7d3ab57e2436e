/**
 * Makes pictures of all screens of the dashboard: light and dark, on a desktop and on a phone, all of them into FOLDER
 * (default: /tmp), and those that README and docs show into docs/images/dashboard.
 *
 *     npm run pictures -- [FOLDER] [CHAIN...]
 *
 * Chains have virtual clocks and begin at a fixed time, and the page's clock stands still: the same build gives the same
 * pictures. The published package does not contain them.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../test/browser/launch.js';
import { watchedContext } from '../test/browser/pages.js';
import { SCREENS, settled, showState } from '../test/browser/screens.js';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const IN_DOCS = path.resolve(import.meta.dirname, '../docs/images/dashboard');

interface PictureInDocs {
  readonly file: string;
  readonly height: number;
  readonly dark?: true;
  /** The element at the top. */
  readonly from?: string;
}

/** By chain and state. */
const SHOWN_IN_DOCS: Readonly<Record<string, PictureInDocs>> = {
  'hot-wallet overview': { file: 'overview', height: 900 },
  'energy-factor transaction': { file: 'transaction', height: 900 },
  'sources transaction-steps': { file: 'debugger', height: 900, dark: true },
  'staked account': { file: 'account', height: 900 },
  'energy-factor contract': { file: 'contract', height: 900 },
  'scenarios plots': { file: 'scenario', height: 900, from: '[aria-label^="Run "]' },
};

const [folder = '/tmp/dashboard-pictures', ...only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
mkdirSync(IN_DOCS, { recursive: true });
const browser = await launchBrowser();
if (typeof browser === 'string') throw new Error(browser);
try {
  for (const { chain, open, states } of SCREENS) {
    if (only.length > 0 && !only.includes(chain)) continue;
    await using opened = await open();
    const { context, takeFaults } = await watchedContext(browser, { viewport: SIZES.desktop });
    await context.addInitScript(stoppedAt(await headTimeMs(opened.devnet.http.url)));
    const page = await context.newPage();
    for (const state of states) {
      const name = `${chain}-${state.name}`;
      try {
        await page.setViewportSize(SIZES.desktop);
        await page.emulateMedia({ colorScheme: 'light' });
        await showState(page, opened, state);
        await pictures(page, name);
        const shown = SHOWN_IN_DOCS[`${chain} ${state.name}`];
        if (shown !== undefined) await pictureForDocs(page, shown);
      } catch (error) {
        console.error(`${name}: ${error}`);
        await page.screenshot({ path: path.join(folder, `${name}-failed.png`), fullPage: true });
        process.exitCode = 1;
      }
      for (const fault of await takeFaults()) console.error(`${name}: ${fault}`);
    }
    await context.close();
  }
} finally {
  await browser.close();
}

async function pictures(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('scrollTo(0, 0)');
      await settled(page);
      const file = path.join(folder, `${name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' });
    }
    const width = await page.evaluate('document.documentElement.scrollWidth');
    if (width !== viewport.width) console.error(`${name}: ${width} pixels wide on a ${size}`);
  }
}

/** WebP, which is a third of PNG here and which Playwright does not write. */
async function pictureForDocs(page: Page, shown: PictureInDocs): Promise<void> {
  await page.setViewportSize({ width: 1280, height: shown.height });
  await page.emulateMedia({ colorScheme: shown.dark === true ? 'dark' : 'light' });
  // Below the header, which stays at the top.
  await page.evaluate(`document.activeElement?.blur();
    scrollTo(0, (document.querySelector('${shown.from ?? 'main'}').getBoundingClientRect().top + scrollY) - 76)`);
  await settled(page);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  await session.detach();
  writeFileSync(path.join(IN_DOCS, `${shown.file}.webp`), Buffer.from(data, 'base64'));
}

/** Only the date stands still: charts move by the clock of `performance`, which Playwright's clock would stop, too. */
function stoppedAt(timeMs: number): string {
  return `{
  const { Date } = globalThis;
  globalThis.Date = class extends Date {
    constructor(...parts) { super(...(parts.length === 0 ? [${timeMs}] : parts)); }
    static now() { return ${timeMs}; }
  };
}`;
}

async function headTimeMs(url: string): Promise<number> {
  const head = (await (await fetch(`${url}/wallet/getnowblock`)).json()) as {
    readonly block_header: { readonly raw_data: { readonly timestamp?: number } };
  };
  return head.block_header.raw_data.timestamp ?? 0;
}
