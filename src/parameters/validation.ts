/**
 * The values that a proposal may have, with the refusal texts that clients see after `Contract validate error : `.
 * Mirrors java-tron's ProposalUtil.validator with every fork passed (protocol/proposals.md#generic-validation-texts,
 * protocol/proposals.md#parameters).
 */

import { MAX_LONG } from '../primitives/java-math.js';
import type { Release } from '../primitives/release.js';
import { type ParameterDefinition, parameterById, parameterBySpelling } from './definitions.js';
import type { LongProperty } from './properties.js';

type Read = (name: LongProperty) => bigint;

/** The settings of a chain on which the rules depend. */
export interface ChainKind {
  readonly release: Release;
  readonly slotMs: bigint;
}

const MAX_AMOUNT = 100_000_000_000_000_000n;
const BAD_AMOUNT = 'Bad chain parameter value, valid range is [0,100000000000000000]';
const YEAR_MS = 31_536_000_000n;

/**
 * The reason why a proposal that sets parameter `id` to `value` is refused; undefined if it is valid.
 *
 * @param read reads properties of the state in which the proposal is made
 * @param value as in the proposal, in the unit of `getchainparameters`
 * @example validateProposalValue(read, 9n, 0n, { release: '4.8.0', slotMs: 3_000n }) // 'This value[ALLOW_CREATION_OF_CONTRACTS] is only allowed to be 1'
 */
export function validateProposalValue(
  read: Read,
  id: number | bigint,
  value: bigint,
  { release, slotMs }: ChainKind,
): string | undefined {
  const parameter = parameterById(id, release);
  return parameter === undefined ? `Does not support code : ${id}` : refusal(read, parameter, value, slotMs);
}

/**
 * The reason why an operation cannot set a parameter to `value`. As for a proposal, but a flag that a vote can only
 * turn on can be turned off.
 */
export function operationRefusal(
  read: Read,
  parameter: ParameterDefinition,
  value: bigint,
  slotMs: bigint,
): string | undefined {
  const isSwitch =
    ['one', 'switch'].includes(parameter.rule.accepts) ||
    ['ALLOW_OLD_REWARD_OPT', 'ALLOW_TVM_PRAGUE'].includes(parameter.name);
  if (isSwitch && (value === 0n || value === read(parameter.property))) return undefined;
  return refusal(read, parameter, value, slotMs);
}

function refusal(read: Read, parameter: ParameterDefinition, value: bigint, slotMs: bigint): string | undefined {
  const { rule, name } = parameter;
  switch (rule.accepts) {
    case 'anything':
      return undefined;
    case 'nothing':
      return rule.refusal;
    case 'amount':
      return value < 0n || value > MAX_AMOUNT ? BAD_AMOUNT : undefined;
    case 'range':
      return value < rule.min || value > rule.max ? rule.refusal : undefined;
    case 'zeroOrOne':
      return value === 0n || value === 1n
        ? undefined
        : `This value[${rule.label ?? name}] is only allowed to be 1 or 0`;
    case 'switch':
      if (value !== 0n && value !== 1n) return `This value[${name}] is only allowed to be 0 or 1`;
      return read(parameter.property) === value
        ? `[${name}] has been set to ${value}, no need to propose again`
        : undefined;
    case 'one':
      if (rule.once !== undefined && read(parameter.property) === 1n) return rule.once;
      return onlyOne(name, value) ?? missing(read, name, rule.after ?? []);
    case 'special': {
      const special = SPECIAL[name];
      if (special === undefined) throw new Error(`parameter ${name} has no rule`);
      return special(read, value, slotMs);
    }
  }
}

function onlyOne(name: string, value: bigint): string | undefined {
  return value === 1n ? undefined : `This value[${name}] is only allowed to be 1`;
}

/** The first of `names` that is still off. */
function missing(read: Read, name: string, names: readonly string[]): string | undefined {
  const absent = names.find((required) => read(propertyOf(required)) === 0n);
  return absent === undefined ? undefined : `[${absent}] proposal must be approved before [${name}] can be proposed`;
}

function propertyOf(name: string): LongProperty {
  const parameter = parameterBySpelling(name);
  if (parameter === undefined) throw new Error(`no parameter is called ${name}`);
  return parameter.property;
}

function marketFee(name: string, title: string) {
  return (read: Read, value: bigint): string | undefined => {
    if (read('ALLOW_MARKET_TRANSACTION') !== 1n) return `Market Transaction is not activated, can not set ${title}`;
    return value < 0n || value > 10_000_000_000n
      ? `Bad ${name} parameter value, valid range is [0,10_000_000_000L]`
      : undefined;
  };
}

const SPECIAL: Readonly<Record<string, (read: Read, value: bigint, slotMs: bigint) => string | undefined>> = {
  REMOVE_THE_POWER_OF_THE_GR: (read, value) =>
    read('REMOVE_THE_POWER_OF_THE_GR') === -1n
      ? 'This proposal has been executed before and is only allowed to be executed once'
      : onlyOne('REMOVE_THE_POWER_OF_THE_GR', value),

  MAX_CPU_TIME_OF_ONE_TX: (read, value) => {
    const max = read('ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX') === 1n ? 400n : 100n;
    return value < 10n || value > max ? `Bad chain parameter value, valid range is [10,${max}]` : undefined;
  },

  MARKET_SELL_FEE: marketFee('MARKET_SELL_FEE', 'Market Sell Fee'),
  MARKET_CANCEL_FEE: marketFee('MARKET_CANCEL_FEE', 'Market Cancel Fee'),

  MAX_FEE_LIMIT: (read, value) => {
    if (value < 0n) return 'Bad MAX_FEE_LIMIT parameter value, value must not be negative';
    if (value <= 10_000_000_000n) return undefined;
    if (read('ALLOW_TVM_LONDON') !== 1n) {
      return 'Bad MAX_FEE_LIMIT parameter value, valid range is [0,10_000_000_000L]';
    }
    return value > MAX_AMOUNT ? BAD_AMOUNT : undefined;
  },

  ALLOW_DYNAMIC_ENERGY: (read, value) => {
    if (value < 0n || value > 1n) return 'This value[ALLOW_DYNAMIC_ENERGY] is only allowed to be in the range 0-1';
    return value === 1n && read('CHANGE_DELEGATION') !== 1n
      ? '[ALLOW_CHANGE_DELEGATION] proposal must be approved before [ALLOW_DYNAMIC_ENERGY] can be opened'
      : undefined;
  },

  MAX_DELEGATE_LOCK_PERIOD: (read, value, slotMs) => {
    const current = read('MAX_DELEGATE_LOCK_PERIOD');
    const most = YEAR_MS / slotMs;
    if (value <= current || value > most) {
      return `This value[MAX_DELEGATE_LOCK_PERIOD] is only allowed to be greater than ${current} and less than or equal to ${most} !`;
    }
    return missing(read, 'MAX_DELEGATE_LOCK_PERIOD', ['UNFREEZE_DELAY_DAYS']);
  },

  ALLOW_TVM_PRAGUE: (read, value) => {
    if (read('ALLOW_TVM_SHANGHAI') !== 1n) {
      return '[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first';
    }
    if (read('ALLOW_TVM_PRAGUE') === 1n) return '[ALLOW_TVM_PRAGUE] has been valid, no need to propose again';
    return onlyOne('ALLOW_TVM_PRAGUE', value);
  },

  ALLOW_OLD_REWARD_OPT: (read, value) => {
    if (read('ALLOW_OLD_REWARD_OPT') === 1n) {
      return '[ALLOW_OLD_REWARD_OPT] has been valid, no need to propose again';
    }
    const wrong = onlyOne('ALLOW_OLD_REWARD_OPT', value);
    if (wrong !== undefined) return wrong;
    return read('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') === MAX_LONG
      ? '[ALLOW_NEW_REWARD] or [ALLOW_TVM_VOTE] proposal must be approved before [ALLOW_OLD_REWARD_OPT] can be proposed'
      : undefined;
  },
};
