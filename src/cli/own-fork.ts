/** A fork that a command starts for one request, and closes. */

import type { DevnetOptions } from '../options/declarations.js';
import { interruptible } from './interruptible.js';
import { networkCommandError } from './network-errors.js';
import { progressBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/**
 * @param ask gets the URL of the fork
 * @throws RemoteError if the fork does not start
 */
export async function onOwnFork<Answer>(
  options: DevnetOptions,
  terminal: Terminal,
  ask: (node: URL) => Promise<Answer>,
): Promise<Answer> {
  const [{ startDevnet }, { settingsForLibrary }] = await Promise.all([
    import('../devnet/running/start.js'),
    import('../options/settings.js'),
  ]);
  // No funded accounts: each would be a row to fetch. Block times are slot times, as on the network.
  const settings = settingsForLibrary({ ...options, accounts: 0, mining: 'manual', clock: 'virtual' });
  const bar = progressBar(terminal);
  const devnet = await startDevnet(settings, { withoutFirstBlocks: true, forkProgress: bar.network }).catch(
    (error: unknown) => {
      bar.clear();
      throw networkCommandError(error, `start a fork of ${options.fork ?? 'the network'}`);
    },
  );
  try {
    // Rows that were fetched before the signal stay in the cache (--fork-cache).
    return await interruptible(
      () => devnet.close(),
      () => ask(new URL(devnet.http.url)),
    );
  } finally {
    await devnet.close();
    bar.clear();
  }
}
