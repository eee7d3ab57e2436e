/** What a scenario takes as given, in words: network, prices, stakes, and contracts that are not as by default. */

import { networkStakeByName } from '../../parameters/network-stakes.js';
import { presetByName } from '../../parameters/presets.js';
import { formatMoment, formatTrx, formatUnits } from '../../prose/amounts.js';
import type { Assumption } from '../../prose/report.js';
import type { Scenario } from '../format/scenario.js';
import type { GivenValue } from '../what-if/variations.js';

/** The chain before the first step. */
export interface RunStart {
  readonly timestampMs: number;
  readonly energySun: bigint;
  readonly byteSun: bigint;
}

/** Longer lists are in the file. */
const MAX_LISTED = 6;

/** @param set the values that replace those of the file */
export function assumptionsOf(
  scenario: Scenario,
  start: RunStart | undefined,
  set: Readonly<Record<string, GivenValue>> = {},
): readonly Assumption[] {
  const { network, accounts, contracts } = scenario;
  const stakes = [...accounts].flatMap(([name, { stake, count }]) =>
    (['energy', 'bandwidth'] as const).flatMap((resource) => {
      const sun = stake?.[resource] ?? 0n;
      const who = count === undefined ? name : `each of ${count} ${name}`;
      return sun === 0n ? [] : [`${who} ${formatTrx(sun)} for ${resource === 'energy' ? 'Energy' : 'bandwidth'}`];
    }),
  );
  const terms = [...contracts].flatMap(([name, { userPercent = 100, energyFactor = 0n }]) => [
    ...(userPercent === 100 ? [] : [`callers of ${name} pay ${userPercent} % of the Energy`]),
    ...(energyFactor === 0n ? [] : [`${name} has an energy factor of ${Number(energyFactor) / 10_000}`]),
  ]);
  return [
    ['Changed values', listed(Object.entries(set).map(([name, value]) => `${name} = ${value}`))],
    ['Network', networkOf(scenario)],
    [
      'Prices at the start',
      start && `${formatUnits(start.energySun)} sun per Energy, ${formatUnits(start.byteSun)} sun per byte`,
    ],
    [
      'Parameters of the file',
      listed(
        Object.entries(network.parameters ?? {}).flatMap(([name, value]) =>
          Object.hasOwn(set, name) ? [] : [`${name} = ${formatUnits(value)}`],
        ),
      ),
    ],
    ['Start', start && formatMoment(start.timestampMs)],
    ['Stakes', listed(stakes)],
    ['Contracts', listed(terms)],
  ].flatMap(([name, value]) => (name === undefined || value === undefined ? [] : [{ name, value }]));
}

function networkOf({ fork, network: { recorded, preset = 'mainnet', stake = 'mainnet' } }: Scenario): string {
  if (fork !== undefined) return `a fork of ${fork.url}, with its parameters and stakes`;
  if (recorded !== undefined) return 'as recorded';
  const parameters = presetByName(preset)?.name ?? preset;
  const others = networkStakeByName(stake)?.name ?? stake;
  return `parameters of ${parameters}, stakes of all others of ${others}`;
}

function listed(all: readonly string[]): string | undefined {
  if (all.length === 0) return undefined;
  const more = all.length - MAX_LISTED;
  return more > 0 ? `${all.slice(0, MAX_LISTED).join('; ')}; and ${more} more` : all.join('; ');
}
