/**
 * A transaction of the chain as it would have gone under other prices, stakes, balances and factors: run again in its
 * place, on the state before it with these values changed.
 */

import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { setChainParameters } from '../../ledger/operations/chain-parameters.js';
import { setBalance } from '../../ledger/operations/set-balance.js';
import { setContractEnergy } from '../../ledger/operations/set-contract-energy.js';
import { setStake } from '../../ledger/operations/set-stake.js';
import { parameterBySpelling } from '../../parameters/definitions.js';
import { closest } from '../../primitives/closest-name.js';
import { sunOfText } from '../../primitives/coin-text.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { fromBase58 } from '../../protocol/address.js';
import { addressFault } from '../../protocol/address-fault.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { look, worded } from '../explain.js';
import type { Explanation } from '../model/explanation.js';
import { NotExplainableError } from '../model/not-explainable.js';
import { inPlace, placeOf, type Scene, type Stage } from '../rerun/in-place.js';

/** A value that is changed: `getEnergyFee`, `accounts.sender.stake.energy`, `contracts.called.energyFactor`. */
export interface Supposition {
  readonly name: string;
  readonly value: string;
}

/** Of `devnet.explain`. */
export interface ExplainOptions {
  /** Values in the place of those that were, by names: `{ getEnergyFee: 210, feeLimit: '50 TRX' }`. */
  readonly whatIf?: Readonly<Record<string, string | number | bigint>>;
}

const EXAMPLES = 'getEnergyFee=210;accounts.sender.stake.energy=10_000 TRX;contracts.called.energyFactor=34000';

/** @param given by names; numbers as text would have them */
export function suppositionsOf(given: NonNullable<ExplainOptions['whatIf']>): readonly Supposition[] {
  return Object.entries(given).map(([name, value]) => ({ name, value: String(value) }));
}

/** Of one question. */
const MOST_SUPPOSITIONS = 1_000;
const LONGEST_SUPPOSITION = 200;

/** @param text suppositions joined by `;` @throws NotExplainableError */
export function readSuppositions(text: string): readonly Supposition[] {
  const given = text.split(';', MOST_SUPPOSITIONS + 1);
  if (given.length > MOST_SUPPOSITIONS)
    throw new NotExplainableError(`whatIf: at most ${MOST_SUPPOSITIONS} values are possible`);
  return given.map((one) => {
    if (one.length > LONGEST_SUPPOSITION) throw new NotExplainableError(`whatIf: ${one.slice(0, 40)}… is too long`);
    const at = one.indexOf('=');
    if (at < 1) throw new NotExplainableError(`whatIf: expected NAME=VALUE;… as in ${EXAMPLES}`);
    return { name: one.slice(0, at).trim(), value: one.slice(at + 1).trim() };
  });
}

/**
 * Explains a transaction of the chain as it would have gone.
 *
 * @throws as `explain`; NotExplainableError too for what cannot be supposed, and where it would have been refused
 */
export async function explainSupposing(
  stage: Stage,
  txid: string,
  suppositions: readonly Supposition[],
): Promise<Explanation> {
  const { block, index } = placeOf(stage, txid);
  try {
    const facts = await inPlace(stage, block, index, (scene) => {
      const supposed = suppositions.reduce(suppose, scene);
      return look(supposed, undefined);
    });
    return await worded(facts);
  } catch (error) {
    if (error instanceof OperationError) throw new NotExplainableError(error.message);
    if (error instanceof JavaException) throw new NotExplainableError(`the node would refuse it: ${error.message}`);
    throw error;
  }
}

/** @returns the scene that is looked at then */
function suppose(scene: Scene, { name, value }: Supposition): Scene {
  const { before } = scene;
  const [part, who = '', ...field] = name.split('.');
  if (part === 'accounts') {
    const address = accountOf(scene, who, name);
    switch (field.join('.')) {
      case 'stake.energy':
      case 'stake.bandwidth':
        setStake(before, { address, stakes: { [field[1] as string]: stake(name, value) }, keepTotals: false });
        return scene;
      case 'balance':
        setBalance(before, { address, balanceSun: coin(name, value) });
        return scene;
    }
  } else if (part === 'contracts' && field.join('.') === 'energyFactor') {
    setContractEnergy(before, { address: contractOf(scene, who, name), state: { energyFactor: integer(name, value) } });
    return scene;
  } else if (name === 'feeLimit') {
    return withFeeLimit(scene, coin(name, value));
  } else if (parameterBySpelling(name) !== undefined) {
    setChainParameters(before, { values: { [name]: integer(name, value) }, force: true });
    return scene;
  }
  const close = closest(name, [...NAMES, 'getEnergyFee', 'getTransactionFee', 'getFreeNetLimit', 'getMemoFee']);
  throw new NotExplainableError(
    `${name} is unknown: expected a chain parameter, or one of ${NAMES.join(', ')}${close === undefined ? '' : `; did you mean ${close}?`}`,
  );
}

function withFeeLimit(scene: Scene, feeLimitSun: bigint): Scene {
  const { contractType } = scene.transaction;
  if (contractType !== ContractType.TriggerSmartContract && contractType !== ContractType.CreateSmartContract)
    throw new NotExplainableError('feeLimit: the transaction does not call or deploy a contract');
  return { ...scene, transaction: scene.transaction.supposingFeeLimit(feeLimitSun) };
}

const NAMES = [
  'feeLimit',
  'accounts.sender.stake.energy',
  'accounts.sender.stake.bandwidth',
  'accounts.sender.balance',
  'accounts.deployer.stake.energy',
  'contracts.called.energyFactor',
];

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
    throw new NotExplainableError(`${name}: the transaction does not call a contract`);
  return address;
}

function addressOf(text: string, name: string, words: string): Address {
  const address = isAddress(text) ? text : fromBase58(text);
  if (address === undefined)
    throw new NotExplainableError(`${name}: expected ${words}, or an address (T…, 41…)${addressFault(text)}`);
  return address;
}

/** The network counts stakes in whole TRX, and nobody means 1,000 sun where a stake is spoken of. */
function stake(name: string, value: string): bigint {
  return coin(name, PLAIN.test(value) ? `${value} TRX` : value);
}

const PLAIN = /^[\d_]+$/;

function coin(name: string, value: string): bigint {
  const sun = sunOfText(value);
  if (sun === undefined)
    throw new NotExplainableError(`${name}=${value}: expected an amount, as in 10_000 TRX or 5 sun`);
  if (sun !== 0n && PLAIN.test(value)) {
    throw new NotExplainableError(`${name}=${value}: add the unit, ${value} TRX or ${value} sun`);
  }
  return sun;
}

function integer(name: string, value: string): bigint {
  const digits = value.replaceAll('_', '');
  if (!/^-?\d{1,19}$/.test(digits)) throw new NotExplainableError(`${name}=${value}: expected a whole number`);
  return BigInt(digits);
}
