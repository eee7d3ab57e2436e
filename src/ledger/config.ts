/**
 * Constants of a chain that are not in its state: the genesis, and settings that java-tron reads from its
 * configuration file instead of a chain parameter.
 */

import type { KnownContracts } from '../artifacts/known-contracts.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId } from '../primitives/ids.js';
import { FIRST_RELEASE, type Release } from '../primitives/release.js';
import type { WorkLimit } from '../tvm/work.js';

/** What java-tron reads from its configuration file. */
export interface NodeSettings {
  /** The java-tron release: an initial setting of a chain, because block ids depend on it. */
  readonly release: Release;
  /** The protocol's slot, java-tron's BLOCK_PRODUCED_INTERVAL: 3 s on the networks of TRON, 1 s or 10 s on others. */
  readonly slotMs: bigint;
  /** `block.proposalExpireTime`, until release 4.8.1 made it a chain parameter. */
  readonly proposalExpireTimeMs: bigint;
  /** `block.checkFrozenTime`: whether the duration of Stake 1.0 must be within MIN..MAX_FROZEN_TIME. */
  readonly checkFrozenTime: boolean;
  /**
   * Height from which the energy-limit rule holds (`enery.limit.block.num`); 0 on Sunup and on every present network.
   */
  readonly energyLimitForkBlock: number;
  /**
   * Work limit of one transaction or call in the virtual machine; undefined: only Energy limits it. java-tron measures
   * real time, which differs between machines.
   */
  readonly vmLimit: WorkLimit | undefined;
  /** Names of contracts without an ABI on the chain (`smart-contracts/names.ts`); execution does not use them. */
  readonly knownContracts?: KnownContracts | undefined;
}

/** The main network's values; only Energy limits a call. */
export const NETWORK_SETTINGS: NodeSettings = {
  release: FIRST_RELEASE,
  slotMs: 3_000n,
  proposalExpireTimeMs: 259_200_000n,
  checkFrozenTime: true,
  energyLimitForkBlock: 0,
  vmLimit: undefined,
};

/**
 * The oldest block that a transaction may refer to. On a fork it is the fork's own first block, so transactions are
 * not valid on both the fork and its network.
 */
export function oldestReference({ beginsAt }: ChainConfig): number {
  return beginsAt === 0 ? 0 : beginsAt + 1;
}

export interface ChainConfig extends NodeSettings {
  readonly genesisTimestampMs: bigint;
  /** On a fork: the genesis of its network, or a substitute: `ledger/genesis/fork-base.ts`. */
  readonly genesisId: BlockId;
  /** Number of the chain's first block: 0, or on a fork its network's head. */
  readonly beginsAt: number;
  /** On a fork: its network's genesis id, whose last bytes are the chain id. */
  readonly networkGenesisId?: BlockId;
  /** Names of a fork's assumptions about its network (`ledger/genesis/fork-assumptions.ts`); absent: all of them. */
  readonly assumes?: ReadonlySet<string>;
  /** Address of the account `Blackhole`: receives burned TRX while ALLOW_BLACKHOLE_OPTIMIZATION is off. */
  readonly blackhole: Address;
  /**
   * Genesis witnesses with their genesis votes: they may never withdraw
   * (protocol/contract-types.md#withdrawbalancecontract-13).
   */
  readonly genesisWitnesses: ReadonlyMap<Address, bigint>;
  /** Genesis contracts, and the accounts that hold something in them without a transfer. */
  readonly genesisContracts: ReadonlySet<Address>;
  readonly genesisAccounts: ReadonlySet<Address>;
  /**
   * Signs a header's hash as `signer`, or with another key if that key is unknown. Deterministic (RFC 6979): headers
   * of blocks in runs are signed when they are read.
   */
  readonly signFor: (signer: Address, headerHash: Hex) => Hex;
}
