/**
 * The cost of a transaction in Ethereum's terms: `gasUsed × effectiveGasPrice` is exactly the fee in sun, so that tools
 * that compare balances before and after are right. The price is the price of one Energy if that divides the fee,
 * otherwise the greatest common divisor of both. A transaction paid by stake alone, or by free bandwidth, has gas at a price
 * of 0.
 *
 * | Transaction at 100 sun per Energy | fee | gasUsed | effectiveGasPrice |
 * |---|---|---|---|
 * | transfer within the free bandwidth | 0 | 21,000 | 0 |
 * | transfer of 268 bytes that are burned | 268,000 sun | 2,680 | 100 |
 * | transfer that activates an account | 1,100,000 sun | 11,000 | 100 |
 * | call of 30,000 Energy and 345 bytes, burned | 3,345,000 sun | 33,450 | 100 |
 * | call of 30,000 Energy by stake, bytes free | 0 | 30,000 | 0 |
 * | call of 30,001 Energy and 345 bytes at 210 sun per Energy | 6,645,210 sun | 664,521 | 10 |
 */

import type { Sun } from '../../primitives/ids.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import { TRANSFER_GAS } from '../../wallet/ethereum.js';

export interface GasBill {
  readonly gasUsed: bigint;
  readonly priceSun: Sun;
}

/** @param energyPriceSun at the time of its block */
export function gasBill(info: TransactionInfo | undefined, energyPriceSun: Sun): GasBill {
  const feeSun = info?.fee ?? 0n;
  const energy = info?.receipt?.energy_usage_total ?? 0n;
  if (feeSun === 0n) return { gasUsed: energy > 0n ? energy : TRANSFER_GAS, priceSun: 0n };
  const priceSun = greatestDivisor(feeSun, energyPriceSun);
  return { gasUsed: feeSun / priceSun, priceSun };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}
