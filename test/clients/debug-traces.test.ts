/** `debug_…` as viem and TronBox's tools use it, on contracts that call, create, pay, fail and burn Energy. */

import { JsonRpcProvider } from 'ethers';
import { createPublicClient, http, type PublicClient } from 'viem';
import { expect, test } from 'vitest';
import { TRACED_CONTRACTS } from './traced-contracts.js';
import { compile, type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Answer = any;

class Scene implements AsyncDisposable {
  private constructor(
    readonly chain: TronWebDevnet,
    readonly outer: string,
    readonly deployment: Info,
  ) {}

  static async start(): Promise<Scene> {
    const chain = await TronWebDevnet.start();
    const { transactionBuilder, address } = chain.client(0);
    const options = { ...compile(TRACED_CONTRACTS, 'Outer'), feeLimit: 1000 * TRX, name: 'Outer' };
    const info = await chain.send(0, transactionBuilder.createSmartContract(options as never, chain.address(0)));
    return new Scene(chain, address.fromHex(info.contract_address as string), info);
  }

  async call(signature: string, values: readonly (readonly [type: string, value: unknown])[], callValue = 0) {
    const { transaction } = await this.chain
      .client(0)
      .transactionBuilder.triggerSmartContract(
        this.outer,
        signature,
        { feeLimit: 1000 * TRX, callValue },
        values.map(([type, value]) => ({ type, value })) as never,
      );
    return this.chain.send(0, transaction);
  }

  /** 20 bytes with `0x`, as Ethereum's tools write them. */
  ethereum(base58: string): string {
    return `0x${this.chain.client(0).address.toHex(base58).slice(2)}`;
  }

  async ask(
    path: string,
    method: string,
    params: readonly unknown[],
  ): Promise<{ readonly result?: Answer; readonly error?: Answer }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${this.chain.devnet.http.url}/${path}`, { method: 'POST', body });
    return (await response.json()) as { result?: unknown; error?: unknown };
  }

  /** As Ethereum's libraries send it. */
  async viem(method: string, ...params: readonly unknown[]): Promise<Answer> {
    const client: PublicClient = createPublicClient({
      transport: http(`${this.chain.devnet.http.url}/eth`, { retryCount: 0 }),
    });
    return client.request({ method, params } as never);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.chain[Symbol.asyncDispose]();
  }
}

test('callTracer: frames, values, reasons, precompiled contracts, creations, logs', async () => {
  await using scene = await Scene.start();
  const sender = scene.ethereum(scene.chain.address(0));
  const outer = scene.ethereum(scene.outer);
  const trace = (info: Info, tracerConfig = {}) =>
    scene.viem('debug_traceTransaction', `0x${info.id}`, { tracer: 'callTracer', tracerConfig });

  const created = await trace(scene.deployment);
  expect(created).toMatchObject({ type: 'CREATE', from: sender, to: outer, value: '0x0', calls: [{ type: 'CREATE' }] });
  expect(created.input).toMatch(/^0x6080/);
  expect(Number(created.gasUsed)).toBe(scene.deployment.receipt.energy_usage_total);
  const inner = created.calls[0].to;

  const passed = await scene.call('pass(uint256)', [['uint256', 5]], 9);
  const withLog = await trace(passed, { withLog: true });
  expect(withLog).toMatchObject({
    type: 'CALL',
    from: sender,
    to: outer,
    value: '0x9',
    gasUsed: `0x${passed.receipt.energy_usage_total!.toString(16)}`,
    output: `0x${'6'.padStart(64, '0')}`,
    calls: [
      {
        type: 'CALL',
        from: outer,
        to: inner,
        value: '0x9',
        logs: [{ address: inner, data: `0x${'5'.padStart(64, '0')}`, position: '0x0' }],
      },
    ],
  });
  expect(await trace(passed, { onlyTopCall: true })).not.toHaveProperty('calls');
  expect((await trace(passed)).calls[0]).not.toHaveProperty('logs');

  const reverted = await trace(await scene.call('pass(uint256)', [['uint256', 13]]));
  const failure = { error: 'execution reverted', revertReason: 'unlucky' };
  expect(reverted).toMatchObject({ ...failure, calls: [failure] });
  const caught = await trace(await scene.call('attempt(uint256)', [['uint256', 14]]), { withLog: true });
  expect(caught).not.toHaveProperty('error');
  expect(caught.calls[0]).toMatchObject({ error: 'execution reverted' });
  expect(caught.calls[0]).not.toHaveProperty('revertReason');

  const hashed = await trace(await scene.call('hash(bytes)', [['bytes', '0x1234']]));
  const sha = '3a103a4e5729ad68c02a678ae39accfbc0ae208096437401b7ceab63cca0622f';
  const two = `0x${'2'.padStart(40, '0')}`;
  expect(hashed.calls).toMatchObject([{ type: 'STATICCALL', to: two, input: '0x1234', output: `0x${sha}` }]);

  const paid = await trace(await scene.call('pay(address)', [['address', scene.chain.address(3)]], 77));
  const receiver = scene.ethereum(scene.chain.address(3));
  expect(paid.calls).toMatchObject([{ type: 'CALL', to: receiver, value: '0x4d', input: '0x' }]);

  const transfer = await scene.chain.send(
    0,
    scene.chain.client(0).transactionBuilder.sendTrx(scene.chain.address(1), 5, scene.chain.address(0)),
  );
  const to = scene.ethereum(scene.chain.address(1));
  expect(await trace(transfer)).toEqual({
    from: sender,
    to,
    gas: '0x0',
    gasUsed: '0x0',
    input: '0x',
    value: '0x5',
    type: 'CALL',
  });
});

test("struct logs in geth's format, by default and with options", async () => {
  await using scene = await Scene.start();
  const info = await scene.call('pass(uint256)', [['uint256', 13]]);
  const { gas, failed, returnValue, structLogs } = await scene.viem('debug_traceTransaction', `0x${info.id}`);
  expect([gas, failed, returnValue]).toEqual([info.receipt.energy_usage_total, true, `0x${info.contractResult[0]}`]);
  expect(structLogs[0]).toEqual({ pc: 0, op: 'PUSH1', gas: expect.any(Number), gasCost: 3, depth: 1, stack: [] });
  expect(structLogs[1]).toMatchObject({ stack: ['0x80'], gas: structLogs[0].gas - 3 });
  expect(new Set(structLogs.map(({ depth }: { depth: number }) => depth))).toEqual(new Set([1, 2]));
  expect(structLogs.at(-1)).toMatchObject({ op: 'REVERT', depth: 1 });
  const touched = structLogs.filter(({ storage }: { storage?: object }) => storage !== undefined);
  expect(touched.map(({ op }: { op: string }) => op)).toEqual(['SLOAD', 'SSTORE', 'SLOAD']);
  const word = (value: number) => value.toString(16).padStart(64, '0');
  expect(touched[1].storage).toEqual({ [word(1)]: word(1) });

  const options = { disableStack: true, disableStorage: true, enableMemory: true, enableReturnData: true, limit: 40 };
  const limited = await scene.viem('debug_traceTransaction', info.id, options);
  expect(limited.structLogs).toHaveLength(40);
  expect(limited.structLogs[3].memory[2]).toBe(word(0x80));
  expect(JSON.stringify(limited)).not.toMatch(/"stack"|"storage"/);

  // A step that could not be paid for.
  const poor = await scene.chain
    .client(0)
    .transactionBuilder.triggerSmartContract(scene.outer, 'spin()', { feeLimit: 1_000_000 }, []);
  const spun = await scene.viem('debug_traceTransaction', (await scene.chain.send(0, poor.transaction)).id);
  expect(spun.failed).toBe(true);
  expect(spun.structLogs.at(-1)).toMatchObject({ error: expect.stringContaining('Not enough energy'), gasCost: 0 });
  expect(spun.structLogs.at(-2).error).toBeUndefined();
});

test("struct logs in TRE's format, at its path without options", async () => {
  await using scene = await Scene.start();
  const { result } = await scene.ask('tre', 'debug_traceTransaction', [`0x${scene.deployment.id}`]);
  expect(Object.keys(result)).toEqual(['failed', 'gas', 'structLogs', 'returnValue']);
  expect([result.failed, result.gas, result.returnValue]).toEqual([false, '', '']);
  const limit = BigInt(result.structLogs[0].gas);
  const first = {
    depth: 1,
    error: '',
    gas: expect.stringMatching(/^0x[\da-f]{16}$/),
    gasCost: 3,
    memory: [],
    op: 'PUSH1',
    pc: 0,
  };
  expect(JSON.stringify(result.structLogs[0])).toBe(
    JSON.stringify({ ...first, gas: `0x${limit.toString(16).padStart(16, '0')}`, stack: [], storage: {} }),
  );
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
  expect(result.structLogs[2].stack).toEqual([word(0x80), word(0x40)]);
  expect(result.structLogs[3].memory).toEqual([word(0), word(0), word(0x80)]);
  const names = new Set(result.structLogs.map(({ op }: { op: string }) => op));
  // In java-tron's units.
  for (const op of ['CALLTOKENID', 'CALLTOKENVALUE', 'CREATE'])
    expect(names.has(op) || op.startsWith('CALLTOKEN')).toBe(true);
  const sstore = result.structLogs.findIndex(
    ({ op, depth }: { op: string; depth: number }) => op === 'SSTORE' && depth === 2,
  );
  expect(result.structLogs[sstore].storage).toEqual({});
  expect(result.structLogs[sstore + 1].storage).toEqual({ [word(0)]: word(7) });
  // With options, and at other paths, the format is geth's.
  for (const [path, params] of [
    ['tre', [scene.deployment.id, {}]],
    ['jsonrpc', [scene.deployment.id]],
  ] as const) {
    const answer = await scene.ask(path, 'debug_traceTransaction', params);
    expect(answer.result.gas).toBe(scene.deployment.receipt.energy_usage_total);
  }
});

test('prestateTracer: accounts before and after', async () => {
  await using scene = await Scene.start();
  const sender = scene.ethereum(scene.chain.address(0));
  const outer = scene.ethereum(scene.outer);
  const before = await scene.chain.balance(0);
  const info = await scene.call('pass(uint256)', [['uint256', 5]], 9);
  const trace = (tracerConfig: object) =>
    scene.viem('debug_traceTransaction', info.id, { tracer: 'prestateTracer', tracerConfig });
  const pre = await trace({});
  const inner = Object.keys(pre).find((address) => address !== sender && address !== outer)!;
  const slot = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
  expect(pre[sender].balance).toBe(`0x${before.toString(16)}`);
  expect(pre[outer].code).toMatch(/^0x6080/);
  expect(pre[inner]).toMatchObject({ balance: '0x0', storage: { [slot(0)]: slot(7) } });
  expect(pre[outer].storage[slot(1)]).toBe(slot(0));

  const { pre: was, post } = await trace({ diffMode: true });
  expect(post[inner]).toEqual({ balance: '0x9', storage: { [slot(0)]: slot(5) } });
  expect(post[outer]).toEqual({ storage: { [slot(1)]: slot(1) } });
  expect(was[outer]).not.toHaveProperty('storage');
  expect(BigInt(was[sender].balance) - BigInt(post[sender].balance)).toBe(9n + BigInt(info.fee ?? 0));
  const bare = await trace({ disableCode: true, disableStorage: true });
  expect(JSON.stringify(bare)).not.toMatch(/"code"|"storage"/);

  const { pre: none, post: born } = await scene.viem('debug_traceTransaction', scene.deployment.id, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  });
  expect(none).not.toHaveProperty(outer);
  expect(born[outer].code).toMatch(/^0x6080/);
  expect(Object.keys(born[outer])).toEqual(['code', 'storage']);
  // Without diffMode, new contracts have no state before, either.
  const found = await scene.viem('debug_traceTransaction', scene.deployment.id, { tracer: 'prestateTracer' });
  expect(Object.keys(found)).toEqual([sender]);
});

test('callTracer: panics as text, and no address of a failed creation', async () => {
  await using scene = await Scene.start();
  const compiled = compile(
    'pragma solidity ^0.8.20; contract Bad { constructor(uint256 a) payable { a = 1 / a; } function f(uint256 a) external { assert(a > 5); } }',
    'Bad',
  );
  const { transactionBuilder, address } = scene.chain.client(0);
  const deploy = async (a: number) => {
    const options = { ...compiled, feeLimit: 1000 * TRX, name: 'Bad', parameters: [a] };
    return scene.chain.send(0, transactionBuilder.createSmartContract(options as never, scene.chain.address(0)));
  };
  const options = { tracer: 'callTracer' };
  const failed = await scene.viem('debug_traceTransaction', (await deploy(0)).id, options);
  expect(failed).toMatchObject({ type: 'CREATE', revertReason: 'division or modulo by zero' });
  expect(failed).not.toHaveProperty('to');
  const { id, contract_address } = await deploy(1);
  expect((await scene.viem('debug_traceTransaction', id, options)).to).toBe(`0x${contract_address!.slice(2)}`);
  // A creation that lacks the coin for its value does not begin.
  const poor = scene.ethereum(scene.chain.address(6));
  await scene.chain.devnet.setCode(scene.chain.address(6), '0x5f5f67ffffffffffffffff60051bf000');
  const { calls } = await scene.viem('debug_traceCall', { to: poor }, 'latest', options);
  expect(calls).toEqual([expect.objectContaining({ type: 'CREATE', from: poor, error: 'call failed' })]);
  expect(calls[0]).not.toHaveProperty('to');
  // A precompiled contract that costs more than it is given takes that, and not its price: SHA-256 with 10.
  await scene.chain.devnet.setCode(scene.chain.address(6), '0x5f5f5f5f6002600afa00');
  const cheap = await scene.viem('debug_traceCall', { to: poor }, 'latest', options);
  expect(cheap.calls).toEqual([
    expect.objectContaining({ type: 'STATICCALL', gas: '0xa', gasUsed: '0xa', error: 'call failed' }),
  ]);
  const call = { to: scene.ethereum(address.fromHex(contract_address!)), data: `0xb3de648b${'5'.padStart(64, '0')}` };
  const traced = await scene.viem('debug_traceCall', call, 'latest', options);
  expect(traced).toMatchObject({ error: 'execution reverted', revertReason: 'assert(false)' });
});

test('a call on the state before a transaction of a block: txIndex', async () => {
  await using scene = await Scene.start();
  const { chain } = scene;
  await chain.devnet.setMining('manual');
  const { transactionBuilder, trx } = chain.client(0);
  const sent: string[] = [];
  for (const value of [5, 6]) {
    const { transaction } = await transactionBuilder.triggerSmartContract(
      scene.outer,
      'pass(uint256)',
      { feeLimit: 1000 * TRX },
      [{ type: 'uint256', value }],
    );
    const { txid } = await trx.sendRawTransaction(await trx.sign(transaction));
    sent.push(txid!);
  }
  const { number } = await chain.devnet.mine(1);
  const call = { to: scene.ethereum(scene.outer), data: `0x${TRIES}` };
  const tries = async (options: object) =>
    Number((await scene.viem('debug_traceCall', call, `0x${number.toString(16)}`, options)).returnValue);
  expect(await Promise.all([{}, { txIndex: '0x0' }, { txIndex: '0x1' }, { txIndex: 1 }].map(tries))).toEqual([
    2, 0, 1, 1,
  ]);
  // It runs in the block itself, not in the one before: NUMBER PUSH0 MSTORE PUSH1 32 PUSH0 RETURN.
  const stateOverrides = { [call.to]: { code: '0x435f5260205ff3' } };
  expect(await tries({ txIndex: '0x1', stateOverrides })).toBe(number);
  const refused = async (txIndex: unknown) =>
    (await scene.ask('eth', 'debug_traceCall', [call, `0x${number.toString(16)}`, { txIndex }])).error.message;
  expect(await refused('0x2')).toContain(`block ${number} has 2 transactions; there is no transaction 2`);
  expect(await refused('first')).toContain('txIndex is the place');
});

/** Selector of `tries()`. */
const TRIES = '146e61ed';

test('ethers, and every option at /jsonrpc and /eth', async () => {
  await using scene = await Scene.start();
  const info = await scene.call('pass(uint256)', [['uint256', 5]], 9);
  const hash = `0x${info.id}`;
  const answers = await Promise.all(
    ['jsonrpc', 'eth'].map(async (path) => {
      const provider = new JsonRpcProvider(`${scene.chain.devnet.http.url}/${path}`, undefined, {
        staticNetwork: true,
      });
      const trace = (options: object) => provider.send('debug_traceTransaction', [hash, options]) as Promise<Answer>;
      const call = (tracerConfig: object) => trace({ tracer: 'callTracer', tracerConfig });
      const all = {
        plain: await trace({ timeout: '10s', reexec: 128 }),
        bare: await trace({ disableStack: true, disableStorage: true }),
        memory: await trace({ enableMemory: true, disableStack: true }),
        ganache: await trace({ disableMemory: false, disableStack: true }),
        returned: await trace({ enableReturnData: true }),
        limited: await trace({ limit: 3 }),
        calls: await call({}),
        topWithLog: await call({ onlyTopCall: true, withLog: true }),
        withLog: await call({ withLog: true }),
        prestate: await trace({ tracer: 'prestateTracer' }),
        diff: await trace({ tracer: 'prestateTracer', tracerConfig: { diffMode: true, disableCode: true } }),
        selectors: await trace({ tracer: '4byteTracer' }),
      };
      provider.destroy();
      return all;
    }),
  );
  expect(answers[0]).toEqual(answers[1]);
  const { plain, bare, memory, ganache, returned, limited, calls, topWithLog, withLog, diff } = answers[0]!;
  const having = (answer: Answer, member: string) =>
    answer.structLogs.filter((step: object) => Object.hasOwn(step, member)).length;
  const steps = plain.structLogs.length;
  expect(['stack', 'storage', 'memory', 'returnData'].map((member) => having(plain, member) > 0)).toEqual([
    ...[true, true, false, false],
  ]);
  expect(['stack', 'storage', 'memory'].map((member) => having(bare, member))).toEqual([0, 0, 0]);
  expect(['stack', 'memory'].map((member) => having(memory, member))).toEqual([0, steps]);
  expect(ganache).toEqual(memory);
  expect(having(returned, 'returnData')).toBeGreaterThan(0);
  expect(limited.structLogs).toEqual(plain.structLogs.slice(0, 3));
  expect(limited.gas).toBe(plain.gas);
  expect(calls.calls).toHaveLength(1);
  expect(JSON.stringify(calls)).not.toContain('"logs"');
  expect(topWithLog).not.toHaveProperty('calls');
  expect(topWithLog).not.toHaveProperty('logs');
  expect(withLog.calls[0].logs).toHaveLength(1);
  expect(Object.keys(diff)).toEqual(['pre', 'post']);
  expect(JSON.stringify(diff)).not.toContain('"code"');
});

test('4byteTracer and noopTracer, a call, a block, and invalid requests', async () => {
  await using scene = await Scene.start();
  const info = await scene.call('pass(uint256)', [['uint256', 5]]);
  const transaction = (options: object) => scene.viem('debug_traceTransaction', info.id, options);
  const counts = await transaction({ tracer: '4byteTracer' });
  expect(Object.values(counts)).toEqual([1, 1]);
  expect(Object.keys(counts).every((key) => /^0x[\da-f]{8}-32$/.test(key))).toBe(true);
  expect(await transaction({ tracer: 'noopTracer' })).toEqual({});

  const [own] = Object.keys(counts);
  const from = scene.ethereum(scene.chain.address(1));
  const call = { from, to: scene.ethereum(scene.outer), input: `${own!.slice(0, 10)}${'d'.padStart(64, '0')}` };
  const traced = await scene.viem('debug_traceCall', call, 'latest', { tracer: 'callTracer' });
  expect(traced).toMatchObject({ from, error: 'execution reverted', revertReason: 'unlucky' });
  const code = '0x602a5f5260205ff3';
  const stateOverrides = { [call.to]: { code } };
  const overridden = await scene.viem('debug_traceCall', call, 'latest', { stateOverrides });
  expect(overridden.structLogs.map(({ op }: { op: string }) => op)).toEqual([
    'PUSH1',
    'PUSH0',
    'MSTORE',
    'PUSH1',
    'PUSH0',
    'RETURN',
  ]);
  const changed = await scene.viem(
    'debug_traceCall',
    { ...call, input: `${own!.slice(0, 10)}${'6'.padStart(64, '0')}` },
    null,
    {
      tracer: 'prestateTracer',
      tracerConfig: { diffMode: true },
    },
  );
  expect(Object.keys(changed.post)).toHaveLength(2);

  // NUMBER, TIMESTAMP, COINBASE and BASEFEE, a word of each.
  const sees = { [call.to]: { code: '0x435f5242602052416040524860605260805ff3' } };
  const blockOverrides = { number: '0x10', time: '0x7fffffff', feeRecipient: from, baseFeePerGas: '0x7' };
  const { output } = await scene.viem('debug_traceCall', call, 'latest', {
    tracer: 'callTracer',
    stateOverrides: sees,
    blockOverrides,
  });
  // The machine returns a producer with the network's address byte.
  const words = [0x10n, 0x7fffffffn, BigInt(from.replace('0x', '0x41')), 7n];
  expect(output).toBe(`0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`);
  expect(await scene.viem('eth_call', call, 'latest', sees, blockOverrides)).toBe(output);
  expect(await scene.viem('eth_call', call, 'latest', sees)).not.toBe(output);

  const block = `0x${info.blockNumber.toString(16)}`;
  const { hash } = await scene.viem('eth_getBlockByNumber', block, false);
  const expected = [{ txHash: `0x${info.id}`, result: await transaction({ tracer: 'callTracer' }) }];
  for (const [method, which] of [
    ['debug_traceBlockByNumber', block],
    ['debug_traceBlockByHash', hash],
  ])
    expect(await scene.viem(method, which, { tracer: 'callTracer' })).toEqual(expected);

  const refusal = async (method: string, ...params: readonly unknown[]) =>
    (await scene.ask('eth', method, params)).error;
  const unknown = '0'.repeat(64);
  expect(await refusal('debug_traceTransaction', unknown)).toMatchObject({
    code: -32_000,
    message: expect.stringMatching(/^transaction not found: transaction 0000/),
  });
  expect(await refusal('debug_traceTransaction', '0x12')).toMatchObject({
    code: -32_000,
    message: expect.stringContaining('64 hex digits'),
  });
  expect(await refusal('debug_traceTransaction', info.id, { tracer: 'jsTracer' })).toMatchObject({
    code: -32_602,
    message: expect.stringMatching(/^unsupported tracer type: jsTracer; known: callTracer/),
  });
  expect(await refusal('eth_call', call, 'latest', null, { gasLimit: '0x5' })).toMatchObject({
    code: -32_602,
    message: 'invalid block override: gasLimit is not visible to contracts of TRON',
  });
  for (const wrong of [5, { time: 5 }, { time: '0xffffffffffffff' }, { number: '-0x1' }, { feeRecipient: 5 }])
    expect(await refusal('debug_traceCall', call, null, { blockOverrides: wrong })).toMatchObject({ code: -32_602 });
  expect(
    await refusal('debug_traceCall', call, null, { tracer: 'muxTracer', tracerConfig: { muxTracer: {} } }),
  ).toMatchObject({ message: 'muxTracer cannot be one of the tracers of muxTracer' });
  expect(await refusal('debug_traceBlockByNumber', '0xffff')).toMatchObject({ message: 'block not found' });
  expect(await refusal('debug_traceBlockByNumber', '0x0')).toMatchObject({ message: 'genesis is not traceable' });
  expect(await refusal('debug_traceTransaction')).toMatchObject({ code: -32_602 });
});

test('flatCallTracer and muxTracer agree with the others', async () => {
  await using scene = await Scene.start();
  const info = await scene.call('attempt(uint256)', [['uint256', 13]]);
  const trace = (id: string, tracer: string, tracerConfig = {}) =>
    scene.viem('debug_traceTransaction', id, { tracer, tracerConfig });
  const tree = await trace(info.id, 'callTracer');
  const flat = await trace(info.id, 'flatCallTracer');
  const { hash } = await scene.viem('eth_getBlockByNumber', `0x${info.blockNumber.toString(16)}`, false);
  const place = {
    blockHash: hash,
    blockNumber: info.blockNumber,
    transactionHash: `0x${info.id}`,
    transactionPosition: 0,
  };
  const { from, to, gas, gasUsed, input, output, value } = tree;
  const [inner] = tree.calls;
  expect(flat).toEqual([
    {
      ...place,
      action: { callType: 'call', from, to, gas, input, value },
      result: { gasUsed, output },
      subtraces: 1,
      traceAddress: [],
      type: 'call',
    },
    {
      ...place,
      action: { callType: 'call', from: to, to: inner.to, gas: inner.gas, input: inner.input, value: inner.value },
      error: 'execution reverted',
      result: { gasUsed: inner.gasUsed, output: inner.output },
      subtraces: 0,
      traceAddress: [0],
      type: 'call',
    },
  ]);
  expect(await scene.viem('trace_transaction', info.id)).toEqual(flat);
  const created = await trace(scene.deployment.id, 'flatCallTracer');
  expect(created.map(({ type, action, traceAddress }: Answer) => [type, action.creationMethod, traceAddress])).toEqual([
    ['create', 'create', []],
    ['create', 'create', [0]],
  ]);
  expect(created[0].result).toMatchObject({
    address: scene.ethereum(scene.outer),
    code: expect.stringMatching(/^0x60/),
  });
  const hashing = await scene.call('hash(bytes)', [['bytes', '0x1234']]);
  expect(await trace(hashing.id, 'flatCallTracer')).toMatchObject([{ subtraces: 0 }]);
  expect(await trace(hashing.id, 'flatCallTracer', { includePrecompiles: true })).toMatchObject([
    { subtraces: 1 },
    { action: { callType: 'staticcall', to: `0x${'2'.padStart(40, '0')}` }, traceAddress: [0] },
  ]);
  const mux = await trace(info.id, 'muxTracer', {
    callTracer: {},
    flatCallTracer: {},
    '4byteTracer': null,
    noopTracer: {},
    prestateTracer: { diffMode: true },
  });
  expect(mux).toEqual({
    callTracer: tree,
    flatCallTracer: flat,
    '4byteTracer': await trace(info.id, '4byteTracer'),
    noopTracer: {},
    prestateTracer: await trace(info.id, 'prestateTracer', { diffMode: true }),
  });
});

test('an answer that would be too long is refused while it is built', async () => {
  await using chain = await TronWebDevnet.start({ jsonrpcMaxAnswer: 200_000 });
  const body = (method: string, params: readonly unknown[]) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  // Endless steps: JUMPDEST PUSH0 JUMP.
  const call = { to: chain.client(0).address.toHex(chain.address(1)).replace(/^41/, '0x') };
  const params = [call, 'latest', { stateOverrides: { [call.to]: { code: '0x5b5f56' } } }];
  const response = await fetch(`${chain.devnet.http.url}/eth`, {
    method: 'POST',
    body: body('debug_traceCall', params),
  });
  expect((await response.json()) as object).toMatchObject({
    error: { message: 'Response exceeds the limit of 200000 bytes' },
  });
});

test("debug_storageRangeAt: a contract's storage in TRE's format", async () => {
  await using scene = await Scene.start();
  await scene.call('pass(uint256)', [['uint256', 5]]);
  const { result } = await scene.ask('tre', 'debug_storageRangeAt', [0, 0, scene.outer, '0x01', 1]);
  const rows = Object.entries(result.storage as Record<string, { value: string }>);
  expect(rows).toHaveLength(2);
  expect(rows.every(([key, { value }]) => /^[\da-f]{64}$/.test(key) && /^[\da-f]{64}$/.test(value))).toBe(true);
  expect(rows.map(([, { value }]) => value)).toContain('1'.padStart(64, '0'));
  expect(result.nextKey).toBeNull();

  const page = (from: string) => scene.viem('debug_storageRangeAt', 'latest', 0, scene.ethereum(scene.outer), from, 1);
  const first = await page('0x');
  expect(Object.keys(first.storage)).toEqual([rows[0]![0]]);
  expect(Object.keys((await page(first.nextKey)).storage)).toEqual([rows[1]![0]]);
  const { blockNumber } = scene.deployment;
  const older = await scene.viem(
    'debug_storageRangeAt',
    `0x${blockNumber.toString(16)}`,
    0,
    scene.ethereum(scene.outer),
    '0x',
    10,
  );
  expect(Object.keys(older.storage)).toHaveLength(1);
});

test('requests from other origins are refused, and all requests with --no-dev-methods', async () => {
  const ask = async (chain: TronWebDevnet, headers: Readonly<Record<string, string>>) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceBlockByNumber', params: ['0x1'] });
    const response = await fetch(`${chain.devnet.http.url}/eth`, { method: 'POST', body, headers });
    return (await response.json()) as Answer;
  };
  await using chain = await TronWebDevnet.start();
  expect(await ask(chain, {})).toMatchObject({ result: [] });
  expect(await ask(chain, { origin: 'https://dapp.example' })).toMatchObject({ error: { code: 4_100 } });
  await using strict = await TronWebDevnet.start({ devMethods: false });
  expect(await ask(strict, {})).toMatchObject({
    error: { code: -32_601, message: 'the method debug_traceBlockByNumber does not exist/is not available' },
  });
});

test('prestateTracer: a slot that became zero is only in the state before', async () => {
  await using scene = await Scene.start();
  const source =
    'pragma solidity ^0.8.20; contract Slot { uint256 public n = 5; function clear() external { n = 0; } }';
  const { transactionBuilder, address } = scene.chain.client(0);
  const options = { ...compile(source, 'Slot'), feeLimit: 1000 * TRX, name: 'Slot' };
  const deploying = transactionBuilder.createSmartContract(options as never, scene.chain.address(0));
  const contract = address.fromHex((await scene.chain.send(0, deploying)).contract_address!);
  const { transaction } = await transactionBuilder.triggerSmartContract(contract, 'clear()', {}, []);
  const { id } = await scene.chain.send(0, transaction);
  const { pre, post } = await scene.viem('debug_traceTransaction', id, {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  });
  const key = scene.ethereum(contract);
  expect(pre[key].storage).toEqual({ [`0x${'0'.repeat(64)}`]: `0x${'5'.padStart(64, '0')}` });
  expect(post[key]).toEqual({});
});
