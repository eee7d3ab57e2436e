/**
 * A proposal after its creation: its end, its decision, its effects (protocol/proposals.md#life-cycle). Mirrors
 * ProposalController, ProposalCapsule and the writing half of ProposalService. Valid values, and their effects on the
 * properties, are declared in `parameters/`.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { parameterById, parameterBySpelling } from '../../parameters/definitions.js';
import { type ProposalContext, proposalEffects } from '../../parameters/effects.js';
import { isSince } from '../../primitives/release.js';
import { type Proposal, Proposal_State } from '../../protocol/generated/tron.js';
import { numberKey } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { activeWitnesses } from '../schedule/schedule.js';
import { deployBlockHashHistory } from '../smart-contracts/block-hash-history.js';

export function proposalById(ledger: Ledger, id: bigint): Proposal | undefined {
  return id < 1n ? undefined : ledger.state.tables.proposals.get(numberKey(id));
}

/** @throws JavaException ContractValidateException if it does not exist */
export function existingProposal(ledger: Ledger, id: bigint): Proposal {
  const proposal = proposalById(ledger, id);
  if (proposal === undefined) throw contractValidateException(`Proposal[${id}] not exists`);
  return proposal;
}

/** The proposal, if it can still be changed. @throws JavaException ContractValidateException */
export function openProposal(ledger: Ledger, proposal: Proposal): Proposal {
  const { proposal_id: id, expiration_time, state } = proposal;
  if (ledger.headTimeMs >= expiration_time) throw contractValidateException(`Proposal[${id}] expired`);
  if (state === Proposal_State.CANCELED) throw contractValidateException(`Proposal[${id}] canceled`);
  return proposal;
}

export function putProposal(ledger: Ledger, proposal: Proposal): void {
  ledger.state.tables.proposals.set(numberKey(proposal.proposal_id), proposal);
}

/**
 * End of a proposal that is created now: the first maintenance time after its lifetime
 * (protocol/proposals.md#when-a-proposal-is-decided).
 */
export function proposalExpirationMs(ledger: Ledger): bigint {
  const next = ledger.long('NEXT_MAINTENANCE_TIME');
  const interval = ledger.long('MAINTENANCE_TIME_INTERVAL');
  const end = ledger.headTimeMs + proposalLifeMs(ledger);
  return next + ((end - next) / interval + 1n) * interval;
}

/** A setting of each node, until a release made it a chain parameter. */
function proposalLifeMs(ledger: Ledger): bigint {
  const { release, proposalExpireTimeMs } = ledger.config;
  const parameter = parameterBySpelling('PROPOSAL_EXPIRE_TIME');
  return isSince(parameter?.since, release) ? ledger.long('PROPOSAL_EXPIRE_TIME') : proposalExpireTimeMs;
}

/**
 * Decides expired proposals, newest first, in a maintenance block before the maintenance. Stops at the first proposal
 * that was decided before, as java-tron does: an older open one stays open.
 */
export function decideProposals(ledger: Ledger): void {
  const maintenanceTimeMs = ledger.long('NEXT_MAINTENANCE_TIME');
  for (let id = ledger.long('LATEST_PROPOSAL_NUM'); id > 0n; id--) {
    const proposal = proposalById(ledger, id);
    if (proposal === undefined) throw new Error(`proposal ${id} is missing`);
    if (proposal.state === Proposal_State.APPROVED || proposal.state === Proposal_State.DISAPPROVED) return;
    if (proposal.state === Proposal_State.CANCELED || proposal.expiration_time > maintenanceTimeMs) continue;
    decide(ledger, proposal);
  }
}

/** Only approvals of currently active witnesses count. With one active witness none is needed. */
function isApproved(ledger: Ledger, proposal: Proposal): boolean {
  const active = activeWitnesses(ledger);
  const approvals = proposal.approvals.filter((address) => active.includes(address)).length;
  return approvals >= Math.floor((active.length * 7) / 10);
}

function decide(ledger: Ledger, proposal: Proposal): void {
  const approved = isApproved(ledger, proposal);
  if (approved) apply(ledger, proposal);
  putProposal(ledger, { ...proposal, state: approved ? Proposal_State.APPROVED : Proposal_State.DISAPPROVED });
}

/**
 * One entry after another, each on the result of the previous one. Values were validated when the proposal was
 * created, not now.
 */
function apply(ledger: Ledger, proposal: Proposal): void {
  for (const [id, value] of proposal.parameters) {
    applyParameter(ledger, id, value, {
      expirationTimeMs: proposal.expiration_time,
      currentCycle: ledger.long('CURRENT_CYCLE_NUMBER'),
    });
  }
}

/** Sets a chain parameter with all its effects. An unknown id has no effect. */
export function applyParameter(ledger: Ledger, id: number | bigint, value: bigint, context: ProposalContext): void {
  const { longs, texts } = ledger.state.tables;
  for (const write of proposalEffects(ledger, id, value, context, ledger.config.release)) {
    if (typeof write.value === 'bigint') longs.set(write.property, write.value);
    else texts.set(write.property, write.value);
  }
  const name = parameterById(id, ledger.config.release)?.name;
  if (name === 'ALLOW_TVM_PRAGUE' && value === 1n) deployBlockHashHistory(ledger);
}
