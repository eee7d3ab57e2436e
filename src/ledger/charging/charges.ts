/**
 * Charges: everything a transaction cost, each with payer, source and reason. The one truth about cost.
 *
 * The executor appends to this list where it takes something from somebody, and nowhere else is a cost written down:
 * receipts (`receipt.ts`), explanations (`explanation/`), log lines and reports are views of it. The sum of the charges in
 * coin is `TransactionInfo.fee`.
 */

import type { Address, Sun } from '../../primitives/ids.js';

/** What was taken. Bandwidth is counted in bytes, Energy in units, coin in sun. */
export type Resource = 'bandwidth' | 'energy' | 'coin';

/** Where it came from, and for coin where it went. */
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
  /** The flat price that stands in for bandwidth when a transaction creates an account. */
  | 'account-creation-bandwidth'
  | 'energy'
  | 'multi-signature'
  | 'memo'
  /** The fee for bringing a new account into being. */
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
  /** For coin that pays for units of a resource: how many, and the price of one in sun. */
  readonly units?: bigint;
  readonly unitPriceSun?: Sun;
  /** What decided it, for the explanation: what was left of each source that came before this one. */
  readonly left?: Readonly<Record<string, bigint>>;
}

export function coinTotal(charges: readonly Charge[], ...reasons: readonly ChargeReason[]): Sun {
  let total = 0n;
  for (const charge of charges) {
    if (charge.resource === 'coin' && (reasons.length === 0 || reasons.includes(charge.reason))) total += charge.amount;
  }
  return total;
}

/** JSON with bigints as `"1n"`. Put together here, because `JSON.stringify` with a replacer takes three times as long. */
export function encodeCharges(charges: readonly Charge[]): string {
  let text = '';
  for (const charge of charges) text += `${text === '' ? '' : ','}${objectText(charge)}`;
  return `[${text}]`;
}

type Member = string | bigint | Readonly<Record<string, bigint>> | undefined;

/** Keys and strings are addresses and words of the tables above: nothing in them has to be escaped. */
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
