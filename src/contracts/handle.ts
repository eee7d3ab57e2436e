/** A contract handle: the functions of an ABI as methods of read, simulate, estimate and write. */

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
  /** The default caller. */
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
          return `${method} of ${shown} ${way === 'read' ? 'changes state: use .write, or .simulate to call without a transaction' : 'only reads: use .read'}`;
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
  /** The message for an unknown function. */
  readonly missing: (name: string) => string;
}

/**
 * By name and by signature. A misspelt name gets a message with a suggestion instead of `undefined is not a function`.
 */
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

/** An account can be an argument: it has an address, options do not. */
function isOptions(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !('address' in given);
}

/** A hint for arguments in ethers' or TronWeb's style, one by one. */
function oneArrayText({ name = '', inputs = [] }: AbiEntry): string {
  const names = inputs.map((input, at) => input.name || `argument${at}`).join(', ');
  return `${name}: pass the arguments as one array, then the options: ${name}([${names}], { from })`;
}

/** Properties that promises, printers and test runners read on any object. */
const LOOKED_FOR = new Set(['then', 'toJSON', 'asymmetricMatch', 'constructor', 'nodeType', 'tagName', '$$typeof']);
