/** Data of a port report: what a project's test run costs on TRON, and what it used that behaves differently there. */

import { functionOf } from '../../abi/items.js';
import type { KnownContracts } from '../../artifacts/known-contracts.js';
import type { Address, Sun } from '../../primitives/ids.js';
import {
  averageOf,
  type EnergyRecord,
  type EnergyReport,
  type EnergyRow,
  energyReport,
  keyOf,
} from '../summary/energy-by-method.js';
import { DIFFERENCES, type Difference, type DifferenceId } from './differences.js';
import { placeOfSite, type SeenDifferences, type SeenSite } from './seen-differences.js';

/** One call or deployment, with its cost now and with all factors at their cap. */
export interface PortRecord extends EnergyRecord {
  /** Charged bytes, with the signature. */
  readonly bytes: number;
  /** Energy with the factor of every contract at its cap. */
  readonly cappedEnergy: bigint;
}

/** A line of the report's cost table: averages over successful transactions. */
export interface PortRow extends EnergyRow {
  readonly bytes: bigint;
  /** Energy bought at the run's price, without stake. */
  readonly energySun: PriceCases;
  /** Bytes bought, beyond the free ones. */
  readonly bytesSun: Sun;
}

/** Cost of Energy, by the factors of the contracts. */
export interface PriceCases {
  /** As in the run. */
  readonly asRun: Sun;
  readonly withoutFactor: Sun;
  readonly atCap: Sun;
}

export interface PortPrices {
  /** Of one Energy. */
  readonly energySun: Sun;
  /** Of one byte. */
  readonly byteSun: Sun;
  /** Cap of the energy factor, in 1/10,000. */
  readonly maxFactor: number;
  readonly maxFeeLimitSun: Sun;
}

/** A place in the code where a difference was executed or found. */
export interface FindingSite {
  /** Name from the artifact or the chain, else the first address. */
  readonly contract: string;
  /** The source function, or the called method. */
  readonly method?: string;
  readonly file?: string;
  readonly line?: number;
  /** The source line. */
  readonly text?: string;
  /** Offset in the code, if the line is unknown. */
  readonly pc?: number;
  /** Description, if it is not a place in a code. */
  readonly what?: string;
  /** False: the code can be reached, but this run did not execute it. */
  readonly executed: boolean;
  readonly times: number;
  readonly transactions: number;
  readonly calls: number;
}

export interface Finding extends Difference {
  readonly id: DifferenceId;
  readonly sites: readonly FindingSite[];
}

export interface PortReport {
  readonly portReport: 1;
  readonly prices: PortPrices;
  readonly transactions: number;
  /** Calls and estimates without a transaction; absent if unknown, as for a recording. */
  readonly calls?: number;
  readonly energy: Omit<EnergyReport, 'rows'> & { readonly rows: readonly PortRow[] };
  /** Most severe first. */
  readonly findings: readonly Finding[];
  /** Blocks that could not be analysed, and why. */
  readonly problems: readonly string[];
}

/** Differences of a transaction as a whole, not of its code. */
export interface OtherSite {
  readonly id: DifferenceId;
  readonly contract: string;
  readonly method?: string | undefined;
  readonly what: string;
  readonly times: number;
}

export interface Collected {
  readonly prices: PortPrices;
  readonly transactions: number;
  readonly calls: number | undefined;
  readonly records: readonly PortRecord[];
  readonly seen: SeenDifferences;
  readonly others: readonly OtherSite[];
  readonly problems: readonly string[];
}

export function portReport(collected: Collected, known: KnownContracts | undefined): PortReport {
  const { prices, transactions, calls, records, seen, others, problems } = collected;
  const sites = new Map<DifferenceId, FindingSite[]>();
  const add = (id: DifferenceId, site: FindingSite) => {
    const of = sites.get(id);
    if (of === undefined) sites.set(id, [site]);
    else of.push(site);
  };
  for (const [id, site] of sitesByPlace(seen, known)) add(id, site);
  for (const { id, contract, method, what, times } of others)
    add(id, {
      ...{ contract, ...(method !== undefined && { method }), what },
      ...{ executed: true, times, transactions: times, calls: 0 },
    });
  return {
    portReport: 1,
    prices,
    transactions,
    ...(calls !== undefined && { calls }),
    energy: energyOf(records, prices),
    findings: DIFFERENCES.flatMap((difference) => {
      const found = sites.get(difference.id);
      return found === undefined ? [] : [{ ...difference, sites: found.sort(byPlace) }];
    }),
    problems,
  };
}

/** Executed sites first; then by contract and place. */
function byPlace(a: FindingSite, b: FindingSite): number {
  if (a.executed !== b.executed) return a.executed ? -1 : 1;
  const [first, second] = [placeKey(a), placeKey(b)];
  return first < second ? -1 : first > second ? 1 : (a.line ?? a.pc ?? 0) - (b.line ?? b.pc ?? 0);
}

function placeKey({ contract, file = '', what = '' }: FindingSite): string {
  return `${contract}\n${file}\n${what}`;
}

/** Steps of one source line are one site, in all copies of the contract. */
function sitesByPlace(
  seen: SeenDifferences,
  known: KnownContracts | undefined,
): readonly (readonly [DifferenceId, FindingSite])[] {
  const groups = new Map<string, { readonly place: SitePlace; readonly sites: SeenSite[] }>();
  for (const site of seen.all()) {
    const place = placeOf(site, known);
    const key = [site.id, place.contract, place.file, place.line, place.pc].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { place, sites: [site] });
    else group.sites.push(site);
  }
  return [...groups.values()].map(({ place, sites }) => [(sites[0] as SeenSite).id, siteOf(place, sites, known)]);
}

type SitePlace = Pick<FindingSite, 'contract' | 'method' | 'file' | 'line' | 'text' | 'pc'>;

function placeOf(seen: SeenSite, known: KnownContracts | undefined): SitePlace {
  const { code, pc } = seen;
  const contract = contractLabel(code.bytes, code.isCreation, code.address, known);
  const place = placeOfSite(seen, known);
  if (place === undefined) return { contract, pc };
  const { function: method, ...where } = place;
  return { contract, ...where, ...(method !== undefined && { method }) };
}

function siteOf(place: SitePlace, sites: readonly SeenSite[], known: KnownContracts | undefined): FindingSite {
  const times = sites.reduce((sum, site) => sum + site.times, 0);
  // An execution counts once, even with several steps of the line.
  const runs = (kind: 'transactions' | 'calls') => new Set(sites.flatMap((site) => site[kind])).size;
  const method = place.method ?? methodsText(new Set(sites.flatMap((site) => methodsOf(site, known))));
  return {
    ...place,
    ...(method !== undefined && { method }),
    executed: times > 0,
    times,
    transactions: runs('transactions'),
    calls: runs('calls'),
  };
}

function methodsOf({ code, selectors }: SeenSite, known: KnownContracts | undefined): readonly string[] {
  if (code.isCreation) return ['constructor'];
  const abi = known?.byCode(code.bytes)?.abi;
  return [...selectors].map((selector) => {
    if (selector === '') return '(no data)';
    return functionOf(abi, selector)?.signature ?? `0x${selector}`;
  });
}

const MAX_METHODS = 3;

function methodsText(methods: ReadonlySet<string>): string | undefined {
  if (methods.size === 0) return undefined;
  const more = methods.size - MAX_METHODS;
  const shown = [...methods].slice(0, MAX_METHODS).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** `Token`; without a name, Ethereum's form of the address. */
export function contractLabel(
  code: Uint8Array,
  isCreation: boolean,
  address: Address,
  known: KnownContracts | undefined,
): string {
  const name = (isCreation ? known?.byInitCode(code) : known?.byCode(code))?.name ?? '';
  return name === '' ? ethereumAddress(address) : name;
}

export function ethereumAddress(address: Address): string {
  return `0x${address.slice(2)}`;
}

function energyOf(records: readonly PortRecord[], prices: PortPrices): PortReport['energy'] {
  const { rows, ...totals } = energyReport(records);
  const groups = new Map<string, PortRecord[]>();
  for (const record of records) {
    if (!record.succeeded) continue;
    const key = keyOf(record);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return { ...totals, rows: rows.map((row) => ({ ...row, ...costsOf(groups.get(keyOf(row)) ?? [], prices) })) };
}

function costsOf(
  group: readonly PortRecord[],
  { energySun: price, byteSun }: PortPrices,
): Pick<PortRow, 'bytes' | 'energySun' | 'bytesSun'> {
  const average = (value: (record: PortRecord) => bigint) =>
    averageOf(
      group.reduce((sum, record) => sum + value(record), 0n),
      BigInt(group.length),
    );
  const bytes = average((record) => BigInt(record.bytes));
  return {
    bytes,
    bytesSun: bytes * byteSun,
    energySun: {
      asRun: price * average(({ energy }) => energy),
      withoutFactor: price * average(({ energy, penalty }) => energy - penalty),
      atCap: price * average(({ cappedEnergy }) => cappedEnergy),
    },
  };
}
