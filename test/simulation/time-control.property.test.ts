/**
 * Time, mining and impersonation are part of a snapshot, and blocks with transactions that nobody signed come to the same
 * chain when they are applied again.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { JavaException } from '../../src/errors/java-exception.js';
import { OperationError } from '../../src/errors/operation-error.js';
import { blockOutline } from '../../src/ledger/blocks/blocks.js';
import { firstSlotFrom, scheduledWitness, slotTimeMs } from '../../src/ledger/schedule/schedule.js';
import type { MiningMode } from '../../src/node/clock/mining-settings.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { allAddresses, portrait } from './portrait.js';
import { SimulatedChain } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-time-control-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Epochs of 100 slots, so that jumps end some. */
const parameters = { MAINTENANCE_TIME_INTERVAL: 300_000 };

const account = fc.integer({ min: 0, max: 2 });
const step = fc.oneof(
  fc.record({ unsigned: account }),
  fc.record({ unsigned: account }),
  fc.record({ impersonate: account }),
  fc.record({ stop: account }),
  fc.record({ everybody: fc.boolean() }),
  fc.record({ increase: fc.integer({ min: 0, max: 1_000_000 }) }),
  fc.record({ next: fc.integer({ min: 1, max: 700_000 }) }),
  fc.record({ apart: fc.option(fc.integer({ min: 1, max: 9_000 })) }),
  fc.record({ mode: fc.constantFrom<MiningMode>('instant', 'interval', 'manual') }),
  fc.record({ witness: fc.boolean() }),
  fc.record({ lag: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ mine: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ epochs: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ snapshot: fc.constant(true) }),
  fc.record({ revert: fc.nat(3) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function seen(chain: SimulatedChain): Promise<string> {
  const { node } = chain;
  const settings = JSON.stringify(node.producer.settings, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  const impersonated = JSON.stringify(node.operations.impersonated());
  return [settings, impersonated, node.chain.confirmedHeight, await portrait(chain, await allAddresses(chain))].join(
    '\n',
  );
}

/** Whoever is not impersonated is refused: that is an answer too. */
function sendUnsigned(chain: SimulatedChain, from: number): boolean {
  try {
    chain.send(
      ContractType.TransferContract,
      { owner_address: chain.address(from), to_address: chain.address(from + 1), amount: 5n },
      { keys: [] },
    );
    return true;
  } catch (error) {
    if (error instanceof JavaException) return false;
    throw error;
  }
}

async function perform(chain: SimulatedChain, one: Step, kept: [string, string][]): Promise<void> {
  const { node } = chain;
  const { operations } = node;
  if ('unsigned' in one) {
    const { accounts, everybody } = operations.impersonated();
    expect(sendUnsigned(chain, one.unsigned)).toBe(everybody || accounts.includes(chain.address(one.unsigned)));
  } else if ('impersonate' in one) operations.impersonate([chain.address(one.impersonate)]);
  else if ('stop' in one) operations.stopImpersonating(chain.address(one.stop));
  else if ('everybody' in one) operations.impersonateEverybody(one.everybody);
  else if ('increase' in one) operations.increaseTime(BigInt(one.increase));
  else if ('next' in one) operations.setNextBlockTimestamp(node.chain.headTimeMs + BigInt(one.next));
  else if ('apart' in one) operations.setTimestampStep(one.apart === null ? undefined : BigInt(one.apart));
  else if ('mode' in one) operations.setMining(one.mode);
  else if ('witness' in one) operations.setNextWitness(chain.witness(one.witness ? 1 : 0));
  else if ('lag' in one) node.chain.solidityLag = one.lag;
  else if ('mine' in one) await node.mining.mine({ blocks: one.mine });
  else if ('epochs' in one) await node.mining.endEpochs({ epochs: one.epochs, inTime: one.epochs > 1 });
  else if ('snapshot' in one) kept.push([node.snapshot(), await seen(chain)]);
  else if (kept.length > 0) {
    const [id, before] = kept.splice(Math.min(one.revert, kept.length - 1))[0]!;
    node.revert(id);
    expect(await seen(chain)).toBe(before);
  }
}

it('goes back with a snapshot, and comes to the same chain when it is applied again', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const directory = path.join(folder, `chain-${run++}`);
      const store = new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
      const chain = await SimulatedChain.open({ store, parameters, witnessVotes: [2, 1], mining: 'instant' });
      chain.node.mine(2);
      const kept: [string, string][] = [];
      for (const one of steps) {
        try {
          await perform(chain, one, kept);
        } catch (error) {
          if (!(error instanceof OperationError)) throw error;
        }
      }
      await chain.close();
      expect(await checkDirectory(directory, { replay: true })).toMatchObject({ replayed: true, findings: [] });
    }),
    { numRuns: 25 },
  );
});

const passing = fc.oneof(
  fc.record({ advanceMs: fc.integer({ min: 0, max: 700 }).map((seconds) => seconds * 1_000) }),
  fc.record({ advanceMs: fc.integer({ min: 0, max: 700_000 }) }),
  fc.record({ increase: fc.integer({ min: 0, max: 300 }).map((seconds) => seconds * 1_000) }),
  fc.record({ next: fc.integer({ min: 1, max: 300 }).map((seconds) => seconds * 1_000) }),
  fc.record({ apart: fc.constantFrom(null, 1_000, 3_000, 9_000, 12_345) }),
  fc.record({ mode: fc.constantFrom<MiningMode>('instant', 'interval', 'manual') }),
  fc.record({ mine: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ epochs: fc.integer({ min: 1, max: 2 }) }),
);

/** Blocks that have the time of a slot. */
function expectScheduled(chain: SimulatedChain): number {
  let onSlots = 0;
  for (let number = 3; number <= chain.node.chain.headNumber; number++) {
    const { timestamp, witness_address } = blockOutline(chain.ledger, number)!.header.raw_data!;
    const before = chain.node.chain.ledgerAt(number - 1);
    const slot = firstSlotFrom(before, timestamp);
    if (slotTimeMs(before, slot) !== timestamp) continue;
    expect(witness_address, `block ${number}`).toBe(scheduledWitness(before, slot));
    onSlots++;
  }
  return onSlots;
}

it('has every block that lies on a slot made by the witness of the slot, on a chain that is not strict too', async () => {
  let onSlots = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(passing, { minLength: 3, maxLength: 15 }), async (steps) => {
      const chain = await SimulatedChain.open({ parameters, witnessVotes: [3, 2, 1] });
      chain.node.mine(2);
      chain.node.advance(300_000n);
      chain.node.chain.relaxConsensus();
      for (const one of steps) {
        try {
          if ('advanceMs' in one) await chain.node.mining.mine(one);
          else await perform(chain, one, []);
        } catch (error) {
          if (!(error instanceof OperationError)) throw error;
        }
      }
      onSlots += expectScheduled(chain);
      await chain.close();
    }),
    { numRuns: 40 },
  );
  expect(onSlots).toBeGreaterThan(100);
});

it('keeps what was sent for an account that is impersonated no more', async () => {
  const chain = await SimulatedChain.open({ mining: 'manual' });
  const { operations } = chain.node;
  operations.impersonate([chain.address(0)]);
  sendUnsigned(chain, 0);
  operations.stopImpersonating(chain.address(0));
  expect(chain.node.chain.pool.size).toBe(1);
  expect(sendUnsigned(chain, 0)).toBe(false);
  chain.node.mine(1);
  expect(chain.node.chain.pool.size).toBe(0);
  expect(chain.ledger.state.tables.accounts.get(chain.address(1))?.balance).toBe(1_000_000_000_000n + 5n);
  await chain.close();
});
