/** An ABI as compilers write it (solc's JSON). The chain stores no tuple components. */

export type JsonAbi = readonly JsonAbiEntry[];

export interface JsonAbiEntry {
  /** `function`, `event`, `error`, `constructor`, `fallback`, `receive`. Old compilers omit it for functions. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly inputs?: readonly JsonAbiParameter[] | undefined;
  readonly outputs?: readonly JsonAbiParameter[] | undefined;
  readonly anonymous?: boolean | undefined;
  readonly stateMutability?: string | undefined;
  /** Written by old compilers. */
  readonly payable?: boolean | undefined;
}

export interface JsonAbiParameter {
  readonly name?: string | undefined;
  readonly type: string;
  readonly indexed?: boolean | undefined;
  /** Components of a tuple or of an array of tuples. */
  readonly components?: readonly JsonAbiParameter[] | undefined;
}
