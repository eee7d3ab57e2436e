/** Every screen in every state: axe finds nothing in light, dark and on a phone, and the page does nothing wrong. */

import { describe, expect } from 'vitest';
import { axeFindings } from './accessibility.js';
import { test } from './browser-test.js';
import { DESKTOP, PHONE } from './pages.js';
import { SCREENS, settled, showState } from './screens.js';

/** A browser reports each refused question of a screen that says so. */
const REFUSED = /^console error: Failed to load resource: .* (400|404) \(/;

describe.each(SCREENS)('the screens of the chain $chain', ({ open, states }) => {
  test('are usable by all', async ({ context, takeFaults }) => {
    await using opened = await open();
    const page = await context.newPage();
    for (const state of states) {
      await page.setViewportSize(DESKTOP);
      await page.emulateMedia({ colorScheme: 'light' });
      await showState(page, opened, state);
      expect([state.name, 'light', await axeFindings(page)]).toEqual([state.name, 'light', []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize(PHONE);
      await settled(page);
      expect([state.name, 'dark', await axeFindings(page)]).toEqual([state.name, 'dark', []]);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([state.name, width]).toEqual([state.name, PHONE.width]);
      const faults = (await takeFaults()).filter((fault) => state.isRefused !== true || !REFUSED.test(fault));
      expect([state.name, faults]).toEqual([state.name, []]);
    }
    await page.close();
  });
});
