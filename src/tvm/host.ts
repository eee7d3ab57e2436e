/**
 * What the virtual machine sees of the chain, and nothing else.
 *
 * The border between ledger and machine for one smart-contract transaction:
 *
 * 1. **Ledger**: the pre-checks of protocol/contract-runs.md#checks-before-the-code-runs with their texts (the last
 *    of them, the transfer of the call value, through `transferRefusal` of `transfers.ts`); the Energy budget; the pre-merge of staked Energy; for a creation
 *    also the account of type Contract and the contract record at the derived address. All of this under a mark of its own.
 * 2. **Machine** (`runCall`, `runCreate` in `run.ts`): moves call value and token value, runs the frames within the
 *    Energy limit, charges the deposit and stores the code of a creation, writes storage rows, deletes destroyed contracts.
 *    If it fails, everything that the machine did to the host is reverted before it returns.
 * 3. **Ledger**: on failure reverts to its own mark (the pre-merge and a creation's records go too), bills
 *    `energyUsed`, writes the receipt. On the node that made the block an `OUT_OF_TIME` is told as `Already Time Out`,
 *    without logs, internal transactions and penalty (protocol/virtual-machine.md#cpu-time).
 *
 * Failing operations of the stake and vote kind must leave the state as it was and answer `undefined` or `false`;
 * Java's arithmetic exceptions may be thrown as `ArithmeticOverflow`, they end the frame with their message.
 *
 * Addresses are 21-byte hex. Amounts are sun or token units as bigint within a Java long. Every change goes through the
 * state's journal: `revert(mark())` undoes all of them.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId } from '../primitives/ids.js';

/** 0 bandwidth, 1 energy, 2 TRON power. */
export type ResourceCode = 0 | 1 | 2;

export interface JournalHost {
  /** A place in the state's journal. */
  mark(): number;
  /** Undoes every change made through this host since `mark`. */
  revert(mark: number): void;
}

export interface AccountHost {
  /** Whether the account store has the address; an empty account exists. */
  accountExists(address: Address): boolean;
  /** Sun; 0 of a missing account. */
  balance(address: Address): bigint;
  /** Moves coins without any check. Both accounts exist. The machine has made sure that nothing overflows. */
  transfer(from: Address, to: Address, amountSun: bigint): void;
  /**
   * A normal account with default permissions, created at the previous block's time
   * (protocol/calls.md#call-callcode-delegatecall-staticcall).
   */
  createAccount(address: Address): void;
  /** Where a contract's coins go that names itself its heir. */
  readonly blackHole: Address;
}

export interface TokenHost {
  tokenExists(tokenId: bigint): boolean;
  /** 0 of a missing account or token. */
  tokenBalance(address: Address, tokenId: bigint): bigint;
  /** Moves tokens without any check. */
  transferToken(from: Address, to: Address, tokenId: bigint, amount: bigint): void;
  /** Every token that the account's record names, zero amounts included, in the record's order. */
  tokenBalances(address: Address): readonly (readonly [tokenId: string, amount: bigint])[];
  /** Moves every token of `from` to `to`. */
  transferAllTokens(from: Address, to: Address): void;
}

/** The part of a contract's record that the machine reads; a `SmartContract` message is one. */
export interface ContractRecord {
  /** 1 only for contracts made under the compatible-EVM switch. */
  readonly version: number;
  /** Root transaction of a CREATE2, else empty. Part of the storage's address. */
  readonly trx_hash: Hex;
}

/** What a contract is created with by another contract. */
export interface NewContract {
  readonly address: Address;
  /** The creating contract. */
  readonly creator: Address;
  readonly version: number;
  /** Set by CREATE2 only, else empty. */
  readonly trxHash: Hex;
}

export interface ContractHost {
  contract(address: Address): ContractRecord | undefined;
  /**
   * Takes the nonce with which a contract creates another, as Ethereum counts; undefined where the chain does not count,
   * as no TRON network does. Taken also when the creation then fails.
   */
  creationNonce(creator: Address): bigint | undefined;
  /** Runtime code, empty if there is none. The same array as long as the code stays the same: analyses hang on it. */
  code(address: Address): Uint8Array;
  /** Stores runtime code and its keccak256 in the contract's record. */
  setCode(address: Address, code: Uint8Array): void;
  /**
   * EXTCODEHASH was asked: a record without a hash, that of a contract from before Constantinople, keeps the answer.
   * Nothing happens to other records and where there is none.
   */
  keepCodeHash(address: Address, hash: Hex): void;
  /**
   * Record and account for CREATE and CREATE2 (protocol/calls.md#create-create2-and-code-deposit steps 5 and 6):
   * name `CreatedByContract`, percent 100, no ABI; an account that is there already becomes type Contract, its acquired
   * delegations 0.
   */
  createContract(contract: NewContract): void;
  /**
   * Removes account, code, record and ABI of a destroyed contract; storage rows and dynamic-energy record stay. Asked
   * last of all, so that a ledger may do it after the bill is paid.
   */
  deleteContract(address: Address): void;
}

export interface StorageHost {
  /**
   * The word in a row of java-tron's `storage-row` store (protocol/storage-forms.md#stores), 0 if there is none. `row`:
   * 64 hex characters, a hash of the slot that is named beside it.
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
   * Brings the contract's record up to the current cycle (creating it if there is none), stores it and answers its
   * `energy_factor` in 1/10,000: 0 is the normal price (protocol/energy-factor.md#catching-up-with-missed-cycles).
   */
  contractEnergyFactor(address: Address): number;
  /** Adds base Energy to the contract's usage of the current cycle. */
  addContractEnergyUsage(address: Address, energy: number): void;
}

/** Coins that came free while doing something else: already in the balance, shown as an internal transaction. */
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
  /** Sun paid out; `undefined`: refused. */
  withdrawExpireUnfreeze(owner: Address): bigint | undefined;
  delegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  undelegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  /** To how many the owner lends, and how many lend to the receiver. */
  lendingPartners(owner: Address, receiver: Address): number;

  /** Stake 1.0 (flag freezeV1). Creates a missing receiver on success. */
  freezeBalance(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean;
  /** Sun paid back; `undefined`: refused. */
  unfreezeBalance(owner: Address, receiver: Address, resource: ResourceCode): bigint | undefined;
  /** Milliseconds, 0 if nothing is frozen. */
  freezeExpireTimeMs(owner: Address, target: Address, resource: ResourceCode): bigint;
}

/**
 * The parts of SELFDESTRUCT that are rules of stakes and votes
 * (protocol/calls.md#selfdestruct).
 */
export interface SelfDestructHost {
  /** No delegated balance and no unfreezing entry that has not expired; with freezeV1 also what stake 1.0 forbids. */
  mayDestroy(address: Address): boolean;
  /** Settles rewards, clears votes, moves the allowance into the balance. */
  settleVotes(address: Address): void;
  /**
   * Hands stakes and usage of both stake systems over to the heir. Answers the expired unfreezes paid to it:
   * the machine records them.
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
  /** Unclaimed reward and allowance together. */
  rewardBalance(address: Address): bigint;
  isWitness(address: Address): boolean;
  votesFor(voter: Address, witness: Address): bigint;
  /** Votes that the account has cast. */
  votesCast(address: Address): bigint;
  votesReceived(witness: Address): bigint;
  /** Sun of TRON power. */
  tronPower(address: Address): bigint;
}

export interface ResourceUsage {
  /** Sun of stake in use. */
  readonly usedSun: bigint;
  readonly restoreSeconds: bigint;
}

/** What the stake precompiles 0x100000b–0x1000015 read. Missing accounts answer zeros. */
export interface ResourceQueryHost {
  /** 1 TotalNetLimit, 2 TotalNetWeight, 3 TotalEnergyCurrentLimit, 4 TotalEnergyWeight, 5 UnfreezeDelayDays, else 0. */
  chainParameter(code: bigint): bigint;
  availableUnfreezes(address: Address): bigint;
  frozenBalanceV2(address: Address, resource: ResourceCode): bigint;
  /** Sum of pending unfreezes that expire at or before the time. */
  expiringUnfreezes(address: Address, timeMs: bigint): bigint;
  delegatableBalance(address: Address, resource: ResourceCode): bigint;
  /** Stake 2.0, locked and unlocked together. */
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
  /** `undefined` if the account or the permission does not exist. Id 0 without a stored permission is the owner's key. */
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

/** What the opcodes read of the block that is being built (constant calls: of the head block itself). */
export interface BlockEnvironment {
  readonly number: number;
  readonly timestampMs: bigint;
  /** `undefined` in the pre-execution at broadcast: COINBASE reads 0. */
  readonly producer: Address | undefined;
  readonly genesisId: BlockId;
  /** EnergyFee, sun for one Energy. */
  readonly energyPriceSun: bigint;
}
