/** Names of contracts and methods, and the action of a transaction, in words. */

import type { Action, ContractRef, MethodRef, StakeResource } from '../explanation/model/explanation.js';
import type { Sun } from '../primitives/ids.js';
import { formatTrx, formatUnits, quoted, safeName } from './amounts.js';

/** `Shop (TMdS…)`, or the address alone. */
export function contractText({ name, address }: ContractRef): string {
  return name === '' ? address : `${safeName(name)} (${address})`;
}

/** `transfer(address,uint256)`, `0xa9059cbb`; empty for a call without data. */
export function methodText({ selector, signature }: MethodRef): string {
  if (signature !== undefined) return safeName(signature);
  return selector === '' ? '' : `0x${selector}`;
}

const RESOURCE: Readonly<Record<StakeResource, string>> = {
  BANDWIDTH: 'bandwidth',
  ENERGY: 'Energy',
  TRON_POWER: 'voting power',
};

/** A transaction that succeeded, that failed in a block, that the node refused, or that was not sent. */
export type Fate = 'done' | 'failed' | 'refused' | 'unsent';

/** The action of a transaction: a sentence without its full stop. */
export function actionText(owner: string, type: string, action: Action, fate: Fate): string {
  return `${owner} ${deedText(type, action, fate)}`;
}

function deedText(type: string, action: Action, fate: Fate): string {
  const verb = (past: string, infinitive: string) => {
    if (fate === 'refused') return `tried to ${infinitive}`;
    return fate === 'unsent' ? `would ${infinitive}` : past;
  };
  switch (action.kind) {
    case 'transfer':
      return `${verb('sent', 'send')} ${formatTrx(action.amountSun)} to ${action.to}`;
    case 'token-transfer': {
      const token = tokenText(action.token);
      return `${verb('sent', 'send')} ${formatUnits(action.amount)} of token ${token} to ${action.to}`;
    }
    case 'deployment': {
      const deployed = fate === 'failed' ? 'tried to deploy' : verb('deployed', 'deploy');
      return `${deployed} ${contractText(action.contract)}${coinText(action.callValueSun)}`;
    }
    case 'call': {
      const method = methodText(action.method);
      const contract = contractText(action.contract);
      const call = method === '' ? `${contract} without data` : `${method} of ${contract}`;
      return `${verb('called', 'call')} ${call}${coinText(action.callValueSun)}`;
    }
    case 'stake': {
      const receiver = action.to === undefined ? '' : `, for ${action.to}`;
      return `${verb('staked', 'stake')} ${stakeText(action)}${receiver}`;
    }
    case 'unstake':
      return `${verb('began to unstake', 'unstake')} ${stakeText(action)}`;
    case 'delegation':
      return `${verb('delegated', 'delegate')} ${stakeText(action)} to ${action.to}`;
    case 'undelegation':
      return `${verb('undelegated', 'undelegate')} ${stakeText(action)} from ${action.to}`;
    case 'account-creation':
      return `${verb('created', 'create')} the account ${action.to}`;
    case 'other': {
      const article = /^[AEIOU]/.test(type) ? 'an' : 'a';
      return `${verb('sent', 'send')} ${article} ${type.replace(/Contract$/, '')}`;
    }
  }
}

/** `1,000 TRX for Energy` */
function stakeText({ amountSun, resource }: { readonly amountSun: Sun; readonly resource: StakeResource }): string {
  return `${formatTrx(amountSun)} for ${RESOURCE[resource]}`;
}

function tokenText(token: string): string {
  return /^\d+$/.test(token) ? token : quoted(token);
}

function coinText(callValueSun: Sun): string {
  return callValueSun === 0n ? '' : ` with ${formatTrx(callValueSun)}`;
}
