/**
 * `debug_traceTransaction` and `debug_traceCall` beside Hardhat's, for the same code with the same input: what is
 * otherwise is listed here with its reason, and nothing else may be.
 */

import { Interface } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Hardhat, startHardhat } from '../bench/hardhat.js';
import { TRACED_CONTRACTS } from '../clients/traced-contracts.js';
import { type Compiled, compile, TRX, TronWebDevnet } from '../clients/tronweb-devnet.js';

const RECEIVER = '0x00000000000000000000000000000000000000aa';
const CALLS: readonly (readonly [method: string, args: readonly unknown[], value: number])[] = [
  ['pass', [5], 9],
  ['pass', [13], 0],
  ['pass', [14], 0],
  ['attempt', [14], 0],
  ['hash', ['0x1234'], 0],
  ['pay', [RECEIVER], 77],
];

// biome-ignore lint/suspicious/noExplicitAny: answers are read as they come
type Answer = any;
type Ask = (method: string, params: readonly unknown[]) => Promise<Answer>;

/** One of the two chains, with the same contract. */
interface Side {
  readonly ask: Ask;
  readonly sender: string;
  readonly outer: string;
  /** Of the deployment, then of each call. */
  readonly hashes: readonly string[];
}

const compiled: Compiled = compile(TRACED_CONTRACTS, 'Outer');
const abi = new Interface(compiled.abi as never);
let hardhat: Hardhat;
let chain: TronWebDevnet;
let sides: readonly [hardhat: Side, sunup: Side];

beforeAll(async () => {
  const started = await startHardhat();
  if (started === undefined) throw new Error('npm does not install Hardhat here');
  hardhat = started;
  chain = await TronWebDevnet.start();
  sides = [await onHardhat(), await onSunup()];
}, 600_000);
afterAll(async () => {
  await chain?.[Symbol.asyncDispose]();
  await hardhat?.close();
});

async function onHardhat(): Promise<Side> {
  const ask: Ask = (method, params) => hardhat.request({ method, params });
  const [sender] = (await ask('eth_accounts', [])) as [string];
  const send = async (transaction: object): Promise<string> => {
    try {
      return await ask('eth_sendTransaction', [{ from: sender, gas: '0xe00000', ...transaction }]);
    } catch (error) {
      // It is mined, and the answer is why it failed.
      return (error as { readonly transactionHash: string }).transactionHash;
    }
  };
  const hashes = [await send({ data: `0x${compiled.bytecode}` })];
  const outer = (await ask('eth_getTransactionReceipt', hashes)).contractAddress as string;
  for (const [method, args, value] of CALLS)
    hashes.push(
      await send({ to: outer, data: abi.encodeFunctionData(method, args), value: `0x${value.toString(16)}` }),
    );
  return { ask, sender, outer, hashes };
}

async function onSunup(): Promise<Side> {
  const ask: Ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${chain.devnet.http.url}/eth`, { method: 'POST', body });
    const { result, error } = (await response.json()) as { readonly result?: Answer; readonly error?: unknown };
    expect(error).toBeUndefined();
    return result;
  };
  const { transactionBuilder, address } = chain.client(0);
  const made = { abi: compiled.abi, bytecode: compiled.bytecode, feeLimit: 1000 * TRX, name: 'Outer' };
  const deployed = await chain.send(0, transactionBuilder.createSmartContract(made as never, chain.address(0)));
  const hashes = [`0x${deployed.id}`];
  for (const [method, args, callValue] of CALLS) {
    const fragment = abi.getFunction(method)!;
    const rawParameter = abi.encodeFunctionData(method, args).slice(10);
    const { transaction } = await transactionBuilder.triggerSmartContract(
      address.fromHex(deployed.contract_address!),
      fragment.format('sighash'),
      { feeLimit: 1000 * TRX, callValue, rawParameter } as never,
      [],
    );
    hashes.push(`0x${(await chain.send(0, transaction)).id}`);
  }
  const sender = `0x${address.toHex(chain.address(0)).slice(2)}`;
  return { ask, sender, outer: `0x${deployed.contract_address!.slice(2)}`, hashes };
}

/** Addresses follow from other keys and another rule: names in their places. */
async function named({ ask, sender, outer, hashes }: Side, answer: Answer): Promise<Answer> {
  const creation = await ask('debug_traceTransaction', [hashes[0], { tracer: 'callTracer' }]);
  const names = { sender, outer, inner: creation.calls[0].to as string };
  let text = JSON.stringify(answer);
  for (const [name, address] of Object.entries(names)) {
    const digits = address.slice(2).toLowerCase();
    // On the stack it is a number, which has no zeros before it.
    text = text.replaceAll(digits, `<${name}>`).replaceAll(`"0x${digits.replace(/^0+/, '')}"`, `"0x<${name}>"`);
  }
  // What CREATE leaves on the stack has the network's byte before it.
  return JSON.parse(text.replaceAll('0x41<', '0x<'));
}

interface Frame {
  readonly calls?: readonly Frame[];
  readonly logs?: readonly { readonly index?: string }[];
  readonly gas?: string;
  readonly gasUsed?: string;
}

/** `gas` and `gasUsed` are Energy; logs are not numbered through the block (`index`), which geth does since 1.16. */
function frame({ gas: _, gasUsed: __, calls, logs, ...rest }: Frame): object {
  return {
    ...rest,
    ...(calls && { calls: calls.map(frame) }),
    ...(logs && { logs: logs.map(({ index: ___, ...log }) => log) }),
  };
}

interface Step {
  readonly pc: number;
  readonly op: string;
  readonly depth: number;
  readonly stack: readonly string[];
  readonly memory?: readonly string[];
  readonly storage?: Readonly<Record<string, string>>;
  readonly returnData?: string;
}

/**
 * Left out: `gas` and `gasCost`, which are the network's prices, `refund`, which it has none of, and words on the stack
 * that GAS has put there. Hardhat writes 0x before words of memory and storage, and an empty `returnData`.
 */
function steps(structLogs: readonly Step[]): readonly object[] {
  const gasWords = new Set(
    structLogs.flatMap(({ op }, at) => (op === 'GAS' ? [structLogs[at + 1]!.stack.at(-1)] : [])),
  );
  const bare = (word: string) => word.replace(/^0x/, '');
  return structLogs.map(({ pc, op, depth, stack, memory = [], storage = {}, returnData = '0x' }) => ({
    pc,
    op,
    depth,
    returnData,
    stack: stack.map((word) => (gasWords.has(word) ? 'gas' : word)),
    memory: memory.map(bare),
    storage: Object.fromEntries(Object.entries(storage).map(([key, value]) => [bare(key), bare(value)])),
  }));
}

const KINDS = ['a deployment', ...CALLS.map(([method, args]) => `${method}(${args.join()})`)];

it.each(KINDS)('%s: frames of callTracer with logs, and selectors', async (kind) => {
  const at = KINDS.indexOf(kind);
  const [theirs, ours] = await Promise.all(
    sides.map(async (side) => {
      const trace = (options: object) => side.ask('debug_traceTransaction', [side.hashes[at], options]);
      return {
        frames: frame(await named(side, await trace({ tracer: 'callTracer', tracerConfig: { withLog: true } }))),
        selectors: await trace({ tracer: '4byteTracer' }),
      };
    }),
  );
  expect(ours).toEqual(theirs);
});

it.each(KINDS)('%s: struct logs', async (kind) => {
  const at = KINDS.indexOf(kind);
  const options = { enableMemory: true, enableReturnData: true };
  const [theirs, ours] = await Promise.all(
    sides.map(async (side) => {
      const { structLogs, failed, returnValue } = await side.ask('debug_traceTransaction', [side.hashes[at], options]);
      const all = await named(side, { structLogs, failed, returnValue });
      return { failed, returnValue: all.returnValue, steps: steps(all.structLogs) };
    }),
  );
  expect(ours!.steps.length).toBeGreaterThan(90);
  expect(ours).toEqual(theirs);
});

it.each(CALLS.slice(1))('%s(%s), not sent', async (method, args) => {
  const [theirs, ours] = await Promise.all(
    sides.map(async (side) => {
      const call = { from: side.sender, to: side.outer, data: abi.encodeFunctionData(method, args) };
      const frames = await side.ask('debug_traceCall', [call, 'latest', { tracer: 'callTracer' }]);
      const { structLogs } = await side.ask('debug_traceCall', [call, 'latest', {}]);
      return {
        frames: frame(await named(side, frames)),
        steps: steps((await named(side, { structLogs })).structLogs),
      };
    }),
  );
  expect(ours).toEqual(theirs);
});
