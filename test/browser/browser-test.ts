/**
 * `test` of vitest with a browser: what a test names among its parameters is made for it, and closed after it.
 *
 *     import { test } from './browser-test.js';
 *     import { openPage } from './pages.js';
 *
 *     test('the overview shows the height', async ({ devnet, context }) => {
 *       const page = await openPage(context, devnet.http.url);
 *       await page.getByText('Block 0').waitFor();
 *       expect(await axeFindings(page)).toEqual([]);
 *     });
 *
 * - `devnet`: a devnet on a free port. `test.override('devnetOptions', { history: false })` in a `describe` gives it
 *   options.
 * - `context`: a context of the browser (cookies, storage and pages of its own). When the test ends, its pages must have
 *   done nothing wrong: no error or warning in the console, no violation of a policy, no failed request.
 * - `takeFaults`: for a test in which something has to go wrong; returns it, and then it is no longer wrong.
 * - `browser`: the one browser of this test process, for contexts with other options (`watchedContext`).
 *
 * Also here: `axeFindings` (accessibility.ts), `takePictures` (pictures.ts). No page reaches another machine; a name such
 * as `dapp.test` is this machine, for pages of another origin. `launch.ts` says which browser it is. Where none is
 * installed, the tests are skipped and say why; Linux on x64 always has one.
 *
 * What `page.evaluate` runs is written as text: this project's types have no DOM.
 */

import { expect, test as plainTest } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../src/index.js';
import { launchBrowser } from './launch.js';
import { watchedContext } from './pages.js';

export const test = plainTest
  // In this order, so that the devnet closes after the pages: a stream that it cuts is an error in their console.
  .extend('devnetOptions', {} as DevnetOptions)
  .extend('devnet', async ({ devnetOptions }, { onCleanup }) => {
    const devnet = await createDevnet(devnetOptions);
    onCleanup(() => devnet.close());
    return devnet;
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of needed fixtures from this pattern
  .extend('launched', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const launched = await launchBrowser();
    if (typeof launched !== 'string') onCleanup(() => launched.close());
    return launched;
  })
  .extend('browser', ({ launched, skip }) => (typeof launched === 'string' ? skip(launched) : launched))
  .extend('watched', async ({ browser }, { onCleanup }) => {
    const watched = await watchedContext(browser);
    onCleanup(async () => {
      const faults = await watched.takeFaults();
      await watched.context.close();
      expect(faults, 'what pages did wrong').toEqual([]);
    });
    return watched;
  })
  .extend('context', ({ watched }) => watched.context)
  .extend('takeFaults', ({ watched }) => watched.takeFaults);
