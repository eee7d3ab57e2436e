/** The findings about an account's costs in sentences, each with its figures. */

import { formatAverageTrx, formatTrx, formatUnits } from '../../prose/amounts.js';
import type { AccountCosts } from './account-costs.js';
import type { FactorFinding, StakeFinding } from './findings.js';

/** What the accounts paid, and most of it for what. */
export function answerSentence({ totals, accounts }: AccountCosts): string {
  const { transactions, feeSun, energySun, bandwidthSun, otherSun } = totals;
  const who = accounts.length === 1 ? 'The account' : `${accounts.length} accounts`;
  if (transactions === 0) return `${who} sent no transactions in this time.`;
  const sent = `${who} paid ${formatTrx(feeSun)} for ${counted(transactions, 'transaction')}`;
  if (feeSun === 0n) return `${sent}: stake, free bandwidth and deployers paid for everything.`;
  const [most] = (
    [
      ['Energy', energySun],
      ['bandwidth', bandwidthSun],
      ['fixed fees', otherSun],
    ] as const
  ).toSorted(([, a], [, b]) => (a < b ? 1 : -1));
  return `${sent}, ${percent(most?.[1] ?? 0n, feeSun)} of it for ${most?.[0]}.`;
}

export function findingSentences(costs: AccountCosts): readonly string[] {
  const { findings, totals, accounts } = costs;
  const { failed, factors } = findings;
  const lines = findings.stakes.map((stake) => stakeSentence(stake, accounts.length > 1));
  if (failed.transactions > 0)
    lines.push(
      `Failed transactions: ${formatUnits(failed.transactions)} of ${formatUnits(totals.transactions)} cost ${formatTrx(failed.feeSun)}, ${failed.percent} % of all fees.`,
    );
  if (factors !== undefined) lines.push(factorSentence(factors));
  if (totals.deployersEnergy > 0n)
    lines.push(`Deployers of called contracts paid ${formatUnits(totals.deployersEnergy)} Energy.`);
  if (costs.asDeployer !== undefined) lines.push(deployerSentence(costs.asDeployer, accounts.length > 1));
  if (totals.withoutReceipt > 0)
    lines.push(
      `${counted(totals.withoutReceipt, 'transaction')} without a receipt on this node: the penalty of ${totals.withoutReceipt === 1 ? 'it' : 'them'} is not in the sums.`,
    );
  return lines;
}

/** Costs that the figures leave out, and the option that adds them. */
export function notReadSentences({ asDeployer, accounts }: AccountCosts): readonly string[] {
  if (asDeployer !== undefined) return [];
  const whose = accounts.length === 1 ? 'the account' : 'the accounts';
  return [
    `Not read: Energy of ${whose} for calls of contracts that ${whose} deployed (--deployer, or --contract for one of them). It costs no TRX, but takes stake.`,
  ];
}

function deployerSentence(
  { contracts, calls, paidCalls, energy, energyOfListedCallers: own }: NonNullable<AccountCosts['asDeployer']>,
  areSeveral: boolean,
): string {
  const [who, whose] = areSeveral ? ['the accounts', 'their'] : ['the account', 'its'];
  if (contracts === 0) return `As a deployer, ${who} paid nothing: no deployment is in ${whose} history.`;
  const paid = `As ${areSeveral ? 'deployers' : 'the deployer'} of ${counted(contracts, 'contract')}, ${who} paid ${formatUnits(energy)} Energy for ${formatUnits(paidCalls)} of ${counted(calls, 'call')}`;
  const listed = own === 0n ? '' : `. ${formatUnits(own)} of it is also in the figures of listed accounts that called`;
  return `${paid}${listed}. It costs no TRX, but takes ${whose} stake.`;
}

function stakeSentence(stake: StakeFinding, namesAccount: boolean): string {
  const { resource, freeDays, days, capacity, added, addedStakeSun, savedSun, yieldSun, evenYieldPercent } = stake;
  const unit = resource === 'energy' ? 'Energy' : 'bytes of bandwidth';
  const whose = namesAccount ? `${stake.account}: ` : '';
  const free = `${whose}${formatUnits(capacity)} ${unit} a day would have paid everything on ${formatUnits(freeDays)} of ${counted(days, 'day')}${resource === 'energy' ? '' : ' (without free bandwidth: less may do)'}`;
  if (added === 0n) return `${free}; the account has that much as of now.`;
  if (addedStakeSun === undefined) return `${free}; no stake gives that much.`;
  if (savedSun <= 0n) return `${free}; that is less than what paid for it then.`;
  const cost =
    yieldSun === undefined
      ? `It pays off against a yield below ${evenYieldPercent} % a year`
      : `The yield of that stake is ${formatAverageTrx(yieldSun)} in the same time, so it ${yieldSun < savedSun ? `saves ${formatAverageTrx(savedSun - yieldSun)}` : `costs ${formatAverageTrx(yieldSun - savedSun)} more than it saves`}; both are equal at ${evenYieldPercent} % a year`;
  return `${free} and saved ${formatTrx(savedSun)}. That takes ${formatTrx(addedStakeSun)} of further stake as of now. ${cost}. Rented or delegated, ${formatUnits(added)} ${unit} a day pay off below ${formatAverageTrx(stake.mostRentSunADay)} a day.`;
}

function factorSentence({
  penalty,
  penaltySun,
  percent: share,
  cap,
  addedAtCap,
  addedAtCapSun,
}: FactorFinding): string {
  const added =
    penalty === 0n
      ? 'Energy factors added nothing'
      : `Energy factors added ${formatUnits(penalty)} Energy, ${share} % of all; ${formatTrx(penaltySun)} were burned for it`;
  if (addedAtCap === 0n) return `${added}.`;
  return `${added}. At the largest factor (${cap}, as of now) the same calls would use ${formatUnits(addedAtCap)} Energy more: up to ${formatTrx(addedAtCapSun)} at the price of today.`;
}

function counted(count: number, of: string): string {
  return `${formatUnits(count)} ${of}${count === 1 ? '' : 's'}`;
}

function percent(part: bigint, whole: bigint): string {
  return `${Number((part * 1_000n) / whole) / 10} %`;
}
