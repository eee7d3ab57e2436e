/** Proposals, the newest first: what they change, who approves, until when. */

import type { Amount, ProtocolNames } from '../../chain/answers.js';
import type { ProposalAnswer } from '../../chain/governance-answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { Empty, Fact, Facts } from '../../parts/panel.js';
import { Until } from '../../parts/until.js';
import { Address, Moment } from '../../parts/values.js';

interface Known {
  /** Witnesses that produce blocks now: their approvals count. */
  readonly producers: number;
  readonly names: ProtocolNames['parameters'];
  /** By key of `getchainparameters`. */
  readonly values: ReadonlyMap<string, Amount>;
}

const STATES: Readonly<Record<string, readonly [name: string, look: string]>> = {
  PENDING: ['Open', ''],
  APPROVED: ['Approved', 'good'],
  DISAPPROVED: ['Not approved', 'bad'],
  CANCELED: ['Cancelled', 'bad'],
};

export function Proposals({ proposals, ...known }: Known & { readonly proposals: readonly ProposalAnswer[] }) {
  if (proposals.length === 0) return <Empty>No proposals. A witness can propose a change of chain parameters.</Empty>;
  const newest = [...proposals].sort((one, other) => other.proposal_id - one.proposal_id);
  return (
    <ul class="proposals">
      {newest.map((proposal) => (
        <li key={proposal.proposal_id}>
          <Proposal proposal={proposal} {...known} />
        </li>
      ))}
    </ul>
  );
}

function Proposal({ proposal, producers, names, values }: Known & { readonly proposal: ProposalAnswer }) {
  const { proposal_id: id, proposer_address: proposer, approvals = [], state = 'PENDING', parameters = [] } = proposal;
  const [stateName, look] = STATES[state] ?? [state, ''];
  const isOpen = state === 'PENDING';
  return (
    <article class="proposal" aria-label={`Proposal ${id}`}>
      <h3 class="part">
        Proposal {id} <span class={`result ${look}`}>{stateName}</span>
      </h3>
      <ul class="changes">
        {parameters.map(({ key: number = 0, value = 0 }) => {
          const parameter = names.find((known) => known.id === number);
          const current = parameter && values.get(parameter.key);
          return (
            <li key={number}>
              <code>{parameter?.name ?? `parameter ${number}`}</code>{' '}
              <span class="number">
                {isOpen && current !== undefined && `${formatUnits(current)} → `}
                <b>{formatUnits(value)}</b>
              </span>
              {parameter !== undefined && <p class="muted">{parameter.meaning}</p>}
            </li>
          );
        })}
      </ul>
      <Facts>
        <Fact name="Proposed by">
          <Address value={proposer} />
          {proposal.create_time !== undefined && (
            <>
              {' · '}
              <Moment timestampMs={proposal.create_time} />
            </>
          )}
        </Fact>
        <Fact name={isOpen ? 'Expires' : 'Expiration'}>
          {isOpen ? (
            <>
              <Until timestampMs={proposal.expiration_time ?? 0} isWhole />
              <p class="muted">The maintenance after that decides it.</p>
            </>
          ) : (
            <Moment timestampMs={proposal.expiration_time ?? 0} />
          )}
        </Fact>
        <Fact name="Approvals">
          {approvals.length}
          {isOpen && ` of ${producers} producing witnesses`}{' '}
          <span class="approvals">
            {approvals.map((address) => (
              <Address key={address} value={address} />
            ))}
          </span>
        </Fact>
      </Facts>
    </article>
  );
}
