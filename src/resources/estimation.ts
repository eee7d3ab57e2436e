/**
 * The Energy that a call needs, found by runs with different fee limits
 * (protocol/energy.md#constant-calls-and-estimation): `/wallet/estimateenergy`. Mirrors Wallet.estimateEnergy. Like
 * java-tron's, the result exceeds the need by up to 1 TRX's worth of Energy.
 */

const ONE_TRX_SUN = 1_000_000n;

/**
 * @param energyUsed of a successful run with `maxFeeLimitSun`
 * @param fits whether a run with this fee limit succeeds
 * @param energyFee ENERGY_FEE; must not be 0, because java-tron divides by it
 * @returns the smallest tried fee limit that fits; the caller then answers with a run with it, and `energyRequired`
 */
export function estimateEnergy(
  energyUsed: bigint,
  fits: (feeLimitSun: bigint) => boolean,
  { maxFeeLimitSun, energyFee }: { readonly maxFeeLimitSun: bigint; readonly energyFee: bigint },
): { readonly feeLimitSun: bigint; readonly energyRequired: bigint } {
  let low = energyFee * energyUsed;
  let high = maxFeeLimitSun;
  const twice = low * 2n;
  if (twice < high) {
    if (fits(twice)) high = twice;
    else low = twice;
  }
  while (low + ONE_TRX_SUN < high) {
    const middle = (low + high) / 2n;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return { feeLimitSun: high, energyRequired: BigInt(Math.ceil(Number(high) / Number(energyFee))) };
}
