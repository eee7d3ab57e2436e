/** Balances that are asked for in Ethereum's range: tools give 10^22 wei and more, and a balance has 63 bits. */

import type { Sun } from './ids.js';
import { MAX_LONG } from './java-math.js';

/** Half of what an account can have, so that it can receive as much again. */
export const MAX_BALANCE_SUN = 2n ** 62n;

/** A balance that fits is set as it is. @example givenBalance(10n ** 22n) // MAX_BALANCE_SUN */
export function givenBalance(sun: bigint): Sun {
  return sun > MAX_LONG ? MAX_BALANCE_SUN : sun;
}
