/** An estimate in words. The figures of its cases are in a table (`cli/estimate-command.ts`). */

import type {
  CallEstimate,
  EstimateCase,
  EstimatedContract,
  EstimatedException,
} from '../explanation/preview/estimate.js';
import { formatTrx, formatUnits } from './amounts.js';
import { failureSentences } from './failure.js';
import { actionText, contractText } from './names.js';
import { assumptionLines, networkRowLines } from './network-rows.js';

/** The data and the text for it. */
export interface EstimateInWords extends CallEstimate {
  readonly text: readonly string[];
}

export function estimateInWords(estimate: CallEstimate): EstimateInWords {
  return { ...estimate, text: estimateText(estimate) };
}

function estimateText({
  owner,
  action,
  outcome,
  contracts,
  thresholdEnergy,
  deployer,
  otherFeesSun,
  priceSun,
  cases,
  exception,
  networkRows,
  assumptions,
}: CallEstimate): readonly string[] {
  const deed = `${actionText(owner, '', action, 'unsent')}.`;
  const [now] = cases;
  return [
    outcome.succeeded
      ? 'Estimated for the next block; nothing was sent.'
      : `It would FAIL with ${outcome.result}; nothing was sent.`,
    deed,
    ...(outcome.succeeded ? [] : failureSentences(outcome)),
    ...(now === undefined ? [] : ['', ...payers(now)]),
    ...(exception === undefined ? [] : ['', ...exceptionSentences(outcome.result, exception)]),
    ...(deployer === undefined
      ? []
      : [
          `The deployer, ${deployer.address}, pays ${deployer.percent}% from its staked Energy, at most ${formatUnits(deployer.originEnergyLimit)} Energy per call.`,
        ]),
    `One Energy costs ${formatUnits(priceSun)} sun. ${otherFeesSun === 0 ? 'Bandwidth is free or staked.' : `Bandwidth and other fees cost ${formatTrx(otherFeesSun)} more.`}`,
    ...(thresholdEnergy === undefined ? [] : ['', ...contracts.map((one) => contractSentence(one, thresholdEnergy))]),
    ...(outcome.succeeded ? ['', ...adviceSentences(cases)] : []),
    ...(networkRows === undefined ? [] : ['', ...networkRowLines(networkRows)]),
    ...(assumptions === undefined ? [] : ['', ...assumptionLines(assumptions)]),
  ];
}

/** Why there is no table of costs. */
function exceptionSentences(result: string, exception: EstimatedException): string[] {
  const { takesAllEnergy, feeLimitSun, energy } = exception;
  const charged = `With a feeLimit of ${formatTrx(feeLimitSun)} that is ${formatUnits(energy)} Energy${paidBy(exception)}.`;
  if (!takesAllEnergy) return [`${result} is an exception. ${charged} No feeLimit makes it succeed.`];
  return [
    `${result} is an exception: it takes all the Energy that the feeLimit allows, not only the Energy that was used. ${charged}`,
    'No feeLimit makes it succeed, and a lower one only loses less. So there is no cost table.',
  ];
}

function paidBy({
  deployerEnergy,
  stakedEnergy,
  burnedEnergy,
  energyFeeSun,
}: Pick<EstimateCase, 'deployerEnergy' | 'stakedEnergy' | 'burnedEnergy' | 'energyFeeSun'>): string {
  const parts = [
    deployerEnergy !== 0 && `${formatUnits(deployerEnergy)} from the deployer's stake`,
    stakedEnergy !== 0 && `${formatUnits(stakedEnergy)} from the caller's${deployerEnergy === 0 ? ' stake' : ''}`,
    burnedEnergy !== 0 && `${formatUnits(burnedEnergy)} by burning ${formatTrx(energyFeeSun)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `: paid ${parts.join(', ')}`;
}

function payers(now: EstimateCase): string[] {
  const { energy, penalty, burnedEnergy, stakeSun, missingSun } = now;
  const added = penalty === 0 ? '' : `, including a penalty of ${formatUnits(penalty)}`;
  const stake =
    burnedEnergy === 0
      ? []
      : [
          stakeSun === 'more-than-there-is'
            ? 'No stake gives that much Energy a day.'
            : `With ${formatTrx(stakeSun)} more staked for Energy, no TRX would be burned for Energy.`,
        ];
  const missing = missingSun === 0 ? [] : [`The caller's balance is ${formatTrx(missingSun)} too low.`];
  return [`It needs ${formatUnits(energy)} Energy now${added}${paidBy(now)}.`, ...stake, ...missing];
}

function contractSentence(
  { address, name, factor, epochEnergy }: EstimatedContract,
  thresholdEnergy: string | number,
): string {
  const used = `${formatUnits(epochEnergy)} of ${formatUnits(thresholdEnergy)} Energy used in this epoch`;
  const outlook =
    BigInt(epochEnergy) > BigInt(thresholdEnergy) ? 'the factor rises in the next epoch' : 'below the threshold';
  return `${contractText({ address, name })}: factor ${factor}, ${used}: ${outlook}.`;
}

function adviceSentences(cases: readonly EstimateCase[]): string[] {
  const next = cases.find(({ epochs }) => epochs === 1) ?? cases[0];
  if (next === undefined) return [];
  const { feeLimitSun } = next;
  if (feeLimitSun === 'beyond-the-maximum') return ['Even the highest feeLimit that the network allows is not enough.'];
  const reason =
    next.epochs === 1
      ? 'enough now, and in the next epoch, even if the factor of every contract that it runs rises'
      : 'enough; factors do not change on this chain';
  return [`feeLimit: ${formatTrx(feeLimitSun)} (${feeLimitSun} sun) is ${reason}.`];
}
