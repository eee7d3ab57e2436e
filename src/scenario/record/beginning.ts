/** The chain of a recording at its beginning, and how the beginning is written. */

import { openStore } from '../../devnet/open-node.js';
import { type Beginning, decodeBeginning, encodeBeginning } from '../../ledger/blocks/genesis-text.js';
import { VirtualClock } from '../../node/clock.js';
import { Node } from '../../node/node.js';
import type { ChainObserver } from '../../node/observer.js';
import { utf8ToHex } from '../../primitives/hex.js';
import { addressFromPrivateKey } from '../../protocol/address.js';
import { sha256OfHex } from '../../protocol/hashes.js';
import { MemoryStore } from '../../state/memory-store.js';
import type { Store } from '../../state/store.js';
import { WORK_VERSION } from '../../tvm/work.js';
import { RecordingError } from './recording-error.js';

/** Signs every block: nobody's id depends on a signature, and whose keys the recorded chain had is not recorded. */
const KEY = sha256OfHex(utf8ToHex('sunup recording'));

export type RecordedBeginning = Readonly<Record<string, unknown>>;

export function recordedBeginning(beginning: Beginning): RecordedBeginning {
  return JSON.parse(encodeBeginning(beginning));
}

/** @throws RecordingError for what is no beginning, or one of rules that this version does not have */
export async function openRecordedChain(
  recorded: RecordedBeginning,
  place: {
    readonly directory: string | undefined;
    readonly memory: Store | undefined;
    readonly observer: ChainObserver;
  },
): Promise<Node> {
  const { genesis, settings } = readBeginning(recorded);
  const weights = settings.vmLimit?.weights;
  if (weights !== undefined && weights !== WORK_VERSION)
    throw new RecordingError(
      `the chain was recorded with version ${weights} of the table that says how long a contract may run, this Sunup has version ${WORK_VERSION}`,
    );
  const store =
    place.directory === undefined
      ? (place.memory ?? new MemoryStore())
      : await openStore(place.directory, (damage) => {
          throw damage;
        });
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

function readBeginning(recorded: RecordedBeginning): Beginning {
  try {
    return decodeBeginning(JSON.stringify(recorded));
  } catch (error) {
    throw new RecordingError(`this is no beginning of a chain (${(error as Error).message})`);
  }
}
