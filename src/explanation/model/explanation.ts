/**
 * What is known about a transaction and its cost, as plain data: every sentence about it is made from this and nothing
 * else (`prose/`). Addresses are base58check.
 */

import type { AbiValue } from '../../abi/values.js';
import type { ChargeReason, ChargeSource, Resource } from '../../ledger/charging/charges.js';
import type { Sun } from '../../primitives/ids.js';

/** A contract, with the name it was deployed under; empty for those that contracts create. */
export interface ContractRef {
  readonly address: string;
  readonly name: string;
}

/** What a call is for, by the ABI that the contract carries on the chain. */
export interface MethodRef {
  /** Eight hex digits; empty for a call without data. */
  readonly selector: string;
  /** `transfer(address,uint256)`; absent when the ABI has no such function, or there is none. */
  readonly signature?: string;
}

/** What a transaction does, as far as one line can say it. */
export type Action =
  | { readonly kind: 'transfer'; readonly to: string; readonly amountSun: Sun }
  | {
      readonly kind: 'token-transfer';
      readonly to: string;
      /** Id of the TRC-10 token, or its name where tokens have no ids. */
      readonly token: string;
      readonly amount: bigint;
    }
  | { readonly kind: 'deployment'; readonly contract: ContractRef; readonly callValueSun: Sun }
  | {
      readonly kind: 'call';
      readonly contract: ContractRef;
      readonly method: MethodRef;
      readonly callValueSun: Sun;
    }
  | {
      readonly kind: 'stake' | 'unstake';
      readonly resource: StakeResource;
      readonly amountSun: Sun;
      /** Of stake 1.0, which can be staked for somebody else. */
      readonly to?: string;
    }
  | {
      readonly kind: 'delegation' | 'undelegation';
      readonly resource: StakeResource;
      readonly amountSun: Sun;
      readonly to: string;
    }
  | { readonly kind: 'account-creation'; readonly to: string }
  | { readonly kind: 'other' };

export type StakeResource = 'BANDWIDTH' | 'ENERGY' | 'TRON_POWER';

/** A place in a source, as a stack trace has it; without a file where the sources of the contract are not known. */
export interface SourceSite {
  readonly contract: string;
  /** Absent outside of functions, and where the sources are not known. */
  readonly function?: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Why a contract failed, as far as what it returned says it. */
export interface FailureReason {
  /** An error of a contract's ABI or of Solidity: `NotEnough`, `Error`, `Panic`. */
  readonly error?: string;
  readonly arguments?: readonly { readonly name: string; readonly type: string; readonly value: AbiValue }[];
  /** The data of the REVERT, where there is any: hex. */
  readonly data?: string;
  /** Where it began, if that is not the contract that the transaction called. */
  readonly raisedBy?: ContractRef;
  /** What ended the innermost frame that failed with an exception, in java-tron's words. */
  readonly exception?: string;
  /** A transfer of a contract's own coin that could not be made before it failed. */
  readonly lackedCoin?: { readonly contract: ContractRef; readonly balanceSun: Sun; readonly valueSun: Sun };
  /** Where in the sources it arose and how execution came there, innermost first: where artifacts are known. */
  readonly stack?: readonly SourceSite[];
  /** For a REVERT without data: what the ABI gives away about it. */
  readonly hint?: 'no-such-function' | 'not-payable' | 'takes-no-coin';
}

export interface Outcome {
  readonly succeeded: boolean;
  /** `SUCCESS`, or what the receipt calls the failure: `REVERT`, `OUT_OF_ENERGY`, … */
  readonly result: string;
  /** `resMessage` of the receipt, as text. */
  readonly message?: string;
  readonly reason?: FailureReason;
}

/** One thing that was taken from somebody (`ledger/charging/charges.ts`). */
export interface ChargeReport {
  readonly payer: string;
  readonly resource: Resource;
  readonly source: ChargeSource;
  /** Bytes, Energy, or sun. */
  readonly amount: bigint;
  readonly reason: ChargeReason;
  /** For coin that pays for units of a resource: how many, and the price of one. */
  readonly units?: bigint;
  readonly unitPriceSun?: Sun;
  /** What was left of each source that came before this one. */
  readonly left?: Readonly<Record<string, bigint>>;
}

/** What a limit of staked bandwidth or Energy is made of. Usage is one counter and belongs to none of the parts. */
export interface StakeLimit {
  /** Units a day. */
  readonly limit: bigint;
  /** Of it in use when the transaction came, after what has recovered. */
  readonly used: bigint;
  readonly left: bigint;
  readonly ownStakeSun: Sun;
  readonly delegated: readonly { readonly from: string; readonly stakeSun: Sun }[];
  /** What the whole network shares out a day, and the coins staked for it by everybody, in whole coins. */
  readonly networkLimit: bigint;
  readonly networkStakeCoins: bigint;
}

export interface BandwidthCost {
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  /** The sender's; absent where the issuer of a token paid. */
  readonly staked?: StakeLimit;
  /** Absent where it was not asked: the stake sufficed, or the transaction creates an account, which it does not pay for. */
  readonly free?: { readonly limit: bigint; readonly left: bigint };
  /** What burning it costs by the byte. */
  readonly bytePriceSun: Sun;
}

/** Energy that ran under one contract's name: its storage, its factor. */
export interface ContractEnergy extends ContractRef {
  /** How often it was entered. */
  readonly frames: number;
  /** Dynamic energy factor: 0 is the normal price, 3.4 adds 3.4 times the price of each step. */
  readonly factor: number;
  /** At the normal price. */
  readonly base: bigint;
  /** What the factor added: for each step by itself, rounded down. */
  readonly penalty: bigint;
  /** Precompiled contracts that it called; no factor touches them. */
  readonly precompiles: bigint;
  /** storing the code, 200 per byte. */
  readonly deposit: bigint;
  /** Lost to exceptions, unspent. */
  readonly forfeited: bigint;
  /** Given for nothing along with value, 2,300 each: comes off. */
  readonly stipends: bigint;
  readonly total: bigint;
}

/** A call: a program that ran, in the order in which they began. */
export interface FrameEnergy {
  /** 0 for that of the transaction, 1 for what it called. */
  readonly depth: number;
  /** `transaction`, or by which opcode it was entered: `CALL`, `DELEGATECALL`, `CREATE2`, … */
  readonly kind: string;
  /** Whose code ran; of a creation, what was created. */
  readonly contract: ContractRef;
  /** Absent for creations. */
  readonly method?: MethodRef;
  /** With that of the calls that it made. */
  readonly total: bigint;
  /** Its own, penalty included. */
  readonly own: bigint;
  /** What the contract's dynamic factor added to its own. */
  readonly penalty: bigint;
}

/** What the sender would have to have staked beside what it had, to burn nothing for Energy and bandwidth. */
export interface FreeOfCharge {
  /** For Energy; absent where none was bought. `more-than-there-is`: no stake gives so much a day. */
  readonly energyStakeSun?: Sun | 'more-than-there-is';
  /** For bandwidth; absent where none was bought. */
  readonly bandwidthStakeSun?: Sun | 'more-than-there-is';
  /** What no stake pays: activations, memos, signatures, … */
  readonly remainingFeeSun: Sun;
}

/** Which bound a share ran into. */
export type CallerBound = 'feeLimit' | 'stake-and-balance';
export type OriginBound = 'percent' | 'origin_energy_limit' | 'stake';

export interface EnergyCost {
  /** `energy_usage_total`. */
  readonly total: bigint;
  /** `energy_penalty_total`. */
  readonly penalty: bigint;
  /**
   * Penalty that the contracts paid and `penalty` leaves out: an error ended all calls at once, and the receipt counts
   * those that had returned. The penalties of `contracts` add up to `penalty` and this. Absent where it is 0.
   */
  readonly unreportedPenalty?: bigint;
  /** Sun for a unit. */
  readonly priceSun: Sun;
  readonly contracts: readonly ContractEnergy[];
  /** Of many the first 1,000. */
  readonly frames: readonly FrameEnergy[];
  /** The Energy limit of the call: the caller's limit plus the deployer's limit. */
  readonly limit: bigint;
  readonly caller: {
    readonly address: string;
    /** Of the total, what the caller owed. */
    readonly owed: bigint;
    readonly staked: bigint;
    readonly bought: bigint;
    readonly feeSun: Sun;
    /** The most that the caller could have paid for, and what set it. */
    readonly limit: bigint;
    /** The caller's limit is the smaller of `staked` + `balance` and `feeLimit`, all in Energy. */
    readonly limitParts: { readonly staked: bigint; readonly balance: bigint; readonly feeLimit: bigint };
    readonly boundBy: CallerBound;
    /** What could be spent on Energy: after fees that came before, without the value that goes along. */
    readonly balanceSun: Sun;
    readonly stake: StakeLimit;
  };
  /** The deployer's side; absent for a deployment, and when the deployer calls or is gone. */
  readonly origin?: {
    readonly address: string;
    /** Percent of the bill that the deployer takes: 100 − consume_user_resource_percent. */
    readonly percent: number;
    readonly originEnergyLimit: bigint;
    readonly paid: bigint;
    /** What its percent of the total would have been. */
    readonly agreed: bigint;
    /** What ended its share: the percent itself, or what was less than it. */
    readonly boundBy: OriginBound;
    /** The most that it added to what the call might use. */
    readonly limit: bigint;
    /**
     * The deployer's limit is the smallest of these. `proportion` relates to the caller's limit as the deployer's
     * percentage relates to the caller's; absent where the caller pays nothing or everything.
     */
    readonly limitParts: {
      readonly proportion?: bigint;
      readonly staked: bigint;
      readonly originEnergyLimit: bigint;
    };
    readonly stake: StakeLimit;
  };
  readonly feeLimit: {
    readonly feeLimitSun: Sun;
    /** Energy that it allows the caller, staked Energy included. */
    readonly energy: bigint;
    /** What of it was used: the caller's part of the Energy at the price, staked or not. */
    readonly usedSun: Sun;
    readonly headroomSun: Sun;
  };
  /** After a failure for want of Energy. */
  readonly needed?: EnergyNeed;
}

/** What a call that ran out of Energy would have needed, found by running it again with more. */
export interface EnergyNeed {
  /** How it ends with the most Energy that the network's highest feeLimit buys. */
  readonly result: string;
  readonly reason?: FailureReason;
  /** The least Energy with which it ends so; absent if even the most does not suffice. */
  readonly energy?: bigint;
  /** The caller's part of it. */
  readonly callerEnergy?: bigint;
  readonly feeLimitSun?: Sun;
  /** How much more the caller has to have: sun. 0 if the balance sufficed. */
  readonly missingBalanceSun?: Sun;
}

/** A row that a fork has from its network. */
export interface NetworkRow {
  /** `accounts`, `codes`, `storage`, … */
  readonly table: string;
  /** Within the table, in hex. */
  readonly key: string;
  /** Whose it is, where one account or contract can be named. */
  readonly of?: string;
  /** Of `storage`: 64 hex digits, with 0x. */
  readonly slot?: string;
  /** The network's block at which the fork read it, whatever the fork has done to it since. */
  readonly readAtBlock: number;
}

/** What a transaction of a fork read of the network. */
export interface NetworkRows {
  /** Of which parameters, prices, totals and witnesses are, which every transaction reads. */
  readonly begunAtBlock: number;
  readonly count: number;
  /** By block. Of many the first 1,000. */
  readonly rows: readonly NetworkRow[];
}

/** Something that no node tells and a fork has to assume, by which a transaction may cost something else on the network. */
export interface AssumptionReport {
  /** `usages`, `publicBandwidth`, …: docs/background/fork-assumptions.md. */
  readonly name: string;
  readonly unknown: string;
  readonly assumed: string;
  /** What may come out differently. */
  readonly effect: string;
  /** By whose rows it may: accounts and contracts, or the name of a number of the network's. */
  readonly of: readonly string[];
}

/** The cost of a transaction with its reasons. */
export interface Explanation {
  readonly txid: string;
  readonly block: {
    readonly number: number;
    /** Place of the transaction, from 0, and how many the block has. */
    readonly index: number;
    readonly transactions: number;
    readonly timestampMs: number;
  };
  /** The contract's type as the protocol names it: `TransferContract`. */
  readonly type: string;
  readonly owner: string;
  readonly action: Action;
  readonly outcome: Outcome;
  /** Sum of everything paid in coin: `TransactionInfo.fee`. */
  readonly feeSun: Sun;
  readonly charges: readonly ChargeReport[];
  readonly bandwidth?: BandwidthCost;
  readonly energy?: EnergyCost;
  /** Absent where nothing was burned that a stake pays. */
  readonly freeOfCharge?: FreeOfCharge;
  /** Of a fork, where what it read is of more than one block of the network; else absent. */
  readonly networkRows?: NetworkRows;
  /** Of a fork, where something matters to it that the fork had to assume; else absent. */
  readonly assumptions?: readonly AssumptionReport[];
}
