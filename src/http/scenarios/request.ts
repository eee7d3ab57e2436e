/** What a client asks of `/sunup/scenarios/…`: a scenario as text, with other values. */

import { ParametersError } from '../../errors/operation-error.js';

/** A value in the place of one of the file. */
export type SetValue = string | number | boolean | null;

export interface ScenarioRequest {
  /** Name in messages, and for the name of the result. */
  readonly file: string;
  /** YAML, JSON or a chain file. */
  readonly scenario: string;
  /** Values by name, for this run: `accounts.shop.stake.energy`. */
  readonly set: Readonly<Record<string, SetValue>>;
  /** As of the command, `getEnergyFee=100,210`: the result is that of a sweep. */
  readonly whatIf: readonly string[];
  /** Compiled contracts, by the names that the scenario gives their files. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  /** Whether the result has the report that the HTML page and the dashboard show. */
  readonly report: boolean;
}

const MEMBERS = ['file', 'scenario', 'set', 'whatIf', 'artifacts', 'report'];
/** Longer texts are recordings of whole networks: for the command. */
const MAX_SCENARIO_CHARS = 1_000_000;
const MAX_NAME_CHARS = 200;

/** @throws ParametersError that says what is wrong */
export function readScenarioRequest(body: string): ScenarioRequest {
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch (error) {
    throw new ParametersError(`the body is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(given)) throw new ParametersError('the body is no object: write {"scenario":"steps: …"}');
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw new ParametersError(`${unknown.slice(0, MAX_NAME_CHARS)} is unknown; expected ${MEMBERS.join(', ')}`);
  const { file = 'scenario', scenario, set = {}, whatIf = [], artifacts = {}, report = false } = given;
  if (typeof scenario !== 'string')
    throw new ParametersError('scenario is missing: write the text of the file, YAML or JSON, as a string');
  if (scenario.length > MAX_SCENARIO_CHARS)
    throw new ParametersError(
      `scenario has ${scenario.length} characters, the maximum is ${MAX_SCENARIO_CHARS}: run it with sunup run FILE`,
    );
  if (typeof file !== 'string' || file === '' || file.length > MAX_NAME_CHARS)
    throw new ParametersError(`file: expected a name of 1 to ${MAX_NAME_CHARS} characters`);
  if (!isObject(set) || !Object.values(set).every(isSetValue))
    throw new ParametersError('set: expected values by name: {"getEnergyFee":210}');
  if (!Array.isArray(whatIf) || !whatIf.every((one) => typeof one === 'string'))
    throw new ParametersError('whatIf: expected a list of texts: ["getEnergyFee=100,210"]');
  if (!isObject(artifacts)) throw new ParametersError('artifacts: expected artifacts by file name: {"Token.json":{…}}');
  if (typeof report !== 'boolean') throw new ParametersError('report: expected true or false');
  if (whatIf.length > 0 && Object.keys(set).length > 0)
    throw new ParametersError('set and whatIf exclude each other: give the value of set to whatIf as well');
  return { file, scenario, set: set as ScenarioRequest['set'], whatIf, artifacts, report };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSetValue(value: unknown): value is SetValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
