/**
 * Random contracts, deployments and transfers through `/eth`: what is sent with exactly the estimate as its gas succeeds,
 * and the sender's balance changes by the value and by `gasUsed × effectiveGasPrice`, less what the contract sends back.
 */

import { Wallet } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

/** Adds one to a slot for each call. */
const COUNTER = '0x00000000000000000000000000000000000000c1';
const COUNTER_CODE = '0x5f5460010160005500';
const IMPERSONATED = '0x00000000000000000000000000000000000000b1';

/** Creates a contract of one word of code. */
const childInit = '60015f5260205ff3';
const byte = (value: number) => value.toString(16).padStart(2, '0');

/** Parts of a program that leave the stack as it was. */
const part: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(fc.nat(3), fc.nat(2)).map(([slot, value]) => `60${byte(value)}60${byte(slot)}55`),
  // The time, the number of the block: an estimate for the head would take another branch of the price.
  fc.nat(3).map((slot) => `4260${byte(slot)}55`),
  fc.nat(3).map((slot) => `6001431660${byte(slot)}55`),
  fc.constant('60016020602fa1'),
  fc.constant('6120005f2050'),
  fc.constant('5f5f5ff050'),
  fc.constant(`67${childInit}5f52600860185ff050`),
  // Its salt counts in a slot.
  fc.constant(`67${childInit}5f5260075460010180600755600860185ff550`),
  // To an account that nobody has seen: the hash of the block's number.
  fc.nat(1).map((value) => `435f525f5f5f5f60${byte(value)}60205f205af150`),
  fc.constant('5f5f5f5f34335af150'),
  fc.constant(`5f5f5f5f5f73${COUNTER.slice(2)}5af150`),
  fc.constant('5f5f60205f60045afa50'),
);
const end = fc.oneof(
  { weight: 6, arbitrary: fc.constant('00') },
  { weight: 1, arbitrary: fc.constant('33ff') },
  { weight: 1, arbitrary: fc.constant('5f5ffd') },
  { weight: 1, arbitrary: fc.constant('fe') },
  { weight: 1, arbitrary: fc.constant('5b5860019003') },
);
const program = fc.tuple(fc.array(part, { maxLength: 6 }), end).map(([parts, last]) => parts.join('') + last);

interface Sending {
  readonly from: number;
  readonly to: 'new' | 'self' | 'plain' | 'deploy' | 'construct' | 'call';
  readonly which: number;
  readonly program: string;
  readonly value: number;
  readonly legacy: boolean;
}
const sending: fc.Arbitrary<Sending> = fc.record({
  from: fc.nat(2),
  to: fc.constantFrom('new', 'self', 'plain', 'deploy', 'deploy', 'construct', 'call', 'call', 'call'),
  which: fc.nat(20),
  program,
  value: fc.constantFrom(0, 0, 1, 12),
  legacy: fc.boolean(),
});
const block = fc.record({
  sendings: fc.array(sending, { minLength: 1, maxLength: 4 }),
  change: fc.option(
    fc.record({
      price: fc.constantFrom(100, 210, 420),
      factor: fc.constantFrom(0, 3_000, 34_000),
      hours: fc.constantFrom(0, 1, 6),
      maintenance: fc.boolean(),
    }),
    { freq: 3 },
  ),
});

interface Frame {
  readonly to?: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

/** What the calls inside a transaction sent to an account, except those that were reverted. */
function received({ calls = [], error }: Frame, by: string): bigint {
  if (error !== undefined) return 0n;
  return calls.reduce(
    (sum, call) => sum + received(call, by) + (call.to === by && !call.error ? BigInt(call.value ?? 0) : 0n),
    0n,
  );
}

async function rpc<Result>(devnet: Devnet, method: string, ...params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await devnet.fetch('/eth', { method: 'POST', body });
  const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`;

class Senders {
  readonly #wallets: readonly Wallet[];

  constructor(private readonly devnet: Devnet) {
    this.#wallets = devnet.accounts.slice(0, 2).map(({ privateKey }) => new Wallet(`0x${privateKey}`));
  }

  addressOf(index: number): string {
    return (this.#wallets[index]?.address ?? IMPERSONATED).toLowerCase();
  }

  async send(index: number, request: object, gas: bigint, legacy: boolean): Promise<string> {
    const wallet = this.#wallets[index];
    if (wallet === undefined)
      return rpc(this.devnet, 'eth_sendTransaction', { ...request, from: IMPERSONATED, gas: hex(gas) });
    const price = BigInt(await rpc<string>(this.devnet, 'eth_gasPrice'));
    const nonce = Number(await rpc(this.devnet, 'eth_getTransactionCount', wallet.address, 'pending'));
    const prices = legacy ? { type: 0, gasPrice: price } : { type: 2, maxFeePerGas: price, maxPriorityFeePerGas: 0 };
    const terms = { ...prices, chainId: this.devnet.chainId, nonce, gasLimit: gas };
    return rpc(this.devnet, 'eth_sendRawTransaction', await wallet.signTransaction({ ...request, ...terms }));
  }
}

/** Runs `code` as a constructor does, then keeps it as the contract's. */
function deploying(code: string): string {
  const length = (code.length / 2).toString(16).padStart(4, '0');
  return `0x61${length}80600a5f395ff3${code}`;
}

interface Sent {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: number;
  readonly isEstimated: boolean;
  readonly what: string;
}

test('an estimate is enough, and fees are gas times price', async () => {
  await fc.assert(
    // With fast-check's bias for the smallest values nearly all calls would be of the first contract, and end well.
    fc.asyncProperty(
      fc.noBias(fc.array(block, { minLength: 2, maxLength: 6 })),
      fc.boolean(),
      async (blocks, createNonces) => {
        await using devnet = await createDevnet({ mining: 'manual', clock: 'virtual', createNonces });
        const senders = new Senders(devnet);
        await devnet.setCode(COUNTER, COUNTER_CODE);
        await rpc(devnet, 'hardhat_setBalance', IMPERSONATED, hex(10n ** 12n));
        await rpc(devnet, 'hardhat_impersonateAccount', IMPERSONATED);
        await rpc(devnet, 'tron_setStake', senders.addressOf(1), { energy: 50_000_000_000, bandwidth: 1_000_000 });
        const contracts = [COUNTER];
        for (const [number, { sendings, change }] of blocks.entries()) {
          if (change !== null) {
            await rpc(devnet, 'tron_setChainParameters', { getEnergyFee: change.price });
            await rpc(devnet, 'tron_setContractEnergy', COUNTER, { energyFactor: change.factor });
            if (change.maintenance) await rpc(devnet, 'tron_runMaintenance');
            await rpc(devnet, 'evm_increaseTime', change.hours * 3_600);
          }
          const sent: Sent[] = [];
          for (const [index, one] of sendings.entries()) {
            const from = senders.addressOf(one.from);
            const to = {
              new: `0x${byte(0xf0 + number)}${byte(index)}${'11'.repeat(18)}`,
              self: from,
              plain: senders.addressOf((one.from + 1) % 3),
              deploy: null,
              construct: null,
              call: contracts[one.which % contracts.length] as string,
            }[one.to];
            const data = { deploy: deploying(one.program), construct: `0x${one.program}` }[one.to as string] ?? '0x';
            const request = { to, data, value: hex(one.value) };
            const gas = await rpc<string>(devnet, 'eth_estimateGas', { ...request, from }).catch(() => undefined);
            const hash = await senders.send(one.from, request, BigInt(gas ?? 300_000), one.legacy);
            sent.push({ hash, from, to, value: one.value, isEstimated: gas !== undefined, what: JSON.stringify(one) });
          }
          await rpc(devnet, 'evm_mine');
          await checkBlock(devnet, sent, contracts);
        }
      },
    ),
    { numRuns: 12, seed: 20_261_123 },
  );
});

interface Receipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
}

async function checkBlock(devnet: Devnet, sent: readonly Sent[], contracts: string[]): Promise<void> {
  const head = Number(await rpc(devnet, 'eth_blockNumber'));
  const spent = new Map<string, bigint>();
  const add = (account: string, amount: bigint) => spent.set(account, (spent.get(account) ?? 0n) + amount);
  for (const { hash, from, to, value, isEstimated, what } of sent) {
    const receipt = await rpc<Receipt>(devnet, 'eth_getTransactionReceipt', hash);
    expect(receipt.status === '0x1', `${what} ${hash}`).toBe(isEstimated);
    add(from, BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
    if (receipt.status !== '0x1') continue;
    add(from, BigInt(value));
    if (to !== null) add(to, -BigInt(value));
    const trace = await rpc<Frame>(devnet, 'debug_traceTransaction', hash, { tracer: 'callTracer' });
    add(from, -received(trace, from));
    // A constructor may have destroyed its contract.
    const made = receipt.contractAddress;
    if (made !== null && (await rpc(devnet, 'eth_getCode', made)) !== '0x') contracts.push(made);
  }
  for (const account of new Set(sent.map(({ from }) => from))) {
    const [before, after] = await Promise.all(
      [head - 1, head].map(async (at) => BigInt(await rpc<string>(devnet, 'eth_getBalance', account, hex(at)))),
    );
    expect(before! - after!, `${account} in block ${head}`).toBe(spent.get(account));
  }
}
