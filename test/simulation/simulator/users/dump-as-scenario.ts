/**
 * A dump is a scenario, too: it runs on a chain of its own, block by block with the rules, and ends at the same block. The
 * result of each transaction is what the node explains of it.
 */

import { gunzipSync } from 'node:zlib';
import { readScenario } from '../../../../src/scenario/reader/read-scenario.js';
import type { TransactionResult } from '../../../../src/scenario/results/result.js';
import { type RunTotals, Totals } from '../../../../src/scenario/results/totals.js';
import { runScenario } from '../../../../src/scenario/run/run.js';
import { isStored } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import { explained } from './explained.js';
import type { Host, User } from './user.js';

const NAME = 'a dump that runs as a scenario is the same chain';
/** So many results are compared with explanations at a time. */
const COMPARED = 8;

interface Run {
  readonly headId: string;
  readonly results: readonly TransactionResult[];
  readonly totals: RunTotals;
}

async function runDump({ world, asker }: Host): Promise<Run | undefined> {
  let run: Run | undefined;
  await asker.library(
    'run the dump',
    async () => {
      const text = gunzipSync(await world.devnet.dump()).toString();
      const results: TransactionResult[] = [];
      const running = runScenario(readScenario(text, 'dump.chain'), { artifacts: new Map() });
      let next = await running.next();
      const totals = new Totals();
      for (; next.done !== true; next = await running.next()) {
        totals.add(next.value);
        if (next.value.kind === 'transaction') results.push(next.value);
      }
      const { digest, head } = next.value;
      run = { headId: head.id, results, totals: totals.get() };
      return [digest, head.id];
    },
    { usesThreads: true },
  );
  return run;
}

export const runTheDump: User = async (host) => {
  const { world } = host;
  // A fork needs its network for rows that the dump does not have.
  if (world.shape.isFork || world.diskFails || world.miningMode === 'interval') return;
  world.disk.slowMs = 0;
  if (!(await isStored(world)) || !world.isRunning) return;
  const { headId } = world.node.chain;
  const run = await runDump(host);
  if (run === undefined || !world.isRunning || world.node.chain.headId !== headId) return;
  if (run.headId !== headId) throw new Violation(NAME, `the chain ends at block ${headId}, its run at ${run.headId}`);
  requireTotals(run);
  const { choices } = world;
  const inBlocks = run.results.filter(({ block }) => block !== undefined);
  for (let i = 0; i < COMPARED && inBlocks.length > 0 && world.isRunning; i++)
    await compare(host, choices.of(inBlocks), headId);
};

/** Added up again from all results: how many transactions each account has paid for, and what. */
function requireTotals({ results, totals }: Run): void {
  const payers = new Map<string, { readonly paidFor: Set<number>; sun: bigint }>();
  for (const { n, paid } of results)
    for (const { payer, sun } of paid) {
      const one = payers.get(payer) ?? { paidFor: new Set(), sun: 0n };
      one.sun += sun;
      payers.set(payer, { ...one, paidFor: one.paidFor.add(n) });
    }
  const expected = Array.from(payers, ([payer, { paidFor, sun }]) => `${payer} ${paidFor.size} ${sun}`).sort();
  const found = totals.payers.map(({ payer, transactions, sun }) => `${payer} ${transactions} ${sun}`).sort();
  const wrong = found.find((line, i) => line !== expected[i]) ?? expected[found.length];
  if (wrong !== undefined) throw new Violation(NAME, `its totals are ${found}, by its results ${expected}`);
  const fees = results.reduce((total, { feeSun }) => total + feeSun, 0n);
  if (totals.transactions !== results.length || totals.feeSun !== fees)
    throw new Violation(
      NAME,
      `${results.length} transactions paid ${fees} sun, its totals are ${totals.transactions}, ${totals.feeSun}`,
    );
}

async function compare(host: Host, result: TransactionResult, headId: string): Promise<void> {
  const { world } = host;
  const explanation = await explained(host, result.txid);
  if (explanation === undefined || !world.isRunning || world.node.chain.headId !== headId) return;
  const { type, outcome, energy, charges } = explanation;
  const said = [
    ...[type, outcome.result, Number(energy?.penalty ?? 0)],
    ...charges.map(({ resource, reason, source, amount, units = 0 }) =>
      resource === 'coin' ? `${reason} ${source} ${units} ${amount}` : `${reason} ${source} ${amount} 0`,
    ),
  ];
  const ran = [
    ...[result.type, result.outcome, Number(result.energy?.penalty ?? 0n)],
    ...result.paid.map(({ reason, source, units, sun }) => `${reason} ${source} ${units} ${sun}`),
  ];
  if (said.join('\n') !== ran.join('\n'))
    throw new Violation(NAME, `${result.txid} of block ${result.block}: the node explains ${said}, its run has ${ran}`);
}
