/**
 * Charges: everything a transaction costs, each with payer, source and reason. The only record of costs. Code that
 * takes something from an account appends to this list, and costs are recorded nowhere else: receipts (`receipt.ts`),
 * explanations (`explanation/`), log lines and reports are views of it. The sum of the charges in TRX is
 * `TransactionInfo.fee`.
 */

import type { Address, Sun } from '../../primitives/ids.js';

/** The resource. Bandwidth is counted in bytes, Energy in units, TRX in sun. */
export type Resource = 'bandwidth' | 'energy' | 'coin';

/** The source; for TRX, the destination. */
export type ChargeSource =
  /** The payer's own staked resource. */
  | 'staked'
  /** The payer's free bandwidth of the day (and the network's free pool). */
  | 'free'
  /** Bandwidth that a TRC-10 issuer grants to holders of the token. */
  | 'issuer'
  /** Staked Energy of the contract's deployer. */
  | 'origin'
  /** Balance, burned. */
  | 'burned'
  /** Balance, to the Blackhole account (ALLOW_BLACKHOLE_OPTIMIZATION off). */
  | 'blackhole'
  /** Balance, to the pool that block producers share (ALLOW_TRANSACTION_FEE_POOL). */
  | 'fee-pool';

export type ChargeReason =
  | 'bandwidth'
  /** The flat price that replaces bandwidth if a transaction creates an account. */
  | 'account-creation-bandwidth'
  | 'energy'
  | 'multi-signature'
  | 'memo'
  /** The fee for creating an account. */
  | 'account-activation'
  | 'witness-creation'
  | 'asset-issue'
  | 'permission-update'
  | 'exchange-creation'
  | 'market-order';

export interface Charge {
  readonly payer: Address;
  readonly resource: Resource;
  readonly source: ChargeSource;
  readonly amount: bigint;
  readonly reason: ChargeReason;
  /** For TRX that pay for units of a resource: their number and the price of one in sun. */
  readonly units?: bigint;
  readonly unitPriceSun?: Sun;
  /** Data of the decision, for the explanation: the remainder of each earlier source. */
  readonly left?: Readonly<Record<string, bigint>>;
}

export function coinTotal(charges: readonly Charge[], ...reasons: readonly ChargeReason[]): Sun {
  let total = 0n;
  for (const charge of charges) {
    if (charge.resource === 'coin' && (reasons.length === 0 || reasons.includes(charge.reason))) total += charge.amount;
  }
  return total;
}

/** JSON with bigints as `"1n"`. Written by hand, because `JSON.stringify` with a replacer takes three times as long. */
export function encodeCharges(charges: readonly Charge[]): string {
  let text = '';
  for (const charge of charges) text += `${text === '' ? '' : ','}${objectText(charge)}`;
  return `[${text}]`;
}

type Member = string | bigint | Readonly<Record<string, bigint>> | undefined;

/** Keys and strings are addresses and words of the tables above: none needs escaping. */
function objectText(object: object): string {
  let text = '';
  for (const key in object) {
    const value = (object as Record<string, Member>)[key];
    if (value === undefined) continue;
    const json =
      typeof value === 'string' ? `"${value}"` : typeof value === 'bigint' ? `"${value}n"` : objectText(value);
    text += `${text === '' ? '' : ','}"${key}":${json}`;
  }
  return `{${text}}`;
}

export function decodeCharges(text: string): readonly Charge[] {
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  );
}
