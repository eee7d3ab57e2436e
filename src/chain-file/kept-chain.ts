/** The chain that a load replaces: kept as a chain file until the other chain is complete, and read if it never is. */

import { dumpedClock } from '../node/clock/clock.js';
import type { KeepChain } from '../node/operations/chain-loader.js';
import type { Spool } from '../platform/spool.js';
import { type ChainFileBytes, inParts, readChainFile, type Sink } from './file.js';
import type { ChainFile } from './reader.js';
import { SavedMoment } from './saved-moment.js';

/** Where the bytes of one chain are kept. */
export interface KeptBytes extends Sink {
  /** Call it after the last part. @throws errors of the file system */
  readonly complete: () => Promise<void>;
  readonly read: ChainFileBytes['read'];
  readonly discard: () => Promise<void>;
}

/** For a chain that ends with its process. */
export function inSpool(spool: Spool): KeptBytes {
  return {
    write: (part) => spool.write(part),
    complete: async () => {},
    read: () => spool.read(),
    discard: () => spool.close(),
  };
}

/** It was written here, so no line of it is too long. @throws OperationError if it is damaged */
export function readKept(read: KeptBytes['read']): Promise<ChainFile> {
  return readChainFile({ read, bounds: { text: Number.POSITIVE_INFINITY, line: Number.POSITIVE_INFINITY } });
}

/** Not packed: it is written once, read hardly ever, and soon deleted. */
export function keepingIn(newPlace: () => Promise<KeptBytes>): KeepChain {
  return async () => {
    const place = await newPlace();
    return {
      write: async ({ chain, clock }, yieldTurn) => {
        const moment = new SavedMoment(chain, dumpedClock(clock));
        await moment.steps.count(yieldTurn);
        for await (const part of inParts(moment.lines(), yieldTurn)) await place.write(Buffer.from(part));
        await place.complete();
      },
      read: () => readKept(place.read),
      discard: place.discard,
    };
  };
}
