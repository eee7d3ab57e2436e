/**
 * Random sends through `/eth`, blocks, snapshots and reverts: nonces have no gap, every fee is gas times price, a revert
 * takes everything back, and a dump is the same chain.
 */

import { Wallet } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

/** Reverts for data that begins with 00, stores a word at the slot of its first byte otherwise. */
const CONTRACT = '0x00000000000000000000000000000000000000c1';
const CODE = '0x5f3560f81c80600e575f5ffd5b600190555f5f';
const PLAIN = '0x00000000000000000000000000000000000000a1';

type Step =
  | {
      readonly do: 'send';
      readonly from: number;
      readonly to: 'plain' | 'self' | 'contract' | 'nothing';
      readonly data: number;
      readonly value: number;
      readonly ahead: number;
    }
  | { readonly do: 'mine' }
  | { readonly do: 'snapshot' }
  | { readonly do: 'revert' };

const sendOrMine: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      from: fc.nat(1),
      to: fc.constantFrom('plain', 'self', 'contract', 'nothing'),
      data: fc.nat(255),
      value: fc.nat(3),
      ahead: fc.constantFrom(0, 0, 0, 1, 2),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mine' as const) }) },
);

/** What a revert takes back comes right before it in most cases: far apart, few random steps have anything to take back. */
const tried = fc
  .array(sendOrMine, { minLength: 1, maxLength: 5 })
  .map((steps): readonly Step[] => [{ do: 'snapshot' }, ...steps, { do: 'revert' }]);

const someSteps: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 8, arbitrary: sendOrMine.map((one) => [one]) },
  { weight: 1, arbitrary: fc.constantFrom([{ do: 'snapshot' as const }], [{ do: 'revert' as const }]) },
  { weight: 2, arbitrary: tried },
);

interface Receipt {
  readonly from: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
}
interface Transaction {
  readonly nonce: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly hash: string;
}

async function rpc<Result>(devnet: Devnet, method: string, ...params: readonly unknown[]): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await devnet.fetch('/eth', { method: 'POST', body });
  const { result, error } = (await answer.json()) as { result: Result; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

/** Balances and nonces of everybody, and the head. */
async function portrait(devnet: Devnet, wallets: readonly Wallet[]): Promise<unknown> {
  const all = [...wallets.map(({ address }) => address), PLAIN, CONTRACT];
  return {
    balances: await Promise.all(all.map((one) => rpc(devnet, 'eth_getBalance', one, 'pending'))),
    nonces: await Promise.all(all.map((one) => rpc(devnet, 'eth_getTransactionCount', one, 'pending'))),
    pool: await rpc(devnet, 'txpool_content'),
    head: ((await rpc(devnet, 'eth_getBlockByNumber', 'latest', false)) as { hash: string }).hash,
  };
}

/** What the sender of each transaction of the block paid is what its receipt says. */
async function checkBlock(devnet: Devnet, number: number, wallets: readonly Wallet[]): Promise<void> {
  const at = (block: number) => `0x${block.toString(16)}`;
  const { transactions } = await rpc<{ transactions: Transaction[] }>(devnet, 'eth_getBlockByNumber', at(number), true);
  for (const { address } of wallets) {
    const own = transactions.filter(({ from }) => from === address.toLowerCase());
    let spent = 0n;
    let nonce = BigInt(await rpc<string>(devnet, 'eth_getTransactionCount', address, at(number - 1)));
    for (const one of own) {
      expect(BigInt(one.nonce)).toBe(nonce++);
      const receipt = await rpc<Receipt>(devnet, 'eth_getTransactionReceipt', one.hash);
      spent += BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      if (receipt.status === '0x1' && one.to !== address.toLowerCase()) spent += BigInt(one.value);
    }
    expect(BigInt(await rpc<string>(devnet, 'eth_getTransactionCount', address, at(number)))).toBe(nonce);
    const [before, after] = await Promise.all(
      [number - 1, number].map(async (block) =>
        BigInt(await rpc<string>(devnet, 'eth_getBalance', address, at(block))),
      ),
    );
    expect(before! - after!).toBe(spent);
  }
}

test('nonces have no gap, fees are gas times price, and what is taken back is gone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someSteps, { minLength: 5, maxLength: 25 }), async (parts) => {
      await using devnet = await createDevnet({ mining: 'manual', clock: 'virtual' });
      const wallets = devnet.accounts.slice(0, 2).map(({ privateKey }) => new Wallet(`0x${privateKey}`));
      await devnet.setCode(CONTRACT, CODE);
      const snapshots: { readonly id: string; readonly portrait: unknown }[] = [];
      for (const one of parts.flat()) {
        if (one.do === 'mine') {
          await rpc(devnet, 'evm_mine');
          await checkBlock(devnet, Number(await rpc(devnet, 'eth_blockNumber')), wallets);
        } else if (one.do === 'snapshot') {
          snapshots.push({ id: await rpc(devnet, 'evm_snapshot'), portrait: await portrait(devnet, wallets) });
        } else if (one.do === 'revert') {
          const last = snapshots.pop();
          if (last === undefined) continue;
          expect(await rpc(devnet, 'evm_revert', last.id)).toBe(true);
          expect(await portrait(devnet, wallets)).toEqual(last.portrait);
        } else {
          const wallet = wallets[one.from]!;
          const pending = Number(await rpc(devnet, 'eth_getTransactionCount', wallet.address, 'pending'));
          const to = { plain: PLAIN, self: wallet.address, contract: CONTRACT, nothing: null }[one.to];
          const data = `0x${one.data.toString(16).padStart(2, '0')}`;
          const signed = await wallet.signTransaction({
            ...{ type: 2, chainId: devnet.chainId, nonce: pending + one.ahead, gasLimit: 200_000 },
            ...{ maxFeePerGas: 100, maxPriorityFeePerGas: 0, data: one.to === 'nothing' ? '0x' : data },
            ...{ to, value: one.to === 'contract' || one.to === 'nothing' ? 0 : one.value },
          });
          const hash = await rpc<string>(devnet, 'eth_sendRawTransaction', signed).catch(
            (error: Error) => error.message,
          );
          // What waits behind a gap may be sent again, and is not dearer then.
          if (!/^0x/.test(hash)) expect(hash).toMatch(/^(already known|replacement transaction underpriced)$/);
        }
      }
      await rpc(devnet, 'evm_mine');
      await checkBlock(devnet, Number(await rpc(devnet, 'eth_blockNumber')), wallets);
      const dump = await devnet.dump();
      await using other = await createDevnet({ mining: 'manual', clock: 'virtual' });
      await other.load(dump);
      expect(await portrait(other, wallets)).toEqual(await portrait(devnet, wallets));
    }),
    { numRuns: 15, seed: 20_261_123 },
  );
});
