/** Finds the precompiled contract of an operand word. */

import type { TvmFlags } from '../flags.js';
import { chainQueries } from './chain-queries.js';
import type { Precompile } from './precompile.js';
import { shieldedContracts } from './shielded.js';
import { signatureContracts } from './signatures.js';
import { standard } from './standard.js';

const LAST_ADDRESS = 0x1000015n;

const tables = new WeakMap<TvmFlags, ReadonlyMap<number, Precompile>>();

/** All 32 bytes count: a word with a nonzero upper byte, including 0x41, is an ordinary account. */
export function precompileAt(target: bigint, flags: TvmFlags): Precompile | undefined {
  if (target > LAST_ADDRESS) return undefined;
  let table = tables.get(flags);
  if (table === undefined) {
    table = new Map([
      ...standard(flags),
      ...(flags.solidity059 ? signatureContracts(flags) : []),
      ...(flags.shieldedTrc20 ? shieldedContracts : []),
      ...chainQueries(flags),
    ]);
    tables.set(flags, table);
  }
  return table.get(Number(target));
}
