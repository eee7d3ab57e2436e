/**
 * Traffic: senders that repeat steps at their own moments. An arrival is in the first slot at or after its moment.
 * Arrivals of one slot are in the order of their moments; equal moments are ordered by sender and number.
 */

import TinyQueue from 'tinyqueue';
import * as v from 'valibot';
import { ownValue } from '../../primitives/outside-names.js';
import { StepError } from '../actions/step-error.js';
import type { StepRun } from '../actions/step-run.js';
import { account, span } from '../format/fields.js';
import type { Random } from '../random.js';
import { type StepKind, step } from './step-kind.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  second: 1_000,
  m: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

const RATE = 'rate of each sender: 2/s, 5 per minute, 10 per hour, 0.5 per day';
/** Mean time between two arrivals of a sender in ms. */
const rate = v.pipe(
  v.string(RATE),
  v.rawTransform<string, number>(({ dataset, addIssue, NEVER }) => {
    const [, often = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*(?:\/|per)\s*([a-z]+)$/.exec(dataset.value.trim()) ?? [];
    const meanMs = (ownValue(UNIT_MS, unit) ?? 0) / Number(often);
    if (Number.isFinite(meanMs) && meanMs > 0) return meanMs;
    addIssue({ message: RATE });
    return NEVER;
  }),
  v.description(RATE),
);

const ARRIVALS = 'poisson (independent of each other), uniform (one at a random moment of each interval) or constant';
const arrivals = v.optional(
  v.pipe(v.picklist(['poisson', 'uniform', 'constant'], ARRIVALS), v.description(ARRIVALS)),
  'poisson',
);

/** Moments of one sender, in ms from the start. */
const PROCESSES: Readonly<
  Record<'poisson' | 'uniform' | 'constant', (lastMs: number, number: number, meanMs: number, random: Random) => number>
> = {
  poisson: (lastMs, _, meanMs, random) => lastMs + random.exponential() * meanMs,
  uniform: (_, number, meanMs, random) => (number + random.fraction()) * meanMs,
  constant: (_, number, meanMs) => (number + 1) * meanMs,
};

const SENDERS = `a list of accounts, or the name of a group; \${sender} is the present one in the inner steps`;
const senders = v.optional(v.pipe(v.union([v.string(), v.array(account)], SENDERS), v.description(SENDERS)));

interface Arrival {
  readonly atMs: number;
  readonly sender: number;
  /** Index of the arrival, for this sender. */
  readonly number: number;
}

/** Merges the arrivals of all senders in order. Keeps one arrival for each sender in memory. */
function* arrivalsOf(
  count: number,
  forMs: number,
  next: (last: Arrival | undefined, sender: number) => number,
): Iterable<Arrival> {
  const queue = new TinyQueue<Arrival>([], (a, b) => a.atMs - b.atMs || a.sender - b.sender || a.number - b.number);
  const push = (last: Arrival | undefined, sender: number) => {
    const atMs = next(last, sender);
    if (atMs < forMs) queue.push({ atMs, sender, number: last === undefined ? 0 : last.number + 1 });
  };
  for (let sender = 0; sender < count; sender++) push(undefined, sender);
  for (let first = queue.pop(); first !== undefined; first = queue.pop()) {
    yield first;
    push(first, first.sender);
  }
}

function namesOf(given: string | readonly string[] | undefined, run: StepRun): readonly string[] {
  if (given === undefined) return [''];
  if (typeof given !== 'string') return given;
  const size = run.groups.get(given);
  if (size === undefined) return [given];
  return Array.from({ length: size }, (_, at) => `${given}.${at}`);
}

export const trafficSteps: readonly StepKind[] = [
  step({
    name: 'traffic',
    about: 'each sender runs the inner steps at a rate for a duration; the seed determines the times',
    example: {
      for: '1h',
      rate: '10 per hour',
      senders: 'customers',
      steps: [{ transfer: { from: `\${sender}`, to: 'alice', amount: { random: [1, 1_000] } } }],
    },
    fields: {
      for: span,
      rate,
      arrivals,
      senders,
      steps: v.pipe(v.array(v.unknown()), v.description('the steps of each arrival; none of them may advance time')),
    },
    nested: { field: 'steps', counters: () => ['i', 'sender'] },
    run: function* ({ for: forMs, rate: meanMs, arrivals: kind, senders: given }, run, part) {
      if (run.isFilling) throw new StepError('traffic takes time, and time cannot pass within a block');
      const names = namesOf(given, run);
      // The expected number; the real one differs slightly with the random moments.
      run.goRound(Math.ceil((forMs / meanMs) * names.length));
      const startMs = run.nowMs;
      const random = run.randomOf(part);
      const nextOf = PROCESSES[kind];
      const all = arrivalsOf(names.length, forMs, (last) =>
        nextOf(last?.atMs ?? 0, last === undefined ? 0 : last.number + 1, meanMs, random),
      );
      const iterator = all[Symbol.iterator]();
      let i = 0;
      let next = iterator.next();
      while (!next.done) {
        run.done(next.value.atMs / forMs);
        const slotMs = yield* run.comeTo(startMs + BigInt(Math.ceil(next.value.atMs)));
        const inSlot = function* () {
          for (; !next.done && startMs + BigInt(Math.ceil(next.value.atMs)) <= slotMs; next = iterator.next()) {
            const sender = names[next.value.sender] as string;
            yield* run.within('sender', sender).within('i', i++).each(part.steps);
          }
        };
        yield* run.fillBlock(inSlot());
      }
      run.done(0);
      yield* run.passTo(startMs + BigInt(forMs));
    },
  }),
];
