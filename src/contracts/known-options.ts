/** Checks option names for callers without TypeScript: a misspelt option would be ignored. */

import { closest } from '../primitives/closest-name.js';
import type { DeployOptions, ReadOptions, WriteOptions } from './deployed-contract.js';

/** All option names; the type requires each exactly once. */
type Names<Options> = { readonly [Name in keyof Required<Options>]: true };

const READ: Names<ReadOptions> = { from: true, callValue: true };

const SEND: Names<Omit<WriteOptions, 'allowFailure'>> = {
  ...READ,
  tokenId: true,
  tokenValue: true,
  feeLimit: true,
};

const WRITE: Names<WriteOptions> = { ...SEND, allowFailure: true };

const DEPLOY: Names<DeployOptions> = {
  ...SEND,
  args: true,
  userFeePercent: true,
  originEnergyLimit: true,
  contract: true,
  libraries: true,
  name: true,
};

const KNOWN = { read: READ, simulate: READ, estimate: READ, write: WRITE, deploy: DEPLOY };

/** Their names in Ethereum tools. */
const ELSEWHERE = new Map([
  ['value', 'callValue'],
  ['gas', 'feeLimit'],
  ['gasLimit', 'feeLimit'],
  ['account', 'from'],
]);

/** @throws TypeError for an unknown option: `no option callvalue: did you mean callValue?` */
export function requireKnownOptions(way: keyof typeof KNOWN, options: object): void {
  const known = KNOWN[way];
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const elsewhere = ELSEWHERE.get(unknown);
  const near = elsewhere !== undefined && names.includes(elsewhere) ? elsewhere : closest(unknown, names);
  const hint = near === undefined ? `known: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new TypeError(`no option ${unknown}: ${hint}`);
}
