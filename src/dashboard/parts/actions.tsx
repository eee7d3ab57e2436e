/** What a transaction does, in one line with links. */

import type { TransactionEvent } from '../chain/answers.js';
import { formatUnits } from './amounts.js';
import { Address, Trx } from './values.js';

const WORDS = {
  stake: 'stakes',
  unstake: 'unstakes',
  delegation: 'delegates',
  undelegation: 'undelegates',
} as const;

/** Without its sender. */
export function ActionLine({ action, type }: Pick<TransactionEvent, 'action' | 'type'>) {
  switch (action.kind) {
    case 'transfer':
      return (
        <>
          sends <Trx sun={action.amountSun} /> to <Address value={action.to} />
        </>
      );
    case 'token-transfer':
      return (
        <>
          sends {formatUnits(action.amount)} of token {action.token} to <Address value={action.to} />
        </>
      );
    case 'deployment':
      return (
        <>
          deploys <Address value={action.contract.address} name={action.contract.name} />
        </>
      );
    case 'call':
      return (
        <>
          calls <code>{methodName(action.method)}</code> of{' '}
          <Address value={action.contract.address} name={action.contract.name} />
        </>
      );
    case 'stake':
    case 'unstake':
    case 'delegation':
    case 'undelegation':
      return (
        <>
          {WORDS[action.kind]} <Trx sun={action.amountSun} /> for {resourceName(action.resource)}
          {action.to !== undefined && (
            <>
              {action.kind === 'undelegation' ? ' from ' : ' to '}
              <Address value={action.to} />
            </>
          )}
        </>
      );
    case 'account-creation':
      return (
        <>
          activates <Address value={action.to} />
        </>
      );
    default:
      return <>{type.replace(/Contract$/, '')}</>;
  }
}

export function methodName({
  selector,
  signature,
}: {
  readonly selector: string;
  readonly signature?: string;
}): string {
  return signature ?? (selector === '' ? 'no data' : `0x${selector}`);
}

export const resourceName = (resource: string): string =>
  ({ ENERGY: 'Energy', BANDWIDTH: 'Bandwidth', TRON_POWER: 'votes' })[resource] ?? resource;

export function Result({ outcome: { succeeded, result } }: Pick<TransactionEvent, 'outcome'>) {
  return <span class={succeeded ? 'result good' : 'result bad'}>{succeeded ? 'Success' : result}</span>;
}
