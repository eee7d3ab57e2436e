/**
 * Metrics of one chain and of its requests, in a registry of their own: a process may have many chains. Loaded with
 * `--metrics`.
 */

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { dropped, refusal } from '../explanation/outcome/refusal.js';
import { resultName, typeName } from '../explanation/summary/summary.js';
import type { ChainObserver } from '../node/chain/observer.js';
import type { ControlObserver } from '../node/control.js';
import type { Node } from '../node/node.js';
import { COUNTERS, type Declaration, DURATION_BUCKETS, GAUGES, HISTOGRAMS } from './declarations.js';
import { processMetrics } from './process-metrics.js';

type Applied = Parameters<NonNullable<ChainObserver['blockApplied']>>[0]['transactions'][number];

/** Constant values of a node. */
export interface About {
  /** Version of Sunup. */
  readonly version: string;
  readonly poolSize: number;
}

export class ChainMetrics {
  readonly #registry = new Registry();
  readonly #counters = mapped(COUNTERS, (declared) => new Counter(this.#of(declared)));
  readonly #durations = mapped(
    HISTOGRAMS,
    (declared) => new Histogram({ ...this.#of(declared), buckets: DURATION_BUCKETS }),
  );

  /** Call it for every chain event from the first block on. */
  readonly observer: ChainObserver = {
    blockApplied: ({ transactions, epochs }) => {
      this.#counters.blocks.inc();
      this.#counters.epochs.inc(epochs);
      for (const transaction of transactions) this.#count(transaction);
    },
    emptyBlocksApplied: (first, last) => this.#counters.blocks.inc(last - first + 1),
    transactionPending: () => this.#counters.accepted.inc(),
    transactionsDropped: (all) => {
      for (const { reason } of all) this.#counters.dropped.inc({ code: dropped(reason).code });
    },
  };

  /** Of requests. A long rollback goes over several heights, and counts once. */
  readonly controls = {
    refused: (_, reason) => this.#counters.refused.inc({ code: refusal(reason).code }),
    snapshotReverted: () => this.#counters.reverts.inc(),
    branched: () => this.#counters.reverts.inc(),
  } satisfies ControlObserver;

  /** Call it for every request: its route or method, its outcome, its duration. */
  readonly answered = {
    http: (route: string, status: number, tookMs: number): void =>
      this.#durations.http.observe({ route, status }, tookMs / 1_000),
    jsonrpc: (method: string, succeeded: boolean, tookMs: number): void =>
      this.#durations.jsonrpc.observe({ method, result: succeeded ? 'ok' : 'error' }, tookMs / 1_000),
    grpc: (method: string, status: string, tookMs: number): void =>
      this.#durations.grpc.observe({ method, status }, tookMs / 1_000),
  };

  /** From now on, gauges of the chain are included. */
  show(node: Node, { version, poolSize }: About): void {
    const { chain } = node;
    const now: Readonly<Record<Exclude<keyof typeof GAUGES, 'info'>, () => number>> = {
      head: () => chain.headNumber,
      headTime: () => Number(chain.headTimeMs) / 1_000,
      solidified: () => chain.solidHeight,
      pending: () => chain.pool.size,
      poolLimit: () => poolSize,
      snapshots: () => node.snapshotHeights.size,
    };
    for (const [key, read] of Object.entries(now)) {
      new Gauge({
        ...this.#of(GAUGES[key as keyof typeof now]),
        collect() {
          this.set(read());
        },
      });
    }
    new Gauge(this.#of(GAUGES.info)).set({ version, node_version: chain.config.release }, 1);
    processMetrics();
  }

  /** In Prometheus' text format. */
  async page(): Promise<{ readonly contentType: string; readonly text: string }> {
    const { contentType } = this.#registry;
    return { contentType, text: `${await this.#registry.metrics()}${await processMetrics().metrics()}` };
  }

  #of({ name, help, labels }: Declaration) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }

  #count({ transaction, contractRet, charges, info }: Applied): void {
    const { transactions, energy, bandwidth, fees, penalty } = this.#counters;
    transactions.inc({ type: typeName(transaction.contractType), result: resultName(contractRet) });
    for (const { resource, source, reason, amount, units } of charges) {
      const used = resource === 'coin' ? reason : resource;
      const count = Number(resource === 'coin' ? (units ?? 0n) : amount);
      if (used === 'energy') energy.inc({ source }, count);
      else if (used === 'bandwidth') bandwidth.inc({ source }, count);
      if (resource === 'coin') fees.inc({ reason, source }, Number(amount));
    }
    penalty.inc(Number(info.receipt?.energy_penalty_total ?? 0n));
  }
}

function mapped<Key extends string, Made>(
  declared: Readonly<Record<Key, Declaration>>,
  make: (declaration: Declaration) => Made,
): Readonly<Record<Key, Made>> {
  return Object.fromEntries(
    Object.entries<Declaration>(declared).map(([key, declaration]) => [key, make(declaration)]),
  ) as Record<Key, Made>;
}
