/** Loops that Energy alone would allow to run for a long time: they are stopped at the same step on every machine. */

import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import type { WallClock } from '../../src/platform/clock.js';

/** JUMPDEST PUSH1 0 JUMP, and a constructor that returns it. */
const LOOP = '6004600c60003960046000f35b600056';
const FEE_LIMIT = 1_000_000_000;

async function runLoop(vmLimitMs: number, energyFactor = 0) {
  await using devnet = await createDevnet({ vmLimitMs });
  const [{ address, privateKey }] = devnet.accounts as [(typeof devnet.accounts)[0]];
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey });
  const { transactionBuilder, trx } = tronWeb;
  const deployment = await transactionBuilder.createSmartContract(
    { abi: [], bytecode: LOOP, feeLimit: FEE_LIMIT, name: 'Loop' } as never,
    address,
  );
  await trx.sendRawTransaction(await trx.sign(deployment));
  const contract = (deployment as unknown as { contract_address: string }).contract_address;
  await devnet.setContractEnergy(contract, { energyFactor });
  const { transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    'run()',
    { feeLimit: FEE_LIMIT },
    [],
    address,
  );
  const sent = await trx.sendRawTransaction(await trx.sign(transaction));
  const explained = energyFactor > 0 ? await devnet.explain(transaction.txID) : undefined;
  return { sent, info: await trx.getTransactionInfo(transaction.txID), energy: explained?.energy };
}

test('ends with OUT_OF_TIME at the limit, and all its Energy is charged', async () => {
  const { sent, info } = await runLoop(1);
  expect(sent).toMatchObject({ result: true });
  expect(info).toMatchObject({
    result: 'FAILED',
    resMessage: Buffer.from('Already Time Out').toString('hex'),
    receipt: { result: 'OUT_OF_TIME', energy_usage_total: 10_000_000, energy_fee: FEE_LIMIT },
  });
});

test('has no penalty after OUT_OF_TIME: the producing node does not run it a second time', async () => {
  const { info, energy } = await runLoop(1, 10_000);
  expect(info.receipt).toMatchObject({ result: 'OUT_OF_TIME', energy_usage_total: 10_000_000 });
  const [contract] = energy!.contracts;
  expect(contract!.penalty).toBeGreaterThan(0);
  expect(energy).toMatchObject({ penalty: 0n, unreportedPenalty: contract!.penalty });
  expect(info.receipt).not.toHaveProperty('energy_penalty_total');
  const enough = await runLoop(10_000, 10_000);
  expect(enough.info.receipt).toMatchObject({ result: 'OUT_OF_ENERGY', energy_penalty_total: expect.any(Number) });
  expect(enough.energy).not.toHaveProperty('unreportedPenalty');
});

test('ends with OUT_OF_ENERGY if the time limit suffices', async () => {
  const { info } = await runLoop(10_000);
  expect(info).toMatchObject({ receipt: { result: 'OUT_OF_ENERGY', energy_usage_total: 10_000_000 } });
});

/**
 * EXP with the largest exponent in an endless loop: at 40 Energy the most expensive use of a processor. Constructor
 * code.
 */
const EXP_LOOP = `5b${`5f195f190a50`.repeat(100)}5f56`;

async function call(devnet: Devnet, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${devnet.http.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Record<string, unknown>;
}

function endlessCall(devnet: Devnet): Promise<Record<string, unknown>> {
  const [{ address }] = devnet.accounts as [(typeof devnet.accounts)[0]];
  return call(devnet, '/wallet/triggerconstantcontract', { owner_address: address, data: EXP_LOOP, visible: true });
}

const STOPPED = {
  result: { code: 'OTHER_ERROR', message: expect.stringContaining('OutOfTimeException : CPU timeout for') },
};

/** A clock on which each call takes the maximum time, with timers between two requests. */
class CallClock implements WallClock {
  #timeMs = 1_800_000_001_234n;
  readonly #due = new Map<() => void, bigint>();

  nowMs(): bigint {
    return this.#timeMs;
  }

  after(delayMs: number, task: () => void): () => void {
    this.#due.set(task, this.#timeMs + BigInt(delayMs));
    return () => this.#due.delete(task);
  }

  pass(ms: number): void {
    this.#timeMs += BigInt(ms);
    setImmediate(() => {
      for (const [task, at] of this.#due) {
        if (at <= this.#timeMs && this.#due.delete(task)) task();
      }
    });
  }
}

test('a call without a transaction may have its own limit, shorter or longer', async () => {
  // 400 times EXP with the largest exponent.
  const body = { data: '5f195f190a50'.repeat(400), owner_address: '', visible: true };
  const outcome = async (limits: { vmLimitMs: number; constantCallMs?: number }) => {
    await using devnet = await createDevnet({ ...limits, networkStake: 'none' });
    const [{ address, privateKey }] = devnet.accounts as [(typeof devnet.accounts)[0]];
    const { result } = await call(devnet, '/wallet/triggerconstantcontract', { ...body, owner_address: address });
    const { transactionBuilder, trx } = new TronWeb({ fullHost: devnet.http.url, privateKey });
    const deployment = await transactionBuilder.createSmartContract(
      { abi: [], bytecode: body.data, feeLimit: FEE_LIMIT, name: 'Loop' } as never,
      address,
    );
    await trx.sendRawTransaction(await trx.sign(deployment));
    const { receipt } = await trx.getTransactionInfo(deployment.txID);
    return [(result as { result?: boolean }).result ?? 'stopped', receipt.result];
  };
  expect(await outcome({ vmLimitMs: 1 })).toEqual(['stopped', 'OUT_OF_TIME']);
  expect(await outcome({ vmLimitMs: 1, constantCallMs: 1_000 })).toEqual([true, 'OUT_OF_TIME']);
  expect(await outcome({ vmLimitMs: 1_000, constantCallMs: 1 })).toEqual(['stopped', 'SUCCESS']);
});

test('a producer keeps its slots under a stream of endless calls', async () => {
  const clock = new CallClock();
  await using devnet = await createDevnet({ clock, mining: 'interval', vmLimitMs: 20 });
  const head = async () => {
    const { block_header } = (await call(devnet, '/wallet/getnowblock', {})) as never;
    return (block_header as { raw_data: { number: number; timestamp: number } }).raw_data;
  };
  const first = await head();
  let last = first;
  const slots = 8;
  const stream = async () => {
    while (last.number < first.number + slots) {
      expect(await endlessCall(devnet)).toMatchObject(STOPPED);
      clock.pass(500);
      last = await head();
    }
  };
  await Promise.all([stream(), stream(), stream()]);
  expect(last.timestamp - first.timestamp).toBe((last.number - first.number) * 3_000);
});

test('an estimate has one limit for all of its runs', async () => {
  await using devnet = await createDevnet({ vmLimitMs: 100 });
  const [{ address }] = devnet.accounts as [(typeof devnet.accounts)[0]];
  const ask = (times: number) => {
    const loop = `61${times.toString(16).padStart(4, '0')}5b6001900380${'5f195f190a50'.repeat(10)}600357`;
    return call(devnet, '/wallet/estimateenergy', { owner_address: address, data: loop, visible: true });
  };
  expect(await ask(10)).toMatchObject({ result: { result: true }, energy_required: expect.any(Number) });
  // One run takes a third of the limit.
  const thirdOf = 55;
  const run = await call(devnet, '/wallet/triggerconstantcontract', {
    owner_address: address,
    data: `61${thirdOf.toString(16).padStart(4, '0')}5b6001900380${'5f195f190a50'.repeat(10)}600357`,
    visible: true,
  });
  expect(run).toMatchObject({ result: { result: true } });
  expect(await ask(thirdOf)).toMatchObject(STOPPED);
});

test('Energy of calls without a transaction is an option', async () => {
  const used = async (constantEnergy?: number) => {
    await using devnet = await createDevnet({ ...(constantEnergy !== undefined && { constantEnergy }) });
    const [{ address }] = devnet.accounts as [(typeof devnet.accounts)[0]];
    // Returns the remaining Energy.
    const data = '5a5f5260205ff3';
    const answer = await call(devnet, '/wallet/triggerconstantcontract', {
      owner_address: address,
      data,
      visible: true,
    });
    return Number(`0x${(answer.constant_result as string[])[0]}`);
  };
  expect(await used()).toBe(100_000_000 - 2);
  expect(await used(7_000_000)).toBe(7_000_000 - 2);
});
