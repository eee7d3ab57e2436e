/** All operations by name. To add one, add a function in its own file and a line here. */

import { OperationError } from '../../errors/operation-error.js';
import type { Ledger } from '../ledger.js';
import { setChainParameters } from './chain-parameters.js';
import { countCreations } from './count-creations.js';
import { dealToken } from './deal-token.js';
import { hastenMaintenance } from './hasten-maintenance.js';
import { acceptUnsigned, impersonate, stopImpersonating } from './impersonation.js';
import { loadPreset } from './load-preset.js';
import { setNetworkTotals } from './network-totals.js';
import { setAccount } from './set-account.js';
import { setAccountResources } from './set-account-resources.js';
import { addBalance, setBalance, setBalances } from './set-balance.js';
import { setCode } from './set-code.js';
import { setContractEnergy } from './set-contract-energy.js';
import { setDelegation } from './set-delegation.js';
import { setNonce } from './set-nonce.js';
import { setStake } from './set-stake.js';
import { setStorage } from './set-storage.js';
import { setTokenBalance } from './set-token-balance.js';

const OPERATIONS = {
  setBalance,
  setBalances,
  addBalance,
  setCode,
  setStorage,
  setStake,
  setDelegation,
  setAccountResources,
  setContractEnergy,
  setAccount,
  setNonce,
  countCreations,
  setTokenBalance,
  dealToken,
  setNetworkTotals,
  setChainParameters,
  loadPreset,
  hastenMaintenance,
  impersonate,
  stopImpersonating,
  acceptUnsigned,
} as const;

export type OperationName = keyof typeof OPERATIONS;
export type ArgumentsOf<Name extends OperationName> = Parameters<(typeof OPERATIONS)[Name]>[1];
export type ResultOf<Name extends OperationName> = ReturnType<(typeof OPERATIONS)[Name]>;

/** Plain data, because it is stored and applied again. */
export interface Operation<Name extends OperationName = OperationName> {
  readonly name: Name;
  readonly arguments: ArgumentsOf<Name>;
}

/** @throws OperationError; the caller reverts the partial changes */
export function applyOperation<Name extends OperationName>(ledger: Ledger, operation: Operation<Name>): ResultOf<Name> {
  if (!Object.hasOwn(OPERATIONS, operation.name)) throw new OperationError('unknown operation');
  const apply = OPERATIONS[operation.name] as (ledger: Ledger, given: ArgumentsOf<Name>) => ResultOf<Name>;
  return apply(ledger, operation.arguments);
}
