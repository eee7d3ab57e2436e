/** Charges in words: one readable sentence each. The log line, `devnet.explain` and the HTTP row print these. */

import type { Sun } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { type Charge, type ChargeReason, type ChargeSource, coinTotal } from './charges.js';

const PURPOSE: Record<ChargeReason, string> = {
  bandwidth: 'the bytes of the transaction',
  'account-creation-bandwidth': 'a transaction that creates an account, in place of its bytes',
  energy: 'running the contract',
  'multi-signature': 'carrying more than one signature',
  memo: 'carrying a memo',
  'account-activation': 'bringing a new account into being',
  'witness-creation': 'becoming a witness candidate',
  'asset-issue': 'issuing a TRC-10 token',
  'permission-update': 'changing account permissions',
  'exchange-creation': 'creating an exchange',
  'market-order': 'a market order',
};

const DESTINATION: Partial<Record<ChargeSource, string>> = {
  burned: 'burned',
  blackhole: 'sent to the Blackhole account',
  'fee-pool': "put into the producers' fee pool",
};

const GIVER: Partial<Record<ChargeSource, string>> = {
  staked: 'from its stake',
  free: 'from its free bandwidth of the day',
  issuer: "from the token issuer's bandwidth",
  origin: "from the stake of the contract's deployer",
};

const UNIT = { bandwidth: 'bandwidth', energy: 'Energy' } as const;

/** `266000n` → `0.266 TRX`. */
export function formatTrx(sun: Sun): string {
  const sign = sun < 0n ? '-' : '';
  const digits = (sun < 0n ? -sun : sun).toString().padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  const whole = digits.slice(0, -6).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`} TRX`;
}

export function formatUnits(amount: bigint): string {
  return amount.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

function whyNotStaked(charge: Charge): string {
  const left = Object.entries(charge.left ?? {});
  if (left.length === 0) return '';
  return `, because there was not enough of ${left.map(([source, amount]) => `${source} (${formatUnits(amount)} left)`).join(', ')}`;
}

/** @example 'TMVQ… pays 266 bandwidth from its free bandwidth of the day for the bytes of the transaction.' */
export function sentenceOf(charge: Charge): string {
  const payer = toBase58(charge.payer);
  const purpose = PURPOSE[charge.reason];
  if (charge.resource !== 'coin') {
    return `${payer} pays ${formatUnits(charge.amount)} ${UNIT[charge.resource]} ${GIVER[charge.source] ?? ''} for ${purpose}${whyNotStaked(charge)}.`;
  }
  const price =
    charge.units !== undefined && charge.unitPriceSun !== undefined
      ? ` (${formatUnits(charge.units)} at ${formatUnits(charge.unitPriceSun)} sun)`
      : '';
  return `${payer} pays ${formatTrx(charge.amount)}${price}, ${DESTINATION[charge.source] ?? charge.source}, for ${purpose}${whyNotStaked(charge)}.`;
}

/** The cost of a transaction with its reasons. */
export interface Explanation {
  readonly txid: string;
  /** Sum of everything paid in coin: `TransactionInfo.fee`. */
  readonly feeSun: Sun;
  readonly charges: readonly (Charge & { readonly sentence: string })[];
}

export function explainCharges(txid: string, charges: readonly Charge[]): Explanation {
  return {
    txid,
    feeSun: coinTotal(charges),
    charges: charges.map((charge) => ({ ...charge, sentence: sentenceOf(charge) })),
  };
}
