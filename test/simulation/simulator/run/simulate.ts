/** A run of the simulator: worlds one after another on several workers, their results in the order of seeds. */

import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { InvariantName } from '../invariants/invariants.js';
import type { Order } from './orders.js';
import type { Failure, Life } from './steps.js';

/** The steps of a world. A failure is found again by one world, so worlds are short. */
export const STEPS_OF_A_WORLD = 400;

/** A world takes seconds; more than this only work without an end takes, also on a loaded machine. */
const SILENT_MS = 180_000;

/** How worlds of a real node differ: a node's process takes its time. */
const REAL = { stepsOfAWorld: 150, silentMs: 1_800_000 };

export interface RunOptions {
  readonly seed: number;
  readonly steps: number;
  /** Instead of `steps`. */
  readonly minutes: number | undefined;
  readonly workers: number;
  /** Of one world only these steps. */
  readonly only: readonly number[] | undefined;
  readonly shrinks: boolean;
  /** The command whose processes are the nodes; absent: nodes are simulated. */
  readonly command?: string | undefined;
  readonly say: (line: string) => void;
}

/** @param file the bundled simulator @returns the exit code */
export async function simulate(file: string, options: RunOptions): Promise<number> {
  const { seed, steps, minutes, workers, only, shrinks, command, say } = options;
  const { stepsOfAWorld, silentMs } =
    command === undefined ? { stepsOfAWorld: STEPS_OF_A_WORLD, silentMs: SILENT_MS } : REAL;
  const sinceMs = Date.now();
  const worlds = minutes === undefined ? (only ? 1 : Math.ceil(steps / stepsOfAWorld)) : Number.POSITIVE_INFINITY;
  const stepsOf = (world: number) =>
    minutes === undefined ? Math.min(stepsOfAWorld, steps - world * stepsOfAWorld) : stepsOfAWorld;
  const lives: Life[] = [];
  let next = 0;
  let failure: Failure | undefined;
  const isOver = () =>
    next >= worlds || failure !== undefined || (minutes !== undefined && Date.now() - sinceMs > minutes * 60_000);
  await Promise.all(
    Array.from({ length: Math.min(workers, worlds) }, async () => {
      let worker = new Worker(file, command);
      try {
        while (!isOver()) {
          const world = next++;
          const order = { do: 'live', seed: seed + world, steps: stepsOf(world), only } as const;
          const life = (await worker.ask<Life>(order, silentMs)) ?? hangingLife(seed + world, silentMs);
          if (life.digest === '') worker = new Worker(file, command);
          lives[world] = life;
          // Of several failures the first seed's counts, so that the result does not depend on the workers.
          if (life.failure !== undefined && (failure === undefined || life.failure.seed < failure.seed))
            failure = life.failure;
        }
      } finally {
        worker.end();
      }
    }),
  );
  report(lives, (Date.now() - sinceMs) / 1_000, say);
  if (failure !== undefined) {
    say(`failed: ${failure.invariant}`);
    say(`seed ${failure.seed}, step ${failure.step} (${failure.action})`);
    say(failure.what);
    const again = `npm run simulate -- ${command === undefined ? '' : '--real '}--seed ${failure.seed}`;
    if (shrinks && failure.step >= 0) {
      const worker = new Worker(file, command);
      const { seed: of, step, invariant } = failure;
      const left = (await worker.ask<readonly number[]>({ do: 'shrink', seed: of, step, invariant })) ?? [];
      worker.end();
      if (left.length > 0) {
        say(`shortest history: ${left.length} steps`);
        say(`again: ${again} --only ${left.join(',')}`);
      } else say(`the same steps did not fail again, so the failure depends on timing: ${again} --steps ${step + 1}`);
    } else say(`again: ${again} --steps ${failure.step < 0 ? stepsOfAWorld : failure.step + 1}`);
  }
  // What real nodes do depends on the machine, too.
  if (command !== undefined) return failure === undefined ? 0 : 1;
  const digest = createHash('sha256');
  for (const life of lives) digest.update(life?.digest ?? '');
  say(`digest ${digest.digest('hex')}`);
  return failure === undefined ? 0 : 1;
}

/** A world that works without an end: how far it came, nobody knows. */
function hangingLife(seed: number, silentMs: number): Life {
  const what = `the world did not end within ${silentMs / 1_000} s of real time`;
  const counts = { steps: new Map(), faults: new Map(), requests: 0, refusals: 0, blocks: 0 };
  const invariant: InvariantName = 'work comes to an end';
  return {
    digest: '',
    failure: { seed, step: -1, action: 'unknown', invariant, what },
    counts,
    chainMs: 0,
    machineMs: 0,
  };
}

function report(lives: readonly Life[], seconds: number, say: (line: string) => void): void {
  const sum = (of: (life: Life) => number) => lives.reduce((total, life) => total + of(life), 0);
  const merged = (of: (life: Life) => ReadonlyMap<string, number>) => {
    const all = new Map<string, number>();
    for (const life of lives) for (const [name, count] of of(life)) all.set(name, (all.get(name) ?? 0) + count);
    return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  const steps = merged(({ counts }) => counts.steps).reduce((total, [, count]) => total + count, 0);
  say(`${lives.length} worlds, ${steps} steps, ${Math.round(steps / seconds)} a second`);
  say(
    `${sum(({ counts }) => counts.requests)} requests, ${sum(({ counts }) => counts.refusals)} refused, ${sum(({ counts }) => counts.blocks)} blocks announced`,
  );
  if (lives.some(({ machineMs }) => machineMs > 0))
    say(
      `simulated hours: ${hours(sum(({ chainMs }) => chainMs))} of chains, ${hours(sum(({ machineMs }) => machineMs))} of machines`,
    );
  for (const [name, count] of merged(({ counts }) => counts.faults)) say(`  ${name}: ${count}`);
}

function hours(ms: number): string {
  return (ms / 3_600_000).toFixed(1);
}

class Worker {
  readonly #process: ChildProcess;

  /** @param command of real nodes */
  constructor(
    file: string,
    private readonly command: string | undefined,
  ) {
    this.#process = fork(file, command === undefined ? [] : [command], {
      execArgv: ['--enable-source-maps'],
      serialization: 'advanced',
    });
  }

  /** @param silentMs after so much real time the process is ended, and the answer is undefined */
  ask<Answer>(order: Order, silentMs?: number): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#process.removeAllListeners('exit');
          // Nodes in processes of their own are ended by their worker; a simulated one may never look at a signal.
          this.#process.kill(this.command === undefined ? 'SIGKILL' : 'SIGTERM');
          resolve(undefined);
        },
        silentMs ?? 2 ** 31 - 1,
      );
      const ended = (code: number | null) =>
        reject(new Error(`a worker ended with code ${code} at ${JSON.stringify(order)}`));
      this.#process.once('exit', ended);
      this.#process.once('message', (answer) => {
        clearTimeout(timer);
        this.#process.off('exit', ended);
        resolve(answer as Answer);
      });
      this.#process.send(order);
    });
  }

  end(): void {
    this.#process.kill();
  }
}
