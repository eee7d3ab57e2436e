/** Steps of witnesses and voters: votes, rewards, proposals. */

import * as v from 'valibot';
import { PARAMETERS, parameterBySpelling } from '../../parameters/definitions.js';
import { closest } from '../../primitives/closest-name.js';
import { utf8ToHex } from '../../primitives/hex.js';
import { record } from '../../primitives/record-schema.js';
import { WithdrawBalanceContract } from '../../protocol/generated/balance-contract.js';
import {
  ProposalApproveContract,
  ProposalCreateContract,
  ProposalDeleteContract,
} from '../../protocol/generated/proposal-contract.js';
import { UpdateBrokerageContract } from '../../protocol/generated/storage-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import {
  VoteWitnessContract,
  WitnessCreateContract,
  WitnessUpdateContract,
} from '../../protocol/generated/witness-contract.js';
import { StepError } from '../actions/step-error.js';
import type { StepRun } from '../actions/step-run.js';
import { count, definition, integer, objectReference, text, truth } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

const VOTES = 'votes by name of the witness: { witness: 100 }; they replace all earlier votes';
const PARAMETER_VALUES = 'chain parameters by the key of getchainparameters, or by number: { getEnergyFee: 210 }';

function parameterId(name: string): bigint {
  const id = /^\d+$/.test(name) ? Number(name) : parameterBySpelling(name)?.id;
  if (id !== undefined) return BigInt(id);
  const close = closest(
    name,
    PARAMETERS.map(({ key }) => key),
  );
  throw new StepError(`unknown chain parameter ${name}${close === undefined ? '' : `; did you mean ${close}?`}`);
}

/** The id of the next proposal; the receipt does not contain it. */
function latestProposal(run: StepRun): string {
  return String(run.ledger.long('LATEST_PROPOSAL_NUM'));
}

export const governanceSteps: readonly StepKind[] = [
  transaction({
    name: 'vote',
    about: "votes for witnesses with the sender's Tron Power (VoteWitness)",
    example: { from: 'staker', votes: { witness: 10 } },
    contractType: Type.VoteWitnessContract,
    fields: {
      votes: v.pipe(record(v.string(), integer, VOTES), v.description(VOTES), v.metadata({ names: 'account' })),
    },
    call: ({ from, votes }, run) => ({
      message: VoteWitnessContract.create({
        owner_address: run.addressOf(from),
        votes: Object.entries(votes).map(([name, vote_count]) => ({ vote_address: run.addressOf(name), vote_count })),
      }),
    }),
  }),
  transaction({
    name: 'claimRewards',
    about: 'withdraws rewards of votes or blocks, once in 24 hours (WithdrawBalance)',
    example: { from: 'staker' },
    contractType: Type.WithdrawBalanceContract,
    fields: {},
    call: ({ from }, run) => ({ message: WithdrawBalanceContract.create({ owner_address: run.addressOf(from) }) }),
  }),
  transaction({
    name: 'createWitness',
    about: 'makes the sender a witness, for 9,999 TRX (WitnessCreate)',
    example: { from: 'rich', url: 'http://rich.example' },
    contractType: Type.WitnessCreateContract,
    fields: { url: text },
    call: ({ from, url }, run) => ({
      message: WitnessCreateContract.create({ owner_address: run.addressOf(from), url: utf8ToHex(url) }),
    }),
  }),
  transaction({
    name: 'updateWitness',
    about: 'changes the URL of a witness (WitnessUpdate)',
    example: { from: 'witness', url: 'http://witness.example' },
    contractType: Type.WitnessUpdateContract,
    fields: { url: text },
    call: ({ from, url }, run) => ({
      message: WitnessUpdateContract.create({ owner_address: run.addressOf(from), update_url: utf8ToHex(url) }),
    }),
  }),
  transaction({
    name: 'updateBrokerage',
    about: 'sets the percentage of the rewards that a witness keeps (UpdateBrokerage)',
    example: { from: 'witness', percent: 30 },
    contractType: Type.UpdateBrokerageContract,
    fields: { percent: count(100) },
    call: ({ from, percent }, run) => ({
      message: UpdateBrokerageContract.create({ owner_address: run.addressOf(from), brokerage: percent }),
    }),
  }),
  transaction({
    name: 'createProposal',
    about:
      'proposes changes of chain parameters; they take effect at the first maintenance after the expiration, if 70 % of the active witnesses approve',
    example: { from: 'witness', as: 'dearer', parameters: { getEnergyFee: 210 } },
    contractType: Type.ProposalCreateContract,
    fields: {
      as: v.optional(definition('proposal')),
      parameters: v.pipe(record(v.string(), integer, PARAMETER_VALUES), v.description(PARAMETER_VALUES)),
    },
    call: ({ from, parameters }, run) => ({
      message: ProposalCreateContract.create({
        owner_address: run.addressOf(from),
        parameters: new Map(Object.entries(parameters).map(([name, value]) => [parameterId(name), value])),
      }),
    }),
    made: ({ as }, run) => {
      if (as !== undefined) run.objects.add('proposal', as, latestProposal(run));
    },
  }),
  transaction({
    name: 'approveProposal',
    about: 'approves a proposal, as a witness, or removes the approval (ProposalApprove)',
    example: { from: 'witness', proposal: 'prices' },
    contractType: Type.ProposalApproveContract,
    fields: { proposal: objectReference('proposal'), approve: v.optional(truth) },
    call: ({ from, proposal, approve = true }, run) => ({
      message: ProposalApproveContract.create({
        owner_address: run.addressOf(from),
        proposal_id: BigInt(run.objects.id('proposal', proposal)),
        is_add_approval: approve,
      }),
    }),
  }),
  transaction({
    name: 'deleteProposal',
    about: 'cancels a proposal of the sender (ProposalDelete)',
    example: { from: 'witness', proposal: 'prices' },
    contractType: Type.ProposalDeleteContract,
    fields: { proposal: objectReference('proposal') },
    call: ({ from, proposal }, run) => ({
      message: ProposalDeleteContract.create({
        owner_address: run.addressOf(from),
        proposal_id: BigInt(run.objects.id('proposal', proposal)),
      }),
    }),
  }),
];
