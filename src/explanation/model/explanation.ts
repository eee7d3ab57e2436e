/**
 * A transaction and its cost as plain data: the only source of all texts about it (`prose/`). Addresses are
 * base58check.
 */

import type { AbiValue } from '../../abi/values.js';
import type { ChargeReason, ChargeSource, Resource } from '../../ledger/charging/charges.js';
import type { Sun } from '../../primitives/ids.js';

/** A contract with its name; the name is empty for contracts that contracts create. */
export interface ContractRef {
  readonly address: string;
  readonly name: string;
}

/** The called method, by the ABI on the chain. */
export interface MethodRef {
  /** Eight hex digits; empty for a call without data. */
  readonly selector: string;
  /** `transfer(address,uint256)`; absent if the ABI does not have the function. */
  readonly signature?: string;
}

/** The action of a transaction, for a one-line summary. */
export type Action =
  | { readonly kind: 'transfer'; readonly to: string; readonly amountSun: Sun }
  | {
      readonly kind: 'token-transfer';
      readonly to: string;
      /** The id of the TRC-10 token, or its name on chains without token ids. */
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
      /** For stake 1.0, which can be staked for another account. */
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

/** A place in a source, as in a stack trace; without a file if the contract's sources are unknown. */
export interface SourceSite {
  readonly contract: string;
  /** Absent outside of functions, and if the sources are unknown. */
  readonly function?: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The reason why a contract failed, as far as its return data shows it. */
export interface FailureReason {
  /** The name of the error in a contract's ABI or in Solidity: `NotEnough`, `Error`, `Panic`. */
  readonly error?: string;
  readonly arguments?: readonly { readonly name: string; readonly type: string; readonly value: AbiValue }[];
  /** The data of the REVERT, if any: hex. */
  readonly data?: string;
  /** The contract that reverted first, if it is not the called contract. */
  readonly raisedBy?: ContractRef;
  /** The exception that ended the innermost failed frame, in java-tron's words. */
  readonly exception?: string;
  /** A failed transfer of TRX by a contract before the failure. */
  readonly lackedCoin?: { readonly contract: ContractRef; readonly balanceSun: Sun; readonly valueSun: Sun };
  /** The stack trace in the sources, innermost first, if there are artifacts. */
  readonly stack?: readonly SourceSite[];
  /** For a REVERT without data: a likely cause by the ABI. */
  readonly hint?: 'no-such-function' | 'not-payable' | 'takes-no-coin';
}

export interface Outcome {
  readonly succeeded: boolean;
  /** `SUCCESS`, or the failure in the receipt: `REVERT`, `OUT_OF_ENERGY`, … */
  readonly result: string;
  /** `resMessage` of the receipt, as text. */
  readonly message?: string;
  readonly reason?: FailureReason;
}

/** One charge of an account (`ledger/charging/charges.ts`). */
export interface ChargeReport {
  readonly payer: string;
  readonly resource: Resource;
  /** `free-or-staked`: bandwidth that was not bought; a receipt does not separate free, staked and an issuer's. */
  readonly source: ChargeSource | 'free-or-staked';
  /** Bytes, Energy, or sun. */
  readonly amount: bigint;
  readonly reason: ChargeReason;
  /** For burned TRX: the number of units of the resource, and the price of one. */
  readonly units?: bigint;
  readonly unitPriceSun?: Sun;
  /** What earlier sources had left. */
  readonly left?: Readonly<Record<string, bigint>>;
}

/** The parts of a limit of staked bandwidth or Energy. There is one usage counter for all parts. */
export interface StakeLimit {
  /** Units a day. */
  readonly limit: bigint;
  /** The part in use before the transaction, after recovery. */
  readonly used: bigint;
  readonly left: bigint;
  readonly ownStakeSun: Sun;
  readonly delegated: readonly { readonly from: string; readonly stakeSun: Sun }[];
  /** The network's daily total, and everybody's stake for it in TRX. */
  readonly networkLimit: bigint;
  readonly networkStakeCoins: bigint;
}

export interface BandwidthCost {
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  /** The sender's limit; absent if the issuer of a token paid. */
  readonly staked?: StakeLimit;
  /** Absent if free bandwidth was not considered: the stake sufficed, or the transaction creates an account. */
  readonly free?: { readonly limit: bigint; readonly left: bigint };
  /** The price of one burned byte. */
  readonly bytePriceSun: Sun;
}

/** Energy that counts for one contract: the contract whose storage the frames use, with its factor. */
export interface ContractEnergy extends ContractRef {
  /** The number of its frames. */
  readonly frames: number;
  /** The dynamic Energy factor: 0 is the base price, 3.4 adds 3.4 times the price of each step. */
  readonly factor: number;
  /** At the base price. */
  readonly base: bigint;
  /** The part that the factor added, rounded down for each step. */
  readonly penalty: bigint;
  /** Precompiled contracts that it called; factors do not apply to them. */
  readonly precompiles: bigint;
  /** Storing the code, 200 per byte. */
  readonly deposit: bigint;
  /** Unused Energy that exceptions consumed. */
  readonly forfeited: bigint;
  /** Free Energy of calls with value, 2,300 each: subtracted. */
  readonly stipends: bigint;
  readonly total: bigint;
}

/** A frame: a call that runs code. Frames are in the order of their starts. */
export interface FrameEnergy {
  /** 0 for the transaction's frame, 1 for its calls. */
  readonly depth: number;
  /** `transaction`, or the opcode of the call: `CALL`, `DELEGATECALL`, `CREATE2`, … */
  readonly kind: string;
  /** The contract whose code ran; for a creation, the new contract. */
  readonly contract: ContractRef;
  /** Absent for creations. */
  readonly method?: MethodRef;
  /** Including its subcalls. */
  readonly total: bigint;
  /** Without its subcalls, including the penalty. */
  readonly own: bigint;
  /** The part of `own` that the contract's dynamic Energy factor added. */
  readonly penalty: bigint;
}

/** The additional stake with which the sender would have burned nothing for Energy and bandwidth. */
export interface FreeOfCharge {
  /** For Energy; absent if none was burned for. `more-than-there-is`: no stake yields so much a day. */
  readonly energyStakeSun?: Sun | 'more-than-there-is';
  /** For bandwidth; absent if none was burned for. */
  readonly bandwidthStakeSun?: Sun | 'more-than-there-is';
  /** Fees that no stake pays: activations, memos, signatures, … */
  readonly remainingFeeSun: Sun;
}

/** The bound of a share. */
export type CallerBound = 'feeLimit' | 'stake-and-balance';
export type OriginBound = 'percent' | 'origin_energy_limit' | 'stake';

export interface EnergyCost {
  /** `energy_usage_total`. */
  readonly total: bigint;
  /** `energy_penalty_total`. */
  readonly penalty: bigint;
  /**
   * Penalties that contracts paid, but `penalty` omits: an error ended all calls at once, and the receipt counts only
   * calls that had returned. The penalties of `contracts` add up to `penalty` plus this. Absent if 0.
   */
  readonly unreportedPenalty?: bigint;
  /** Sun per unit. */
  readonly priceSun: Sun;
  readonly contracts: readonly ContractEnergy[];
  /** At most the first 1,000. */
  readonly frames: readonly FrameEnergy[];
  /** The Energy limit of the call: the caller's limit plus the deployer's limit. */
  readonly limit: bigint;
  readonly caller: {
    readonly address: string;
    /** The caller's part of the total. */
    readonly owed: bigint;
    readonly staked: bigint;
    readonly bought: bigint;
    readonly feeSun: Sun;
    /** The most that the caller could have paid for, and its bound. */
    readonly limit: bigint;
    /** The caller's limit is the smaller of `staked` + `balance` and `feeLimit`, all in Energy. */
    readonly limitParts: { readonly staked: bigint; readonly balance: bigint; readonly feeLimit: bigint };
    readonly boundBy: CallerBound;
    /** The balance that was available for Energy: after earlier fees and the transferred value. */
    readonly balanceSun: Sun;
    readonly stake: StakeLimit;
  };
  /** The deployer's part; absent for a deployment, and if the deployer is the caller or does not exist any more. */
  readonly origin?: {
    readonly address: string;
    /** The deployer's percentage: 100 − consume_user_resource_percent. */
    readonly percent: number;
    readonly originEnergyLimit: bigint;
    readonly paid: bigint;
    /** Its percentage of the total. */
    readonly agreed: bigint;
    /** The bound of its part: the percentage, or a smaller limit. */
    readonly boundBy: OriginBound;
    /** The most that it could add to the call's limit. */
    readonly limit: bigint;
    /**
     * The deployer's limit is the smallest of these. `proportion` relates to the caller's limit as the deployer's
     * percentage relates to the caller's; absent if the caller pays nothing or everything.
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
    /** The Energy that the feeLimit allows the caller, including staked Energy. */
    readonly energy: bigint;
    /** The used part: the caller's Energy at the burn price, staked or not. */
    readonly usedSun: Sun;
    readonly headroomSun: Sun;
  };
  /** Only after an out-of-energy failure. */
  readonly needed?: EnergyNeed;
}

/** The need of a call that ran out of Energy, from trial runs with more. */
export interface EnergyNeed {
  /** The result with the maximum Energy that the network's highest feeLimit buys. */
  readonly result: string;
  readonly reason?: FailureReason;
  /** The smallest Energy with this result; absent if even the maximum does not suffice. */
  readonly energy?: bigint;
  /** The caller's part of it. */
  readonly callerEnergy?: bigint;
  readonly feeLimitSun?: Sun;
  /** Missing sun in the caller's balance; 0 if it sufficed. */
  readonly missingBalanceSun?: Sun;
}

/** A row that a fork read from its network. */
export interface NetworkRow {
  /** `accounts`, `codes`, `storage`, … */
  readonly table: string;
  /** The key in the table, as hex. */
  readonly key: string;
  /** The account or contract of the row, if there is one. */
  readonly of?: string;
  /** For `storage`: 64 hex digits, with 0x. */
  readonly slot?: string;
  /** The network's block at which the fork read it. */
  readonly readAtBlock: number;
}

/** The rows of the network that a transaction of a fork read. */
export interface NetworkRows {
  /** The block of parameters, prices, totals and witnesses, which every transaction reads. */
  readonly begunAtBlock: number;
  readonly count: number;
  /** By block. At most the first 1,000. */
  readonly rows: readonly NetworkRow[];
}

/**
 * A value that nodes do not serve and a fork assumes. Because of it, the transaction may cost something else on the
 * network.
 */
export interface AssumptionReport {
  /** `usages`, `publicBandwidth`, …: docs/background/fork-assumptions.md. */
  readonly name: string;
  readonly unknown: string;
  readonly assumed: string;
  /** The possible difference. */
  readonly effect: string;
  /** The affected rows: accounts and contracts, or the name of a network total. */
  readonly of: readonly string[];
}

/** What an explanation has whatever its source: a transaction of the chain, or a network's receipt. */
export interface ExplanationHead {
  readonly txid: string;
  readonly block: {
    readonly number: number;
    /** The position of the transaction in its block, from 0, and the number of transactions. */
    readonly index: number;
    readonly transactions: number;
    readonly timestampMs: number;
  };
  /** The contract type's name in the protocol: `TransferContract`. */
  readonly type: string;
  readonly owner: string;
  readonly action: Action;
  readonly outcome: Outcome;
  /** The sum of all payments in TRX: `TransactionInfo.fee`. */
  readonly feeSun: Sun;
  readonly charges: readonly ChargeReport[];
}

/** The cost of a transaction with its reasons. */
export interface Explanation extends ExplanationHead {
  readonly bandwidth?: BandwidthCost;
  readonly energy?: EnergyCost;
  /** Absent if nothing was burned that a stake could have paid. */
  readonly freeOfCharge?: FreeOfCharge;
  /** For a fork whose rows come from more than one block of the network. */
  readonly networkRows?: NetworkRows;
  /** For a fork, if an assumption matters to the transaction. */
  readonly assumptions?: readonly AssumptionReport[];
}
