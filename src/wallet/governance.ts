/**
 * Witnesses, voters' rewards, brokerage and proposals (protocol/http-endpoints.md#rewards-prices-fees,
 * #witnesses-nodes-node-info, #proposals-and-exchanges). Mirrors the governance queries of java-tron's Wallet.
 */

import { JavaException } from '../errors/java-exception.js';
import { proposalById } from '../ledger/governance/proposals.js';
import { allWitnesses, sortWitnesses } from '../ledger/schedule/schedule.js';
import { brokerageOf } from '../ledger/voting/rewards.js';
import { queryReward } from '../ledger/voting/voter-rewards.js';
import { uncountedVotes } from '../ledger/voting/votes.js';
import { type Address, isAddress } from '../primitives/ids.js';
import type {
  BytesMessage,
  EmptyMessage,
  NumberMessage,
  PaginatedMessage,
  ProposalList,
  WitnessList,
} from '../protocol/generated/api.js';
import type { Proposal } from '../protocol/generated/tron.js';
import { showsVotes } from './assumed-answers.js';
import type { WalletContext } from './context.js';
import { newestFirst, pageOfNumbered, rowOfNumberBytes } from './numbered-rows.js';
import { inScanOrder, javaNumberKey } from './store-order.js';

const MAX_WITNESSES_PER_PAGE = 1000n;
const MAINTENANCE = 'org.tron.core.exception.MaintenanceUnavailableException';
const UNAVAILABLE = 'Service temporarily unavailable during maintenance period. Please try again later.';

/** All witnesses, elected or not, in scan order. `voteCount` is that of the last maintenance. */
export function listWitnesses(context: WalletContext, _request: EmptyMessage): WitnessList {
  showsVotes(context, false);
  return { witnesses: inScanOrder(context, 'witnesses').map(([, witness]) => witness) };
}

/**
 * Witnesses by their present votes: those of the last maintenance plus later changes. The answer of nodes from 4.8.1
 * on (protocol/grpc.md#getpaginatednowwitnesslist-481).
 *
 * @returns undefined for an invalid page
 * @throws JavaException on the head's view while the head is a maintenance block
 */
export function getPaginatedNowWitnessList(
  context: WalletContext,
  { offset, limit }: PaginatedMessage,
): WitnessList | undefined {
  const { ledger, solid } = context;
  if (!solid && ledger.on('state_flag')) throw new JavaException(MAINTENANCE, UNAVAILABLE);
  const witnesses = allWitnesses(ledger);
  if (limit <= 0n || offset < 0n || offset >= BigInt(witnesses.length)) return undefined;
  showsVotes(context, true);
  const deltas = uncountedVotes(ledger);
  const now = witnesses.map((witness) => {
    const delta = deltas.get(witness.address);
    return delta === undefined ? witness : { ...witness, voteCount: witness.voteCount + delta };
  });
  const from = Number(offset);
  const count = Number(limit < MAX_WITNESSES_PER_PAGE ? limit : MAX_WITNESSES_PER_PAGE);
  return { witnesses: sortWitnesses(ledger, now).slice(from, from + count) };
}

/** The amount of a withdrawal now, in sun; 0 without an account. */
export function getRewardInfo({ ledger }: WalletContext, { value }: BytesMessage): NumberMessage {
  return { num: isAddress(value) ? queryReward(ledger, value) : 0n };
}

/** Percentage of the current cycle; 20 for any address without a setting, witness or not. */
export function getBrokerageInfo({ ledger }: WalletContext, { value }: BytesMessage): NumberMessage {
  return { num: brokerageOf(ledger, value as Address) };
}

/** All proposals, newest first; those of the same time in scan order. */
export function listProposals(context: WalletContext, _request: EmptyMessage): ProposalList {
  return { proposals: newestFirst(inScanOrder(context, 'proposals', javaNumberKey).map(([, proposal]) => proposal)) };
}

/** Proposals `offset` + 1 to `offset` + `limit` by id. @returns undefined for an invalid page */
export function getPaginatedProposalList({ ledger }: WalletContext, page: PaginatedMessage): ProposalList | undefined {
  const proposals = pageOfNumbered(page, ledger.long('LATEST_PROPOSAL_NUM'), (id) => proposalById(ledger, id));
  return proposals && { proposals };
}

/** By the eight bytes of an id, most significant first. @returns undefined if there is none */
export function getProposalById({ ledger }: WalletContext, { value }: BytesMessage): Proposal | undefined {
  return rowOfNumberBytes(value, (id) => proposalById(ledger, id));
}
