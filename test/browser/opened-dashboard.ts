/** A devnet with its dashboard in a browser. Needs the build (`npm run build`). */

import type { BrowserContext, Page } from 'playwright-core';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.js';
import { openPage } from './pages.js';

export class Dashboard implements AsyncDisposable {
  private constructor(
    readonly devnet: Devnet,
    readonly page: Page,
  ) {}

  /** @param prepare makes the chain; returns the address of a screen, `#/blocks` */
  static async open(context: BrowserContext, options: DevnetOptions, prepare?: (devnet: Devnet) => Promise<string>) {
    const devnet = await createDevnet(options);
    const screen = (await prepare?.(devnet)) ?? '';
    return new Dashboard(devnet, await openPage(context, `${devnet.http.url}/${screen}`));
  }

  /** The page first: it listens to the node. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.page.close();
    await this.devnet.close();
  }
}
