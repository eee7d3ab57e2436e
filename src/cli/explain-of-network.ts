/** `sunup explain TXID --fork URL`: a transaction of a live network, from what its node serves. */

import { connectNetwork } from '../devnet/fork/fork.js';
import { NotExplainableError } from '../explanation/model/not-explainable.js';
import { RemoteError as NetworkError } from '../fork/network/remote-error.js';
import { OptionError } from '../options/option-error.js';
import { settingsForLibrary } from '../options/settings.js';
import { wallClock } from '../platform/clock.js';
import { writeJson } from '../primitives/amount-json.js';
import type { TxId } from '../primitives/ids.js';
import { wrapped } from '../prose/explanation.js';
import { recordedExplanationInWords } from '../prose/recorded-explanation.js';
import { NetworkTransactions } from '../traffic/network-transactions.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { RemoteError } from './node-client.js';

/** @returns the output of the command @throws RemoteError */
export async function explainOfNetwork(
  txid: TxId,
  { json = false, ...options }: ExplainNetworkOptions & { readonly json?: boolean },
): Promise<string> {
  const chosen = Object.fromEntries(EXPLAIN_NETWORK_OPTIONS.map((name) => [name, options[name]]));
  try {
    const connection = await connectNetwork(settingsForLibrary(chosen), wallClock);
    try {
      const answer = recordedExplanationInWords(await new NetworkTransactions(connection).explain(txid));
      if (!json) return `${wrapped(answer.text).join('\n')}\n`;
      return `${writeJson(answer)}\n`;
    } finally {
      connection.wallet.close();
    }
  } catch (error) {
    if (error instanceof NotExplainableError || error instanceof OptionError) throw new RemoteError(error.message);
    if (error instanceof NetworkError) throw new RemoteError(error.message);
    throw error;
  }
}
