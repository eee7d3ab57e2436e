/** Amounts as JSON can carry them. */

/**
 * An amount of sun, Energy, bandwidth or tokens: a number where JavaScript reads it exactly, and its digits in a string
 * beyond 2^53. `BigInt(amount)` reads both.
 */
export type Amount = number | string;

export function amountOf(value: bigint): Amount {
  return BigInt.asIntN(54, value) === value ? Number(value) : value.toString();
}

/** The members that are amounts as JSON has them become bigint, as the library has them; others stay. */
export function bigintsIn(answer: object, names: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, names.includes(name) ? BigInt(value as Amount) : value]),
  );
}

export function amountsOf(values: Readonly<Record<string, bigint>>): Record<string, Amount> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, amountOf(value)]));
}
