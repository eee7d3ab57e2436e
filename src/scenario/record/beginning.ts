/** Opens the chain of a recording at its first block. */

import { chainFolderAt } from '../../devnet/database/chain-folder.js';
import { openStore } from '../../devnet/running/open-node.js';
import { RemoteError } from '../../fork/network/remote-error.js';
import { rowsInWords } from '../../fork/terms/row-names.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import { VirtualClock } from '../../node/clock/clock.js';
import { Node } from '../../node/node.js';
import { utf8ToHex } from '../../primitives/hex.js';
import { addressFromPrivateKey } from '../../protocol/address.js';
import { sha256OfHex } from '../../protocol/hashes.js';
import { ForkedStore } from '../../state/fork/forked-store.js';
import { MemoryStore } from '../../state/memory-store.js';
import type { FetchedRow, RemoteRows } from '../../state/remote-rows.js';
import type { Store } from '../../state/store.js';

/** Signs every block: no id depends on the signature, and a recording has no keys. */
const KEY = sha256OfHex(utf8ToHex('sunup recording'));

export async function openRecordedChain(
  { genesis, settings }: Beginning,
  place: {
    readonly directory: string | undefined;
    readonly memory: Store | undefined;
    readonly observer: ChainObserver;
    /** Of a fork: the recorded rows of its network. */
    readonly rows: readonly FetchedRow[];
    /** The network for rows that the recording lacks; undefined: such a row is an error. */
    readonly network: RemoteRows | undefined;
    readonly file: string;
  },
): Promise<Node> {
  const own =
    place.directory === undefined
      ? (place.memory ?? new MemoryStore())
      : await openStore(chainFolderAt(place.directory), (damage) => {
          throw damage;
        });
  const store: Store = genesis.fork === undefined ? own : new ForkedStore(own, place.network ?? unread(place.file));
  await store.keepFetched?.(place.rows);
  return Node.open({
    chain: {
      genesis,
      store,
      poolSize: 1_000_000,
      solidityLag: 'none',
      history: false,
      settings,
      observer: place.observer,
    },
    producer: { mode: 'manual', fillForeignSlots: true },
    clock: new VirtualClock(genesis.timestampMs),
    witnessKeys: new Map([[addressFromPrivateKey(KEY), KEY]]),
  });
}

/** Refuses rows that the recording does not have. */
function unread(file: string): RemoteRows {
  return {
    fetch: async (wanted) => {
      throw new RemoteError(
        file,
        rowsInWords(wanted),
        'it is not among the rows that stand in the recording',
        'As it was recorded the chain has all that it reads; where steps were changed, or with --what-if, it may read more: --fork and the URL of its network reads that there.',
      );
    },
  };
}
