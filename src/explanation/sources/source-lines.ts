/**
 * The Energy of a transaction by source line, and the stack trace of a failure, as plain data from
 * `source-spending.ts`. All lines plus all Energy without a line add up to the Energy of the receipt.
 */

import type { Place } from '../../artifacts/code-places.js';
import type { Address } from '../../primitives/ids.js';
import { allFrames, type FrameRecord, failed } from '../../tracing/frames.js';
import type { ContractRef, SourceSite } from '../model/explanation.js';
import type { SourceSpending, Spent, Track, UnplacedEnergy } from './source-spending.js';

export interface SourceLines {
  /** Files with Energy, ordered by path. */
  readonly files: readonly SourceFile[];
  /** Energy without a line, with the reason. */
  readonly unattributed: readonly UnattributedEnergy[];
  /** Energy of all lines and without a line: `energy_usage_total`. */
  readonly total: bigint;
}

export interface SourceFile {
  /** The compiler's path: `contracts/Token.sol`. */
  readonly path: string;
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Energy of its steps and of the precompiled contracts that they call, with penalty; without called contracts. */
  readonly energy: bigint;
  readonly penalty: bigint;
}

export interface UnattributedEnergy {
  /**
   * `no-artifact`: no artifact with a source map has the code of the contract. `no-source`: the source is missing, or
   * is not the compiled one. `generated`: compiler-generated code of no source; `contract`: of a contract as a whole.
   * `deposit`: 200 for each byte of stored code. `forfeited`: unused Energy that exceptions consumed.
   */
  readonly why: UnplacedEnergy['why'] | 'deposit' | 'forfeited';
  readonly contract?: ContractRef;
  readonly path?: string;
  readonly energy: bigint;
  readonly penalty: bigint;
}

/** @param nameOf returns the name of a contract */
export function sourceLines(
  spending: SourceSpending,
  top: FrameRecord,
  nameOf: (address: Address) => ContractRef,
): SourceLines {
  const files = [...spending.lines]
    .map(([source, { path, lines }]): SourceFile => {
      const ordered = [...lines].sort(([a], [b]) => a - b);
      return {
        path,
        lines: ordered.map(([line, spent]) => ({ line, text: source.lineText(line), ...amounts(spent) })),
      };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const unattributed: UnattributedEnergy[] = [...spending.unplaced.values()].map(
    ({ why, codeAddress, path, ...spent }) => ({
      why,
      ...(path === undefined ? { contract: nameOf(codeAddress) } : { path }),
      ...amounts(spent),
    }),
  );
  for (const why of ['deposit', 'forfeited'] as const) {
    const energy = [...allFrames(top)].reduce((sum, frame) => sum + frame.energy[why], 0);
    if (energy > 0) unattributed.push({ why, ...amounts({ energy, penalty: 0 }) });
  }
  const all = [...files.flatMap(({ lines }) => lines), ...unattributed];
  return { files, unattributed, total: all.reduce((sum, { energy }) => sum + energy, 0n) };
}

function amounts({ energy, penalty }: Spent): Pick<SourceLine, 'energy' | 'penalty'> {
  return { energy: BigInt(energy), penalty: BigInt(penalty) };
}

/** Longer stacks are cut: they are recursions. */
const MAX_SITES = 100;

/**
 * The stack trace of a failure, innermost first. Empty if nothing failed.
 *
 * A failed call is followed if its caller ended because of it: with the same data, or with an exception.
 */
export function failureSites(
  { tracks }: SourceSpending,
  top: FrameRecord,
  nameOf: (address: Address) => ContractRef,
): readonly SourceSite[] {
  if (!failed(top)) return [];
  const trackOf = new Map([...allFrames(top)].map((frame, at) => [frame, tracks[at] as Track]));
  let sites = sitesOf(trackOf.get(top) as Track, 'end', nameOf);
  let below: readonly SourceSite[] = [];
  for (let frame = top, child = failedFor(top); child !== undefined; frame = child, child = failedFor(child)) {
    below = [...sitesOf(trackOf.get(frame) as Track, 'atFailedCall', nameOf), ...below];
    sites = [...sitesOf(trackOf.get(child) as Track, 'end', nameOf), ...below];
  }
  return sites.slice(0, MAX_SITES);
}

function failedFor(frame: FrameRecord): FrameRecord | undefined {
  const last = frame.children.at(-1);
  if (last === undefined || !failed(last)) return undefined;
  return last.exception !== undefined || Buffer.compare(last.output, frame.output) === 0 ? last : undefined;
}

function sitesOf(
  track: Track,
  moment: 'end' | 'atFailedCall',
  nameOf: (address: Address) => ContractRef,
): readonly SourceSite[] {
  const { codeAddress, contract, [moment]: places } = track;
  if (places.length > 0) return places.map(siteOf);
  const { name, address } = nameOf(codeAddress);
  return [{ contract: contract ?? (name === '' ? address : name) }];
}

export function siteOf({ path, line, column, within }: Place): SourceSite {
  const isContract = within?.kind === 'contract';
  return {
    contract: (isContract ? within.name : within?.contract) ?? '',
    ...(within !== undefined && !isContract && { function: within.name }),
    ...{ path, line, column },
  };
}
