/** An estimate as a person would give it; the figures of its cases stand in a table beside it (`cli/estimate-command.ts`). */

import type { CallEstimate, EstimateCase, EstimatedContract } from '../explanation/estimate.js';
import { formatTrx, formatUnits } from './amounts.js';
import { failureSentences } from './failure.js';
import { actionText, contractText } from './names.js';
import { assumptionLines, networkRowLines } from './network-rows.js';

/** The data, and its account in words. */
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
  networkRows,
  assumptions,
}: CallEstimate): readonly string[] {
  const deed = `${actionText(owner, '', action, 'unsent')}.`;
  const [now] = cases;
  return [
    outcome.succeeded
      ? 'As the next block would run it; nothing was sent.'
      : `It would FAIL with ${outcome.result}; nothing was sent.`,
    deed,
    ...(outcome.succeeded ? [] : failureSentences(outcome)),
    ...(now === undefined ? ['Whatever Energy it is given is lost.'] : ['', ...payers(now)]),
    ...(deployer === undefined
      ? []
      : [
          `The deployer, ${deployer.address}, takes ${deployer.percent}% as far as its stake goes, and never more than ${formatUnits(deployer.originEnergyLimit)} Energy a call.`,
        ]),
    `Energy is bought at ${formatUnits(priceSun)} sun each. ${otherFeesSun === 0 ? 'Bandwidth costs nothing.' : `Bandwidth and the rest cost ${formatTrx(otherFeesSun)} besides.`}`,
    ...(thresholdEnergy === undefined ? [] : ['', ...contracts.map((one) => contractSentence(one, thresholdEnergy))]),
    ...(outcome.succeeded ? ['', ...adviceSentences(cases)] : []),
    ...(networkRows === undefined ? [] : ['', ...networkRowLines(networkRows)]),
    ...(assumptions === undefined ? [] : ['', ...assumptionLines(assumptions)]),
  ];
}

function payers({
  energy,
  penalty,
  deployerEnergy,
  stakedEnergy,
  burnedEnergy,
  energyFeeSun,
  stakeSun,
  missingSun,
}: EstimateCase): string[] {
  const added = penalty === 0 ? '' : `, ${formatUnits(penalty)} of it penalty`;
  const parts = [
    deployerEnergy !== 0 && `${formatUnits(deployerEnergy)} by the deployer's stake`,
    stakedEnergy !== 0 && `${formatUnits(stakedEnergy)} by the caller's${deployerEnergy === 0 ? ' stake' : ''}`,
    burnedEnergy !== 0 && `${formatUnits(burnedEnergy)} by burning ${formatTrx(energyFeeSun)}`,
  ].filter((part) => part !== false);
  const stake =
    burnedEnergy === 0
      ? []
      : [
          stakeSun === 'more-than-there-is'
            ? 'No stake gives so much Energy a day.'
            : `With ${formatTrx(stakeSun)} more staked for Energy nothing would be burned for it.`,
        ];
  const missing = missingSun === 0 ? [] : [`The caller lacks ${formatTrx(missingSun)} for it.`];
  const paid = parts.length === 0 ? '' : `: paid ${parts.join(', ')}`;
  return [`It takes ${formatUnits(energy)} Energy now${added}${paid}.`, ...stake, ...missing];
}

function contractSentence(
  { address, name, factor, epochEnergy }: EstimatedContract,
  thresholdEnergy: string | number,
): string {
  const used = `${formatUnits(epochEnergy)} of ${formatUnits(thresholdEnergy)} Energy used in this epoch`;
  const outlook =
    BigInt(epochEnergy) > BigInt(thresholdEnergy) ? 'the factor rises with the next' : 'below the threshold';
  return `${contractText({ address, name })}: factor ${factor}, ${used}: ${outlook}.`;
}

function adviceSentences(cases: readonly EstimateCase[]): string[] {
  const next = cases.find(({ epochs }) => epochs === 1) ?? cases[0];
  if (next === undefined) return [];
  const { feeLimitSun } = next;
  if (feeLimitSun === 'beyond-the-maximum') return ['No feeLimit that the network allows is enough for it.'];
  const reason =
    next.epochs === 1
      ? 'enough now, and when every contract that it runs becomes dearer with the next epoch'
      : 'enough; the price of no contract changes on this chain';
  return [`feeLimit: ${formatTrx(feeLimitSun)} (${feeLimitSun} sun) is ${reason}.`];
}
