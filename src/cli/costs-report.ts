/** The report of `sunup costs`: tables, and the answer before them. */

import { formatMoment, formatTrx, formatUnits, safeName } from '../prose/amounts.js';
import type { Column, Report, Section } from '../prose/report.js';
import { withoutEmptyColumns } from '../scenario/report/sections.js';
import type { AccountCosts, NamedDeployerMethod, NamedMethod } from '../traffic/costs/account-costs.js';
import type { Sum } from '../traffic/costs/cost-sums.js';
import { answerSentence, findingSentences, notReadSentences } from '../traffic/costs/finding-sentences.js';
import { costPlots } from './costs-plots.js';

const text = (name: string): Column => ({ name, kind: 'text' });
const number = (name: string): Column => ({ name, kind: 'number' });
const coin = (name: string): Column => ({ name, kind: 'coin' });

/** Rows of a table for people; JSON and CSV have all. */
const MOST_METHODS = 20;

export function costsReport(costs: AccountCosts): Report {
  const { accounts, totals, fromMs, toMs, network, today } = costs;
  const { transactions, feeSun, averageFeeSun, highestFeeSun, failed } = totals;
  const [only] = accounts;
  return {
    title:
      accounts.length === 1 && only !== undefined ? `Costs of ${only.account}` : `Costs of ${accounts.length} accounts`,
    about: `${formatMoment(fromMs)} to ${formatMoment(toMs)}, ${network}`,
    answer: answerSentence(costs),
    findings: findingSentences(costs),
    figures: [
      { name: 'Paid', kind: 'coin', value: feeSun },
      { name: 'Transactions', kind: 'number', value: transactions },
      { name: 'Failed', kind: 'number', value: failed },
      { name: 'Average', kind: 'average', value: averageFeeSun },
      { name: 'Most expensive', kind: 'coin', value: highestFeeSun },
      { name: 'Time', kind: 'time', value: toMs - fromMs },
    ],
    assumptions: [
      {
        name: 'Stake',
        value: `prices, limits and stakes as of block ${today.blockNumber}, ${formatMoment(today.timestampMs)}`,
      },
      {
        name: 'Recovery',
        value:
          'all use of an hour is needed at its start and recovers from its end; nothing is in use before the range',
      },
      ...notReadSentences(costs).map((value) => ({ name: 'Deployer', value })),
    ],
    plots: costPlots(costs),
    sections: costSections(costs, MOST_METHODS),
    end: endLines(costs),
  };
}

/** @param mostMethods rows of the table by method */
export function costSections(costs: AccountCosts, mostMethods = Number.POSITIVE_INFINITY): readonly Section[] {
  const { accounts, totals } = costs;
  const sections: readonly Section[] = [
    ...(accounts.length < 2
      ? []
      : [
          {
            title: 'By account',
            columns: [text('account'), number('transactions'), coin('paid')],
            rows: accounts.map(({ account, transactions, feeSun }) => [account, transactions, feeSun]),
          },
        ]),
    {
      title: 'By source',
      columns: [text('for'), text('from'), number('transactions'), number('Energy or bytes'), coin('paid')],
      rows: totals.sources.map(({ reason, source, resource, transactions, units, sun }) => [
        reason,
        SOURCES.get(`${resource} ${source}`) ?? source,
        transactions,
        units,
        sun,
      ]),
    },
    {
      title: 'By contract and method',
      columns: [text('what'), text('contract'), ...SUM_COLUMNS],
      rows: totals.methods.slice(0, mostMethods).map((sum) => [methodName(sum), contractNameOf(sum), ...sumCells(sum)]),
    },
    {
      title: 'By day',
      columns: [text('day (UTC)'), ...SUM_COLUMNS],
      rows: totals.days.map((sum) => [sum.day, ...sumCells(sum)]),
    },
    ...(totals.failures.length === 0
      ? []
      : [
          {
            title: 'Failed transactions',
            columns: [text('result'), number('transactions'), coin('paid')],
            rows: totals.failures.map(({ result, transactions, feeSun }) => [result, transactions, feeSun]),
          },
        ]),
    {
      title: 'Most expensive transactions',
      columns: [text('transaction'), text('time (UTC)'), text('what'), text('result'), number('Energy'), coin('paid')],
      rows: totals.dearest.map((one) => [
        one.txid,
        formatMoment(one.timestampMs).replace(' UTC', ''),
        methodName(totals.methods.find((method) => isSame(method, one)) ?? one),
        one.result,
        one.energy,
        one.feeSun,
      ]),
    },
  ];
  const all = [...sections, ...deployerSections(costs, mostMethods)];
  return [...all.filter(({ rows }) => rows.length > 0).map(withoutEmptyColumns), todaySection(costs)];
}

/** Energy for calls of own contracts; its callers' TRX are not the account's. */
function deployerSections({ asDeployer }: AccountCosts, mostMethods: number): readonly Section[] {
  if (asDeployer === undefined) return [];
  return [
    {
      title: 'As deployer: calls of own contracts',
      columns: [text('method'), text('contract'), text('deployer'), ...DEPLOYER_COLUMNS],
      rows: asDeployer.methods
        .slice(0, mostMethods)
        .map((sum) => [methodName({ type: '', ...sum }), contractNameOf(sum), sum.deployer, ...deployerCells(sum)]),
    },
    {
      title: 'As deployer, by day',
      columns: [text('day (UTC)'), ...DEPLOYER_COLUMNS],
      rows: asDeployer.days.map((sum) => [sum.day, ...deployerCells(sum)]),
    },
  ];
}

const DEPLOYER_COLUMNS = [number('calls'), number('calls paid for'), number('Energy of the deployer')];

function deployerCells({ calls, paidCalls, energy }: Pick<NamedDeployerMethod, 'calls' | 'paidCalls' | 'energy'>) {
  return [calls, paidCalls, energy];
}

/** Zeros are results here. */
function todaySection({ today }: AccountCosts): Section {
  return {
    title: 'As of now: unused stake, an estimate',
    columns: [
      text('account'),
      number('Energy a day'),
      number('unused Energy'),
      number('bytes a day'),
      number('unused bytes'),
    ],
    rows: today.accounts.map(({ account, energyLimit, energyLeft, bandwidthLimit, bandwidthLeft }) => [
      account,
      ...[energyLimit, energyLeft, bandwidthLimit, bandwidthLeft].map(String),
    ]),
  };
}

/** By the hour, for programs. */
export function hourSection({ totals }: AccountCosts): Section {
  return {
    title: 'By hour',
    columns: [text('hour (UTC)'), ...SUM_COLUMNS],
    rows: totals.hours.map((sum) => [new Date(sum.startMs).toISOString().slice(0, 16), ...sumCells(sum)]),
  };
}

/** A receipt does not separate these further. */
const SOURCES: ReadonlyMap<string, string> = new Map([
  ['energy staked', 'own stake and delegations'],
  ['energy origin', "the deployer's stake"],
  ['bandwidth free-or-staked', 'free or staked bandwidth'],
]);

const SUM_COLUMNS: readonly Column[] = [
  number('times'),
  number('failed'),
  number('Energy'),
  number('penalty'),
  number("deployers' Energy"),
  coin('for Energy'),
  coin('for bandwidth'),
  coin('fixed fees'),
  coin('paid'),
];

function sumCells(sum: Sum) {
  return [
    sum.transactions,
    sum.failed,
    sum.energy,
    sum.penalty,
    sum.deployersEnergy,
    sum.energySun,
    sum.bandwidthSun,
    sum.otherSun,
    sum.feeSun,
  ];
}

/** Anybody may give a contract any name. */
function contractNameOf({ contract = '', contractName }: Pick<NamedMethod, 'contract' | 'contractName'>): string {
  return contractName === undefined ? contract : `${safeName(contractName)} ${contract}`;
}

type Kind = Pick<NamedMethod, 'type' | 'contract' | 'selector'>;

function isSame(a: Kind, b: Kind): boolean {
  return a.type === b.type && a.contract === b.contract && a.selector === b.selector;
}

function methodName({ type, contract, selector = '', method }: Kind & { readonly method?: string }): string {
  if (contract === undefined) return type;
  return method ?? (selector === '' ? 'no data' : selector);
}

function endLines(costs: AccountCosts): readonly string[] {
  const { totals, network } = costs;
  const { transactions, feeSun, lowestFeeSun, averageFeeSun, highestFeeSun } = totals;
  return [
    `${formatUnits(transactions)} transactions, ${formatTrx(feeSun)}: at least ${formatTrx(lowestFeeSun)}, on average ${formatTrx(averageFeeSun)}, at most ${formatTrx(highestFeeSun)}; ${network}`,
    ...notReadSentences(costs),
  ];
}
