/** Energy of a contract call in words: where it was used, the limit, the payers, and the missing amount. */

import type {
  ContractEnergy,
  EnergyCost,
  EnergyNeed,
  Explanation,
  FrameEnergy,
  FreeOfCharge,
} from '../explanation/model/explanation.js';
import { formatTrx, formatUnits, safeName } from './amounts.js';
import { failureSentences } from './failure.js';
import { contractText, methodText } from './names.js';
import { hasStake, limitSentence } from './stake.js';

export function energyLines(energy: EnergyCost, action: Explanation['action']['kind']): readonly string[] {
  return [
    `Energy: ${formatUnits(energy.total)}`,
    ...energy.contracts.flatMap(contractLines),
    ...unreportedSentences(energy).map(indented),
    ...frameLines(energy.frames),
    ...originSentences(energy, action).map(indented),
    ...callerSentences(energy).map(indented),
  ];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** One line for each contract, and one for each part of its Energy beyond the base price. */
function contractLines(contract: ContractEnergy): readonly string[] {
  const { factor, base, penalty, precompiles, deposit, forfeited, stipends, frames } = contract;
  const entered = frames === 1 ? '' : `, entered ${formatUnits(frames)} times`;
  const parts = [
    `${formatUnits(base)} for its steps at the base price`,
    factor > 0 &&
      `${formatUnits(penalty)} of penalty: its dynamic energy factor is ${factor}, so each step costs ${perStep(factor)} times its base price, rounded down`,
    deposit > 0n && `${formatUnits(deposit)} for storing the code, 200 per byte`,
    precompiles > 0n && `${formatUnits(precompiles)} for precompiled contracts (the factor does not apply)`,
    forfeited > 0n && `${formatUnits(forfeited)} unused, but taken by the exception`,
    stipends > 0n && `${formatUnits(stipends)} less: the stipend of 2,300 for each call that transfers TRX`,
  ].filter((part) => part !== false);
  const head = `  ${formatUnits(contract.total)} in ${contractText(contract)}${entered}`;
  return parts.length === 1 ? [head] : [`${head}:`, ...parts.map((part) => `    ${part}`)];
}

function unreportedSentences({ penalty, unreportedPenalty }: EnergyCost): readonly string[] {
  if (unreportedPenalty === undefined) return [];
  return [
    `The receipt reports ${formatUnits(penalty)} of penalty, ${formatUnits(unreportedPenalty)} less than these contracts paid: the error ended all calls at once, and the receipt leaves out penalties of calls that had not returned.`,
  ];
}

/** Price of a step in base prices: the penalty is added to the base price. */
function perStep(factor: number): number {
  return Number((1 + factor).toFixed(4));
}

const SHOWN_FRAMES = 40;
const DEEPEST_MARGIN = 20;

/** One line for each call. A single call has none, because the line of its contract is the same. */
function frameLines(frames: readonly FrameEnergy[]): readonly string[] {
  if (frames.length < 2) return [];
  const shown = frames.slice(0, SHOWN_FRAMES).map(({ depth, contract, method, total, own, penalty }) => {
    const called = method === undefined ? 'creation of ' : '';
    const name = contract.name === '' ? contract.address : safeName(contract.name);
    const text = method === undefined ? '' : methodText(method);
    const parts = [
      own !== total && `${formatUnits(own)} in its own code`,
      penalty > 0n && `${formatUnits(penalty)} of penalty`,
    ].filter((part) => part !== false);
    const margin = '  '.repeat(Math.min(depth, DEEPEST_MARGIN));
    const details = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
    return `    ${margin}${formatUnits(total)} in ${called}${name}${text === '' ? '' : `.${text}`}${details}`;
  });
  const more = frames.length > SHOWN_FRAMES ? [`    … and more calls: see sunup trace`] : [];
  return ['  By call; each call includes the calls that it made:', ...shown, ...more];
}

function originSentences({ origin }: EnergyCost, action: Explanation['action']['kind']): readonly string[] {
  if (origin === undefined) {
    return [
      action === 'deployment'
        ? 'The sender pays for a deployment alone.'
        : 'The caller is the deployer of this contract and pays alone.',
    ];
  }
  const { address, percent, agreed, paid, boundBy, originEnergyLimit, stake } = origin;
  if (percent === 0) return ['The deployer pays nothing: consume_user_resource_percent is 100.'];
  const share = `The deployer, ${address}, pays ${percent}% (consume_user_resource_percent is ${100 - percent}): ${formatUnits(agreed)}`;
  const sentences = {
    percent: [`${share}, all of it from staked Energy.`],
    origin_energy_limit: [
      `${share}, but at most the contract's origin_energy_limit of ${formatUnits(originEnergyLimit)} per call. It paid ${formatUnits(paid)}.`,
    ],
    stake: [
      `${share}. It had only ${formatUnits(stake.left)} staked Energy left, and a deployer never pays in TRX. It paid ${formatUnits(paid)}.`,
    ],
  };
  return [...sentences[boundBy], limitSentence('The deployer', stake, 'Energy')];
}

function callerSentences({ caller, origin, priceSun }: EnergyCost): readonly string[] {
  const { owed, staked, bought, feeSun, stake } = caller;
  if (owed === 0n) return origin === undefined ? [] : ['The caller pays nothing.'];
  const debt = `The caller paid ${origin === undefined || origin.percent === 0 ? 'all of it' : `the remaining ${formatUnits(owed)}`}`;
  const burned = `${formatTrx(feeSun)} for ${formatUnits(bought)} at ${formatUnits(priceSun)} sun each`;
  if (!hasStake(stake)) return [`${debt}. It has nothing staked for Energy and burned ${burned}.`];
  const paid =
    bought === 0n
      ? `${debt} from staked Energy.`
      : `${debt}: ${formatUnits(staked)} from staked Energy; for the rest it burned ${burned}.`;
  return [paid, limitSentence('The caller', stake, 'Energy')];
}

/** The limits of protocol/energy.md#the-budget-of-a-call with the numbers of this call. */
export function limitLines({ limit, caller, origin, feeLimit, priceSun }: EnergyCost): readonly string[] {
  const { staked, balance, feeLimit: allowed } = caller.limitParts;
  const callerSentence = `Caller's limit: the smaller of ${formatUnits(staked)} staked Energy + ${formatUnits(balance)} that ${formatTrx(caller.balanceSun)} buy at ${formatUnits(priceSun)} sun each, and ${formatUnits(allowed)} that the feeLimit of ${formatTrx(feeLimit.feeLimitSun)} allows: ${formatUnits(caller.limit)}.`;
  if (origin === undefined) return [`Energy limit: ${formatUnits(limit)}`, `  ${callerSentence}`];
  return [
    `Energy limit: ${formatUnits(limit)}`,
    `  Caller's limit ${formatUnits(caller.limit)} + deployer's limit ${formatUnits(origin.limit)}.`,
    `  ${callerSentence}`,
    `  ${originFormula(origin)}`,
  ];
}

function originFormula({ percent, limit, limitParts }: NonNullable<EnergyCost['origin']>): string {
  const { proportion, staked, originEnergyLimit } = limitParts;
  if (percent === 0) return "Deployer's limit: 0, because its percentage is 0.";
  const bounds = [
    proportion !== undefined && `${formatUnits(proportion)} (${percent}% against the caller's ${100 - percent}%)`,
    `${formatUnits(staked)} staked Energy left`,
    `the origin_energy_limit of ${formatUnits(originEnergyLimit)}`,
  ].filter((bound) => bound !== false);
  return `Deployer's limit: the smallest of ${bounds.join(', ')}: ${formatUnits(limit)}.`;
}

/** The stake that would have made it free. */
export function freeOfChargeSentence(
  { energyStakeSun, bandwidthStakeSun, remainingFeeSun }: FreeOfCharge,
  energy: EnergyCost | undefined,
): string {
  const needed = energy?.needed;
  const stakes = [
    { unit: 'Energy', sun: energyStakeSun },
    { unit: 'bandwidth', sun: bandwidthStakeSun },
  ];
  const impossible = stakes.filter(({ sun }) => sun === 'more-than-there-is').map(({ unit }) => unit);
  if (impossible.length > 0) {
    return `No stake would make it free: the network does not give that much ${impossible.join(' and ')} a day.`;
  }
  const wants = stakes.flatMap(({ unit, sun }) =>
    typeof sun === 'bigint' ? [`${formatTrx(sun)} more staked for ${unit}`] : [],
  );
  const raised =
    needed?.feeLimitSun !== undefined && needed.feeLimitSun > (energy?.feeLimit.feeLimitSun ?? 0n)
      ? ` and a feeLimit of ${formatTrx(needed.feeLimitSun)} (which limits staked Energy, too)`
      : '';
  const rest = remainingFeeSun === 0n ? '' : `, except for ${formatTrx(remainingFeeSun)} that staking does not pay`;
  const end = needed?.result === 'SUCCESS' ? 'have succeeded and been free' : 'have been free';
  return `With ${wants.join(' and ')}${raised} it would ${end}${rest}.`;
}

export function feeLimitLines({ feeLimit, caller }: EnergyCost): readonly string[] {
  const { feeLimitSun, energy, usedSun, headroomSun } = feeLimit;
  const used =
    headroomSun === 0n
      ? 'All of it was used.'
      : `The caller used ${formatUnits(caller.owed)}, worth ${formatTrx(usedSun)}; ${formatTrx(headroomSun)} remain.`;
  return [
    `feeLimit: ${formatTrx(feeLimitSun)}`,
    `  It allows the caller ${formatUnits(energy)} Energy, including staked Energy. ${used}`,
  ];
}

/** Which limit a call reached when it ran out of Energy, and how much would be enough. */
export function wantSentences(energy: EnergyCost): readonly string[] {
  return [limitOrigin(energy), ...(energy.needed === undefined ? [] : needSentences(energy, energy.needed))];
}

function limitOrigin({ limit, caller, origin, feeLimit, priceSun }: EnergyCost): string {
  const own = formatUnits(caller.limit);
  const reason =
    caller.boundBy === 'feeLimit'
      ? `what a feeLimit of ${formatTrx(feeLimit.feeLimitSun)} buys at ${formatUnits(priceSun)} sun each`
      : `${caller.stake.left === 0n ? '' : `${formatUnits(caller.stake.left)} staked Energy and `}what the caller's balance of ${formatTrx(caller.balanceSun)} buys at ${formatUnits(priceSun)} sun each`;
  if (origin === undefined || origin.limit === 0n) return `It ran out of Energy. Its limit was ${own}: ${reason}.`;
  return `It ran out of Energy. Its limit was ${formatUnits(limit)}: ${own} from the caller (${reason}) and ${formatUnits(origin.limit)} from the deployer.`;
}

function needSentences({ feeLimit }: EnergyCost, needed: EnergyNeed): readonly string[] {
  const { energy, callerEnergy, feeLimitSun, missingBalanceSun, result } = needed;
  const end = result === 'SUCCESS' ? 'would have succeeded' : `would have ended with ${result}`;
  if (energy === undefined || callerEnergy === undefined || feeLimitSun === undefined) {
    return result === 'OUT_OF_ENERGY'
      ? ['Even the highest feeLimit that the network allows does not buy enough.']
      : [`With all the Energy that the highest feeLimit buys, it ${end}.`, ...laterReason(needed)];
  }
  const part = callerEnergy === energy ? '' : `, ${formatUnits(callerEnergy)} of it paid by the caller`;
  const wants = [
    feeLimitSun > feeLimit.feeLimitSun && `a feeLimit of at least ${formatTrx(feeLimitSun)}`,
    (missingBalanceSun ?? 0n) > 0n && `${formatTrx(missingBalanceSun ?? 0n)} more in the caller's account`,
  ].filter((want) => want !== false);
  const remedy = wants.length === 0 ? '' : `; this needs ${wants.join(' and ')}`;
  return [`With ${formatUnits(energy)} Energy it ${end}${part}${remedy}.`, ...laterReason(needed)];
}

function laterReason({ result, reason }: EnergyNeed): readonly string[] {
  return result === 'SUCCESS' || reason === undefined ? [] : failureSentences({ succeeded: false, result, reason });
}
