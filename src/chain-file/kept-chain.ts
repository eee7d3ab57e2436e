/** The chain that a load replaces: kept as a chain file until the other chain is complete, and read if it never is. */

import { dumpedClock } from '../node/clock/clock.js';
import type { KeepChain } from '../node/operations/chain-loader.js';
import type { Spool } from '../platform/spool.js';
import { type ChainFileBytes, readChainFile, type Sink, streamedFile } from './file.js';
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

/** Characters that are written together. */
const PART_LENGTH = 65_536;

/** Not packed: it is written once, read hardly ever, and soon deleted. */
export function keepingIn(newPlace: () => Promise<KeptBytes>): KeepChain {
  return async ({ chain, clock }, yieldTurn) => {
    const place = await newPlace();
    try {
      const moment = new SavedMoment(chain, dumpedClock(clock));
      await moment.steps.count(yieldTurn);
      let text = '';
      for await (const line of moment.lines()) {
        text += line;
        if (text.length >= PART_LENGTH) {
          await place.write(Buffer.from(text));
          text = '';
        }
        await yieldTurn();
      }
      await place.write(Buffer.from(text));
      await place.complete();
    } catch (error) {
      await place.discard();
      throw error;
    }
    return { read: () => readChainFile(streamedFile(place.read)), discard: place.discard };
  };
}
