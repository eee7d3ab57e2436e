/** `sunup record --fork URL --account ADDRESS`: the transactions of accounts of a live network as a scenario. */

import { connectNetwork } from '../devnet/fork/fork.js';
import { RemoteError as NetworkError } from '../fork/network/remote-error.js';
import { OptionError } from '../options/option-error.js';
import { settingsForLibrary } from '../options/settings.js';
import { wallClock } from '../platform/clock.js';
import { CostsError } from '../traffic/costs/costs-error.js';
import { NetworkCosts } from '../traffic/costs/read-costs.js';
import { recordTraffic } from '../traffic/recording/recorded-traffic.js';
import { type RangeOptions, readAccounts, readCount, readRange } from './costs-command.js';
import { EXPLAIN_NETWORK_OPTIONS, type ExplainNetworkOptions } from './explain-network-options.js';
import { RemoteError } from './node-client.js';

/** A folder of rows beside the scenario. */
const CACHE = 'rows';

export type RecordTrafficOptions = ExplainNetworkOptions &
  RangeOptions & {
    readonly account: readonly string[];
    readonly maxBlocks: string;
  };

export interface RecordedText {
  /** The scenario as YAML. */
  readonly text: string;
  readonly transactions: number;
  readonly steps: number;
}

/** @throws RemoteError */
export async function recordedTraffic(options: RecordTrafficOptions): Promise<RecordedText> {
  const { fork: url } = options;
  if (url === undefined) throw new RemoteError('--fork is missing: set the URL of a node of the network', 2);
  const accounts = readAccounts(options.account, undefined);
  const rangeAt = readRange(options);
  const maxBlocks = readCount(options.maxBlocks, '--max-blocks');
  const chosen = Object.fromEntries(EXPLAIN_NETWORK_OPTIONS.map((name) => [name, options[name]]));
  try {
    const connection = await connectNetwork(settingsForLibrary(chosen), wallClock);
    try {
      const costs = await NetworkCosts.open(connection, { maxBlocks });
      const range = rangeAt(costs.head.timestampMs);
      const parts = accounts.map((account) => costs.listed(account, range));
      const recorded = await recordTraffic(connection, { accounts, parts, url, cache: CACHE });
      const { transactions, scenario } = recorded;
      return { text: await yamlOf(recorded), transactions, steps: scenario.steps.length };
    } finally {
      connection.wallet.close();
    }
  } catch (error) {
    const isOfTheUser = [CostsError, OptionError, NetworkError].some((kind) => error instanceof kind);
    throw isOfTheUser ? new RemoteError((error as Error).message) : error;
  }
}

async function yamlOf({ scenario, transactions, leftOut }: Awaited<ReturnType<typeof recordTraffic>>): Promise<string> {
  const { Document, isCollection, isMap } = await import('yaml');
  const missing = Object.entries(leftOut).map(([type, count]) => `#   ${count} ${type}`);
  const head = [
    `# ${transactions} transactions of a live network, written by sunup record. Run it with sunup run FILE.`,
    '# `was` is what each cost on the network. The state here is that of today: the report says what differs.',
    ...(missing.length === 0 ? [] : ['# Left out, because scenarios do not repeat them:', ...missing]),
  ];
  const document = new Document(scenario);
  const steps = document.get('steps');
  // A line for each step, as people write them.
  if (isCollection(steps))
    for (const step of steps.items)
      if (isMap(step)) for (const { value } of step.items) if (isMap(value)) value.flow = true;
  return `${head.join('\n')}\n${document.toString({ lineWidth: 0 })}`;
}
