/** An ABI as compilers write it, and the TypeScript types of its methods and events if it is declared `as const`. */

export interface AbiParameter {
  readonly name?: string | undefined;
  /** `uint256`, `trcToken`, `address[2][]`, `tuple` with its components. */
  readonly type: string;
  readonly components?: readonly AbiParameter[] | undefined;
  readonly indexed?: boolean | undefined;
}

export interface AbiEntry {
  readonly type: string;
  readonly name?: string | undefined;
  readonly inputs?: readonly AbiParameter[] | undefined;
  readonly outputs?: readonly AbiParameter[] | undefined;
  readonly stateMutability?: string | undefined;
  readonly anonymous?: boolean | undefined;
}

export type Abi = readonly AbiEntry[];

/** An ABI that is imported from JSON, or declared without `as const`, has no literal names. */
// biome-ignore lint/suspicious/noExplicitAny: whoever gives no types gets none
export type Untyped = any;

/** Names are known if the array is a tuple. */
type IsConst<A extends Abi> = number extends A['length'] ? false : true;

/** TypeScript types of arguments: addresses in base58check or as hex of 20 or 21 bytes; whole numbers; bytes as hex. */
export type AbiInput<P extends AbiParameter> = Value<P, bigint | number, string | Uint8Array>;

/** TypeScript types of results: addresses in base58check, every number a bigint, bytes as `0x…`. */
export type AbiOutput<P extends AbiParameter> = Value<P, bigint, string>;

type Value<P extends AbiParameter, Whole, Bytes> = string extends P['type']
  ? Untyped
  : P['type'] extends `${infer Element}[${string}]`
    ? ArrayOf<Element, P, Whole, Bytes>
    : P['type'] extends `uint${string}` | `int${string}` | 'trcToken'
      ? Whole
      : P['type'] extends 'address' | 'string'
        ? string
        : P['type'] extends 'bool'
          ? boolean
          : P['type'] extends `bytes${string}`
            ? Bytes
            : P['components'] extends readonly AbiParameter[]
              ? { readonly [C in P['components'][number] as C['name'] & string]: Value<C, Whole, Bytes> }
              : Untyped;

/**
 * The last pair of brackets is the outermost array; a template type matches the first `[`, so inner brackets stay in
 * the rest.
 */
type ArrayOf<
  Element extends string,
  P extends AbiParameter,
  Whole,
  Bytes,
> = P['type'] extends `${Element}[${infer Rest}`
  ? Rest extends `${string}][${infer Inner}`
    ? readonly ArrayOf<Element, Omit<P, 'type'> & { readonly type: `${Element}[${Inner}` }, Whole, Bytes>[]
    : readonly Value<Omit<P, 'type'> & { readonly type: Element }, Whole, Bytes>[]
  : never;

export type AbiInputs<Ps> = Ps extends readonly AbiParameter[]
  ? { readonly [I in keyof Ps]: Ps[I] extends AbiParameter ? AbiInput<Ps[I]> : never }
  : readonly [];

type Named<A extends Abi, Type extends string> = Extract<A[number], { readonly type: Type; readonly name: string }>;

type Reading = { readonly stateMutability: 'view' | 'pure' };
type ReadEntry<A extends Abi> = Extract<Named<A, 'function'>, Reading>;
type WriteEntry<A extends Abi> = Exclude<Named<A, 'function'>, Reading>;

/** One output is returned as a value, several as an array. */
type Returned<E extends AbiEntry> = E['outputs'] extends readonly [infer One extends AbiParameter]
  ? AbiOutput<One>
  : E['outputs'] extends readonly []
    ? undefined
    : { readonly [I in keyof E['outputs']]: E['outputs'][I] extends AbiParameter ? AbiOutput<E['outputs'][I]> : never };

type Arguments<E extends AbiEntry, Options> = E['inputs'] extends readonly [AbiParameter, ...AbiParameter[]]
  ? [args: AbiInputs<E['inputs']>, options?: Options]
  : [options?: Options] | [args: readonly [], options?: Options];

/** `read.balanceOf([owner])`, `read.name()` */
export type Reads<A extends Abi, Options> =
  IsConst<A> extends true
    ? {
        readonly [Name in ReadEntry<A>['name']]: (
          ...asked: Arguments<Extract<ReadEntry<A>, { readonly name: Name }>, Options>
        ) => Promise<Returned<Extract<ReadEntry<A>, { readonly name: Name }>>>;
      }
    : Untyped;

/** `simulate.mint([to, 1n])`: the result of a function that changes state. */
export type Simulations<A extends Abi, Options> =
  IsConst<A> extends true
    ? {
        readonly [Name in WriteEntry<A>['name']]: (
          ...asked: Arguments<Extract<WriteEntry<A>, { readonly name: Name }>, Options>
        ) => Promise<Returned<Extract<WriteEntry<A>, { readonly name: Name }>>>;
      }
    : Untyped;

/** `write.transfer([to, 1n], { from })` */
export type Writes<A extends Abi, Options, Result> =
  IsConst<A> extends true
    ? {
        readonly [Name in WriteEntry<A>['name']]: (
          ...asked: Arguments<Extract<WriteEntry<A>, { readonly name: Name }>, Options>
        ) => Promise<Result>;
      }
    : Untyped;

export type ConstructorArguments<A extends Abi> =
  IsConst<A> extends true
    ? Extract<A[number], { readonly type: 'constructor' }> extends { readonly inputs: infer Ps }
      ? AbiInputs<Ps>
      : readonly []
    : readonly unknown[];
