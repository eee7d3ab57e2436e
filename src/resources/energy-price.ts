/** The price of Energy in budgets and bills (protocol/energy.md#price-and-inputs). */

const DEFAULT_ENERGY_PRICE_SUN = 100n;

/** Sun per Energy in budgets and bills: ENERGY_FEE, or 100 if that is not positive. */
export function energyPriceSun(energyFee: bigint): bigint {
  return energyFee > 0n ? energyFee : DEFAULT_ENERGY_PRICE_SUN;
}
