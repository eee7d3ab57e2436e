/** A node that is a fork of a chain behind a socket, read as `sunup --fork URL` reads it; nothing is done on it yet. */

import { forkGenesis } from '../../src/devnet/fork/fork.js';
import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { openRemote } from '../../src/fork/start/open-remote.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../../src/ledger/config.js';
import type { Genesis } from '../../src/ledger/genesis/genesis.js';
import { VirtualClock } from '../../src/node/clock/clock.js';
import { Node } from '../../src/node/node.js';
import type { SolidityLag } from '../../src/node/views/solidity-view.js';
import { wallClock } from '../../src/platform/clock.js';
import { systemRandom } from '../../src/platform/random.js';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { releaseOfHeader } from '../../src/primitives/release.js';
import { EarlierBlocks } from '../../src/state/fork/earlier-blocks.js';
import { ForkedStore } from '../../src/state/fork/forked-store.js';
import { MemoryStore } from '../../src/state/memory-store.js';

export interface ForkedNodeOptions {
  readonly url: string;
  /** Of the other chain: what no fork reads is not looked at. */
  readonly genesis: Genesis;
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  readonly settings?: NodeSettings;
  readonly solidityLag?: SolidityLag;
  /** Who answers. */
  readonly fetch?: RemotePlatform['fetch'];
}

export interface ForkedNode {
  readonly node: Node;
  /** Names of what was assumed. */
  readonly assumed: readonly string[];
  requests(): number;
  close(): Promise<void>;
}

export async function openForkedNode(of: ForkedNodeOptions): Promise<ForkedNode> {
  const settings = of.settings ?? NETWORK_SETTINGS;
  const platform = { fetch: of.fetch ?? fetch, clock: wallClock, random: systemRandom };
  const remote = await openRemote({ url: of.url, slotMs: settings.slotMs, brokerages: true }, platform);
  const { start } = remote;
  const genesis = forkGenesis(start, of.genesis, undefined);
  const release = releaseOfHeader(start.head.header.raw_data?.version ?? 0);
  const node = await Node.open({
    chain: {
      genesis,
      networkBlocks: new EarlierBlocks(remote.blocks, start.head.number),
      store: new ForkedStore(new MemoryStore(), remote.rows),
      poolSize: 2_000,
      solidityLag: of.solidityLag ?? 'none',
      settings: { ...settings, release },
    },
    producer: { mode: 'manual', fillForeignSlots: true },
    clock: new VirtualClock(genesis.timestampMs),
    witnessKeys: of.witnessKeys,
  });
  return {
    node,
    assumed: start.assumptions,
    requests: () => remote.requests(),
    close: async () => {
      await node.close();
      await remote.close();
    },
  };
}
