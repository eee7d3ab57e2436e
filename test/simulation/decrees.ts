/** Random changes of a chain from outside, by small numbers that are resolved when they are made, as in `operations.ts`. */

import fc from 'fast-check';
import { OperationError } from '../../src/errors/operation-error.js';
import type { ArgumentsOf, OperationName } from '../../src/ledger/operations/registry.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { COIN, type SimulatedChain, strangerAddress } from './simulated-chain.js';

interface Choice {
  readonly who: number;
  readonly other: number;
  readonly amountSun: bigint;
  readonly choice: number;
}

export interface Decree extends Choice {
  readonly what: keyof typeof DECREES;
}

/** Returns 42; fails; reads and writes slot 0; the entry of a mapping at slot 0. */
const CODES = ['', '602a60005260206000f3', 'fe', '60005460010160005500', '60043560005260406000205460005260206000f3'];

/** Somebody with a key, somebody without one, or a contract. */
function anybody(chain: SimulatedChain, i: number): Address {
  if (i < 6) return chain.address(i);
  return i < 9 ? strangerAddress(i) : chain.witness(0);
}

type Made<Name extends OperationName = OperationName> = Name extends OperationName
  ? readonly [Name, ArgumentsOf<Name>]
  : never;

const DECREES = {
  setBalance: (chain, { who, amountSun }) => ['setBalance', { address: anybody(chain, who), balanceSun: amountSun }],
  setBalances: (chain, { who, other, amountSun }) => [
    'setBalances',
    { addresses: [anybody(chain, who), anybody(chain, other)], balanceSun: amountSun },
  ],
  addBalance: (chain, { who, amountSun, choice }) => [
    'addBalance',
    { address: anybody(chain, who), amountSun: choice % 2 ? amountSun : -amountSun },
  ],
  setCode: (chain, { who, choice }) => [
    'setCode',
    { address: anybody(chain, who), code: CODES[choice % CODES.length] as string },
  ],
  setStorage: (chain, { who, amountSun, choice }) => [
    'setStorage',
    { address: anybody(chain, who), slot: BigInt(choice), value: amountSun },
  ],
  setStake: (chain, { who, amountSun, choice }) => [
    'setStake',
    {
      address: anybody(chain, who),
      stakes: choice % 2 ? { energy: amountSun } : { bandwidth: amountSun, energy: amountSun / 3n },
      keepTotals: choice % 3 === 0,
    },
  ],
  setDelegation: (chain, { who, other, amountSun, choice }) => [
    'setDelegation',
    {
      // Contracts of the simulation lend by opcodes, which leave locks out of account (delegation-index.ts).
      from: chain.address(who % 6),
      to: anybody(chain, other),
      lent: choice % 2 ? { energy: amountSun / 10n } : { energy: amountSun / 20n, bandwidth: amountSun / 10n },
      lockUntilMs: choice % 3 === 0 ? chain.ledger.headTimeMs + BigInt(choice + 1) * 1_000_000n : undefined,
    },
  ],
  setAccountResources: (chain, { who, amountSun, choice }) => [
    'setAccountResources',
    {
      address: anybody(chain, who),
      used: {
        freeNetUsage: BigInt(choice),
        ...(choice % 2 && { energyUsage: amountSun, energyWindow: BigInt(choice * 1_000) }),
        ...(choice % 3 && { netUsage: amountSun / COIN }),
      },
      atMs: choice > 8 ? chain.ledger.headTimeMs - 60_000n : undefined,
    },
  ],
  setContractEnergy: (chain, { who, choice }) => [
    'setContractEnergy',
    { address: anybody(chain, who), state: { energyFactor: BigInt(choice * 4_000) } },
  ],
  setVotes: (chain, { who, amountSun, choice }) => [
    'setAccount',
    {
      address: anybody(chain, who),
      patch: {
        votes: choice === 0 ? null : [{ vote_address: chain.witness(0), vote_count: amountSun / (10n * COIN) + 1n }],
      },
    },
  ],
  setFields: (chain, { who, amountSun, choice }) => [
    'setAccount',
    {
      address: anybody(chain, who),
      patch: {
        account_name: choice === 0 ? null : utf8ToHex(`name ${choice}`),
        allowance: amountSun / 100n,
        unfrozenV2: [
          { type: choice % 2, unfreeze_amount: amountSun, unfreeze_expire_time: chain.ledger.headTimeMs + 5_000n },
        ],
      },
    },
  ],
  setPermission: (chain, { who, other, choice }) => [
    'setAccount',
    {
      address: anybody(chain, who),
      patch: {
        owner_permission:
          choice % 3 === 0 ? null : { threshold: 1n, keys: [{ address: anybody(chain, other), weight: 1n }] },
      },
    },
  ],
  setTokenBalance: (chain, { who, amountSun, choice }) => [
    'setTokenBalance',
    {
      address: anybody(chain, who),
      tokenId: String(1_000_001 + (choice % 3)),
      amount: amountSun,
      force: choice % 2 === 0,
    },
  ],
  dealToken: (chain, { who, other, amountSun }) => [
    'dealToken',
    { account: anybody(chain, who), token: anybody(chain, other), amount: amountSun },
  ],
  setNetworkTotals: (_, { amountSun, choice }) => [
    'setNetworkTotals',
    choice % 2 ? { totalEnergyWeight: amountSun } : { totalNetWeight: amountSun, publicNetUsage: BigInt(choice) },
  ],
  setChainParameters: (_, { choice }) => [
    'setChainParameters',
    { values: { getEnergyFee: BigInt(choice * 50), getCreateAccountFee: BigInt(choice) }, force: false },
  ],
} satisfies Record<string, (chain: SimulatedChain, choice: Choice) => Made>;

export const decree: fc.Arbitrary<Decree> = fc.record({
  what: fc.constantFrom(
    ...(Object.keys(DECREES) as (keyof typeof DECREES)[]),
    // Of which most are refused.
    ...(['setStake', 'setDelegation', 'setDelegation', 'setDelegation', 'dealToken', 'setVotes'] as const),
  ),
  who: fc.nat(9),
  other: fc.nat(9),
  amountSun: fc.oneof(
    fc.bigInt({ min: 0n, max: 50_000n * COIN }),
    fc.constantFrom(0n, 1n, COIN - 1n, COIN, 2n ** 63n - 1n, 2n ** 63n),
  ),
  choice: fc.nat(11),
});

/** @returns whether it was done; false: it was refused */
export function decreed(chain: SimulatedChain, { what, ...choice }: Decree): boolean {
  const [name, given] = DECREES[what](chain, choice) as Made;
  try {
    chain.node.operations.apply(name, given as never);
    return true;
  } catch (error) {
    if (error instanceof OperationError) return false;
    throw error;
  }
}
