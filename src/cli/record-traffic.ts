/** `sunup record --fork URL --account ADDRESS`: the transactions of accounts of a live network as a scenario. */

import { connectNetwork } from '../devnet/fork/fork.js';
import { settingsForLibrary } from '../options/settings.js';
import { NetworkCosts } from '../traffic/costs/read-costs.js';
import { recordTraffic } from '../traffic/recording/recorded-traffic.js';
import { accountsInWords, type RangeOptions, readAccounts, readCount, readRange } from './costs-command.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { networkCommandError } from './network-errors.js';
import { RemoteError } from './node-client.js';
import { progressBar } from './progress-bar.js';
import type { Terminal } from './terminal.js';

/** A folder of rows beside the scenario. */
const CACHE = 'rows';

export type RecordTrafficOptions = ExplainNetworkOptions &
  RangeOptions & {
    readonly account: readonly string[];
    readonly maxBlocks: string;
    /** A model of the traffic instead of its steps. */
    readonly group?: boolean;
    readonly scale?: string;
  };

export interface RecordedText {
  /** The scenario as YAML. */
  readonly text: string;
  readonly transactions: number;
  readonly steps: number;
}

/** @throws RemoteError */
export async function recordedTraffic(options: RecordTrafficOptions, terminal: Terminal): Promise<RecordedText> {
  const { fork: url } = options;
  if (url === undefined) throw new RemoteError('--fork is missing: set the URL of a node of the network', 2);
  const accounts = readAccounts(options.account, undefined);
  const rangeAt = readRange(options);
  const model = readModel(options, accounts.length);
  const maxBlocks = readCount(options.maxBlocks, '--max-blocks');
  const chosen = Object.fromEntries(EXPLAIN_NETWORK_OPTIONS.map((name) => [name, options[name]]));
  const bar = progressBar(terminal);
  try {
    const connection = await connectNetwork(settingsForLibrary(chosen), bar.network);
    try {
      const costs = await NetworkCosts.open(connection, { maxBlocks });
      const range = rangeAt(costs.head.timestampMs);
      const parts = accounts.map((account) => costs.listed(account, range));
      const recorded = await recordTraffic(connection, { accounts, parts, url, cache: CACHE, model });
      const { transactions, scenario } = recorded;
      return { text: await yamlOf(recorded), transactions, steps: scenario.steps.length };
    } finally {
      connection.wallet.close();
      bar.clear();
    }
  } catch (error) {
    bar.clear();
    throw networkCommandError(error, `record the transactions of ${accountsInWords(accounts)}`);
  }
}

function readModel({ group, scale }: RecordTrafficOptions, accounts: number): { readonly scale: number } | undefined {
  if (!group && scale === undefined) return undefined;
  if (accounts > 1) throw new RemoteError('--group makes a model of one account: give one --account', 2);
  const times = Number(scale ?? 1);
  if (times > 0 && times <= 1_000) return { scale: times };
  throw new RemoteError(`--scale is ${scale}, but must be a number above 0, 1,000 at most`, 2);
}

async function yamlOf({
  scenario,
  transactions,
  leftOut,
  summary,
}: Awaited<ReturnType<typeof recordTraffic>>): Promise<string> {
  const { Document, isScalar, visit } = await import('yaml');
  const missing = Object.entries(leftOut).map(([type, count]) => `#   ${count} ${type}`);
  const head = [
    `# ${transactions} transactions of a live network, written by sunup record. Run it with sunup run FILE.`,
    ...(summary.length === 0
      ? ['# `was` is what each cost on the network. The state here is that of today: the report says what differs.']
      : [
          '# A model of the traffic: rates by hour, shares of methods. On the network they were:',
          ...summary.map((line) => `#   ${line}`),
        ]),
    ...(missing.length === 0 ? [] : ['# Left out, because scenarios do not repeat them:', ...missing]),
  ];
  const document = new Document(scenario);
  // A line for each transaction, as people write them.
  visit(document, {
    Map: (_, map) => {
      if (map.has('from')) map.flow = true;
    },
    Seq: (_, list) => {
      if (list.items.every(isScalar)) list.flow = true;
    },
  });
  return `${head.join('\n')}\n${document.toString({ lineWidth: 0 })}`;
}
