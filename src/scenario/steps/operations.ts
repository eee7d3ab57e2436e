/**
 * Steps that change the chain without a transaction: developer methods under their names without `tron_`, with the
 * same parameters by name or in order. Names of the scenario can replace addresses.
 */

import * as v from 'valibot';
import { address as addressKind, integer as integerKind, sun as sunKind } from '../../devtools/kinds.js';
import { devMethodTable } from '../../devtools/methods.js';
import { type DevMethod, readParameters } from '../../devtools/table.js';
import { withRows } from '../../node/with-rows.js';
import { toBase58 } from '../../protocol/address.js';
import type { StepRun } from '../actions/step-run.js';
import type { Fields } from '../format/check-object.js';
import { account, definition, integer, sun, token } from '../format/fields.js';
import { type StepKind, step } from './step-kind.js';

/** Developer methods that are not steps, and why. */
export const NO_STEPS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'it changes nothing that a receipt depends on': [
      'getContractEnergy',
      'getMining',
      'preview',
      'nodeInfo',
      'treVersion',
      'instance',
      'setLogging',
      'setSolidityLag',
    ],
    'the steps of a scenario decide when blocks are made': ['setMining', 'pauseMining', 'resumeMining'],
    'no transaction is pending between two steps': [
      'dropTransaction',
      'dropAllTransactions',
      'removePoolTransactions',
      'failNextBroadcast',
    ],
    'snapshots have their own steps, with names': ['snapshot', 'revert', 'dropSnapshot'],
    'it leaves the chain of the scenario': ['dump', 'load', 'reset'],
  }).flatMap(([why, names]) => names.map((name) => [`tron_${name}`, why] as const)),
);

/** A type of the developer methods in the notation of scenarios: names for addresses, `10 TRX` for sun. */
function ofScenario(schema: v.GenericSchema): v.GenericSchema<unknown, unknown> {
  if (schema === addressKind) return account;
  if (schema === sunKind) return sun;
  if (schema === integerKind) return integer;
  const { type, wrapped, pipe, entries } = schema as {
    type: string;
    wrapped?: v.GenericSchema;
    pipe?: readonly v.GenericSchema[];
    entries?: Record<string, v.GenericSchema>;
  };
  if (type === 'optional' && wrapped !== undefined) return v.optional(ofScenario(wrapped));
  const inner = entries ?? (pipe?.[0] as { entries?: Record<string, v.GenericSchema> } | undefined)?.entries;
  if (inner === undefined) return schema;
  const own = v.strictObject(Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, ofScenario(one)])));
  return v.pipe(own, v.description(v.getDescription(schema) ?? 'an object'));
}

function operation(method: DevMethod): StepKind {
  const name = method.name.slice('tron_'.length);
  const fields: Fields = Object.fromEntries(
    method.parameters.map((one) => [one.name, one.name === 'tokenId' ? token : ofScenario(one.schema)]),
  );
  const [only, ...others] = Object.keys(fields);
  return step({
    name,
    about: method.about,
    example: method.example,
    fields,
    positional: true,
    ...(others.length === 0 && only !== undefined && { shorthand: only }),
    run: function* (values, run, part) {
      const given = method.parameters.map((one) => addressed((values as Record<string, unknown>)[one.name], run));
      while (given.at(-1) === undefined && given.length > 0) given.pop();
      const read = readParameters(method.parameters, given);
      const answer = withRows(() =>
        (method.answer as (...all: unknown[]) => unknown)({ node: run.node, path: 'tre' }, ...read),
      );
      yield answer instanceof Promise ? answer.then(() => run.operated(part)) : run.operated(part);
    },
  });
}

/** Replaces names by addresses at any depth. */
function addressed(value: unknown, run: StepRun): unknown {
  if (typeof value === 'string') {
    const party = run.parties.named(value);
    return party === undefined ? value : toBase58(party.address);
  }
  if (Array.isArray(value)) return value.map((one) => addressed(one, run));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, addressed(member, run)]));
}

export const operationSteps: readonly StepKind[] = [
  ...devMethodTable.filter(({ name }) => !NO_STEPS.has(name)).map(operation),
  step({
    name: 'snapshot',
    about: 'takes a snapshot of the whole chain, for revert',
    example: 'before',
    fields: { as: definition('snapshot') },
    shorthand: 'as',
    run: function* ({ as }, run, part) {
      run.objects.add('snapshot', as, run.node.snapshot());
      yield run.operated(part);
    },
  }),
  step({
    name: 'revert',
    about: 'restores a snapshot; it and all later snapshots cannot be used again',
    example: 'before',
    fields: {
      to: v.pipe(v.string(), v.description('name of a snapshot of an earlier step'), v.metadata({ names: 'snapshot' })),
    },
    shorthand: 'to',
    run: function* ({ to }, run, part) {
      run.node.revert(run.objects.id('snapshot', to));
      yield run.operated(part);
    },
  }),
];
