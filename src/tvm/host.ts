/**
 * The interface of the virtual machine to the chain.
 *
 * Duties of ledger and machine for one smart-contract transaction:
 *
 * 1. **Ledger**: the checks of protocol/contract-runs.md#checks-before-the-code-runs with their texts (the last one,
 *    the transfer of the call value, by `transferRefusal` of `transfers.ts`); the Energy budget; the charge of staked
 *    Energy in advance; for a creation the account of type Contract and the contract record at the new address. All
 *    under its own mark.
 * 2. **Machine** (`runCall`, `runCreate` in `run.ts`): moves call value and token value, runs the frames within the
 *    Energy limit, charges the deposit and stores the code of a creation, writes storage rows, deletes destroyed
 *    contracts. After a failure it reverts all of its changes of the host before it returns.
 * 3. **Ledger**: after a failure reverts to its own mark, including the charge in advance and a creation's records;
 *    bills `energyUsed`; writes the receipt. The node that made the block reports `OUT_OF_TIME` as `Already Time Out`,
 *    without logs, internal transactions and penalty (protocol/virtual-machine.md#cpu-time).
 *
 * Failing stake and vote operations must not change the state, and return `undefined` or `false`. They may throw Java's
 * arithmetic exceptions as `ArithmeticOverflow`, which end the frame with their message.
 *
 * Addresses are 21-byte hex. Amounts are sun or token units as bigint within a Java long. Every change goes through the
 * state's journal: `revert(mark())` undoes all of them.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId } from '../primitives/ids.js';

/** 0 bandwidth, 1 energy, 2 TRON power. */
export type ResourceCode = 0 | 1 | 2;

export interface JournalHost {
  /** A position in the state's journal. */
  mark(): number;
  /** Undoes all changes through this host since `mark`. */
  revert(mark: number): void;
}

export interface AccountHost {
  /** Whether the account exists; an empty account also exists. */
  accountExists(address: Address): boolean;
  /** In sun; 0 for a missing account. */
  balance(address: Address): bigint;
  /** Moves TRX without checks. Both accounts exist, and the machine has checked for overflow. */
  transfer(from: Address, to: Address, amountSun: bigint): void;
  /**
   * Creates a normal account with default permissions, with the previous block's time
   * (protocol/calls.md#call-callcode-delegatecall-staticcall).
   */
  createAccount(address: Address): void;
  /** Receives the TRX of a contract that destroys itself in favour of itself. */
  readonly blackHole: Address;
}

export interface TokenHost {
  tokenExists(tokenId: bigint): boolean;
  /** 0 for a missing account or token. */
  tokenBalance(address: Address, tokenId: bigint): bigint;
  /** Moves tokens without checks. */
  transferToken(from: Address, to: Address, tokenId: bigint, amount: bigint): void;
  /** All tokens of the account's record, including zero amounts, in the record's order. */
  tokenBalances(address: Address): readonly (readonly [tokenId: string, amount: bigint])[];
  /** Moves all tokens of `from` to `to`. */
  transferAllTokens(from: Address, to: Address): void;
}

/** The part of a contract's record that the machine reads; a `SmartContract` message has this shape. */
export interface ContractRecord {
  /** 1 only for contracts created under the compatible-EVM flag. */
  readonly version: number;
  /** Root transaction of a CREATE2, otherwise empty. Part of the storage's address. */
  readonly trx_hash: Hex;
}

/** Data of a contract created by another contract. */
export interface NewContract {
  readonly address: Address;
  /** The creating contract. */
  readonly creator: Address;
  readonly version: number;
  /** Set only by CREATE2, otherwise empty. */
  readonly trxHash: Hex;
}

export interface ContractHost {
  contract(address: Address): ContractRecord | undefined;
  /**
   * Takes the next nonce for a contract's creation, as Ethereum counts; undefined if the chain does not count, like all
   * TRON networks. The nonce is also used up if the creation fails.
   */
  creationNonce(creator: Address): bigint | undefined;
  /**
   * Runtime code, empty if there is none. Must be the same array while the code is the same, because analyses are
   * cached by it.
   */
  code(address: Address): Uint8Array;
  /** Stores runtime code and its keccak256 in the contract's record. */
  setCode(address: Address, code: Uint8Array): void;
  /**
   * Called for EXTCODEHASH. A record without a hash, from before Constantinople, stores it. No effect on other records,
   * and without a record.
   */
  storeCodeHash(address: Address, hash: Hex): void;
  /**
   * Creates record and account for CREATE and CREATE2 (protocol/calls.md#create-create2-and-code-deposit steps 5 and
   * 6): name `CreatedByContract`, percent 100, no ABI. An existing account becomes type Contract with acquired
   * delegations of 0.
   */
  createContract(contract: NewContract): void;
  /**
   * Removes account, code, record and ABI of a destroyed contract; storage rows and the dynamic-energy record remain.
   * Called last, so that a ledger can defer it until the bill is paid.
   */
  deleteContract(address: Address): void;
}

export interface StorageHost {
  /**
   * The word of a row in java-tron's `storage-row` store (protocol/storage-forms.md#stores), 0 if it does not exist.
   * `row`: 64 hex characters, a hash of the slot, which is passed with it.
   */
  storageRow(row: Hex, contract: Address, slot: bigint): bigint;
  /** Zero deletes the row. */
  setStorageRow(row: Hex, value: bigint): void;
}

export interface BlockHost {
  /** Id of a block at or below the head. */
  blockId(number: number): BlockId | undefined;
}

export interface DynamicEnergyHost {
  /**
   * Brings the contract's record to the current cycle, or creates it, stores it, and returns its `energy_factor` in
   * 1/10,000: 0 is the base price (protocol/energy-factor.md#catching-up-with-missed-cycles).
   */
  contractEnergyFactor(address: Address): number;
  /** Adds base Energy to the contract's usage of the current cycle. */
  addContractEnergyUsage(address: Address, energy: number): void;
}

/** TRX released by another operation: already in the balance, and recorded as an internal transaction. */
export interface SidePayment {
  readonly withdrawnSun: bigint;
}

export interface CancelledUnfreezes extends SidePayment {
  readonly bandwidthSun: bigint;
  readonly energySun: bigint;
  readonly tronPowerSun: bigint;
}

export interface StakeHost {
  freezeBalanceV2(owner: Address, amountSun: bigint, resource: ResourceCode): boolean;
  /** `undefined`: refused. */
  unfreezeBalanceV2(owner: Address, amountSun: bigint, resource: ResourceCode): SidePayment | undefined;
  cancelAllUnfreezeV2(owner: Address): CancelledUnfreezes | undefined;
  /** Paid sun; `undefined`: refused. */
  withdrawExpireUnfreeze(owner: Address): bigint | undefined;
  delegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  undelegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  /** Number of receivers of the owner's delegations, plus number of delegators of the receiver. */
  delegationPartnerCount(owner: Address, receiver: Address): number;

  /** Stake 1.0 (flag freezeV1). Creates a missing receiver on success. */
  freezeBalance(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  /** Returned sun; `undefined`: refused. */
  unfreezeBalance(owner: Address, receiver: Address, resource: ResourceCode): bigint | undefined;
  /** In milliseconds; 0 if nothing is frozen. */
  freezeExpireTimeMs(owner: Address, target: Address, resource: ResourceCode): bigint;
}

/** The rules of stakes and votes for SELFDESTRUCT (protocol/calls.md#selfdestruct). */
export interface SelfDestructHost {
  /** No delegated balance and no pending unfreeze; with freezeV1 also the conditions of Stake 1.0. */
  mayDestroy(address: Address): boolean;
  /** Settles rewards, clears votes, moves the allowance into the balance. */
  settleVotes(address: Address): void;
  /**
   * Moves stakes and usage of both stake systems to the heir. Returns the expired unfreezes paid to it; the machine
   * records them.
   */
  inheritStakes(owner: Address, heir: Address): SidePayment;
}

export interface Vote {
  readonly witness: Address;
  readonly count: bigint;
}

export interface VoteHost {
  voteWitness(owner: Address, votes: readonly Vote[]): boolean;
  /** Sun moved into the balance; `undefined`: refused (a genesis witness). */
  withdrawReward(owner: Address): bigint | undefined;
  /** Unclaimed reward plus allowance. */
  rewardBalance(address: Address): bigint;
  isWitness(address: Address): boolean;
  votesFor(voter: Address, witness: Address): bigint;
  /** Votes cast by the account. */
  votesCast(address: Address): bigint;
  votesReceived(witness: Address): bigint;
  /** TRON power in sun. */
  tronPower(address: Address): bigint;
}

export interface ResourceUsage {
  /** Stake in use, in sun. */
  readonly usedSun: bigint;
  readonly restoreSeconds: bigint;
}

/** Data for the stake precompiles 0x100000b–0x1000015; zeros for missing accounts. */
export interface ResourceQueryHost {
  /**
   * 1 TotalNetLimit, 2 TotalNetWeight, 3 TotalEnergyCurrentLimit, 4 TotalEnergyWeight, 5 UnfreezeDelayDays; otherwise
   * 0.
   */
  chainParameter(code: bigint): bigint;
  availableUnfreezes(address: Address): bigint;
  frozenBalanceV2(address: Address, resource: ResourceCode): bigint;
  /** Sum of the pending unfreezes that expire at or before the time. */
  expiringUnfreezes(address: Address, timeMs: bigint): bigint;
  delegatableBalance(address: Address, resource: ResourceCode): bigint;
  /** Stake 2.0, locked and unlocked. */
  delegatedBalance(from: Address, to: Address, resource: ResourceCode): bigint;
  /** All stake that counts for the resource, acquired included. */
  totalResource(address: Address, resource: ResourceCode): bigint;
  totalDelegated(address: Address, resource: ResourceCode): bigint;
  totalAcquired(address: Address, resource: ResourceCode): bigint;
  /** Recovered to the current slot (protocol/precompiles.md#stake-in-use). */
  resourceUsage(address: Address, resource: ResourceCode): ResourceUsage;
}

export interface AccountKey {
  readonly address: Address;
  readonly weight: bigint;
}

export interface AccountPermission {
  readonly threshold: bigint;
  readonly keys: readonly AccountKey[];
}

export interface PermissionHost {
  /** `undefined` if the account or permission does not exist. Id 0 without a stored permission is the owner's key. */
  permission(address: Address, id: number): AccountPermission | undefined;
}

export interface Host
  extends JournalHost,
    AccountHost,
    TokenHost,
    ContractHost,
    StorageHost,
    BlockHost,
    DynamicEnergyHost,
    StakeHost,
    SelfDestructHost,
    VoteHost,
    ResourceQueryHost,
    PermissionHost {}

/** Opcodes' view of the block being built; for constant calls, of the head block. */
export interface BlockEnvironment {
  readonly number: number;
  readonly timestampMs: bigint;
  /** `undefined` in the pre-execution at broadcast: COINBASE is 0. */
  readonly producer: Address | undefined;
  readonly genesisId: BlockId;
  /** EnergyFee, in sun per Energy. */
  readonly energyPriceSun: bigint;
}
