/** Factors are surcharges in 1/10,000 of the base price. */
const WHOLE = 10_000;

/** The price of a step, as a multiple of the base price. @example priceOfStep(12_000) // 2.2 */
export const priceOfStep = (energyFactor: number): number => (WHOLE + energyFactor) / WHOLE;
