/** `sunup explain TXID --fork URL`: a transaction of a live network, from what its node serves. */

import { connectNetwork } from '../devnet/fork/fork.js';
import { settingsForLibrary } from '../options/settings.js';
import { writeJson } from '../primitives/amount-json.js';
import type { TxId } from '../primitives/ids.js';
import { wrapped } from '../prose/explanation.js';
import { recordedExplanationInWords, recordedExplanationText, todayLines } from '../prose/recorded-explanation.js';
import { NetworkTransactions } from '../traffic/network-transactions.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { networkCommandError } from './network-errors.js';
import { RemoteError } from './node-client.js';
import { onOwnFork } from './own-fork.js';
import { progressBar } from './progress-bar.js';
import { runAgain, runAgainText } from './run-again.js';
import type { Terminal } from './terminal.js';
import { type TraceWords, writeProfile } from './trace-request.js';

export interface ExplainOfNetworkOptions extends ExplainNetworkOptions, Partial<TraceWords> {
  readonly json?: boolean;
  /** Runs it once more on the present state. */
  readonly run?: boolean;
  /** As for `sunup estimate`; implies `run`. */
  readonly whatIf?: readonly string[];
}

/** @returns the output of the command @throws RemoteError */
export async function explainOfNetwork(
  txid: TxId,
  { json = false, run = false, whatIf = [], ...options }: ExplainOfNetworkOptions,
  terminal: Terminal,
): Promise<string> {
  const chosen = Object.fromEntries(EXPLAIN_NETWORK_OPTIONS.map((name) => [name, options[name]]));
  try {
    const { onBackoff } = progressBar(terminal).network;
    const connection = await connectNetwork(settingsForLibrary(chosen), { onBackoff });
    try {
      const { history, today, transaction } = await new NetworkTransactions(connection).explainInParts(txid);
      const traceWords = traceWordsOf(options);
      const runsAgain = run || whatIf.length > 0 || traceWords !== undefined;
      const again = async () => {
        const { trace, ...ran } = await onOwnFork(chosen, terminal, (node) =>
          runAgain(node, transaction, history, whatIf, traceWords),
        ).catch((error: unknown) => {
          if (!(error instanceof RemoteError) || error.exitCode === 2) throw error;
          throw new RemoteError(`cannot run transaction ${txid} again: ${error.message}`);
        });
        if (trace === undefined) return ran;
        const { profile, ...tree } = trace;
        terminal.err(await writeProfile({ profile }, options));
        return { ...ran, trace: tree };
      };
      if (json) {
        const answer = recordedExplanationInWords({ ...history, today: await today });
        return `${writeJson(runsAgain ? { ...answer, again: await again() } : answer)}\n`;
      }
      const words = (lines: readonly string[]) => `${wrapped(lines).join('\n')}\n`;
      terminal.out(words(recordedExplanationText(history)));
      terminal.out(`\n${words(todayLines(await today))}`);
      return runsAgain ? `\n${runAgainText(await again(), whatIf)}` : '';
    } finally {
      connection.wallet.close();
    }
  } catch (error) {
    throw networkCommandError(error, `explain transaction ${txid}`);
  }
}

/** Undefined: no call tree is asked for. Artifacts are there for the lines of their sources. */
function traceWordsOf({ lines = false, artifacts = [], by = 'function', ...files }: Partial<TraceWords>) {
  if (!lines && artifacts.length === 0 && files.speedscope === undefined && files.svg === undefined) return undefined;
  const { speedscope, svg } = files;
  return {
    lines: lines || artifacts.length > 0,
    artifacts,
    by,
    ...(speedscope !== undefined && { speedscope }),
    ...(svg !== undefined && { svg }),
  };
}
