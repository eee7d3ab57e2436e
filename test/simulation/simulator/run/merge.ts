/** Joins the results of the parts of a run. */

import * as v from 'valibot';
import { RUN_RESULT, type RunResult, sum, worldsOf } from './result.js';

/** A mistake with the given files, as one sentence. */
export class ResultError extends Error {
  override readonly name = 'ResultError';
}

/** @param text what `npm run simulate -- --json FILE` wrote @throws ResultError */
export function readResult(text: string, file: string): RunResult {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new ResultError(`${file} is no JSON: ${(error as Error).message}`);
  }
  const result = v.safeParse(RUN_RESULT, read);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new ResultError(`${file} is no result of the simulator: ${v.getDotPath(issue) ?? ''} ${issue.message}`);
}

interface Part {
  /** The file name. */
  readonly name: string;
  readonly result: RunResult;
}

/** @returns the whole run, and what is missing from it @throws ResultError for parts of different runs */
export function mergeResults(parts: readonly Part[]): {
  readonly result: RunResult;
  readonly missing: readonly string[];
} {
  const [first] = parts;
  if (first === undefined) throw new ResultError('no results to merge');
  const { commit, plan } = first.result;
  const worlds = new Map<number, string>();
  const byShard = new Map<number, Part>();
  for (const part of parts) {
    const { name, result } = part;
    if (result.commit !== commit)
      throw new ResultError(`${name} is of commit ${result.commit}, ${first.name} of ${commit}`);
    if (JSON.stringify([result.plan, result.shard?.of]) !== JSON.stringify([plan, first.result.shard?.of]))
      throw new ResultError(`${name} belongs to another run than ${first.name}: its seeds or its parts differ`);
    for (const { seed, digest } of result.worlds) {
      const known = worlds.get(seed) ?? digest;
      if (known !== digest)
        throw new ResultError(`seed ${seed} has two digests: ${name} has ${digest}, another part has ${known}`);
      worlds.set(seed, digest);
    }
    // Of a part that ran twice, the longer result counts: each world once.
    const at = result.shard?.part ?? 1;
    const other = byShard.get(at);
    if (other === undefined || other.result.worlds.length < result.worlds.length) byShard.set(at, part);
  }
  const used = [...byShard.values()].map(({ result }) => result);
  const result: RunResult = {
    ...{ simulation: 1, commit, plan },
    began: used.map(({ began }) => began).sort()[0] as string,
    worlds: [...worlds].sort(([a], [b]) => a - b).map(([seed, digest]) => ({ seed, digest })),
    totals: sum(used.map(({ totals }) => totals)),
    failures: used.flatMap(({ failures }) => failures).sort((a, b) => a.seed - b.seed),
  };
  return { result, missing: missingOf(result, byShard, first.result.shard?.of ?? 1) };
}

/** A sentence for each part whose worlds are not all there: those up to the first failure. */
function missingOf(
  { plan, worlds, failures: [failure] }: RunResult,
  parts: ReadonlyMap<number, Part>,
  of: number,
): readonly string[] {
  const there = new Set(worlds.map(({ seed }) => seed));
  const planned = worldsOf(plan) ?? 0;
  return Array.from({ length: of }, (_, at) => at + 1).flatMap((part) => {
    const name = parts.get(part)?.name;
    if (name === undefined) return [`part ${part} of ${of} is missing: run it with --shard ${part}/${of}`];
    for (let world = part - 1; world < planned; world += of) {
      const seed = plan.seed + world;
      if (failure !== undefined && seed > failure.seed) break;
      if (!there.has(seed)) return [`${name} was stopped before seed ${seed}: run that part again`];
    }
    return [];
  });
}
