/** Unsent calls: `sunup estimate` and the `limits` of a preview agree with the receipts after sending. */

import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runEstimate } from '../../src/cli/estimate-command.js';
import { createDevnet, type DeployedContract, type Devnet } from '../../src/index.js';
import { toJson } from '../../src/primitives/amount-json.js';
import { said } from '../unit/cli/said.js';

let devnet: Devnet;
let dollar: DeployedContract;
let from: string;
let to: string;
beforeAll(async () => {
  devnet = await createDevnet({ networkStake: 'mainnet' });
  const [deployer, caller, other] = devnet.accounts;
  from = caller!.address;
  to = other!.address;
  const supply = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 60, originEnergyLimit: 7_000 };
  dollar = await devnet.deploy('fixtures/contracts/Dollar.json', supply);
  await dollar.write.transfer!([from, 1_000_000n]);
  await devnet.setStake(deployer!.address, { energy: 5_000_000_000 });
  await devnet.setStake(from, { energy: 100_000_000 });
  await devnet.setContractEnergy(dollar.address, { energyFactor: 1_000, energyUsage: 6_000_000_000 });
});
afterAll(() => devnet.close());

const asked = (...words: readonly string[]) =>
  said((say) => runEstimate(['estimate', ...words, '--url', devnet.http.url], say));

async function estimated() {
  const { code, out } = await asked(dollar.address, 'transfer', to, '1_000', '--from', from, '--json');
  expect(code).toBe(0);
  const { now, atHigherFactors, ...limits } = JSON.parse(out).limits;
  return { ...limits, cases: [now, ...atHigherFactors] };
}

it('agrees with the receipt, at each factor', async () => {
  const { cases, deployer, contracts, thresholdEnergy } = await estimated();
  expect(contracts).toMatchObject([{ address: dollar.address, factor: 0.1, epochEnergy: 6_000_000_000 }]);
  expect(thresholdEnergy).toBe(5_000_000_000);
  expect(deployer).toMatchObject({ percent: 40, originEnergyLimit: 7_000 });
  expect(cases.map(({ epochs, factor }: { epochs: unknown; factor: number }) => [epochs, factor])).toEqual([
    [0, 0.1],
    [1, 0.32],
    [2, 0.584],
    [3, 0.9008],
    ['cap', 3.4],
  ]);
  for (const one of cases) {
    const id = await devnet.snapshot();
    await devnet.setContractEnergy(dollar.address, { energyFactor: Math.round(one.factor * 10_000) });
    const sent = await dollar.write.transfer!([to, 1_000n], { from, feeLimit: BigInt(one.feeLimitSun) });
    const { energy, charges } = await devnet.explain(sent.txid);
    expect(toJson(energy)).toMatchObject({ total: one.energy, penalty: one.penalty });
    expect(toJson(energy!.caller)).toMatchObject({
      staked: one.stakedEnergy,
      bought: one.burnedEnergy,
      feeSun: one.energyFeeSun,
    });
    expect(toJson(energy!.origin!.paid)).toBe(one.deployerEnergy);
    expect(charges.length).toBeGreaterThan(0);
    await devnet.revert(id);
  }
});

it('gives the smallest sufficient feeLimit', async () => {
  const { cases } = await estimated();
  const feeLimit = BigInt(cases[0].feeLimitSun) - 100n;
  await expect(dollar.write.transfer!([to, 1_000n], { from, feeLimit })).rejects.toThrow(
    /OUT_OF_ENERGY|out of Energy/i,
  );
});

it('gives the stake with which nothing is burned', async () => {
  const { cases } = await estimated();
  const [now] = cases;
  expect(now.burnedEnergy).toBeGreaterThan(0);
  expect(BigInt(now.burnAloneSun)).toBe(BigInt(now.energy) * 100n);
  const id = await devnet.snapshot();
  await devnet.setStake(from, { energy: 100_000_000 + now.stakeSun });
  expect((await estimated()).cases[0]).toMatchObject({ burnedEnergy: 0, energyFeeSun: 0, stakeSun: 0 });
  await devnet.revert(id);
});

it('is shown as text and a table, and fails if the call would fail', async () => {
  const good = await asked(dollar.address, 'transfer', to, '1_000', '--from', from);
  expect(good.out).toContain('would call transfer(address,uint256) of');
  expect(good.out).toContain('the factor rises in the next epoch');
  expect(good.out).toMatch(/after 3 busy epochs.*0\.9008/);
  const bad = await asked(dollar.address, 'transfer', to, '1_000_001', '--from', from);
  expect(bad).toMatchObject({ code: 1, err: '' });
  expect(bad.out).toContain('It would FAIL with ILLEGAL_OPERATION');
  expect(bad.out).toMatch(/ILLEGAL_OPERATION is an exception: it takes all the Energy that the feeLimit\s+allows/);
  expect(bad.out).toContain('So there is no cost table.');
  expect(bad.out).not.toContain('busy');
});

it('gives the charge of an exception: all Energy of its limit', async () => {
  for (const feeLimit of [undefined, 20_000_000n]) {
    const id = await devnet.snapshot();
    const sent = await dollar.write.transfer!([to, 1_000_001n], {
      from,
      feeLimit: feeLimit ?? 15_000_000_000n,
      allowFailure: true,
    });
    const { energy, outcome } = await devnet.explain(sent.txid);
    await devnet.revert(id);
    const data = `0xa9059cbb${String(TronWeb.address.toHex(to)).slice(2).padStart(64, '0')}${(1_000_001).toString(16).padStart(64, '0')}`;
    const call = { from, to: dollar.address, data, ...(feeLimit && { feeLimit }) };
    const { limits } = await devnet.preview(call, { higherFactors: true });
    expect(outcome).toMatchObject({ result: 'ILLEGAL_OPERATION' });
    expect(limits).toMatchObject({ mostFeeSun: energy!.caller.feeSun });
    expect(limits).not.toHaveProperty('now');
    expect(limits).not.toHaveProperty('atHigherFactors');
    expect(limits!.exception).toEqual({
      takesAllEnergy: true,
      feeLimitSun: feeLimit ?? 15_000_000_000n,
      energy: energy!.total,
      deployerEnergy: energy!.origin!.paid,
      stakedEnergy: energy!.caller.staked,
      burnedEnergy: energy!.caller.bought,
      energyFeeSun: energy!.caller.feeSun,
    });
  }
});

it('names the payers by stake: the caller, or the deployer, too', async () => {
  const id = await devnet.snapshot();
  const [deployer] = devnet.accounts;
  await devnet.setStake(from, { energy: 50_000_000_000 });
  const words = [dollar.address, 'transfer', to, '1_000', '--from'];
  expect((await asked(...words, from)).out).toMatch(
    /paid\s+[\d,]+\s+from\s+the\s+deployer's\s+stake,\s+[\d,]+\s+from\s+the\s+caller's\./,
  );
  await dollar.write.transfer!([deployer!.address, 1_000n], { from });
  await devnet.setStake(deployer!.address, { energy: 50_000_000_000 });
  expect((await asked(...words, deployer!.address)).out).toMatch(/: paid [\d,]+ from\s+the\s+caller's\s+stake\./);
  await devnet.revert(id);
});

it.each([
  [['transfr', 'x', '1'], 'did you mean transfer?'],
  [['transfer', 'x', '1'], 'expected address, got "x"'],
  [['transfer', 'x'], 'got 1 argument'],
  [['nothing(uint256'], 'expected a signature with types only'],
])('says what is wrong with %j', async (words, text) => {
  expect(await asked(dollar.address, ...words, '--from', from)).toMatchObject({
    code: 2,
    err: expect.stringContaining(text),
  });
});

it('has limits for all calls of contracts', async () => {
  expect(await devnet.preview({ from, to, value: 1 })).not.toHaveProperty('limits');
  const plain = await said((say) =>
    runEstimate(['estimate', JSON.stringify({ from, to, value: 1 }), '--url', devnet.http.url], say),
  );
  expect(plain).toMatchObject({ code: 0, out: expect.stringMatching(/^Would succeed in block/) });
  expect(await asked(to, 'transfer', to, '1', '--from', from)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`no contract at ${to}`),
  });
  expect(await asked('x', '--from', from)).toMatchObject({ code: 2 });
  expect(await asked(dollar.address, 'transfer')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--from is missing'),
  });
});

it('works for deployments, too', async () => {
  const { limits } = await devnet.preview({ from, data: '0x60016000f3' }, { higherFactors: true });
  expect(limits!.now).toMatchObject({ energy: 209n, deployerEnergy: 0n, result: 'SUCCESS' });
  expect(new Set(limits!.atHigherFactors!.map(({ energy }) => energy))).toEqual(new Set([209n]));
});

it.each([
  { clock: 'wall', mining: 'instant' },
  { clock: 'virtual', mining: 'manual' },
  { clock: 'virtual', mining: 'instant' },
] as const)('runs at the time that the next block has after time was let pass: %j', async (options) => {
  await using chain = await createDevnet(options);
  const lock = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
  const { timestampMs } = await chain.mine();
  const opensAt = Math.ceil(timestampMs / 1000) + 3_000;
  // Reverts before that time.
  await chain.setCode(lock, `0x63${opensAt.toString(16).padStart(8, '0')}4210600b57005b600080fd`);
  const call = { from: chain.accounts[0]!.address, to: lock };
  expect((await chain.preview(call)).limits!.outcome).toMatchObject({ result: 'REVERT' });
  await chain.increaseTime(3_600);
  expect((await chain.preview(call)).limits!.outcome).toMatchObject({ result: 'SUCCESS' });
  expect((await chain.preview(call)).outcome).toMatchObject({ result: 'SUCCESS' });
});
