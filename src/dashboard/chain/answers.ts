/**
 * Types of the answers that the dashboard reads. Those of Sunup's own methods are the server's types in their JSON form;
 * those of java-tron's endpoints have the fields that a screen shows.
 */

import type { Changes as ServerChanges } from '../../explanation/calls/account-changes.js';
import type { TracedCall as ServerCall, TraceEvent as ServerEvent } from '../../explanation/calls/call-tree.js';
import type { ExecutedSteps as ServerSteps } from '../../explanation/calls/steps.js';
import type { Explanation as ServerExplanation } from '../../explanation/model/explanation.js';
import type { SourceFileText } from '../../explanation/sources/call-sources.js';
import type { SourceLines as ServerLines } from '../../explanation/sources/source-lines.js';
import type { StoredSummary } from '../../explanation/summary/stored-summary.js';
import type { Amount, Json } from '../../primitives/amount-json.js';
import type { AddressOrigin, ForkReport } from '../../wallet/fork-origin.js';
import type { PoolShares } from '../../wallet/pool-shares.js';

export type { SpeedscopeFile } from '../../explanation/sources/speedscope.js';
export type { Amount } from '../../primitives/amount-json.js';

/** Energy by source line, of `/sunup/trace` with `lines`. */
export type SourceLines = Json<ServerLines>;

/** `/sunup/explain`: the data and the same in sentences. */
export type Explanation = Json<ServerExplanation> & { readonly text: readonly string[] };
/** Of a transaction of a fork's network: it has only a receipt. */
export type RecordedExplanation = Pick<Explanation, 'txid' | 'text'> & { readonly source: 'receipt' };
export type Charge = Explanation['charges'][number];
export type Action = Explanation['action'];

/** `/sunup/trace` with `sources`. */
export interface CallTrace {
  readonly call?: TracedCall;
  readonly files?: readonly SourceFileText[];
  readonly text: readonly string[];
}

/** `/sunup/trace` with `changes`. */
export type Changes = Json<ServerChanges>;

/** `/sunup/fork`; empty if the chain is no fork. */
export type ForkAnswer = Json<Partial<ForkReport> & AddressOrigin>;

/** `/sunup/pools` */
export type PoolSharesAnswer = Json<PoolShares>;

/** `/sunup/steps` */
export type ExecutedSteps = Json<ServerSteps>;
export type ExecutedStep = ExecutedSteps['steps'][number];
export type { SourceFileText } from '../../explanation/sources/call-sources.js';
/** Values of an ABI nest without end, so types of the tree that contain them are named here one by one. */
export interface NamedValue {
  readonly name: string;
  readonly type: string;
  readonly value: unknown;
}
export interface TracedCall extends Json<Omit<ServerCall, 'events' | 'arguments' | 'result'>> {
  readonly arguments?: readonly NamedValue[];
  readonly result: CallResult;
  readonly events: readonly TraceEvent[];
}
type CallResult =
  | { readonly kind: 'returned'; readonly values?: readonly NamedValue[]; readonly data?: string }
  | { readonly kind: 'created'; readonly codeBytes: number }
  | { readonly kind: 'reverted'; readonly reason: FailureReason; readonly passedOn: boolean }
  | { readonly kind: 'failed'; readonly exception: string };
interface FailureReason {
  readonly error?: string;
  readonly arguments?: readonly NamedValue[];
  readonly data?: string;
}
type OtherEvent = Exclude<ServerEvent, { readonly type: 'call' } | { readonly type: 'log' }>;
export type TraceEvent =
  | { readonly type: 'call'; readonly call: TracedCall }
  | {
      readonly type: 'log';
      readonly contract: { readonly address: string; readonly name: string };
      readonly event?: string;
      readonly arguments?: readonly NamedValue[];
      readonly topics: readonly string[];
      readonly data: string;
    }
  | Json<OtherEvent>;

/** The event `transaction` of `/sunup/events`. */
export type TransactionEvent = Json<StoredSummary>;

/** The event `block` of `/sunup/events`. */
export interface BlockEvent {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly timestampMs: number;
  readonly witness: string;
  readonly transactions: readonly string[];
  /** Set if the event stands for many empty blocks; the data is of the last one. */
  readonly emptyBlocks?: number;
}

/** `getblock…` */
export interface BlockAnswer {
  readonly blockID: string;
  readonly block_header: {
    readonly raw_data: {
      readonly number?: number;
      readonly timestamp?: number;
      readonly parentHash: string;
      readonly witness_address?: string;
      readonly txTrieRoot: string;
      readonly version?: number;
    };
    readonly witness_signature?: string;
  };
  readonly transactions?: readonly TransactionAnswer[];
}

/** `gettransactionbyid` */
export interface TransactionAnswer {
  readonly txID: string;
  readonly ret?: readonly { readonly contractRet?: string }[];
  readonly signature?: readonly string[];
  readonly raw_data_hex: string;
  readonly raw_data: {
    readonly contract: readonly {
      readonly type: string;
      readonly Permission_id?: number;
      readonly parameter: { readonly value: Readonly<Record<string, unknown>> };
    }[];
    readonly timestamp?: number;
    readonly expiration?: number;
    readonly fee_limit?: Amount;
    readonly data?: string;
  };
}

/** `gettransactioninfobyid` */
export interface ReceiptAnswer {
  readonly id: string;
  readonly blockNumber: number;
  readonly blockTimeStamp?: number;
  readonly fee?: Amount;
  readonly contractResult?: readonly string[];
  readonly contract_address?: string;
  readonly result?: string;
  readonly resMessage?: string;
  readonly receipt?: Readonly<Record<string, Amount>>;
  readonly log?: readonly { readonly address: string; readonly topics?: readonly string[]; readonly data?: string }[];
  readonly internal_transactions?: readonly {
    readonly hash: string;
    readonly caller_address: string;
    readonly transferTo_address: string;
    readonly callValueInfo?: readonly { readonly callValue?: Amount; readonly tokenId?: string }[];
    readonly note?: string;
    readonly rejected?: boolean;
  }[];
}

/** `getaccountresource` */
export interface ResourcesAnswer {
  readonly freeNetUsed?: Amount;
  readonly freeNetLimit?: Amount;
  readonly NetUsed?: Amount;
  readonly NetLimit?: Amount;
  readonly TotalNetLimit?: Amount;
  readonly TotalNetWeight?: Amount;
  readonly EnergyUsed?: Amount;
  readonly EnergyLimit?: Amount;
  readonly TotalEnergyLimit?: Amount;
  readonly TotalEnergyWeight?: Amount;
  readonly tronPowerUsed?: Amount;
  readonly tronPowerLimit?: Amount;
}

/** `tron_nodeInfo` */
export interface NodeInfoAnswer {
  readonly tron: {
    readonly version: string;
    readonly mining: string;
    readonly energyFee: number;
    readonly transactionFee: number;
    readonly cycle: number;
    readonly nextMaintenanceTime: number;
    readonly solidifiedBlock: number;
    readonly porting: boolean;
  };
  readonly environment: { readonly chainId: number };
  readonly forkConfig: { readonly forkUrl: string | null; readonly forkBlockNumber: number | null };
}

/** An entry of the ABI as java-tron has it. */
export interface AbiEntry {
  readonly type?: string;
  readonly name?: string;
  readonly inputs?: readonly AbiParameter[];
  readonly outputs?: readonly AbiParameter[];
  readonly stateMutability?: string;
}
export interface AbiParameter {
  readonly name?: string;
  readonly type: string;
}

/** `getcontractinfo` */
export interface ContractAnswer {
  readonly runtimecode?: string;
  readonly smart_contract?: {
    readonly contract_address: string;
    readonly origin_address?: string;
    readonly name?: string;
    readonly abi?: { readonly entrys?: readonly AbiEntry[] };
    readonly consume_user_resource_percent?: Amount;
    readonly origin_energy_limit?: Amount;
    readonly code_hash?: string;
    readonly trx_hash?: string;
    readonly version?: number;
  };
  readonly contract_state?: {
    readonly energy_usage?: Amount;
    readonly energy_factor?: Amount;
    readonly update_cycle?: Amount;
  };
}

/** An entry of `/v1/contracts/…/events`. */
export interface EventEntry {
  readonly block_number: number;
  readonly block_timestamp: number;
  readonly event_index: number;
  readonly event_name: string;
  readonly transaction_id: string;
  readonly result: Readonly<Record<string, string>>;
  readonly result_type: Readonly<Record<string, string>>;
}

/** `dashboard/protocol.json` */
export interface ProtocolNames {
  readonly parameters: readonly {
    readonly id?: number;
    readonly name: string;
    readonly key: string;
    readonly meaning: string;
    readonly initial: Amount;
    readonly mainnet: Amount;
  }[];
  readonly preset: string;
  readonly contractTypes: Readonly<Record<string, number>>;
}
