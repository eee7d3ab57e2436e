/** A whole number from a caller; beyond 2^53 a bigint or decimal text. `DevnetControl` also reads hex with `0x`. */
export type WholeNumber = number | bigint | string;
