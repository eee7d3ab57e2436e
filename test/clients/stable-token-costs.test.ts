/**
 * The cost of a transfer of a stable token, with dynamic Energy. `Dollar` is built like the network's largest token;
 * java-tron charged 29,007 and 14,007 for it in the recording `trc20-costs` (blocks 27 and 28); the factors are those
 * of protocol/energy-factor.md.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

interface ContractFile {
  readonly abi: readonly object[];
  readonly bytecode: string;
}

const { abi, bytecode } = JSON.parse(
  readFileSync(new URL('../../fixtures/contracts/Dollar.json', import.meta.url), 'utf8'),
) as ContractFile;

const SUPPLY = 1_000_000_000_000;
const EPOCH_MS = 21_600_000;
const FEE_LIMIT = 15_000 * TRX;
/** Ten-thousandths; the last is the cap. */
const FACTORS = [2000, 4400, 7280, 10_736, 14_883, 19_859, 25_830, 32_996, 34_000, 34_000];

class Token implements AsyncDisposable {
  private constructor(
    readonly chain: TronWebDevnet,
    readonly address: string,
  ) {}

  static async deploy(parameters: Record<string, number>): Promise<Token> {
    const chain = await TronWebDevnet.start({ parameters });
    const { contract_address } = await chain.send(
      0,
      chain.client(0).transactionBuilder.createSmartContract(
        {
          abi,
          bytecode,
          feeLimit: FEE_LIMIT,
          name: 'Dollar',
          userFeePercentage: 100,
          originEnergyLimit: 10_000_000,
          parameters: [SUPPLY, 'Dollar', 'USD', 6],
        } as never,
        chain.address(0),
      ),
    );
    return new Token(chain, contract_address!);
  }

  async transfer(from: number, to: number, amount: number): Promise<Info> {
    const { transaction } = await this.chain.client(from).transactionBuilder.triggerSmartContract(
      this.address,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT },
      [
        { type: 'address', value: this.chain.address(to) },
        { type: 'uint256', value: amount },
      ],
      this.chain.address(from),
    );
    return this.chain.send(from, transaction);
  }

  async factor(): Promise<number> {
    const answer = await this.chain
      .client(0)
      .fullNode.request<{ contract_state: { energy_factor?: number } }>(
        'wallet/getcontractinfo',
        { value: this.address },
        'post',
      );
    return answer.contract_state.energy_factor ?? 0;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.chain[Symbol.asyncDispose]();
  }
}

test('to a new holder, and to an existing one', async () => {
  await using token = await Token.deploy({});
  expect((await token.transfer(0, 1, 1_000)).receipt).toMatchObject({
    energy_usage_total: 29_007,
    energy_fee: 2_900_700,
    result: 'SUCCESS',
  });
  expect((await token.transfer(0, 1, 1_000)).receipt).toMatchObject({
    energy_usage_total: 14_007,
    energy_fee: 1_400_700,
  });
});

test('grows to 4.4 times as much at the maximum factor', async () => {
  await using token = await Token.deploy({ getDynamicEnergyThreshold: 1 });
  // Energy of a chain's first cycle does not affect factors.
  await token.chain.devnet.mine({ advanceMs: EPOCH_MS });
  const factors: number[] = [];
  for (const _ of FACTORS) {
    await token.transfer(0, 1, 1_000);
    await token.chain.devnet.mine({ advanceMs: EPOCH_MS });
    factors.push(await token.factor());
  }
  expect(factors).toEqual(FACTORS);

  // The penalty is 3.4 times the price of each instruction, rounded down: prices of 1, 2, 3, 5 add 3, 6, 10, 17. The
  // difference to 4.4 times the total is less than 1 for each of the transfer's some 300 instructions.
  for (const [receipt, base] of [
    [(await token.transfer(0, 2, 1_000)).receipt, 29_007],
    [(await token.transfer(0, 2, 1_000)).receipt, 14_007],
  ] as const) {
    const { energy_usage_total: total = 0, energy_penalty_total: penalty = 0 } = receipt;
    expect(total - penalty).toBe(base);
    expect(total).toBeLessThanOrEqual(base * 4.4);
    expect(total).toBeGreaterThan(base * 4.4 - 300);
  }

  // The first of these two epochs had the calls; the second had none, and the factor decays.
  await token.chain.devnet.mine({ advanceMs: 2 * EPOCH_MS });
  expect(await token.factor()).toBe(31_800);
});
