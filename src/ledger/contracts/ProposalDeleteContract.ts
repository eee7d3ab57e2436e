/**
 * Cancels an own proposal while it is open (protocol/contract-types.md#proposaldeletecontract-18). Mirrors
 * ProposalDeleteActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { ProposalDeleteContract as Message } from '../../protocol/generated/proposal-contract.js';
import { Proposal_State, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { existingProposal, openProposal, putProposal } from '../governance/proposals.js';
import type { LedgerContract } from './contract.js';

export const proposalDeleteContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ProposalDeleteContract,

  validate(ledger, { owner_address: owner, proposal_id: id }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] not exists`);
    const proposal = existingProposal(ledger, id);
    if (proposal.proposer_address !== owner) {
      throw contractValidateException(`Proposal[${id}] is not proposed by ${owner}`);
    }
    openProposal(ledger, proposal);
  },

  execute(ledger, { proposal_id }) {
    putProposal(ledger, { ...existingProposal(ledger, proposal_id), state: Proposal_State.CANCELED });
  },
};
