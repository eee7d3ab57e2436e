/** The Energy of a contract in words: where it went, what limited it, who paid, what was missing. */

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
    ...frameLines(energy.frames),
    ...originSentences(energy, action).map(indented),
    ...callerSentences(energy).map(indented),
  ];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** A line for each contract, and one for each part of its Energy where there is more than the normal price. */
function contractLines(contract: ContractEnergy): readonly string[] {
  const { factor, base, penalty, precompiles, deposit, forfeited, stipends, frames } = contract;
  const entered = frames === 1 ? '' : `, entered ${formatUnits(frames)} times`;
  const parts = [
    `${formatUnits(base)} for its steps at the normal price`,
    factor > 0 &&
      `${formatUnits(penalty)} of penalty: its dynamic energy factor is ${factor}, so each step costs ${factor} times its price on top, rounded down`,
    Number(deposit) > 0 && `${formatUnits(deposit)} for the code that is stored, 200 for each byte`,
    Number(precompiles) > 0 && `${formatUnits(precompiles)} for precompiled contracts, which no factor touches`,
    Number(forfeited) > 0 && `${formatUnits(forfeited)} lost with the exception, unspent`,
    Number(stipends) > 0 &&
      `${formatUnits(stipends)} less: given along with coin, 2,300 for each call that brings some`,
  ].filter((part) => part !== false);
  const head = `  ${formatUnits(contract.total)} in ${contractText(contract)}${entered}`;
  return parts.length === 1 ? [head] : [`${head}:`, ...parts.map((part) => `    ${part}`)];
}

const SHOWN_FRAMES = 40;
const DEEPEST_MARGIN = 20;

/** Call by call; nothing for a single one, which its contract tells of. */
function frameLines(frames: readonly FrameEnergy[]): readonly string[] {
  if (frames.length < 2) return [];
  const shown = frames.slice(0, SHOWN_FRAMES).map(({ depth, contract, method, total, own, penalty }) => {
    const called = method === undefined ? 'creation of ' : '';
    const name = contract.name === '' ? contract.address : safeName(contract.name);
    const text = method === undefined ? '' : methodText(method);
    const parts = [
      BigInt(own) !== BigInt(total) && `${formatUnits(own)} of its own`,
      BigInt(penalty) > 0n && `${formatUnits(penalty)} of penalty`,
    ].filter((part) => part !== false);
    const margin = '  '.repeat(Math.min(depth, DEEPEST_MARGIN));
    const details = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
    return `    ${margin}${formatUnits(total)} in ${called}${name}${text === '' ? '' : `.${text}`}${details}`;
  });
  const more = frames.length > SHOWN_FRAMES ? [`    … and further calls: sunup trace shows them`] : [];
  return ['  Call by call, with what each call called:', ...shown, ...more];
}

function originSentences({ origin }: EnergyCost, action: Explanation['action']['kind']): readonly string[] {
  if (origin === undefined) {
    return [
      action === 'deployment'
        ? 'A deployment is paid for by its sender alone.'
        : 'The caller deployed this contract itself and pays alone.',
    ];
  }
  const { address, percent, agreed, paid, boundBy, originEnergyLimit, stake } = origin;
  if (percent === 0) return ['The deployer pays nothing: consume_user_resource_percent is 100.'];
  const share = `The deployer, ${address}, takes ${percent}% of it (consume_user_resource_percent is ${100 - percent}): ${formatUnits(agreed)}`;
  const sentences = {
    percent: [`${share}, and paid that with staked Energy.`],
    origin_energy_limit: [
      `${share}, but never more than the contract's origin_energy_limit, ${formatUnits(originEnergyLimit)} a call. So it paid ${formatUnits(paid)}.`,
    ],
    stake: [
      `${share}. It had only ${formatUnits(stake.left)} of staked Energy left, and a deployer never pays with coin: it paid ${formatUnits(paid)}.`,
    ],
  };
  return [...sentences[boundBy], limitSentence('The deployer', stake, 'Energy')];
}

function callerSentences({ caller, origin, priceSun }: EnergyCost): readonly string[] {
  const { owed, staked, bought, feeSun, stake } = caller;
  if (BigInt(owed) === 0n) return origin === undefined ? [] : ['Nothing is left for the caller.'];
  const debt = `The caller owed ${origin === undefined || origin.percent === 0 ? 'all of it' : `the other ${formatUnits(owed)}`}`;
  const burned = `${formatTrx(feeSun)} for ${formatUnits(bought)} at ${formatUnits(priceSun)} sun each`;
  if (!hasStake(stake)) return [`${debt} and has nothing staked for Energy: it paid ${burned}.`];
  const paid =
    BigInt(bought) === 0n
      ? `${debt} and paid with staked Energy.`
      : `${debt}: ${formatUnits(staked)} came from staked Energy, and it paid ${burned}.`;
  return [paid, limitSentence('The caller', stake, 'Energy')];
}

/** Formulas 2 to 4 of docs/reference/fees.md with the numbers of this call. */
export function limitLines({ limit, caller, origin, feeLimit, priceSun }: EnergyCost): readonly string[] {
  const { staked, balance, feeLimit: allowed } = caller.limitParts;
  const callerSentence = `Formula 3, the caller: the less of ${formatUnits(staked)} of staked Energy + ${formatUnits(balance)} that ${formatTrx(caller.balanceSun)} buy at ${formatUnits(priceSun)} sun, and ${formatUnits(allowed)} that the feeLimit of ${formatTrx(feeLimit.feeLimitSun)} allows: ${formatUnits(caller.limit)}.`;
  if (origin === undefined) return [`Limit: ${formatUnits(limit)} Energy`, `  ${callerSentence}`];
  return [
    `Limit: ${formatUnits(limit)} Energy`,
    `  Formula 2: ${formatUnits(caller.limit)} of the caller + ${formatUnits(origin.limit)} of the deployer.`,
    `  ${callerSentence}`,
    `  ${originFormula(origin)}`,
  ];
}

function originFormula({ percent, limit, limitParts }: NonNullable<EnergyCost['origin']>): string {
  const { proportion, staked, originEnergyLimit } = limitParts;
  if (percent === 0) return 'Formula 4, the deployer: nothing, its percentage is 0.';
  const bounds = [
    proportion !== undefined && `${formatUnits(proportion)}, as ${percent}% to the caller's ${100 - percent}%`,
    `${formatUnits(staked)} that it had left of staked Energy`,
    `the origin_energy_limit of ${formatUnits(originEnergyLimit)}`,
  ].filter((bound) => bound !== false);
  return `Formula 4, the deployer: the least of ${bounds.join('; ')}: ${formatUnits(limit)}.`;
}

/** What a stake would have saved. */
export function freeOfChargeSentence(
  { energyStakeSun, bandwidthStakeSun, remainingFeeSun }: FreeOfCharge,
  energy: EnergyCost | undefined,
): string {
  const needed = energy?.needed;
  const wants = [stakeWanted(energyStakeSun, 'Energy'), stakeWanted(bandwidthStakeSun, 'bandwidth')].filter(
    (want) => want !== undefined,
  );
  if ([energyStakeSun, bandwidthStakeSun].includes('more-than-there-is')) {
    return `No stake would have made it free: ${wants.join(', ')}.`;
  }
  const raised =
    needed?.feeLimitSun !== undefined && BigInt(needed.feeLimitSun) > BigInt(energy?.feeLimit.feeLimitSun ?? 0)
      ? `, and with a feeLimit of ${formatTrx(needed.feeLimitSun)}, which bounds staked Energy too,`
      : '';
  const rest = BigInt(remainingFeeSun) === 0n ? '' : ` but for ${formatTrx(remainingFeeSun)} that no stake pays`;
  const end = needed?.result === 'SUCCESS' ? 'have succeeded and been free' : 'have been free';
  return `With ${wants.join(' and ')}${raised} it would ${end}${rest}.`;
}

function stakeWanted(sun: FreeOfCharge['energyStakeSun'], unit: string): string | undefined {
  if (sun === undefined) return undefined;
  return sun === 'more-than-there-is'
    ? `the network does not share out so much ${unit} a day`
    : `${formatTrx(sun)} more staked for ${unit}`;
}

export function feeLimitLines({ feeLimit, caller }: EnergyCost): readonly string[] {
  const { feeLimitSun, energy, usedSun, headroomSun } = feeLimit;
  const used =
    BigInt(headroomSun) === 0n
      ? 'All of it was used.'
      : `The caller's part was ${formatUnits(caller.owed)}, worth ${formatTrx(usedSun)}, which leaves ${formatTrx(headroomSun)} of headroom.`;
  return [
    `feeLimit: ${formatTrx(feeLimitSun)}`,
    `  It allows the caller ${formatUnits(energy)} Energy, staked Energy included. ${used}`,
  ];
}

/** What set the limit of a call that ran out of Energy, and what would have been enough. */
export function wantSentences(energy: EnergyCost): readonly string[] {
  return [limitOrigin(energy), ...(energy.needed === undefined ? [] : needSentences(energy, energy.needed))];
}

function limitOrigin({ limit, caller, origin, feeLimit, priceSun }: EnergyCost): string {
  const own = formatUnits(caller.limit);
  const reason =
    caller.boundBy === 'feeLimit'
      ? `what a feeLimit of ${formatTrx(feeLimit.feeLimitSun)} buys at ${formatUnits(priceSun)} sun each`
      : `${BigInt(caller.stake.left) === 0n ? '' : `${formatUnits(caller.stake.left)} of staked Energy and `}what the caller's balance of ${formatTrx(caller.balanceSun)} buys at ${formatUnits(priceSun)} sun each`;
  if (origin === undefined || BigInt(origin.limit) === 0n)
    return `It ran out of Energy. Its limit was ${own}: ${reason}.`;
  return `It ran out of Energy. Its limit was ${formatUnits(limit)}: ${own} of the caller, ${reason}, and ${formatUnits(origin.limit)} of the deployer.`;
}

function needSentences({ feeLimit }: EnergyCost, needed: EnergyNeed): readonly string[] {
  const { energy, callerEnergy, feeLimitSun, missingBalanceSun, result } = needed;
  const end = result === 'SUCCESS' ? 'would have succeeded' : `would have ended with ${result}`;
  if (energy === undefined || callerEnergy === undefined || feeLimitSun === undefined) {
    return result === 'OUT_OF_ENERGY'
      ? ['Even the highest feeLimit that the network allows does not buy enough.']
      : [`With all the Energy that the highest feeLimit buys it ${end}.`, ...laterReason(needed)];
  }
  const part = callerEnergy === energy ? '' : `, of which the caller has to pay for ${formatUnits(callerEnergy)}`;
  const wants = [
    BigInt(feeLimitSun) > BigInt(feeLimit.feeLimitSun) && `a feeLimit of at least ${formatTrx(feeLimitSun)}`,
    BigInt(missingBalanceSun ?? 0) > 0n && `${formatTrx(missingBalanceSun ?? 0)} more in the caller's account`,
  ].filter((want) => want !== false);
  const remedy = wants.length === 0 ? '' : `: that takes ${wants.join(' and ')}`;
  return [`With ${formatUnits(energy)} Energy it ${end}${part}${remedy}.`, ...laterReason(needed)];
}

function laterReason({ result, reason }: EnergyNeed): readonly string[] {
  return result === 'SUCCESS' || reason === undefined ? [] : failureSentences({ succeeded: false, result, reason });
}
