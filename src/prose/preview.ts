/** A preview in words. The figures of its cases are in a table (`cli/estimate-command.ts`). */

import type { BandwidthFee, FeeBreakdown } from '../explanation/costs/fee-breakdown.js';
import type { Explanation } from '../explanation/model/explanation.js';
import type { CallLimits, ExceptionLimits, FactorCase, PreviewedContract } from '../explanation/preview/limits.js';
import type { Preview } from '../explanation/preview/preview.js';
import { formatTrx, formatUnits } from './amounts.js';
import { type CallTreeInWords, callTreeInWords } from './call-tree.js';
import { bandwidthSentences, explanationText } from './explanation.js';
import { failureSentences } from './failure.js';
import { actionText, contractText } from './names.js';
import { assumptionLines, networkRowLines } from './network-rows.js';

/** Fees by cause. */
export type Fees = Omit<FeeBreakdown, 'bandwidth'> & { readonly bandwidth?: BandwidthFee & { readonly why: string } };

/** The data and the text for it. */
export interface PreviewInWords extends Explanation {
  /** Whether it is a transaction of the chain, which ran again in its place. */
  readonly isOfChain: boolean;
  /** As `gettransactioninfobyid`. */
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly fees: Fees;
  /** Absent for what runs no contract. */
  readonly limits?: CallLimits & { readonly text: readonly string[] };
  readonly trace?: CallTreeInWords;
  readonly text: readonly string[];
}

/** @param receipt the preview's `info`, as `gettransactioninfobyid` has it */
export function previewInWords(
  { info: _, limits, trace, ...preview }: Preview,
  receipt: PreviewInWords['receipt'],
): PreviewInWords {
  return {
    ...preview,
    receipt,
    fees: feesInWords(preview.fees, preview),
    ...(limits !== undefined && { limits: { ...limits, text: limitsText(limits, preview) } }),
    ...(trace !== undefined && { trace: callTreeInWords(trace, !preview.isOfChain) }),
    text: explanationText(preview, preview.isOfChain ? 'again' : 'unsent'),
  };
}

function feesInWords({ bandwidth, ...fees }: FeeBreakdown, explanation: Explanation): Fees {
  const { bandwidth: reasons } = explanation;
  if (bandwidth === undefined || reasons === undefined) return fees;
  return { ...fees, bandwidth: { ...bandwidth, why: bandwidthSentences(reasons, explanation).join(' ') } };
}

type Unlimited = Omit<Preview, 'info' | 'limits' | 'trace'>;

function limitsText(
  {
    outcome,
    contracts,
    thresholdEnergy,
    deployer,
    otherFeesSun,
    priceSun,
    now,
    atHigherFactors,
    exception,
  }: CallLimits,
  { owner, action, isOfChain, block, networkRows, assumptions }: Unlimited,
): readonly string[] {
  const deed = `${actionText(owner, '', action, 'unsent')}.`;
  const where = isOfChain ? `in block ${block.number}, where it stands` : 'for the next block; nothing was sent';
  return [
    outcome.succeeded
      ? `Estimated ${where}.`
      : `It would FAIL with ${outcome.result}${isOfChain ? ` ${where}` : '; nothing was sent'}.`,
    deed,
    ...(outcome.succeeded ? [] : failureSentences(outcome)),
    ...(now === undefined ? [] : ['', ...payers(now, isOfChain ? '' : ' now')]),
    ...(exception === undefined ? [] : ['', ...exceptionSentences(outcome.result, exception)]),
    ...(deployer === undefined
      ? []
      : [
          `The deployer, ${deployer.address}, pays ${deployer.percent}% from its staked Energy, at most ${formatUnits(deployer.originEnergyLimit)} Energy per call.`,
        ]),
    `One Energy costs ${formatUnits(priceSun)} sun. ${otherFeesSun === 0n ? 'Bandwidth is free or staked.' : `Bandwidth and other fees cost ${formatTrx(otherFeesSun)} more.`}`,
    ...(thresholdEnergy === undefined ? [] : ['', ...contracts.map((one) => contractSentence(one, thresholdEnergy))]),
    ...(outcome.succeeded && now !== undefined ? ['', adviceSentence(now, atHigherFactors?.[0], thresholdEnergy)] : []),
    ...(networkRows === undefined ? [] : ['', ...networkRowLines(networkRows)]),
    ...(assumptions === undefined ? [] : ['', ...assumptionLines(assumptions)]),
  ];
}

/** Why there is no table of costs. */
function exceptionSentences(result: string, exception: ExceptionLimits): string[] {
  const { takesAllEnergy, feeLimitSun, energy } = exception;
  const charged = `With a feeLimit of ${formatTrx(feeLimitSun)} that is ${formatUnits(energy)} Energy${paidBy(exception)}.`;
  if (!takesAllEnergy) return [`${result} is an exception. ${charged} No feeLimit makes it succeed.`];
  return [
    `${result} is an exception: it takes all the Energy that the feeLimit allows, not only the Energy that was used. ${charged}`,
    'No feeLimit makes it succeed, and a lower one only loses less. So there is no cost table.',
  ];
}

type Payers = Pick<FactorCase, 'deployerEnergy' | 'stakedEnergy' | 'burnedEnergy' | 'energyFeeSun'>;

function paidBy({ deployerEnergy, stakedEnergy, burnedEnergy, energyFeeSun }: Payers): string {
  const parts = [
    deployerEnergy !== 0n && `${formatUnits(deployerEnergy)} from the deployer's stake`,
    stakedEnergy !== 0n && `${formatUnits(stakedEnergy)} from the caller's${deployerEnergy === 0n ? ' stake' : ''}`,
    burnedEnergy !== 0n && `${formatUnits(burnedEnergy)} by burning ${formatTrx(energyFeeSun)}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : `: paid ${parts.join(', ')}`;
}

function payers(now: FactorCase, when: string): string[] {
  const { energy, penalty, burnedEnergy, stakeSun, missingSun } = now;
  const added = penalty === 0n ? '' : `, ${formatUnits(penalty)} of it penalty`;
  const stake =
    burnedEnergy === 0n
      ? []
      : [
          stakeSun === 'more-than-there-is'
            ? 'No stake gives that much Energy a day.'
            : `With ${formatTrx(stakeSun)} more staked for Energy, no TRX would be burned for Energy.`,
        ];
  const missing = missingSun === 0n ? [] : [`The caller's balance is ${formatTrx(missingSun)} too low.`];
  return [`It needs ${formatUnits(energy)} Energy${when}${added}${paidBy(now)}.`, ...stake, ...missing];
}

function contractSentence({ address, name, factor, epochEnergy }: PreviewedContract, thresholdEnergy: bigint): string {
  const used = `${formatUnits(epochEnergy)} of ${formatUnits(thresholdEnergy)} Energy used in this epoch`;
  const outlook = epochEnergy > thresholdEnergy ? 'the factor rises in the next epoch' : 'below the threshold';
  return `${contractText({ address, name })}: factor ${factor}, ${used}: ${outlook}.`;
}

/** @param next in the next epoch, if the factors rise; undefined where that was not asked for */
function adviceSentence(now: FactorCase, next: FactorCase | undefined, thresholdEnergy: bigint | undefined): string {
  const { feeLimitSun } = next ?? now;
  if (feeLimitSun === 'beyond-the-maximum') return 'Even the highest feeLimit that the network allows is not enough.';
  const reason =
    next !== undefined
      ? 'enough now, and in the next epoch, even if the factor of every contract that it runs rises'
      : thresholdEnergy !== undefined
        ? 'enough now'
        : 'enough; factors do not change on this chain';
  return `feeLimit: ${formatTrx(feeLimitSun)} (${feeLimitSun} sun) is ${reason}.`;
}
