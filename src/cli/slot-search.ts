/**
 * Which storage slot makes a call cost something else than it did: the slots that it writes now are given another value,
 * one after another, until the call uses the Energy of its receipt.
 */

import type { Hex } from '../primitives/hex.js';
import { toBase58 } from '../protocol/address.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { SlotFound, SlotSearch } from '../traffic/differing-rows.js';
import type { PreviewAnswer } from './estimate-what-if.js';
import { askRpc, RemoteError } from './node-client.js';

/** Runs of one search. */
const MAX_TRIED = 24;
const EMPTY = '0'.repeat(64);
const IN_USE = `${'0'.repeat(63)}1`;

interface Diff {
  readonly pre: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
  readonly post: Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>;
}

interface Written extends SlotFound {
  /** `0x`, 20 bytes. */
  readonly account: string;
}

/**
 * @param baseEnergy of the receipt, without penalty
 * @param preview runs it with other storage, as in `eth_call`
 * @returns undefined for what is no call, or one that fails now
 */
export async function searchSlots(
  node: URL,
  { contractType, contract, owner }: SignedTransaction,
  baseEnergy: bigint,
  preview: (overrides: object) => Promise<PreviewAnswer>,
): Promise<SlotSearch | undefined> {
  if (contractType !== ContractType.TriggerSmartContract) return undefined;
  const { contract_address, data, call_value, call_token_value } = contract as unknown as TriggerSmartContract;
  // A traced call sends no tokens.
  if (call_token_value > 0n) return undefined;
  const call = {
    from: hexOf(owner ?? ''),
    to: hexOf(contract_address),
    data: `0x${data}`,
    value: `0x${call_value.toString(16)}`,
  };
  const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
  const { pre, post } = (await askRpc(node, 'debug_traceCall', [call, 'latest', options])) as Diff;
  const written = slotsIn(pre, post);
  const matches = async (slots: readonly Written[]) => {
    try {
      const { energy } = await preview(overridesOf(slots));
      return energy !== undefined && BigInt(energy.total) - BigInt(energy.penalty) === baseEnergy;
    } catch (error) {
      // The call is refused with that value.
      if (error instanceof RemoteError) return false;
      throw error;
    }
  };
  for (const slot of written.slice(0, MAX_TRIED))
    if (await matches([slot])) return { found: [slot], written: written.length };
  for (const wasEmpty of [true, false]) {
    const same = written.filter((slot) => slot.wasEmpty === wasEmpty);
    if (same.length > 1 && (await matches(same))) return { found: same, written: written.length };
  }
  return { found: [], written: written.length };
}

/** In the order of contracts and slots; `wasEmpty` is the other state than now. */
function slotsIn(pre: Diff['pre'], post: Diff['post']): readonly Written[] {
  const accounts = [...new Set([...Object.keys(pre), ...Object.keys(post)])];
  return accounts.flatMap((account) => {
    const before = pre[account]?.storage ?? {};
    const slots = [...new Set([...Object.keys(before), ...Object.keys(post[account]?.storage ?? {})])];
    return slots.map((slot) => {
      const value = digitsOf(before[slot] ?? EMPTY);
      const contract = toBase58(`41${account.slice(2)}`);
      return { account, contract, slot: digitsOf(slot), value, wasEmpty: value !== EMPTY };
    });
  });
}

function overridesOf(slots: readonly Written[]): object {
  const overrides: Record<string, { readonly stateDiff: Record<string, string> }> = {};
  for (const { account, slot, wasEmpty } of slots) {
    overrides[account] ??= { stateDiff: {} };
    overrides[account].stateDiff[`0x${slot}`] = `0x${wasEmpty ? EMPTY : IN_USE}`;
  }
  return overrides;
}

const hexOf = (address: string): Hex => `0x${address.slice(2)}` as Hex;
const digitsOf = (word: string): string => word.replace(/^0x/, '').padStart(64, '0');
