/** Contracts, methods and what a transaction does, as people call them. */

import type { Action, ContractRef, MethodRef, StakeResource } from '../explanation/explanation.js';
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

/** What a transaction did, or was to do, as one sentence. */
export function actionSentence(owner: string, type: string, action: Action, succeeded: boolean): string {
  switch (action.kind) {
    case 'transfer':
      return `${owner} sent ${formatTrx(action.amountSun)} to ${action.to}.`;
    case 'token-transfer':
      return `${owner} sent ${formatUnits(action.amount)} of the token ${tokenText(action.token)} to ${action.to}.`;
    case 'deployment': {
      const contract = contractText(action.contract);
      return `${owner} ${succeeded ? 'deployed' : 'tried to deploy'} ${contract}${coinText(action.callValueSun)}.`;
    }
    case 'call': {
      const method = methodText(action.method);
      const contract = contractText(action.contract);
      const call = method === '' ? `${contract} without data` : `${method} of ${contract}`;
      return `${owner} called ${call}${coinText(action.callValueSun)}.`;
    }
    case 'stake': {
      const receiver = action.to === undefined ? '' : `, for ${action.to}`;
      return `${owner} staked ${formatTrx(action.amountSun)} for ${RESOURCE[action.resource]}${receiver}.`;
    }
    case 'unstake':
      return `${owner} began to unstake ${formatTrx(action.amountSun)} of its stake for ${RESOURCE[action.resource]}.`;
    case 'delegation':
      return `${owner} delegated ${formatTrx(action.amountSun)} of its stake for ${RESOURCE[action.resource]} to ${action.to}.`;
    case 'undelegation':
      return `${owner} took back ${formatTrx(action.amountSun)} of stake for ${RESOURCE[action.resource]} from ${action.to}.`;
    case 'account-creation':
      return `${owner} created the account ${action.to}.`;
    case 'other':
      return `A ${type.replace(/Contract$/, '')} of ${owner}.`;
  }
}

function tokenText(token: string): string {
  return /^\d+$/.test(token) ? token : quoted(token);
}

function coinText(callValueSun: number | string): string {
  return BigInt(callValueSun) === 0n ? '' : ` with ${formatTrx(callValueSun)}`;
}
