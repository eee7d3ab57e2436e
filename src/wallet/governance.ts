/**
 * Witnesses, voters' rewards, brokerage and proposals (http-api.md 5.18, 5.19, 5.23). Mirrors the governance queries of
 * java-tron's Wallet.
 */

import { proposalById } from '../ledger/proposals.js';
import { brokerageOf } from '../ledger/rewards.js';
import { allWitnesses } from '../ledger/schedule.js';
import { queryReward } from '../ledger/voter-rewards.js';
import { byteLength, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { javaBytesHash, javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import type {
  BytesMessage,
  EmptyMessage,
  NumberMessage,
  PaginatedMessage,
  ProposalList,
  WitnessList,
} from '../protocol/messages/api.js';
import type { Proposal, Witness } from '../protocol/messages/tron.js';
import type { WalletContext } from './context.js';

const MAX_PROPOSALS_PER_PAGE = 1000n;

/**
 * Every witness there is, elected or not. `voteCount` is that of the last maintenance.
 *
 * The order is that of a scan of java-tron's store: rows that lie in blocks which are not merged yet come first, as a
 * Java map walks their keys, the others follow by address. The solidity view has nothing unmerged.
 */
export function listWitnesses({ ledger, node, solid }: WalletContext, _request: EmptyMessage): WitnessList {
  const witnesses = allWitnesses(ledger);
  if (solid) return { witnesses };
  const unmerged = node.chain.keysWrittenSince(node.chain.mergedHeight, 'witnesses');
  const isUnmerged = ({ address }: Witness) => unmerged.has(address);
  const first = witnesses.filter(isUnmerged);
  const order = javaMapOrderOfHashes(first.map(({ address }) => javaBytesHash(hexToBytes(address))));
  return {
    witnesses: [...order.map((at) => first[at] as Witness), ...witnesses.filter((witness) => !isUnmerged(witness))],
  };
}

/** What a withdrawal now would pay, in sun; 0 for whoever has no account. */
export function getRewardInfo({ ledger }: WalletContext, { value }: BytesMessage): NumberMessage {
  return { num: queryReward(ledger, value as Address) };
}

/** Percent in force in the running cycle; 20 for any address without a setting, witness or not. */
export function getBrokerageInfo({ ledger }: WalletContext, { value }: BytesMessage): NumberMessage {
  return { num: brokerageOf(ledger, value as Address) };
}

/** All proposals, the newest first; those of one block by id. */
export function listProposals({ ledger }: WalletContext, _request: EmptyMessage): ProposalList {
  const proposals = ledger.state.tables.proposals.entries().map(([, proposal]) => proposal);
  return { proposals: proposals.sort((a, b) => Number(b.create_time - a.create_time)) };
}

/** Proposals `offset` + 1 to `offset` + `limit` by id. @returns undefined for a page that cannot be */
export function getPaginatedProposalList(
  { ledger }: WalletContext,
  { offset, limit }: PaginatedMessage,
): ProposalList | undefined {
  const latest = ledger.long('LATEST_PROPOSAL_NUM');
  if (offset < 0n || limit < 0n || offset >= latest) return undefined;
  const proposals: Proposal[] = [];
  const count = limit < MAX_PROPOSALS_PER_PAGE ? limit : MAX_PROPOSALS_PER_PAGE;
  for (let id = offset + 1n; id <= offset + count && id <= latest; id++) {
    const proposal = proposalById(ledger, id);
    if (proposal !== undefined) proposals.push(proposal);
  }
  return { proposals };
}

/** By the eight bytes of an id, the highest first. @returns undefined when there is none */
export function getProposalById({ ledger }: WalletContext, { value }: BytesMessage): Proposal | undefined {
  return byteLength(value) === 8 ? proposalById(ledger, BigInt.asIntN(64, BigInt(`0x${value}`))) : undefined;
}
