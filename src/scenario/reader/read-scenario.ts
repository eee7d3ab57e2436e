/** Reads a scenario from text, or reports all of its problems. */

import * as v from 'valibot';
import { checkNames, checkObject, type Fields } from '../format/check-object.js';
import { readDocument, type ScenarioDocument } from '../format/document.js';
import { GROUP_EXPECTATIONS } from '../format/expect-fields.js';
import { NAME, type Named, span, text } from '../format/fields.js';
import { checkFork } from '../format/fork-fields.js';
import { NETWORK_FIELDS, type NetworkPart } from '../format/network-fields.js';
import { ACCOUNT_FIELDS, type AccountPart, CONTRACT_FIELDS, TOKEN_FIELDS } from '../format/party-fields.js';
import { type Problem, ScenarioError } from '../format/problems.js';
import { checkRounds } from '../format/rounds.js';
import type { Scenario } from '../format/scenario.js';
import { StepLines } from '../format/step-lines.js';
import { STEP_KINDS } from '../steps/registry.js';
import { checkAllSteps, withoutShorthand } from './check-steps.js';
import { Names } from './names.js';

/** The witness of a chain if the file names none. */
export const DEFAULT_WITNESS = 'witness';

export const TOP_FIELDS = {
  $schema: v.optional(text),
  about: v.optional(text),
  seed: v.optional(v.pipe(text, v.description('text from which keys and random values are derived')), ''),
  warmup: v.optional(
    v.pipe(
      span,
      v.description(
        'time at the start whose costs count as one-off: --what-if measures days and years after it; default: two days if the scenario takes three or more, one day if it takes two',
      ),
    ),
  ),
} as const;

const PARTS = ['fork', 'network', 'accounts', 'tokens', 'contracts', 'steps', 'expect'] as const;

/**
 * @param file name for problems
 * @throws ScenarioError with every problem of the file
 */
export function readScenario(text: string, file: string): Scenario {
  return checkScenario(readDocument(text, file));
}

/** @throws ScenarioError */
export function checkScenario(document: ScenarioDocument): Scenario {
  const problems: Problem[] = [];
  const scenario = check(document, problems);
  if (problems.length > 0 || scenario === undefined) throw new ScenarioError(sorted(problems, document));
  return scenario;
}

function sorted(problems: readonly Problem[], { place }: ScenarioDocument) {
  return problems.map((problem) => place(problem)).sort((a, b) => a.line - b.line || a.column - b.column);
}

function check({ file, value, place }: ScenarioDocument, problems: Problem[]): Scenario | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ path: [], message: `expected a scenario: an object with ${PARTS.join(', ')}` });
    return undefined;
  }
  const given = value as Readonly<Record<string, unknown>>;
  checkNames([...Object.keys(TOP_FIELDS), ...PARTS], given, [], problems);
  const top = checkObject(
    TOP_FIELDS,
    Object.fromEntries(Object.keys(TOP_FIELDS).map((key) => [key, given[key]])),
    [],
    problems,
  );
  const network = checkObject(NETWORK_FIELDS, given.network ?? {}, ['network'], problems);
  const fork = checkFork(given.fork, given.network, problems);
  const names = new Names();
  const parts = {
    accounts: checkEach('accounts', ACCOUNT_FIELDS, withBalance(given.accounts), names, problems),
    tokens: checkEach('tokens', TOKEN_FIELDS, given.tokens, names, problems),
    contracts: checkEach('contracts', CONTRACT_FIELDS, given.contracts, names, problems),
  };
  for (const { name } of network?.witnesses ?? []) names.add('account', name);
  if (network?.witnesses === undefined && given.fork === undefined) names.add('account', DEFAULT_WITNESS);
  addDefinitions(given.steps, names);
  for (const [part, fields] of [
    ['accounts', ACCOUNT_FIELDS],
    ['tokens', TOKEN_FIELDS],
    ['contracts', CONTRACT_FIELDS],
  ] as const) {
    for (const [name, values] of parts[part]) names.check(fields, values, [part, name], problems);
  }
  checkHoldings(parts.accounts, names, problems);
  checkBeginnings(parts, problems);
  if (given.steps === undefined) problems.push({ path: [], message: 'steps is missing: expected a list of steps' });
  const kinds = new Set<string>();
  const steps = given.steps === undefined ? [] : checkAllSteps(given.steps, ['steps'], { names, problems, kinds });
  if (kinds.has('repeat')) checkRounds(steps, problems);
  const expect =
    given.expect === undefined ? undefined : checkObject(GROUP_EXPECTATIONS, given.expect, ['expect'], problems);
  if (expect !== undefined) names.check(GROUP_EXPECTATIONS, expect, ['expect'], problems);
  if (top === undefined || network === undefined) return undefined;
  const { about, seed, warmup } = top;
  return {
    file,
    seed,
    network: network as NetworkPart,
    ...(fork && { fork }),
    ...parts,
    steps,
    kinds,
    place,
    ...(about !== undefined && { about }),
    ...(warmup !== undefined && { warmup }),
    ...(expect && { expect }),
  };
}

/** `alice: 10 TRX` is `alice: { balance: 10 TRX }`; `alice:` is an account that does not exist yet. */
function withBalance(accounts: unknown): unknown {
  if (typeof accounts !== 'object' || accounts === null || Array.isArray(accounts)) return accounts;
  return Object.fromEntries(
    Object.entries(accounts).map(([name, given]) => [
      name,
      given === null ? {} : typeof given === 'object' ? given : { balance: given },
    ]),
  );
}

const NAMED: Readonly<Record<'accounts' | 'tokens' | 'contracts', Named>> = {
  accounts: 'account',
  tokens: 'token',
  contracts: 'contract',
};

function checkEach<const F extends Fields>(
  part: keyof typeof NAMED,
  fields: F,
  given: unknown,
  names: Names,
  problems: Problem[],
) {
  const checked = new Map<string, { readonly [Name in keyof F]: v.InferOutput<F[Name]> }>();
  if (given === undefined || given === null) return checked;
  if (typeof given !== 'object' || Array.isArray(given)) {
    problems.push({ path: [part], message: `${part}: expected an object: a name for each entry` });
    return checked;
  }
  for (const [name, one] of Object.entries(given)) {
    const path = [part, name];
    if (!NAME.test(name))
      problems.push({
        path,
        ofName: true,
        message: `${name}: expected a name of letters, digits, _ and - that starts with a letter`,
      });
    else if (part !== 'tokens' && names.has(name))
      problems.push({ path, ofName: true, message: `${name} is already the name of another account or contract` });
    const values = checkObject(fields, one, path, problems);
    const size = (one as { count?: unknown } | null)?.count;
    if (part === 'accounts' && Number.isSafeInteger(size)) names.addGroup(name, size as number);
    else names.add(NAMED[part], name);
    if (values !== undefined) checked.set(name, values);
  }
  return checked;
}

/** An existing account needs no key, and an existing contract is not deployed. */
function checkBeginnings({ accounts, contracts }: Pick<Scenario, 'accounts' | 'contracts'>, problems: Problem[]): void {
  for (const [name, { address, privateKey, count }] of accounts) {
    const other = privateKey !== undefined ? 'privateKey' : count !== undefined ? 'count' : undefined;
    if (address !== undefined && other !== undefined)
      problems.push({
        path: ['accounts', name, other],
        ofName: true,
        message: `${other} and address exclude each other`,
      });
  }
  for (const [name, { address, deployer }] of contracts) {
    if ((address === undefined) !== (deployer === undefined)) continue;
    const message =
      address === undefined
        ? 'deployer is missing: name an account, or give the address of an existing contract'
        : 'deployer and address exclude each other: an existing contract is not deployed';
    problems.push({ path: ['contracts', name], message });
  }
}

/** Holdings name tokens or token contracts. */
function checkHoldings(accounts: ReadonlyMap<string, AccountPart>, names: Names, problems: Problem[]): void {
  for (const [account, { tokens = {} }] of accounts) {
    for (const name of Object.keys(tokens)) {
      if (names.problemOf('token', name) === undefined || names.problemOf('contract', name) === undefined) continue;
      const message = `no token or contract is called ${name}`;
      problems.push({ path: ['accounts', account, 'tokens', name], ofName: true, message });
    }
  }
}

/**
 * Names that steps give to the objects that they create, at any place of the file. A use before the definition fails
 * at run time.
 */
function addDefinitions(steps: unknown, names: Names): void {
  if (Array.isArray(steps) || steps instanceof StepLines) {
    for (const one of steps) addDefinitions(one, names);
    return;
  }
  if (typeof steps !== 'object' || steps === null) return;
  for (const [key, given] of Object.entries(steps)) {
    const kind = STEP_KINDS.find(({ name }) => name === key);
    if (kind === undefined) continue;
    const values = withoutShorthand(kind, given);
    if (typeof values !== 'object' || values === null) continue;
    for (const [field, schema] of Object.entries(kind.fields)) {
      const { wrapped } = schema as { readonly wrapped?: v.GenericSchema };
      const { defines } = v.getMetadata(wrapped ?? schema) as { readonly defines?: Named };
      const name = (values as Record<string, unknown>)[field];
      if (defines !== undefined && typeof name === 'string') names.add(defines, name);
    }
    if (kind.nested !== undefined) addDefinitions((values as Record<string, unknown>)[kind.nested.field], names);
  }
}
