/**
 * On a fork: what is the network's, and what is the fork's own. A row that the fork has fetched is compared with its
 * present value, so nothing has to be noted when it changes. Sunup's own.
 */

import { PastStateError } from '../errors/past-state-error.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Address } from '../primitives/ids.js';
import type { Table } from '../state/table.js';
import { getChainParameters } from './chain.js';
import type { WalletContext } from './context.js';

/** `network`: as on the network. `changed`: the network's, changed on the fork. `fork`: only the fork has it. */
export type Origin = 'network' | 'changed' | 'fork';

export interface ForkReport {
  /** Host of the network's node; absent if the fork runs on stored rows alone. */
  readonly network?: string;
  /** Blocks up to this one are the network's. */
  readonly block: number;
  readonly timestampMs: number;
  /** Chain parameters that differ from the network's at that block; absent if that state is not kept. */
  readonly parameters?: readonly ChangedParameter[];
}

export interface ChangedParameter {
  readonly key: string;
  readonly network: bigint;
  readonly fork: bigint;
}

/** Absent: there is no such account or contract. */
export interface AddressOrigin {
  readonly account?: Origin;
  /** Of its settings and its Energy; the storage of a contract is not compared. */
  readonly contract?: Origin;
}

/** @returns undefined for a chain that is no fork */
export function forkReport(context: WalletContext): ForkReport | undefined {
  const { fork, chain } = context.node;
  if (fork === undefined) return undefined;
  const { blockNumber: block, timestampMs } = fork;
  const network = hostOf(fork.url);
  const parameters = changedParameters(context, () => chain.ledgerAt(block));
  return {
    ...(network !== undefined && { network }),
    ...{ block, timestampMs },
    ...(parameters !== undefined && { parameters }),
  };
}

/** Paths and queries of a URL may have keys. */
export function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host;
}

function changedParameters(context: WalletContext, atFork: () => Ledger): readonly ChangedParameter[] | undefined {
  try {
    const before = getChainParameters({ ...context, ledger: atFork() }, {}).chainParameter;
    const values = new Map(before.map(({ key, value }) => [key, value]));
    return getChainParameters(context, {}).chainParameter.flatMap(({ key, value }) => {
      const network = values.get(key) ?? 0n;
      return value === network ? [] : { key, network, fork: value };
    });
  } catch (error) {
    if (error instanceof PastStateError) return undefined;
    throw error;
  }
}

/** @throws MissingRow until its rows are fetched */
export function originOf({ ledger }: WalletContext, address: Address): AddressOrigin {
  const { accounts, contracts, contractStates } = ledger.state.tables;
  const account = originIn(ledger, accounts, address);
  const settings = originIn(ledger, contracts, address);
  const energy = settings === 'network' ? originIn(ledger, contractStates, address) : undefined;
  // A contract that the network has not called yet has no Energy there.
  const contract = settings === 'network' && energy !== undefined && energy !== 'network' ? 'changed' : settings;
  return { ...(account && { account }), ...(contract && { contract }) };
}

function originIn<Value>(ledger: Ledger, table: Table<string, Value>, address: Address): Origin | undefined {
  const value = table.get(address);
  if (value === undefined) return undefined;
  const fetched = ledger.state.fetched(table.spec.prefix + address)?.value;
  if (fetched === undefined) return 'fork';
  return Buffer.compare(table.spec.encode(value), fetched) === 0 ? 'network' : 'changed';
}
