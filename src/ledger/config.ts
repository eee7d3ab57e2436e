/**
 * What is fixed for the life of a chain and is not in its state: the genesis, and the settings that java-tron reads from
 * its configuration file rather than from a chain parameter.
 */

import type { KnownContracts } from '../artifacts/known-contracts.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId } from '../primitives/ids.js';
import { FIRST_RELEASE, type Release } from '../primitives/release.js';
import type { WorkLimit } from '../tvm/work.js';

/** What java-tron reads from its configuration file. */
export interface NodeSettings {
  /** Which java-tron this is: part of what a chain is begun with, because block ids depend on it. */
  readonly release: Release;
  /** The protocol's slot, java-tron's BLOCK_PRODUCED_INTERVAL: 3 s on the networks of TRON, 1 s or 10 s on others. */
  readonly slotMs: bigint;
  /** `block.proposalExpireTime`, until release 4.8.1 made it a chain parameter. */
  readonly proposalExpireTimeMs: bigint;
  /** `block.checkFrozenTime`: whether a stake 1.0 duration must lie within MIN..MAX_FROZEN_TIME. */
  readonly checkFrozenTime: boolean;
  /** Height from which the energy-limit rule holds (`enery.limit.block.num`); 0 on Sunup, as on every network of today. */
  readonly energyLimitForkBlock: number;
  /**
   * What one transaction or call may do in the virtual machine; undefined: whatever its Energy pays for. java-tron
   * measures its own time, which no two machines share.
   */
  readonly vmLimit: WorkLimit | undefined;
  /** Names for contracts without an ABI on the chain (`smart-contracts/names.ts`); nothing that runs asks for them. */
  readonly knownContracts?: KnownContracts | undefined;
}

/** As nodes of the main network have them; nothing stops a call but its Energy. */
export const NETWORK_SETTINGS: NodeSettings = {
  release: FIRST_RELEASE,
  slotMs: 3_000n,
  proposalExpireTimeMs: 259_200_000n,
  checkFrozenTime: true,
  energyLimitForkBlock: 0,
  vmLimit: undefined,
};

/**
 * The oldest block that a transaction may refer to. Of a fork the first of its own: what is signed there is valid nowhere
 * else, and what was signed elsewhere is not valid there.
 */
export function oldestReference({ beginsAt }: ChainConfig): number {
  return beginsAt === 0 ? 0 : beginsAt + 1;
}

export interface ChainConfig extends NodeSettings {
  readonly genesisTimestampMs: bigint;
  /** Of a fork that of the chain that it is one of, or what stands for it: `ledger/genesis/fork-base.ts`. */
  readonly genesisId: BlockId;
  /** Number of the block that the chain begins with: 0, or of a fork the other chain's head. */
  readonly beginsAt: number;
  /** Of a fork: of its network, whose chain id are its last bytes. */
  readonly networkGenesisId?: BlockId;
  /** Names of what a fork takes for granted of the other chain (`ledger/genesis/fork-assumptions.ts`); absent: all of them. */
  readonly assumes?: ReadonlySet<string>;
  /** Address of the account named `Blackhole`: takes burned coin while ALLOW_BLACKHOLE_OPTIMIZATION is off. */
  readonly blackhole: Address;
  /**
   * Genesis witnesses with the votes the genesis gave them: they may never withdraw
   * (protocol/contract-types.md#withdrawbalancecontract-13).
   */
  readonly genesisWitnesses: ReadonlyMap<Address, bigint>;
  /** Contracts that the chain began with, and the accounts that may hold something in them without a transfer. */
  readonly genesisContracts: ReadonlySet<Address>;
  readonly genesisAccounts: ReadonlySet<Address>;
  /**
   * Signs a header's hash as `signer`, or with another key where we do not hold that one. Deterministic (RFC 6979):
   * headers of blocks that were mined many at once are signed when somebody reads them.
   */
  readonly signFor: (signer: Address, headerHash: Hex) => Hex;
}
