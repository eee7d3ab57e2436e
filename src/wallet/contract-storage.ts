/** A contract's storage by variable, with the layout of an artifact that has the same code. Sunup's own. */

import type { StorageLayout } from '../artifacts/storage-layout.js';
import {
  type ElementPage,
  type ReadSlot,
  StoragePathError,
  type StoredVariable,
  storedAt,
  storedVariables,
} from '../artifacts/storage-values.js';
import { NotFoundError, ParametersError } from '../errors/operation-error.js';
import type { Address } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import type { WalletContext } from './context.js';
import { getCode, getStorageAt } from './contracts.js';

export interface ContractStorage {
  /** Addresses are base58check. */
  readonly contract: string;
  /** The name of the contract that the layout describes. */
  readonly layout?: string;
  /** Without a layout: how to get one. */
  readonly missing?: string;
  /** The contract with the layout, if it is another one: what a proxy delegates to. */
  readonly layoutOf?: string;
  /** Without a path: all variables, in the order of their slots. */
  readonly variables?: readonly StoredVariable[];
  /** With a path: what is there. */
  readonly found?: StoredVariable;
}

export interface StorageQuery {
  /** A variable's name, then members, indexes and keys. Empty: all variables. */
  readonly path: readonly string[];
  /** Of an array's elements. */
  readonly page: ElementPage;
  /** The contract whose code has the layout. Default: the contract, or what its EIP-1967 proxy delegates to. */
  readonly layoutOf?: Address | undefined;
}

/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1. */
const IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn;
const ADDRESS_BITS = 160n;

/**
 * With pending transactions.
 *
 * @throws NotFoundError without a contract, ParametersError for a path that leads nowhere
 */
export function contractStorage(context: WalletContext, contract: Address, query: StorageQuery): ContractStorage {
  // A fork fetches all missing words of an answer together.
  return context.ledger.state.gathering(() => readStorage(context, contract, query));
}

function readStorage(
  context: WalletContext,
  contract: Address,
  { path, page, layoutOf }: StorageQuery,
): ContractStorage {
  const read: ReadSlot = (slot) => getStorageAt(context, contract, slot) ?? 0n;
  if (getCode(context, contract) === undefined) {
    throw new NotFoundError(`there is no contract with code at ${toBase58(contract)}`);
  }
  const describing = layoutOf ?? implementationOf(read) ?? contract;
  // A proxy may have variables of its own, and its implementation no artifact.
  const sources = [...new Set([describing, layoutOf ?? contract])];
  const [found] = sources.flatMap((address) => {
    const layout = layoutAt(context, address);
    return layout === undefined ? [] : [{ address, layout }];
  });
  if (found === undefined) {
    return {
      contract: toBase58(contract),
      missing: `no artifact has the storage layout of ${toBase58(describing)}: compile its source with the output storageLayout, and start the node with --artifacts and the folder of the artifacts`,
    };
  }
  const head = {
    contract: toBase58(contract),
    layout: found.layout.contract,
    ...(found.address !== contract && { layoutOf: toBase58(found.address) }),
  };
  try {
    return path.length === 0
      ? { ...head, variables: storedVariables(found.layout, read) }
      : { ...head, found: storedAt(found.layout, path, read, page) };
  } catch (error) {
    throw error instanceof StoragePathError ? new ParametersError(`path: ${error.message}`) : error;
  }
}

function implementationOf(read: ReadSlot): Address | undefined {
  const word = read(IMPLEMENTATION_SLOT);
  if (word === 0n) return undefined;
  return `41${BigInt.asUintN(Number(ADDRESS_BITS), word).toString(16).padStart(40, '0')}` as Address;
}

function layoutAt(context: WalletContext, address: Address): StorageLayout | undefined {
  const code = getCode(context, address);
  return code === undefined || code.length === 0 ? undefined : context.ledger.config.knownContracts?.layoutOf(code);
}
