/** A decoded value with its name and type in an ABI. */

import type { AbiValue } from '../../abi/values.js';

export interface NamedValue {
  readonly name: string;
  readonly type: string;
  /** For a tuple or an array of tuples: its components in order. */
  readonly components?: readonly Component[];
  readonly value: AbiValue;
}

export interface Component {
  readonly name: string;
  readonly type: string;
  readonly components?: readonly Component[];
}
