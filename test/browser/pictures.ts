/** Pictures of a page at several sizes, light and dark, for a person to look at. Nothing is compared. */

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE, type Size } from './pages.js';

export const PICTURE_SIZES: Readonly<Record<string, Size>> = { desktop: DESKTOP, phone: PHONE };

/**
 * @returns the files: `FOLDER/NAME-SIZE-SCHEME.png`
 * @example await takePictures(page, 'docs/pictures', 'overview')
 */
export async function takePictures(
  page: Page,
  folder: string,
  name: string,
  sizes: Readonly<Record<string, Size>> = PICTURE_SIZES,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [sizeName, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const file = path.join(folder, `${name}-${sizeName}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true, animations: 'disabled' });
      files.push(file);
    }
  }
  return files;
}
