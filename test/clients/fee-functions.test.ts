/**
 * `sunup/fees` compared with a devnet: the examples of docs/reference/fees.md, fee limits, stakes, and recovery over
 * time.
 */

import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as fees from '../../src/fees.js';
import { createDevnet, type DeployedContract, type Devnet, type Receipt } from '../../src/index.js';

const { accountFrom, adviseFeeLimit, contractFrom, factorAfter, networkFrom, recoveredWhen, usagesFrom, usedAt } = fees;
const TRX = 1_000_000n;

describe('docs/reference/fees.md', () => {
  const text = readFileSync(new URL('../../docs/reference/fees.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code!);

  it('prints the outputs of its examples', () => {
    const printed: string[] = [];
    const log = (...values: unknown[]) =>
      printed.push(values.map((one) => (typeof one === 'string' ? one : inspect(one))).join(' '));
    const code = blocks.join('\n').replaceAll(/^import .*$/gm, '');
    new Function(...Object.keys(fees), 'console', code)(...Object.values(fees), { log });
    const promised = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, result]) => result!);
    expect(promised.length).toBeGreaterThan(20);
    expect(printed).toEqual(promised);
  });

  it('names every function', () => {
    for (const name of Object.keys(fees)) expect(text, name).toContain(`${name}(`);
  });
});

it('refuses values that are not answers of a node', () => {
  const words = 'not an answer of getchainparameters: chainParameter is missing';
  for (const answer of [undefined, null, { Error: 'no interface' }, { chainParameter: 5 }])
    expect(() => networkFrom(answer as never)).toThrow(words);
});

describe('compared with a devnet', () => {
  let devnet: Devnet;
  let dollar: DeployedContract;
  beforeAll(async () => {
    devnet = await createDevnet({ httpPort: false, networkStake: 'mainnet', balance: 10_000_000 });
    const artifact = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Dollar.json', import.meta.url), 'utf8'));
    dollar = await devnet.deploy(artifact, { args: [10n ** 15n, 'Dollar', 'USD', 6] });
  });
  afterAll(() => devnet.close());

  // biome-ignore lint/suspicious/noExplicitAny: answers of a node, as clients have them
  const ask = async (path: string, body: object): Promise<any> => {
    const answer = await devnet.fetch(`/wallet/${path}`, {
      method: 'POST',
      body: JSON.stringify({ visible: true, ...body }),
    });
    return answer.json();
  };
  const sender = () => devnet.accounts[0]!.address;
  const network = async () =>
    networkFrom(await ask('getchainparameters', {}), await ask('getaccountresource', { address: sender() }));
  const account = async (address = sender()) =>
    accountFrom({ account: await ask('getaccount', { address }) }, await network());
  const contract = async () => contractFrom(await ask('getcontractinfo', { value: dollar.address }));
  const constantTransfer = (to: string) =>
    ask('triggerconstantcontract', {
      owner_address: sender(),
      contract_address: dollar.address,
      function_selector: 'transfer(address,uint256)',
      parameter: [
        devnet.accounts
          .find(({ address }) => address === to)!
          .addressHex.slice(2)
          .padStart(64, '0'),
        '1'.padStart(64, '0'),
      ].join(''),
    });

  /** Runs a function and reverts its changes. */
  async function aside<Result>(work: () => Promise<Result>): Promise<Result> {
    const id = await devnet.snapshot();
    try {
      return await work();
    } finally {
      await devnet.revert(id);
    }
  }

  it('advises a feeLimit that suffices for the given number of factor increases, with little excess', async () => {
    const [, receiver] = devnet.accounts;
    const rising = fc.record({ factor: fc.nat(34_000), epochs: fc.nat(4) });
    await fc.assert(
      fc.asyncProperty(rising, ({ factor, epochs }) =>
        aside(async () => {
          await devnet.setContractEnergy(dollar.address, { energyFactor: factor });
          const rules = await network();
          const advice = adviseFeeLimit(
            await constantTransfer(receiver!.address),
            { bytes: 345, contract: await contract(), epochs },
            await account(),
            rules,
          );
          expect(advice.energyFactor).toBe(factorAfter(factor, epochs, true, rules));
          await devnet.setContractEnergy(dollar.address, { energyFactor: advice.energyFactor });
          const send = (feeLimit: bigint): Promise<Receipt> =>
            dollar.write.transfer!([receiver!.address, 1n], { feeLimit, allowFailure: true });
          const enough = await aside(() => send(advice.feeLimitSun));
          expect(enough.result).toBe('SUCCESS');
          // The network rounds down for each instruction: the advice exceeds the need by a few Energy.
          expect(advice.energy - Number(enough.energy)).toBeLessThan(600);
          const tooLittle = await aside(() => send(advice.feeLimitSun - 600n * rules.energyPriceSun));
          expect(tooLittle.result).toBe('OUT_OF_ENERGY');
        }),
      ),
      { numRuns: 8 },
    );
  });

  it.each(['energy', 'bandwidth'] as const)('finds the smallest stake with which %s is free', async (name) => {
    const stakes = fc.record({ own: fc.bigInt(0n, 5_000n * TRX), need: fc.integer({ min: 1, max: 400_000 }) });
    await fc.assert(
      fc.asyncProperty(stakes, ({ own, need }) =>
        aside(async () => {
          if (own >= TRX) await devnet.setStake(sender(), { [name]: own });
          const energy = name === 'energy' ? need : 0;
          const bytes = name === 'bandwidth' ? Math.ceil(need / 200) : 0;
          const { energySun, bandwidthSun } = fees.stakeToPayNothing(
            { energy, bytes },
            await account(),
            await network(),
          );
          const more = (name === 'energy' ? energySun : bandwidthSun)!;
          const wanted = name === 'energy' ? energy : bytes;
          const left = async () => (await account())[name];
          const before = own >= TRX ? own : 0n;
          const leftWith = (sun: bigint) =>
            aside(async () => {
              if (sun > 0n) await devnet.setStake(sender(), { [name]: before + sun });
              return left();
            });
          expect(await leftWith(more)).toBeGreaterThanOrEqual(wanted);
          if (more > TRX) expect(await leftWith(more - 1n)).toBeLessThan(wanted);
        }),
      ),
      { numRuns: 12 },
    );
  });

  it('and then a call burns nothing', async () => {
    const [, receiver] = devnet.accounts;
    await aside(async () => {
      const { energy_used } = await constantTransfer(receiver!.address);
      const { energySun } = fees.stakeToPayNothing({ energy: energy_used }, await account(), await network());
      const feeWith = (amount: bigint) =>
        aside(async () => {
          await devnet.setStake(sender(), { energy: amount });
          await devnet.setAccountResources(sender(), { freeNetUsage: 0 });
          return (await dollar.write.transfer!([receiver!.address, 1n])).feeSun;
        });
      expect(await feeWith(energySun!)).toBe(0n);
      expect(await feeWith(energySun! - 1n)).toBeGreaterThan(0n);
    });
  });

  it('reads Energy from getaccountresource alone, exactly for stakes in whole TRX', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), (coins) =>
        aside(async () => {
          await devnet.setStake(sender(), { energy: BigInt(coins) * TRX });
          const resource = await ask('getaccountresource', { address: sender() });
          const short = accountFrom({ resource }, await network());
          const { energy, bandwidth, freeBandwidth } = await account();
          expect(short).toMatchObject({ energy, bandwidth, freeBandwidth });
        }),
      ),
      { numRuns: 8 },
    );
  });
});

describe.each([3_000, 1_000, 7_000])('compared with a devnet with slots of %d ms', (slotMs) => {
  it('predicts recovery exactly from an answer of getaccount', async () => {
    await using devnet = await createDevnet({ httpPort: false, slotMs, balance: 10_000_000 });
    const [{ address }, receiver] = devnet.accounts as [Devnet['accounts'][number], Devnet['accounts'][number]];
    const artifact = JSON.parse(readFileSync(new URL('../../fixtures/contracts/Dollar.json', import.meta.url), 'utf8'));
    const dollar = await devnet.deploy(artifact, { args: [10n ** 15n, 'Dollar', 'USD', 6] });
    // biome-ignore lint/suspicious/noExplicitAny: answers of a node, as clients have them
    const ask = async (path: string, body: object): Promise<any> =>
      JSON.parse((await devnet.post(`/wallet/${path}`, JSON.stringify({ visible: true, ...body }))).text);
    const headTimeMs = async (): Promise<number> => (await ask('getnowblock', {})).block_header.raw_data.timestamp;
    const genesisMs = (await ask('getblockbynum', { num: 0 })).block_header.raw_data.timestamp ?? 0;
    const { rules } = networkFrom(await ask('getchainparameters', {}), {}, { slotMs: devnet.slotMs });
    expect(rules.daySlots).toBe(BigInt(Math.floor(86_400_000 / slotMs)));
    await devnet.setStake(address, { energy: 20_000n * TRX });
    await dollar.write.transfer!([receiver.address, 1n]);
    const times = fc.record({
      first: fc.integer({ min: 0, max: 80_000_000 }),
      second: fc.integer({ min: slotMs, max: 90_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(times, async ({ first, second }) => {
        const snapshot = await devnet.snapshot();
        await devnet.mine({ advanceMs: first });
        const usages = usagesFrom(await ask('getaccount', { address }), await headTimeMs(), { genesisMs, slotMs });
        await devnet.mine({ advanceMs: second });
        const later = await ask('getaccountresource', { address });
        const at = await headTimeMs();
        for (const [usage, real = 0] of [
          [usages.energy, later.EnergyUsed],
          [usages.freeBandwidth, later.freeNetUsed],
        ] as const) {
          expect(Math.abs(usedAt(usage, at) - real)).toBeLessThanOrEqual(1);
          const half = Math.floor(usage.used / 2);
          const when = recoveredWhen(usage, half);
          expect(usedAt(usage, when)).toBeLessThanOrEqual(half);
          if (usage.used > half) expect(usedAt(usage, when - 1)).toBeGreaterThan(half);
        }
        await devnet.revert(snapshot);
      }),
      { numRuns: 8 },
    );
  });
});
