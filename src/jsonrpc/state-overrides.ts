/** Reads the state overrides of `eth_call` in Ethereum's form. */

import { hexToBytes, isPrefixedHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { givenBalance } from '../primitives/most-balance.js';
import { MAX_OVERRIDDEN_ROWS, overridesTooMuch, type StateOverrides } from '../wallet/calls.js';
import type { Binder } from './arguments.js';
import { invalidParams } from './errors.js';
import { isMembers, type Json } from './json-text.js';
import { readAddress } from './values.js';

type StateOverride = StateOverrides extends ReadonlyMap<Address, infer Override> ? Override : never;

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/;
const WORD = /^0x[0-9a-fA-F]{0,64}$/;
const BYTES = { test: (text: string) => text.startsWith('0x') && isPrefixedHex(text) };

/** @throws JsonRpcError with the invalid member */
export const stateOverrides: Binder<StateOverrides | null> = (value) => {
  if (value === null) return null;
  if (!isMembers(value)) throw invalidParams('invalid state override: not an object');
  if (overridesTooMuch(value))
    throw invalidParams(`invalid state override: more than ${MAX_OVERRIDDEN_ROWS} accounts and slots`);
  return new Map(Object.entries(value).map(([address, given]) => [readAddress(address), overrideOf(address, given)]));
};

function overrideOf(address: string, given: Json): StateOverride {
  const refuse = (what: string) => invalidParams(`invalid state override of ${address}: ${what}`);
  const matching = (name: string, value: Json, form: Pick<RegExp, 'test'>): string => {
    if (typeof value !== 'string' || !form.test(value)) throw refuse(name);
    return value;
  };
  const slots = (name: string, value: Json): ReadonlyMap<bigint, bigint> => {
    if (!isMembers(value)) throw refuse(name);
    return new Map(
      Object.entries(value).map(([slot, word]) => [
        BigInt(matching(name, slot, QUANTITY)),
        BigInt(matching(name, word, WORD).padEnd(3, '0')),
      ]),
    );
  };
  if (!isMembers(given)) throw refuse('not an object');
  const { balance, code, state, stateDiff, nonce: _none, ...unknown } = given;
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw refuse(`${name} is not known`);
  if (state !== undefined && stateDiff !== undefined) throw refuse('state and stateDiff exclude each other');
  const balanceSun = balance === undefined ? undefined : BigInt(matching('balance', balance, QUANTITY));
  return {
    balanceSun: balanceSun === undefined ? undefined : givenBalance(balanceSun),
    code: code === undefined ? undefined : hexToBytes(matching('code', code, BYTES).slice(2)),
    state: state === undefined ? undefined : slots('state', state),
    stateDiff: stateDiff === undefined ? undefined : slots('stateDiff', stateDiff),
  };
}
