/** A chain in this process with as many funded accounts as a bench needs, and the same genesis at each call. */

import { devnetGenesis } from '../../src/devnet/genesis/genesis.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../../src/ledger/config.js';
import { VirtualClock } from '../../src/node/clock/clock.js';
import { Node } from '../../src/node/node.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import type { Hex } from '../../src/primitives/hex.js';
import { addressFromPrivateKey, toBase58 } from '../../src/protocol/address.js';
import type { Store } from '../../src/state/store.js';
import type { Reference } from './signed-transactions.js';

export interface BenchNodeOptions {
  readonly settings?: NodeSettings;
  readonly history?: boolean;
  /** Blocks; by default the state of all heights is kept. */
  readonly stateHistory?: number | undefined;
}

/** Blocks 1 and 2 are made already. */
export async function openBenchNode(
  store: Store,
  keys: readonly Hex[],
  { settings: nodeSettings = NETWORK_SETTINGS, history = true, stateHistory }: BenchNodeOptions = {},
): Promise<Node> {
  const settings = settingsForLibrary({ accounts: 0 });
  const accounts = keys.map((privateKey, index) => {
    const addressHex = addressFromPrivateKey(privateKey);
    return { index, address: toBase58(addressHex), addressHex, privateKey, balanceSun: 10n ** 13n };
  });
  const { genesis, witnessKeys } = devnetGenesis(settings, accounts);
  const node = await Node.open({
    chain: {
      genesis,
      store,
      poolSize: 1_000_000,
      solidityLag: 'none',
      history,
      stateHistory,
      settings: nodeSettings,
    },
    producer: { mode: 'manual', fillForeignSlots: true },
    clock: new VirtualClock(genesis.timestampMs),
    witnessKeys,
  });
  if (node.chain.headNumber === 0) node.mine(2);
  return node;
}

export function headOf({ chain }: Node): Reference {
  return { blockId: chain.headId, timestampMs: Number(chain.headTimeMs) };
}
