/** Answers about witnesses, proposals and chain parameters, with the fields that a screen shows. */

import type { Amount } from './answers.js';

/** `getchainparameters` */
export interface ChainParametersAnswer {
  readonly chainParameter: readonly { readonly key: string; readonly value?: Amount }[];
}

/** `listwitnesses` */
export interface WitnessesAnswer {
  readonly witnesses?: readonly WitnessAnswer[];
}
export interface WitnessAnswer {
  readonly address: string;
  readonly voteCount?: Amount;
  readonly url?: string;
  readonly totalProduced?: number;
  readonly totalMissed?: number;
  readonly latestBlockNum?: number;
  /** Whether it produces blocks in this epoch. */
  readonly isJobs?: boolean;
}

/** `listproposals` */
export interface ProposalsAnswer {
  readonly proposals?: readonly ProposalAnswer[];
}
export interface ProposalAnswer {
  readonly proposal_id: number;
  readonly proposer_address: string;
  readonly parameters?: readonly { readonly key?: number; readonly value?: Amount }[];
  readonly expiration_time?: number;
  readonly create_time?: number;
  readonly approvals?: readonly string[];
  /** Absent: pending. */
  readonly state?: string;
}
