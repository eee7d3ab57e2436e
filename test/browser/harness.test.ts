/** The harness itself: what it has to find, it finds. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test as browserTest } from './browser-test.js';
import { openPage, PHONE } from './pages.js';
import { takePictures } from './pictures.js';
import { NO_ICON, openSite, type SiteFile } from './site.js';

/** Serves one page, with a policy that permits only inline code. */
const test = browserTest.extend('serve', async ({ context }, { onCleanup }) => {
  const files: Record<string, SiteFile> = {};
  const site = await openSite(files, "default-src 'none'; script-src 'unsafe-inline'; connect-src *; img-src * data:");
  onCleanup(() => site.close());
  files['/hangs'] = { type: 'text/event-stream' };
  return async (content: string, host = '127.0.0.1') => {
    const body = `<!doctype html><html lang="en"><title>A page</title>${NO_ICON}<main>${content}</main></html>`;
    files['/'] = { type: 'text/html', body };
    return await openPage(context, `http://${host}:${site.port}/`);
  };
});

describe('a page that does something wrong', () => {
  test.for<readonly [string, string, string]>([
    ['writes an error', `<h1>A</h1><script>console.error('broken')</script>`, 'console error: broken'],
    ['writes a warning', `<h1>A</h1><script>console.warn('deprecated')</script>`, 'console warning: deprecated'],
    ['throws', `<h1>A</h1><script>throw new Error('nobody caught this')</script>`, 'uncaught: nobody caught this'],
    ['rejects', `<h1>A</h1><script>Promise.reject(new Error('nor this'))</script>`, 'uncaught: nor this'],
    ['breaks its policy', `<h1 style="color: red">A</h1>`, 'policy: style-src-attr forbids inline'],
    [
      'breaks its policy in silence',
      `<h1>A</h1><script>try { eval('1') } catch {}</script>`,
      'policy: script-src forbids eval',
    ],
    ['loads what is not there', `<h1>A</h1><img alt="" src="missing.png">`, '404 (Not Found)'],
    ['asks another machine', `<h1>A</h1><img alt="" src="https://example.com/a.png">`, 'ERR_NAME_NOT_RESOLVED'],
    ['asks another machine by address', `<h1>A</h1><img alt="" src="http://192.0.2.1/a.png">`, 'ERR_NAME_NOT_RESOLVED'],
  ])('%s: it is a fault', async ([, body, fault], { serve, takeFaults }) => {
    await serve(body);
    expect((await takeFaults()).join('\n')).toContain(fault);
  });
});

test('a page that does nothing wrong has no faults, under a name of another origin as well', async ({
  serve,
  takeFaults,
}) => {
  const page = await serve('<h1>A</h1><script>console.info(1)</script>', 'dapp.test');
  expect(await page.evaluate('location.hostname')).toBe('dapp.test');
  expect(await takeFaults()).toEqual([]);
});

test('requests that end because a page leaves or aborts them are no faults', async ({ serve, takeFaults }) => {
  const page = await serve(`<h1>A</h1><script>
    fetch('/hangs').catch(() => {});
    new EventSource('/hangs');
    const ended = new AbortController();
    fetch('/hangs', { signal: ended.signal }).catch(() => {});
    ended.abort();
  </script>`);
  await page.goto('about:blank');
  expect(await takeFaults()).toEqual([]);
});

describe('options of the devnet', () => {
  browserTest.override('devnetOptions', { devMethods: false });
  browserTest('are those of the block', async ({ devnet }) => {
    expect((await fetch(`${devnet.http.url}/sunup/mine`, { method: 'POST' })).status).toBe(405);
  });
});

browserTest('without them it has the default ones', async ({ devnet }) => {
  expect((await fetch(`${devnet.http.url}/sunup/mine`, { method: 'POST' })).status).toBe(200);
});

test('a page that listens until the test ends has no faults: its devnet closes after it', async ({
  context,
  devnet,
}) => {
  const page = await openPage(context, `${devnet.http.url}/docs`);
  await page.evaluate(`new Promise((resolve) => {
    new EventSource('/sunup/events').onopen = resolve;
  })`);
});

test('axe finds an image without a text, and a heading that is missing', async ({ serve }) => {
  const page = await serve('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">');
  const findings = (await axeFindings(page)).join('\n');
  expect(findings).toMatch(/^image-alt: /m);
  expect(findings).toMatch(/^page-has-heading-one: /m);
});

test('axe judges colors where a transition ends', async ({ serve }) => {
  const page = await serve(`<h1 id="a">A heading</h1>`);
  await page.evaluate(`{
    a.animate({ color: ['#aaa', '#000'] }, { duration: 1e9 });
    a.animate({ width: ['50%', '100%'] }, { duration: 1e3, iterations: Infinity });
  }`);
  expect(await axeFindings(page)).toEqual([]);
});

test('pictures have the size that was asked for, light and dark', async ({ serve }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sunup-pictures-'));
  try {
    const page = await serve('<meta name="color-scheme" content="light dark"><h1>A</h1>');
    const files = await takePictures(page, folder, 'page', { phone: PHONE });
    expect(files.map((file) => path.basename(file))).toEqual(['page-phone-light.png', 'page-phone-dark.png']);
    const [light, dark] = await Promise.all(files.map((file) => readFile(file)));
    expect([light!.readUInt32BE(16), light!.readUInt32BE(20)]).toEqual([PHONE.width, PHONE.height]);
    expect(dark!.equals(light!)).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});
