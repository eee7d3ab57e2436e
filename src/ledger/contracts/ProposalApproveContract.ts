/**
 * Adds or removes a witness's approval of a proposal (protocol/contract-types.md#proposalapprovecontract-17). Mirrors
 * ProposalApproveActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import type { ProposalApproveContract as Message } from '../../protocol/generated/proposal-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { existingProposal, openProposal, putProposal } from '../governance/proposals.js';
import type { LedgerContract } from './contract.js';
import { checkProposer } from './ProposalCreateContract.js';

export const proposalApproveContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ProposalApproveContract,

  validate(ledger, { owner_address: owner, proposal_id: id, is_add_approval: adds }) {
    checkProposer(ledger, owner);
    const approved = openProposal(ledger, existingProposal(ledger, id)).approvals.includes(owner);
    if (approved && adds) throw contractValidateException(`Witness[${owner}]has approved proposal[${id}] before`);
    if (!approved && !adds) {
      throw contractValidateException(`Witness[${owner}]has not approved proposal[${id}] before`);
    }
  },

  execute(ledger, { owner_address: owner, proposal_id, is_add_approval }) {
    const proposal = existingProposal(ledger, proposal_id);
    const approvals = is_add_approval
      ? [...proposal.approvals, owner]
      : proposal.approvals.filter((address) => address !== owner);
    putProposal(ledger, { ...proposal, approvals });
  },
};
