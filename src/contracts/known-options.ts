/** Names of options, for those who write no types: a slip of the hand would be passed over, and the default taken. */

import { closest } from '../primitives/closest-name.js';
import type { DeployOptions, ReadOptions, WriteOptions } from './deployed-contract.js';

/** Names of all options, and no others: the types say so. */
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

/** What tools of Ethereum call them. */
const ELSEWHERE = new Map([
  ['value', 'callValue'],
  ['gas', 'feeLimit'],
  ['gasLimit', 'feeLimit'],
  ['account', 'from'],
]);

/** @throws TypeError for a name that is none: `there is no option callvalue: did you mean callValue?` */
export function requireKnownOptions(way: keyof typeof KNOWN, options: object): void {
  const known = KNOWN[way];
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  const elsewhere = ELSEWHERE.get(unknown);
  const near = elsewhere !== undefined && names.includes(elsewhere) ? elsewhere : closest(unknown, names);
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw new TypeError(`there is no option ${unknown}: ${hint}`);
}
