/**
 * The contracts of `--predeploy`: their addresses and initial storage. docs/reference/predeployed.md describes them for
 * users.
 */

import type { GenesisContract } from '../../ledger/genesis/genesis-contracts.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { keccak256OfHex } from '../../protocol/hashes.js';
import { COMPILED, type CompiledContract } from './predeployed-code.js';

export type PredeployedName = NonNullable<Settings['predeploy']>[number];

/** The addresses of these contracts on the main network; for Multicall3 also its address on most other chains. */
const ADDRESSES: Readonly<Record<PredeployedName, readonly Address[]>> = {
  // TEazPvZwDjDtFeJupyo7QunvnrnUjPH8ED, TUPekXLwt15mAG61PBG9raRXsZ57ovBYQ4
  multicall3: ['4132a4f47a74a6810bd0bf861cabab99656a75de9e', '41ca11bde05977b3631167028862be2a173976ca11'] as Address[],
  // TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t
  usdt: ['41a614f803b6fd780986a42c78ec9c7f77e6ded13c'] as Address[],
  // TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR
  wtrx: ['41891cdb91d149f23b1a45d9c5ca78a88d0cb44c18'] as Address[],
};

/** 10,000 USDT for each funded account. */
const USDT_EACH = 10_000_000_000n;
/** The holder if there are no funded accounts: Zion, whose key is unknown. */
const NOBODY = '4171b0af54e0a1182a5e0947d6a64f3b22740ef318' as Address;

/** @param accounts the funded accounts; the first one owns the contracts */
export function predeployedContracts(
  names: readonly PredeployedName[],
  accounts: readonly Pick<DevAccount, 'addressHex'>[],
): GenesisContract[] {
  const holders = accounts.map(({ addressHex }) => addressHex);
  const owner = holders[0] ?? NOBODY;
  return names.flatMap((name) => {
    const make = PARTS[name];
    return ADDRESSES[name].map((address) => ({ address, owner, ...make(owner, holders) }));
  });
}

type ContractParts = Omit<GenesisContract, 'address' | 'owner'>;

const PARTS: Readonly<Record<PredeployedName, (owner: Address, holders: readonly Address[]) => ContractParts>> = {
  multicall3: () => partsOf('Multicall3', COMPILED.Multicall3),
  wtrx: () => partsOf('WTRX', COMPILED.Wtrx),
  usdt: (owner, holders) => {
    const { slots } = COMPILED.Usdt;
    const supply = USDT_EACH * BigInt(holders.length);
    const balances = holders.map((holder) => [entry(slots.balances, holder), word(USDT_EACH)] as const);
    const storage = [
      [word(slots.totalSupply), word(supply)] as const,
      [word(slots.owner), addressWord(owner)] as const,
      ...balances,
    ];
    return partsOf(
      'USDT',
      COMPILED.Usdt,
      word(supply),
      storage.filter(([, value]) => value !== word(0)),
    );
  },
};

function partsOf(
  name: string,
  { abi, bytecode, codeAt, codeEnd }: CompiledContract,
  constructorArguments = '',
  storage: ContractParts['storage'] = [],
): ContractParts {
  return { name, abi, bytecode: bytecode + constructorArguments, code: bytecode.slice(codeAt, codeEnd), storage };
}

function word(value: bigint | number): Hex {
  return value.toString(16).padStart(64, '0');
}

function addressWord(address: Address): Hex {
  return address.slice(2).padStart(64, '0');
}

/** The slot of an entry of a mapping by address. */
function entry(slot: number, key: Address): Hex {
  return keccak256OfHex(addressWord(key) + word(slot));
}
