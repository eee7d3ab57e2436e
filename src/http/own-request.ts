/** Parameters of Sunup's own endpoints that answer GET and POST: of the query, or members of the body. */

import { ParametersError } from '../errors/operation-error.js';
import type { Address } from '../primitives/ids.js';
import { addressOfText } from '../protocol/address-text.js';
import { textMember } from '../protocol/json/value.js';
import type { WireRequest } from './wire-request.js';

/** Reads a parameter. JSON's true becomes the text `true`, and a number its digits. */
export type ReadParameter = (name: string) => string | undefined;

export function parameterReader(request: WireRequest): ReadParameter {
  if (request.method === 'GET') return (name) => request.parameter(name);
  const body = request.bodyOrForm;
  return (name) => (body.isEmpty ? undefined : textMember(body.object, name));
}

const SHOWN = 40;

/** @throws ParametersError */
export function wrongParameter(name: string, expected: string, given: string | undefined): ParametersError {
  const shown = given === undefined || given === '' ? 'nothing' : given.slice(0, SHOWN);
  return new ParametersError(`${name}: expected ${expected}, got ${shown}`);
}

/** @throws ParametersError */
export function wholeNumber(
  parameter: ReadParameter,
  name: string,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const given = parameter(name);
  if (given === undefined) return otherwise;
  const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrongParameter(name, `a whole number from ${least} to ${most}`, given);
}

/** In any form. @throws ParametersError */
export function addressParameter(parameter: ReadParameter, name: string): Address {
  const given = parameter(name);
  const address = addressOfText(given ?? '');
  if (address === undefined) throw wrongParameter(name, 'an address (T…, 41… or 0x…)', given);
  return address;
}
