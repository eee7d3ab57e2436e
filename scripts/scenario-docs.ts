/**
 * Writes docs/reference/scenario.schema.json, by which editors complete and check scenarios, and the reference in docs/reference/scenarios.md,
 * both from the fields that the reader checks by.
 *
 *     npx tsx scripts/scenario-docs.ts
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { stringify } from 'yaml';
import { expectationOf, type Fields } from '../src/scenario/format/check-object.js';
import { GROUP_EXPECTATIONS, TRANSACTION_EXPECTATIONS } from '../src/scenario/format/expect-fields.js';
import { FORK_FIELDS } from '../src/scenario/format/fork-fields.js';
import { NETWORK_FIELDS } from '../src/scenario/format/network-fields.js';
import { ACCOUNT_FIELDS, CONTRACT_FIELDS, TOKEN_FIELDS } from '../src/scenario/format/party-fields.js';
import { TOP_FIELDS } from '../src/scenario/reader/read-scenario.js';
import { STEP_KINDS } from '../src/scenario/steps/registry.js';
import type { StepKind } from '../src/scenario/steps/step-kind.js';

export const schemaFile = new URL('../docs/reference/scenario.schema.json', import.meta.url);
export const docsFile = new URL('../docs/reference/scenarios.md', import.meta.url);

type Schema = v.GenericSchema<unknown, unknown>;
type Json = Readonly<Record<string, unknown>>;

/** What a schema is made of, as far as it is walked. */
interface Parts {
  readonly type: string;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly entries?: Fields;
  readonly pipe?: readonly Schema[];
}

const EXPRESSION = { $ref: '#/$defs/expression' };

function fieldSchema(schema: Schema, mayBeWorkedOut: boolean): Json {
  const { type, wrapped, item, value, entries, pipe } = schema as unknown as Parts;
  if (wrapped !== undefined) return fieldSchema(wrapped, mayBeWorkedOut);
  const description = expectationOf(schema);
  const first = pipe?.[0] as unknown as Parts | undefined;
  const inner = { entries: entries ?? first?.entries, item: item ?? first?.item, value: value ?? first?.value };
  let own: Json;
  if (inner.entries !== undefined) own = objectSchema(inner.entries, mayBeWorkedOut);
  else if (inner.item !== undefined) own = { type: 'array', items: fieldSchema(inner.item, mayBeWorkedOut) };
  else if ((first?.type ?? type) === 'record' && inner.value !== undefined)
    own = { type: 'object', additionalProperties: fieldSchema(inner.value, mayBeWorkedOut) };
  else {
    const { $schema: _, ...plain } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' });
    own = plain;
  }
  if (mayBeWorkedOut && Object.keys(own).length > 0) own = { anyOf: [own, EXPRESSION] };
  return { description, ...own };
}

function objectSchema(fields: Fields, mayBeWorkedOut = false): Json {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name, fieldSchema(schema, mayBeWorkedOut)]),
    ),
    required: Object.entries(fields).flatMap(([name, schema]) => (isOptional(schema) ? [] : [name])),
  };
}

function isOptional(schema: Schema): boolean {
  return schema.type === 'optional';
}

const STEPS = { type: 'array', items: { $ref: '#/$defs/step' } };

function stepSchema({ about, fields, shorthand, positional, nested }: StepKind): Json {
  const whole = objectSchema(fields as Fields, true) as { readonly properties: Json };
  const object =
    nested === undefined ? whole : { ...whole, properties: { ...whole.properties, [nested.field]: STEPS } };
  const forms: Json[] = [object];
  if (shorthand !== undefined)
    forms.push(nested?.field === shorthand ? STEPS : fieldSchema((fields as Fields)[shorthand] as Schema, true));
  if (positional) forms.push({ type: 'array' });
  if (Object.values(fields).every((schema) => isOptional(schema as Schema))) forms.push({ type: 'null' });
  return { description: about, ...(forms.length === 1 ? object : { anyOf: forms }) };
}

export function scenarioSchema(): string {
  const each = (fields: Fields, ...others: Json[]) => ({
    type: 'object',
    additionalProperties: { anyOf: [objectSchema(fields), ...others] },
  });
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A fee scenario of Sunup',
    type: 'object',
    additionalProperties: false,
    required: ['steps'],
    properties: {
      $schema: { type: 'string' },
      about: { type: 'string', description: 'what the scenario is about' },
      seed: { type: 'string', description: 'text from which keys and random values are derived' },
      warmup: fieldSchema(TOP_FIELDS.warmup, false),
      fork: { anyOf: [objectSchema(FORK_FIELDS), { type: 'string', description: 'its url' }] },
      network: objectSchema(NETWORK_FIELDS),
      accounts: each(ACCOUNT_FIELDS, { type: ['string', 'number', 'null'], description: 'its balance' }),
      tokens: each(TOKEN_FIELDS),
      contracts: each(CONTRACT_FIELDS),
      steps: STEPS,
      expect: objectSchema(GROUP_EXPECTATIONS),
    },
    $defs: {
      step: {
        type: 'object',
        additionalProperties: false,
        properties: {
          label: { type: 'string', description: 'what reports call the step' },
          expect: { anyOf: [{ $ref: '#/$defs/expectOfTransaction' }, { $ref: '#/$defs/expectOfGroup' }] },
          ...Object.fromEntries(STEP_KINDS.map(({ name }) => [name, { $ref: `#/$defs/step.${name}` }])),
        },
      },
      // One each, not all in one: validators make a function of each.
      ...Object.fromEntries(STEP_KINDS.map((kind) => [`step.${kind.name}`, stepSchema(kind)])),
      expectOfTransaction: objectSchema(TRANSACTION_EXPECTATIONS, true),
      expectOfGroup: objectSchema(GROUP_EXPECTATIONS, true),
      expression: {
        description: 'worked out each time the step runs',
        anyOf: [
          { type: 'string', pattern: '\\$\\{[^}]+\\}' },
          ...['oneOf', 'inTurn'].map((name) => ({
            type: 'object',
            additionalProperties: false,
            required: [name],
            properties: { [name]: { anyOf: [{ type: 'array', minItems: 1 }, { type: 'string' }] } },
          })),
          {
            type: 'object',
            additionalProperties: false,
            required: ['random'],
            properties: { random: { type: 'array', minItems: 2, maxItems: 2 } },
          },
        ],
      },
    },
  };
  return `${JSON.stringify(schema)}\n`;
}

const BEGIN = '<!-- reference: written by scripts/scenario-docs.ts -->';
const END = '<!-- end of the reference -->';

/** What every transaction may have, told once. */
const SHARED = ['from', 'memo', 'memoHex', 'permission', 'was', 'signers'];

function fieldLines(fields: Fields, except: readonly string[] = []): string[] {
  return Object.entries(fields)
    .filter(([name]) => !except.includes(name))
    .map(([name, schema]) => `- \`${name}\`${isOptional(schema) ? '' : ' (required)'}: ${expectationOf(schema)}`);
}

function kindText(kind: StepKind): string {
  const { name, about, fields, example, contractType } = kind;
  const isTransaction = contractType !== undefined;
  const shown =
    example === undefined
      ? []
      : ['', '```yaml', stringify([{ [name]: example }], { flowCollectionPadding: true }).trimEnd(), '```'];
  const lines = fieldLines(fields as Fields, isTransaction ? SHARED : []);
  return [
    `### ${name}`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    ...(lines.length > 0 ? ['', ...lines] : []),
    ...shown,
    '',
  ].join('\n');
}

export function reference(): string {
  const transactions = STEP_KINDS.filter((kind) => kind.contractType !== undefined || kind.name === 'raw');
  const groups = STEP_KINDS.filter((kind) => kind.nested !== undefined);
  const passing = STEP_KINDS.filter(({ name }) => ['advance', 'mine'].includes(name));
  const others = STEP_KINDS.filter((kind) => ![...transactions, ...groups, ...passing].includes(kind));
  const [shared] = transactions;
  const fieldsOf = (fields: Fields) => fieldLines(fields).join('\n');
  const sections = (kinds: readonly StepKind[]) => kinds.map(kindText).join('\n');
  return `${BEGIN}

## At the top of the file

${fieldsOf({ seed: TOP_FIELDS.seed, warmup: TOP_FIELDS.warmup })}

## fork

${fieldsOf(FORK_FIELDS)}

## network

${fieldsOf(NETWORK_FIELDS)}

## accounts

${fieldsOf(ACCOUNT_FIELDS)}

## tokens

${fieldsOf(TOKEN_FIELDS)}

## contracts

${fieldsOf(CONTRACT_FIELDS)}

## expect

Of a transaction:

${fieldsOf(TRANSACTION_EXPECTATIONS)}

Of a step with inner steps, and of the whole file:

${fieldsOf(GROUP_EXPECTATIONS)}

## Steps that send a transaction

All of them have these fields:

${fieldLines(Object.fromEntries(Object.entries(shared?.fields ?? {}).filter(([name]) => SHARED.includes(name))) as Fields).join('\n')}

${sections(transactions)}
## Steps with inner steps

${sections(groups)}
## Time

${sections(passing)}
## Changes without a transaction

These steps are the [control methods](control.md), by their names without \`tron_\`. Give parameters by name, or as a list in order. Names of the scenario can replace addresses.

${sections(others)}${END}`;
}

/** The page with the reference of now. */
export function withReference(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error('docs/reference/scenarios.md has no place for the reference');
  return page.slice(0, from) + reference() + page.slice(to + END.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(schemaFile, scenarioSchema());
  writeFileSync(docsFile, withReference(readFileSync(docsFile, 'utf8')));
}
