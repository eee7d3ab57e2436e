/** Answers about one account, with the fields that its screen shows. */

import type { AccountAnswer as FeeAccountAnswer } from '../../fees.js';
import type { Amount } from './answers.js';

interface Frozen {
  readonly frozen_balance?: Amount;
  readonly expire_time?: number;
}

export interface PermissionAnswer {
  readonly id?: number;
  readonly permission_name?: string;
  readonly threshold?: Amount;
  /** 256 bits by number of contract type, in hex. */
  readonly operations?: string;
  readonly keys?: readonly { readonly address: string; readonly weight?: Amount }[];
}

/** `getaccount`: empty if the account does not exist. */
export interface AccountAnswer extends FeeAccountAnswer {
  readonly address?: string;
  readonly account_name?: string;
  readonly type?: string;
  readonly balance?: Amount;
  readonly create_time?: number;
  readonly latest_opration_time?: number;
  readonly is_witness?: boolean;
  readonly votes?: readonly { readonly vote_address: string; readonly vote_count?: Amount }[];
  readonly frozen?: readonly Frozen[];
  readonly frozenV2?: readonly { readonly type?: string; readonly amount?: Amount }[];
  readonly unfrozenV2?: readonly {
    readonly type?: string;
    readonly unfreeze_amount?: Amount;
    readonly unfreeze_expire_time?: number;
  }[];
  readonly delegated_frozen_balance_for_bandwidth?: Amount;
  readonly acquired_delegated_frozen_balance_for_bandwidth?: Amount;
  readonly delegated_frozenV2_balance_for_bandwidth?: Amount;
  readonly acquired_delegated_frozenV2_balance_for_bandwidth?: Amount;
  readonly account_resource?: FeeAccountAnswer['account_resource'] & {
    readonly frozen_balance_for_energy?: Frozen;
    readonly delegated_frozen_balance_for_energy?: Amount;
    readonly acquired_delegated_frozen_balance_for_energy?: Amount;
    readonly delegated_frozenV2_balance_for_energy?: Amount;
    readonly acquired_delegated_frozenV2_balance_for_energy?: Amount;
  };
  readonly owner_permission?: PermissionAnswer;
  readonly witness_permission?: PermissionAnswer;
  readonly active_permission?: readonly PermissionAnswer[];
  readonly assetV2?: readonly { readonly key: string; readonly value?: Amount }[];
}

/** `getdelegatedresource`, `getdelegatedresourcev2`: locked and unlocked delegations are apart. */
export interface DelegatedAnswer {
  readonly delegatedResource?: readonly {
    readonly from: string;
    readonly to: string;
    readonly frozen_balance_for_bandwidth?: Amount;
    readonly frozen_balance_for_energy?: Amount;
    readonly expire_time_for_bandwidth?: number;
    readonly expire_time_for_energy?: number;
  }[];
}

/** `getdelegatedresourceaccountindex`, `getdelegatedresourceaccountindexv2` */
export interface DelegationPartiesAnswer {
  readonly fromAccounts?: readonly string[];
  readonly toAccounts?: readonly string[];
}

/** An entry of `/v1/accounts/ADDRESS/transactions`; addresses are hex. */
export interface HistoryEntry {
  readonly txID: string;
  readonly blockNumber: number;
  readonly block_timestamp: number;
  readonly ret: readonly { readonly contractRet?: string; readonly fee?: Amount }[];
  readonly raw_data: {
    readonly contract: readonly {
      readonly type: string;
      readonly parameter: { readonly value: Readonly<Record<string, unknown>> };
    }[];
  };
}
