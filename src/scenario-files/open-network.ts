/** The network of a scenario that is a fork: as the file says it, or who runs it. */

import path from 'node:path';
import { keptStart, openNetwork } from '../devnet/fork/fork.js';
import type { RemoteOptions } from '../fork/network/remote-client.js';
import type { Remote } from '../fork/start/open-remote.js';
import { NETWORK_OPTIONS, type NetworkOptions } from '../options/network-options.js';
import { OptionError } from '../options/option-error.js';
import { settingsForLibrary } from '../options/settings.js';
import { thisMachine } from '../platform/machine.js';
import type { ScenarioDocument } from '../scenario/format/document.js';
import type { Scenario } from '../scenario/format/scenario.js';
import { beginningOf } from '../scenario/run/open-chain.js';

/** What the file's `fork` is where another URL is given; undefined: what it is in the file. */
export function forkInstead({ value }: ScenarioDocument, { fork: url }: NetworkOptions): unknown {
  if (url === undefined) return undefined;
  const { fork } = Object(value) as { readonly fork?: unknown };
  return typeof fork === 'object' && fork !== null ? { ...fork, url } : { url };
}

/** What says nothing where nobody is asked. Keys, `forkRate` and `forkOffline` are true of all files that are run together. */
const OF_A_FORK = ['forkCache', 'forkJsonrpc', 'forkGrpc', 'forkBrokerages'] as const;

/**
 * Opens the network of a scenario that has `fork`; whoever opens it closes it. A recorded fork begins as it began.
 *
 * @param folder of the file, from which its cache is seen
 * @param listeners called with the number of answers, and with pauses
 * @throws OptionError
 */
export async function networkOf(
  scenario: Scenario,
  folder: string,
  options: NetworkOptions,
  listeners: Pick<RemoteOptions, 'onAnswer' | 'onBackoff'> = {},
): Promise<Remote | undefined> {
  const { fork, network } = scenario;
  if (fork === undefined) {
    for (const name of OF_A_FORK)
      if (options[name] !== undefined)
        throw new OptionError(name, 'is for a scenario on a fork', 'Give it fork, or --fork URL');
    return undefined;
  }
  const { jsonrpc, grpc, cache, brokerages, offline } = fork;
  const recorded = beginningOf(scenario);
  const slotMs = recorded?.settings.slotMs ?? network.slotMs;
  const given = Object.fromEntries(
    NETWORK_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const])),
  );
  const settings = settingsForLibrary({
    ...(jsonrpc !== undefined && { forkJsonrpc: jsonrpc }),
    ...(grpc !== undefined && { forkGrpc: grpc }),
    ...(cache !== undefined && { forkCache: path.resolve(folder, cache) }),
    ...(brokerages !== undefined && { forkBrokerages: brokerages }),
    ...(offline !== undefined && { forkOffline: offline }),
    ...(slotMs !== undefined && { slotMs: Number(slotMs) }),
    ...given,
    fork: fork.url,
  });
  return openNetwork(settings, fork.url, thisMachine, { ...listeners, start: recorded && keptStart(recorded) });
}
