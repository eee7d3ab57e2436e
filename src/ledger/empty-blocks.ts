import type { BlockId } from '../primitives/ids.js';
import type { BlockHeader } from '../protocol/messages/tron.js';
import type { Ledger } from './ledger.js';

export function emptyBlockId(_ledger: Ledger, _number: number): BlockId | undefined {
  return undefined;
}

export function emptyBlockHeader(_ledger: Ledger, _number: number): BlockHeader | undefined {
  return undefined;
}
