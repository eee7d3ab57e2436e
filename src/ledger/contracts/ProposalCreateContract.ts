/**
 * Proposes values for chain parameters (protocol/contract-types.md#proposalcreatecontract-16). Mirrors
 * ProposalCreateActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { validateProposalValue } from '../../parameters/validation.js';
import type { Hex } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import type { ProposalCreateContract as Message } from '../../protocol/generated/proposal-contract.js';
import { Proposal, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { proposalExpirationMs, putProposal } from '../governance/proposals.js';
import type { Ledger } from '../ledger.js';
import type { LedgerContract } from './contract.js';

/** Checks of the sender for creating and approving. */
export function checkProposer(ledger: Ledger, owner: Hex): asserts owner is Address {
  if (!isAddress(owner)) throw contractValidateException('Invalid address');
  if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] not exists`);
  if (!ledger.state.tables.witnesses.has(owner)) throw contractValidateException(`Witness[${owner}] not exists`);
}

export const proposalCreateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ProposalCreateContract,

  validate(ledger, { owner_address, parameters }) {
    checkProposer(ledger, owner_address);
    if (parameters.size === 0) throw contractValidateException('This proposal has no parameter.');
    for (const [id, value] of parameters) {
      const refusal = validateProposalValue((name) => ledger.long(name), id, value, ledger.config);
      if (refusal !== undefined) throw contractValidateException(refusal);
    }
  },

  execute(ledger, { owner_address, parameters }) {
    const proposal_id = ledger.long('LATEST_PROPOSAL_NUM') + 1n;
    putProposal(
      ledger,
      Proposal.create({
        proposal_id,
        proposer_address: owner_address,
        parameters,
        expiration_time: proposalExpirationMs(ledger),
        create_time: ledger.headTimeMs,
      }),
    );
    ledger.setLong('LATEST_PROPOSAL_NUM', proposal_id);
  },
};
