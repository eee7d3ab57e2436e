/** An ABI as compilers write it (solc's JSON). The chain keeps less of it: no components, so no tuples. */

export type JsonAbi = readonly JsonAbiEntry[];

export interface JsonAbiEntry {
  /** `function`, `event`, `error`, `constructor`, `fallback`, `receive`. Old compilers leave it out for functions. */
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly inputs?: readonly JsonAbiParameter[] | undefined;
  readonly outputs?: readonly JsonAbiParameter[] | undefined;
  readonly anonymous?: boolean | undefined;
  readonly stateMutability?: string | undefined;
  /** Of old compilers. */
  readonly payable?: boolean | undefined;
}

export interface JsonAbiParameter {
  readonly name?: string | undefined;
  readonly type: string;
  readonly indexed?: boolean | undefined;
  /** Of a tuple, or of the tuples in an array. */
  readonly components?: readonly JsonAbiParameter[] | undefined;
}
