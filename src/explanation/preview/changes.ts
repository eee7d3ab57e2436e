/**
 * Changes of a state by name and value: `getEnergyFee = 210`, `accounts.sender.stake.energy = 10_000 TRX`. A change is
 * an operation of the chain (`ledger/operations/`), applied under a journal mark and reverted afterwards. A what-if of
 * a recording inserts the same operations as steps. Owns names, units and the application of changes; the effects are
 * those of the operations.
 */

import { ParametersError } from '../../errors/operation-error.js';
import { applyOperation, type Operation } from '../../ledger/operations/registry.js';
import { type ParameterDefinition, parameterBySpelling } from '../../parameters/definitions.js';
import { closest } from '../../primitives/closest-name.js';
import { lacksUnit, stakeText, sunOfText, unitHint } from '../../primitives/coin-text.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { addressFault } from '../../protocol/address-fault.js';
import { addressOfText } from '../../protocol/address-text.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Scene } from '../rerun/in-place.js';

/** A change in the caller's notation. */
export interface Change {
  readonly name: string;
  /** As text, an amount has a unit, and a stake without one is in TRX. As bigint, an amount is in sun. */
  readonly value: string | bigint;
}

/** A parsed change. Its account or contract may depend on the transaction (`sender`). */
export type ReadChange =
  | {
      readonly of: 'parameter';
      readonly parameter: ParameterDefinition;
      readonly value: bigint;
      readonly operation: Operation;
    }
  | { readonly of: 'preset'; readonly operation: Operation }
  | {
      readonly of: 'account' | 'contract';
      /** An address, or a word such as `sender`. */
      readonly who: string;
      readonly operationOn: (address: Address) => Operation;
    }
  | { readonly of: 'transaction'; readonly feeLimitSun: Sun };

const NAMES = [
  'feeLimit',
  'preset',
  'accounts.sender.stake.energy',
  'accounts.sender.stake.bandwidth',
  'accounts.sender.balance',
  'accounts.deployer.stake.energy',
  'contracts.called.energyFactor',
];

const ON_ACCOUNT = /^accounts\.([^.]+)\.(?:(balance)|stake\.(energy|bandwidth|tronPower))$/;
const ON_CONTRACT = /^contracts\.([^.]+)\.(energyFactor|energyUsed)$/;

/** @returns undefined for an unknown name @throws ParametersError for an invalid value */
export function changeNamed(change: Change): ReadChange | undefined {
  const { name } = change;
  if (name === 'feeLimit') return { of: 'transaction', feeLimitSun: amount(change) };
  if (name === 'preset') return { of: 'preset', operation: preset(String(change.value)) };
  const parameter = parameterBySpelling(name);
  if (parameter !== undefined) {
    const value = integer(change);
    const given = { values: { [name]: value }, force: true };
    return { of: 'parameter', parameter, value, operation: { name: 'setChainParameters', arguments: given } };
  }
  const [, owner, balance, resource] = ON_ACCOUNT.exec(name) ?? [];
  if (owner !== undefined) {
    const sun = balance === undefined ? stake(change) : amount(change);
    const operationOn = (address: Address): Operation =>
      resource === undefined
        ? { name: 'setBalance', arguments: { address, balanceSun: sun } }
        : { name: 'setStake', arguments: { address, stakes: { [resource]: sun }, keepTotals: false } };
    return { of: 'account', who: owner, operationOn };
  }
  const [, contract, field] = ON_CONTRACT.exec(name) ?? [];
  if (contract === undefined) return undefined;
  const value = integer(change);
  const state = field === 'energyFactor' ? { energyFactor: value } : { energyUsage: value };
  const operationOn = (address: Address): Operation => ({ name: 'setContractEnergy', arguments: { address, state } });
  return { of: 'contract', who: contract, operationOn };
}

/** The parameters of a network, and the stake of others there. */
function preset(name: string): Operation {
  return { name: 'loadPreset', arguments: { name, stakeTotals: name !== 'genesis' } };
}

/**
 * Applies changes to the state of a scene in order. The caller reverts them.
 *
 * @returns the changed scene: its transaction may have another fee limit
 * @throws OperationError for a refused change; ParametersError for an unknown name or an invalid value
 */
export function applyChanges(scene: Scene, changes: readonly Change[]): Scene {
  return changes.reduce(applyChange, scene);
}

function applyChange(scene: Scene, change: Change): Scene {
  const { name } = change;
  const read = changeNamed(change);
  if (read === undefined) {
    const close = closest(name, [...NAMES, 'getEnergyFee', 'getTransactionFee', 'getFreeNetLimit', 'getMemoFee']);
    const hint = close === undefined ? '' : `; did you mean ${close}?`;
    throw new ParametersError(`${name} is unknown: expected a chain parameter, or one of ${NAMES.join(', ')}${hint}`);
  }
  switch (read.of) {
    case 'transaction':
      return withFeeLimit(scene, read.feeLimitSun);
    case 'parameter':
    case 'preset':
      applyOperation(scene.before, read.operation);
      return scene;
    case 'account':
      applyOperation(scene.before, read.operationOn(accountOf(scene, read.who, name)));
      return scene;
    case 'contract':
      applyOperation(scene.before, read.operationOn(contractOf(scene, read.who, name)));
      return scene;
  }
}

function withFeeLimit(scene: Scene, feeLimitSun: Sun): Scene {
  const { contractType } = scene.transaction;
  if (contractType !== ContractType.TriggerSmartContract && contractType !== ContractType.CreateSmartContract)
    throw new ParametersError('feeLimit: the transaction does not call or deploy a contract');
  return { ...scene, transaction: scene.transaction.withFeeLimit(feeLimitSun) };
}

function accountOf(scene: Scene, who: string, name: string): Address {
  const { before, transaction } = scene;
  if (who === 'sender') return transaction.owner as Address;
  if (who === 'deployer') {
    const origin = before.state.tables.contracts.get(contractOf(scene, 'called', name))?.origin_address;
    return origin as Address;
  }
  return addressOf(who, name, 'sender, deployer');
}

function contractOf({ before, transaction }: Scene, who: string, name: string): Address {
  if (who !== 'called') return addressOf(who, name, 'called');
  const { contractType, contract } = transaction;
  const address = (contract as TriggerSmartContract).contract_address as Address;
  if (contractType !== ContractType.TriggerSmartContract || !before.state.tables.contracts.has(address))
    throw new ParametersError(`${name}: the transaction does not call a contract`);
  return address;
}

function addressOf(text: string, name: string, words: string): Address {
  const address = addressOfText(text);
  if (address !== undefined) return address;
  throw new ParametersError(`${name}: expected ${words}, or an address (T…, 41…)${addressFault(text)}`);
}

function stake({ name, value }: Change): Sun {
  return amount({ name, value: typeof value === 'bigint' ? value : stakeText(value) });
}

function amount({ name, value }: Change): Sun {
  if (typeof value === 'bigint') return value;
  const sun = sunOfText(value);
  if (sun === undefined) throw new ParametersError(`${name}=${value}: expected an amount, as in 10_000 TRX or 5 sun`);
  if (lacksUnit(value)) throw new ParametersError(`${name}=${value}: ${unitHint(value)}`);
  return sun;
}

function integer({ name, value }: Change): bigint {
  if (typeof value === 'bigint') return value;
  const digits = value.replaceAll('_', '');
  if (!/^-?\d{1,19}$/.test(digits)) throw new ParametersError(`${name}=${value}: expected a whole number`);
  return BigInt(digits);
}
