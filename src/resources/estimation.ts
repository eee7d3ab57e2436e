/**
 * How much Energy a call needs, found by trying fee limits (protocol/energy.md#constant-calls-and-estimation):
 * `/wallet/estimateenergy`. Mirrors Wallet.estimateEnergy. The answer is up to a coin's worth above the need, as
 * java-tron's is.
 */

const ONE_COIN_SUN = 1_000_000n;

/**
 * @param energyUsed by a run with `maxFeeLimitSun` that succeeded
 * @param fits whether a run with this fee limit succeeds
 * @param energyFee ENERGY_FEE; must not be 0, as for java-tron, which divides by it
 * @returns the smallest fee limit tried that fits; the caller's answer is a run with it, and `energyRequired`
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
  while (low + ONE_COIN_SUN < high) {
    const middle = (low + high) / 2n;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return { feeLimitSun: high, energyRequired: BigInt(Math.ceil(Number(high) / Number(energyFee))) };
}
