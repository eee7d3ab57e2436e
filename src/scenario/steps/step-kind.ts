/**
 * The definition of a kind of step: its name, its fields, and its action. Most kinds send a transaction of one
 * contract type; the others advance time, change the chain, or hold inner steps.
 */

import * as v from 'valibot';
import type { Address } from '../../primitives/ids.js';
import type { ContractMessage } from '../../protocol/contract-types.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import type { ResultStream, StepRun } from '../actions/step-run.js';
import { members } from '../format/check-object.js';
import { account, bytes, count, integer, sun, text } from '../format/fields.js';
import type { StepPart } from '../format/scenario.js';
import type { Was } from '../results/result.js';

export type Fields = Readonly<Record<string, v.GenericSchema<unknown, unknown> | v.GenericSchema>>;
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: v.InferOutput<F[Name]> };

interface Described {
  /** The key of the step in a file. */
  readonly name: string;
  /** One sentence without a full stop, for the reference and for editors. */
  readonly about: string;
  /** An example of its value. */
  readonly example: unknown;
}

export interface StepKind extends Described {
  readonly fields: Fields;
  /** The field for a value that is not an object: `advance: 6h`. */
  readonly shorthand?: string | undefined;
  /** Whether the value may be a list of the fields in order, as in a JSON-RPC request. */
  readonly positional?: boolean;
  /** The field of the inner steps, and their counters. */
  readonly nested?: {
    readonly field: string;
    readonly counters: (given: Readonly<Record<string, unknown>>) => readonly string[];
  };
  /** Contract type of its transaction; undefined if it sends none. */
  readonly contractType?: number;
  readonly run: (values: never, run: StepRun, part: StepPart) => ResultStream;
}

/** The part of a transaction that the kind defines; the rest is filled in from the chain. */
export interface Call {
  readonly message: ContractMessage;
  readonly to?: Address | undefined;
  /** `transfer(address,uint256)` */
  readonly method?: string | undefined;
  readonly feeLimitSun?: bigint | undefined;
}

/** Fields of every transaction. */
const OPTIONS = {
  memo: v.optional(v.pipe(text, v.description('memo text, for a fee'))),
  memoHex: v.optional(v.pipe(bytes, v.description('memo as hex'))),
  permission: v.optional(v.pipe(count(9), v.description('id of the permission that signs; default 0 (owner)'))),
  was: v.optional(
    v.pipe(
      members('what it was on the live network', {
        result: v.optional(v.pipe(text, v.description('SUCCESS, REVERT, …'))),
        energy: v.optional(v.pipe(integer, v.description('Energy used, with the penalty'))),
        fee: v.optional(v.pipe(sun, v.description('total fee in TRX'))),
      }),
      v.description('what it was on the live network; the report says what differs, nothing fails'),
    ),
  ),
  signers: v.optional(
    v.pipe(
      v.array(account),
      v.description('accounts that sign; default: the sender. An account whose key is unknown does not sign'),
    ),
  ),
} as const;

type OptionValues = ValuesOf<typeof OPTIONS>;

interface TransactionDefinition<F extends Fields> extends Described {
  readonly contractType: number;
  readonly fields: F;
  readonly call: (values: ValuesOf<F> & { readonly from: string }, run: StepRun) => Call;
  /** Registers a created object under its name. Called when a block contains the transaction and it succeeded. */
  readonly made?: (values: ValuesOf<F> & { readonly from: string }, run: StepRun, info: TransactionInfo) => void;
}

/** Defines a kind that sends a transaction. */
export function transaction<const F extends Fields>(definition: TransactionDefinition<F>): StepKind {
  const { name, about, example, contractType, fields, call, made } = definition;
  return {
    name,
    about,
    example,
    contractType,
    fields: { from: account, ...fields, ...OPTIONS },
    run: (given: never, run, part) => {
      const values = given as ValuesOf<F> & OptionValues & { readonly from: string };
      const { from, memo, memoHex, permission = 0, signers, was } = values;
      const { message, to, method, feeLimitSun } = call(values, run);
      return run.send(part, {
        contractType,
        message,
        from,
        to,
        method,
        feeLimitSun,
        memo: memoHex ?? (memo === undefined ? undefined : Buffer.from(memo, 'utf8').toString('hex')),
        permission,
        signers: signers ?? [from],
        ...(was && { was: wasOf(was) }),
        ...(made && { made: (info) => made(values, run, info) }),
      });
    },
  };
}

function wasOf({ result, energy, fee }: NonNullable<OptionValues['was']>): Was {
  return {
    ...(result !== undefined && { result }),
    ...(energy !== undefined && { energy: BigInt(energy) }),
    ...(fee !== undefined && { feeSun: BigInt(fee) }),
  };
}

interface StepDefinition<F extends Fields> extends Described {
  readonly fields: F;
  readonly shorthand?: (keyof F & string) | undefined;
  readonly positional?: boolean;
  readonly nested?: StepKind['nested'];
  readonly run: (values: ValuesOf<F>, run: StepRun, part: StepPart) => ResultStream;
}

/** Defines a kind that sends no transaction. */
export function step<const F extends Fields>(definition: StepDefinition<F>): StepKind {
  return definition as unknown as StepKind;
}
