/** A handle: the functions of an ABI as methods, in the three ways in which they can be asked. */

import { toBase58 } from '../protocol/address.js';
import type { Abi, AbiEntry } from './abi.js';
import type { Account, DeployedContract, Estimate, ReadOptions, Receipt, WriteOptions } from './deployed-contract.js';
import { functionFor, functionsOf, isRead, nearestName, signatureOf } from './fragments.js';
import { requireKnownOptions } from './known-options.js';

/** A function of a contract. */
export interface Target {
  readonly addressHex: string;
  readonly name: string;
  readonly entry: AbiEntry;
}

export interface HandleParts<A extends Abi> {
  readonly abi: A;
  readonly name: string;
  readonly addressHex: string;
  readonly deployment: Receipt | undefined;
  /** Who calls unless options say otherwise. */
  readonly account: Account | undefined;
}

type Ask<Options, Answer> = (target: Target, args: readonly unknown[], options: Options) => Promise<Answer>;

interface Asked {
  readonly read: Ask<ReadOptions, unknown>;
  readonly write: Ask<WriteOptions, Receipt>;
  readonly estimate: Ask<ReadOptions, Estimate>;
}

export function contractHandle<A extends Abi>(contracts: Asked, parts: HandleParts<A>): DeployedContract<A> {
  const { abi, name, addressHex, deployment, account } = parts;
  const functions = functionsOf(abi);
  const reads = functions.filter(isRead);
  const writes = functions.filter((entry) => !isRead(entry));
  const methods = (way: keyof Asked | 'simulate', candidates: readonly AbiEntry[]) => {
    const shown = name === '' ? 'the contract' : name;
    return methodsOf(candidates, {
      call: async (method, args, options) => {
        const target: Target = { addressHex, name, entry: functionFor(candidates, method, args) };
        requireKnownOptions(way, options);
        return contracts[way === 'simulate' ? 'read' : way](target, args, {
          ...(account !== undefined && { from: account }),
          ...options,
        });
      },
      missing: (method) => {
        const other = functions.some((entry) => entry.name === method);
        if (other)
          return `${method} of ${shown} ${way === 'read' ? 'changes state: it is under .write, and under .simulate without a transaction' : 'only reads: it is under .read'}`;
        const near = nearestName(method, candidates);
        return `${shown} has no function ${method}${near === undefined ? '' : `: did you mean ${near}?`}`;
      },
    });
  };
  const handle: DeployedContract = {
    address: toBase58(addressHex),
    addressHex,
    abi,
    name,
    deployment,
    read: methods('read', reads),
    write: methods('write', writes),
    simulate: methods('simulate', writes),
    estimate: methods('estimate', writes),
    connect: (other) => contractHandle(contracts, { ...parts, account: other }) as DeployedContract,
  };
  return handle as DeployedContract<A>;
}

type Method = (...asked: readonly unknown[]) => Promise<unknown>;

interface Answering {
  readonly call: (name: string, args: readonly unknown[], options: object) => Promise<unknown>;
  /** The sentence for a name that there is not. */
  readonly missing: (name: string) => string;
}

/** By name and by signature. A slip of the hand is told of as such, and not as `undefined is not a function`. */
function methodsOf(candidates: readonly AbiEntry[], { call, missing }: Answering): Readonly<Record<string, Method>> {
  const methods: Record<string, Method> = Object.create(null);
  for (const entry of candidates) {
    for (const name of [entry.name ?? '', signatureOf(entry)]) {
      methods[name] = async (...asked) => {
        const [args, options = {}, ...more] = Array.isArray(asked[0]) ? asked : [[], ...asked];
        if (more.length > 0 || !isOptions(options)) throw new TypeError(oneArrayText(entry));
        return call(name, args as readonly unknown[], options);
      };
    }
  }
  return new Proxy(methods, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target || LOOKED_FOR.has(name)) return target[name as string];
      throw new TypeError(missing(name));
    },
  });
}

/** An account may be an argument and has an address; options have none. */
function isOptions(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !('address' in given);
}

/** For who passes arguments one by one, as ethers and TronWeb's own calls have them. */
function oneArrayText({ name = '', inputs = [] }: AbiEntry): string {
  const names = inputs.map((input, at) => input.name || `argument${at}`).join(', ');
  return `${name}: pass the arguments as one array, and options after it: ${name}([${names}], { from })`;
}

/** What promises, printers and test runners look for in any object. */
const LOOKED_FOR = new Set(['then', 'toJSON', 'asymmetricMatch', 'constructor', 'nodeType', 'tagName', '$$typeof']);
