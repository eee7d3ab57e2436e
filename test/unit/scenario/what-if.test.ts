import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArtifact } from '../../../src/artifacts/read-artifact.js';
import { runSweep } from '../../../src/cli/sweep-threads.js';
import { createDevnet } from '../../../src/index.js';
import { writeJson } from '../../../src/primitives/amount-json.js';
import { bytesToHex } from '../../../src/primitives/hex.js';
import { addressFromPrivateKey } from '../../../src/protocol/address.js';
import { packAny } from '../../../src/protocol/contract-types.js';
import { TransferContract } from '../../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_raw,
} from '../../../src/protocol/generated/tron.js';
import { sign } from '../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';
import { FIXTURES } from '../../../src/scenario/actions/fixture-code.js';
import { readDocument } from '../../../src/scenario/format/document.js';
import { sweepCsv, sweepMarkdown, sweepTable } from '../../../src/scenario/report/sweep.js';
import { findingLines, findingsOf } from '../../../src/scenario/what-if/findings.js';
import { mergeSweeps, readSweep } from '../../../src/scenario/what-if/merge.js';
import type { Sweep, VariantOutcome } from '../../../src/scenario/what-if/outcome.js';
import { withUnits } from '../../../src/scenario/what-if/replace-values.js';
import { runVariant } from '../../../src/scenario/what-if/run-variant.js';
import { inShard, readShard, readVariation, type Shard, variantsOf } from '../../../src/scenario/what-if/variations.js';
import { runText } from './run-file.js';

const TEXT = `
network: { parameters: { ENERGY_FEE: 100 } }
accounts:
  issuer: 1 TRX
  shop: { balance: 1_000 TRX, tokens: { dollar: 1_000_000 }, stake: { energy: 5_000 TRX } }
  old: { balance: 1 TRX, tokens: { dollar: 1 } }
  idle: { tokens: { dollar: 1 } }
contracts:
  dollar: { fixture: Dollar, deployer: issuer, args: [1_000_000_000_000, Dollar, USD, 6] }
steps:
  - repeat:
      times: 6
      steps:
        - call: { from: shop, contract: dollar, method: transfer, args: [old, 1] }
        - advance: 1h
`;
const FILE = 'shop.scenario.yaml';

/** The parts of a sweep, run here one after the other. */
async function sweep(given: readonly string[], shard?: Shard, text = TEXT): Promise<Sweep> {
  const document = readDocument(text, FILE);
  const variations = given.map((one) => withUnits(document, readVariation(one)));
  const all = variantsOf(variations);
  const { abi, bytecode } = FIXTURES.Dollar!;
  const artifact = { ...readArtifact({ abi: JSON.parse(abi), bytecode }), name: 'Dollar' };
  const input = { file: FILE, text, variations, artifacts: new Map([['fixture Dollar', artifact]]) };
  const outcomes: VariantOutcome[] = [];
  for (const variant of shard === undefined ? all : inShard(all, shard))
    outcomes.push(await runVariant(input, variant));
  return {
    whatIf: 2,
    file: FILE,
    fileDigest: 'same',
    variations,
    variants: all.length,
    ...(shard && { shard }),
    outcomes,
  };
}

describe('--what-if', () => {
  it('reads lists, ranges and units', () => {
    expect(readVariation('getEnergyFee=100,210,420').values).toEqual([100, 210, 420]);
    expect(readVariation('contracts.usdt.energyFactor=0..34000/5').values).toEqual([0, 8500, 17000, 25500, 34000]);
    expect(readVariation('accounts.a.balance=0..1_000 TRX/3, 5 sun').values).toEqual([
      '0 TRX',
      '500 TRX',
      '1000 TRX',
      '5 sun',
    ]);
  });

  it.each([
    ['getEnergyFee', /expected NAME=VALUE/],
    ['getEnergyFee=1,,2', /a value is missing/],
    ['getEnergyFee=1..9', /add the number of values, for example 1\.\.9\/5/],
    ['getEnergyFee=1..9/1', /has 2 to/],
    ['getEnergyFee=1,1', /1 is given twice/],
    ['getEnergyFees=1', /did you mean getEnergyFee/],
    ['accounts.shpo.stake.energy=0', /the file has no shpo; did you mean shop\?/],
    ['accounts.idle.balance=1000', /add the unit, 1000 TRX or 1000 sun/],
    ['steps[9].advance=1h', /the file has no 9/],
    ['accounts.shop.stake.enrgy=0', /enrgy/],
  ])('reports the mistake in %s', async (given, message) => {
    await expect(sweep([given])).rejects.toThrow(message);
  });

  it('takes each value in the place of the file’s own, the cross product of all', async () => {
    const { outcomes, variations } = await sweep(['getEnergyFee=100,210', 'accounts.shop.stake.energy=0,5000']);
    expect(variations[1]!.values).toEqual([0, '5000 TRX']);
    expect(outcomes.map(({ values }) => values)).toEqual([
      [null, null],
      [100, 0],
      [100, '5000 TRX'],
      [210, 0],
      [210, '5000 TRX'],
    ]);
    const energySun = outcomes.map(({ payers }) => Number(payers[0]!.energySun));
    expect(energySun[1]).toBe(6 * 14_007 * 100);
    expect(energySun[3]).toBe(6 * 14_007 * 210);
    // A variant that changes nothing costs the same to the sun, and is the same chain.
    expect({ ...outcomes[2], index: 0, values: [null, null] }).toEqual(outcomes[0]);
    expect(outcomes[2]!.digest).toBe((await runText(TEXT)).end.digest);
    expect(energySun[4]! * 100).toBe(energySun[2]! * 210);
  });

  it('takes a stake without a unit in TRX, as the network counts stakes', async () => {
    const { variations } = await sweep(['accounts.idle.stake.energy=0,1000']);
    expect(variations[0]!.values).toEqual([0, '1000 TRX']);
  });

  it('changes the factor of a contract, a step and the network', async () => {
    const { outcomes } = await sweep(['contracts.dollar.energyFactor=0,34000']);
    expect(outcomes.map(({ energy, energyPenalty }) => Number(energy) - Number(energyPenalty))).toEqual(
      Array(3).fill(6 * 14_007),
    );
    expect(Number(outcomes[2]!.energy) / Number(outcomes[1]!.energy)).toBeCloseTo(4.4, 1);
    const times = await sweep(['steps[0].repeat.times=1,12']);
    expect(times.outcomes.map(({ transactions }) => transactions)).toEqual([6, 1, 12]);
    expect((await sweep(['network.stake=none'])).outcomes[1]!.payers[0]!.energySun).toBe(0n);
  });

  it('finds the cheapest setting and the yearly saving of stakes', async () => {
    const whole = await sweep(['accounts.shop.stake.energy=0,5000,10_000']);
    const { cheapest, stakeSteps } = findingsOf(whole);
    expect(cheapest!.index).toBe(3);
    const [first, second, third] = whole.outcomes.slice(1);
    expect(stakeSteps).toHaveLength(2);
    expect(stakeSteps[0]).toMatchObject({
      from: 0,
      to: '5000 TRX',
      addedSun: 5_000_000_000n,
      savedSun: first!.feeSun - second!.feeSun,
    });
    const { spanMs } = second!;
    const saved = Number(second!.feeSun) - Number(third!.feeSun);
    const yearly = (saved / 5_000_000_000) * ((365 * 86_400_000) / spanMs) * 100;
    expect(stakeSteps[1]!.yearlyPercent).toBeCloseTo(yearly, 1);
    expect(sweepTable(whole)).toContain('lowest fee: accounts.shop.stake.energy=10000 TRX');
    expect(findingLines(whole)[0]).toMatch(
      /^accounts\.shop\.stake\.energy: each step pays up to 10000 TRX, the largest value of the sweep; the steps up to it return [\d.]+ to 160 % a year$/,
    );
    const { outcomes: all } = whole;
    const same = { ...whole, outcomes: all.map((one) => ({ ...one, feeSun: all[1]!.feeSun })) };
    expect(findingLines(same)).toContain(
      'accounts.shop.stake.energy: stake no more than 0: no larger stake saves anything; the next step, 5,000 TRX, returns 0 %, and later steps return no more',
    );
    // What fails costs less, and is not cheaper.
    const poor = await sweep(['accounts.shop.balance=1 sun,1_000 TRX']);
    expect(findingsOf(poor)).toMatchObject({ spoiled: 1, cheapest: { index: 0 } });
  });

  it('replays signed transactions without their keys on a chain that they were not signed for', async () => {
    const raw = SignedTransaction.fromRaw(
      Transaction_raw.create({
        contract: [
          Transaction_Contract.create({
            type: ContractType.TransferContract,
            parameter: packAny(
              TransferContract,
              TransferContract.create({
                owner_address: addressFromPrivateKey('aa'.repeat(32)),
                to_address: addressFromPrivateKey('bb'.repeat(32)),
                amount: 1n,
              }),
            ),
          }),
        ],
        ref_block_bytes: '0bad',
        ref_block_hash: '0123456789abcdef',
        timestamp: 1_767_225_600_000n,
        expiration: 1_767_225_700_000n,
      }),
    );
    const signed = raw.withSignatures([sign(raw.txId, 'aa'.repeat(32))]);
    const recorded = `
accounts: { alice: { privateKey: ${'aa'.repeat(32)}, balance: 10 TRX }, bob: { privateKey: ${'bb'.repeat(32)}, balance: 1 TRX } }
network: { parameters: { getFreeNetLimit: 0 } }
steps: [{ raw: ${bytesToHex(signed.bytes)} }]
`;
    const { outcomes } = await sweep(['getTransactionFee=1000,2000'], undefined, recorded);
    expect(outcomes.map(({ refused, replayed }) => [refused, replayed])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    // Its signature is paid for although nobody looks at it.
    const bytes = signed.sizeWithoutRet + 64;
    expect(outcomes.map(({ feeSun }) => feeSun)).toEqual([0n, BigInt(bytes) * 1_000n, BigInt(bytes) * 2_000n]);
    expect(sweepTable(await sweep(['getTransactionFee=1000'], undefined, recorded))).toContain(
      'without a signature check',
    );
  });

  it('takes a recording under other prices', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sunup-recording-'));
    try {
      const file = path.join(folder, 'day.scenario.yaml');
      const devnet = await createDevnet({ httpPort: false, networkStake: 'mainnet', record: file });
      const { abi, bytecode } = FIXTURES.Dollar!;
      const dollar = await devnet.deploy(
        { abi: JSON.parse(abi), bytecode },
        { args: [10n ** 15n, 'Dollar', 'USD', 6] },
      );
      for (let i = 0; i < 3; i++) await dollar.write.transfer!([devnet.accounts[1]!.address, 1n]);
      await devnet.close();
      const text = await readFile(file, 'utf8');
      const { outcomes } = await sweep(['getEnergyFee=100,210'], undefined, text);
      const [asItIs, same, dear] = outcomes;
      expect(same).toMatchObject({ feeSun: asItIs!.feeSun, refused: 0, transactions: 4 });
      const energySun = ({ sources }: VariantOutcome) =>
        sources.reduce((sum, one) => sum + (one.resource === 'energy' ? Number(one.sun) : 0), 0);
      expect(energySun(dear!)).toBe(energySun(asItIs!) * 2.1);
      // What the network has staked stands among the first steps, and is not what the sender has.
      const [first, , stranger] = devnet.accounts;
      const stakes = await sweep([`accounts.${first!.address}.stake.energy=0,100_000_000`], undefined, text);
      expect(stakes.variations[0]!.values).toEqual([0, '100000000 TRX']);
      const [as, none, enough] = stakes.outcomes;
      expect(none).toMatchObject({ feeSun: as!.feeSun, stakedSun: 0n });
      expect(energySun(enough!)).toBe(0);
      expect(enough).toMatchObject({ energy: as!.energy, stakedSun: 100_000_000_000_000n, refused: 0 });
      expect(findingsOf(stakes)).toMatchObject({
        cheapest: { index: 2 },
        stakeSteps: [{ savedSun: BigInt(energySun(as!)) }],
      });
      const dearer = await sweep([`contracts.${dollar.address}.energyFactor=0,34000`], undefined, text);
      expect(dearer.outcomes.map(({ energyPenalty }) => Number(energyPenalty) > 0)).toEqual([false, false, true]);
      const poor = await sweep([`accounts.${first!.address}.balance=1 TRX`], undefined, text);
      expect(poor.outcomes[1]).toMatchObject({ refused: 4 });
      for (const [given, said] of [
        ['accounts.shop.balance=1 TRX', /a recording has no names: use an address, accounts\.T…, instead of/],
        [`accounts.${stranger!.address}.balance=1`, /add the unit, 1 TRX or 1 sun/],
        [`accounts.${stranger!.address}.votes=1`, /a recording accepts chain parameters/],
        [`contracts.${stranger!.address}.stake.energy=1`, /a recording accepts chain parameters/],
        [`contracts.${dollar.address}.energyFactor=x`, /expected a whole number/],
        ['contracts.T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb.energyFactor=1', /sends to it or deploys it/],
      ] as const)
        await expect(sweep([given], undefined, text)).rejects.toThrow(said);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('keeps changed values of a recording after a rollback', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sunup-recording-'));
    try {
      const file = path.join(folder, 'day.scenario.yaml');
      const devnet = await createDevnet({ httpPort: false, record: file });
      const [first, second] = devnet.accounts;
      const atStart = await devnet.snapshot();
      await devnet.setBalance(second!.address, 5n);
      const { abi, bytecode } = FIXTURES.Dollar!;
      const artifact = { abi: JSON.parse(abi), bytecode };
      await devnet.deploy(artifact, { args: [1n, 'Lost', 'L', 0] });
      await devnet.revert(atStart);
      const dollar = await devnet.deploy(artifact, { args: [10n ** 15n, 'Dollar', 'USD', 6] });
      const deployed = await devnet.snapshot();
      await dollar.write.transfer!([second!.address, 1n]);
      await devnet.revert(deployed);
      await dollar.write.transfer!([second!.address, 2n]);
      await devnet.close();
      const text = await readFile(file, 'utf8');
      expect(text.match(/"goBack"/g)).toHaveLength(2);
      const factor = await sweep([`contracts.${dollar.address}.energyFactor=10000`], undefined, text);
      // Both transfers, the one that was taken back and the one after it.
      const [asItIs, dearer] = factor.outcomes;
      const transfers = Number(asItIs!.energy) - (await deployments(text));
      expect(Number(dearer!.energyPenalty)).toBe(transfers);
      const staked = await sweep([`accounts.${first!.address}.stake.energy=0,1_000_000_000`], undefined, text);
      const burnedSun = staked.outcomes.map(({ sources }) =>
        sources.reduce((sum, one) => sum + (one.resource === 'energy' ? Number(one.sun) : 0), 0),
      );
      expect(burnedSun[1]).toBeGreaterThan(0);
      expect(burnedSun[2]).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  /** Energy of what a recording deploys. */
  async function deployments(text: string): Promise<number> {
    const { transactions } = await runText(text);
    return transactions.reduce(
      (sum, { type, energy }) => sum + (type === 'CreateSmartContract' ? Number(energy!.used) : 0),
      0,
    );
  }

  it('comes to the same in parts as in one', async () => {
    const given = ['getEnergyFee=100..400/4'];
    const whole = await sweep(given);
    const parts: { readonly name: string; readonly sweep: Sweep }[] = [];
    for (const part of [3, 1, 2]) {
      const name = `${part}.json`;
      parts.push({ name, sweep: readSweep(writeJson(await sweep(given, readShard(`${part}/3`))), name) });
    }
    expect(mergeSweeps(parts)).toEqual(whole);
    expect(() => mergeSweeps(parts.slice(1))).toThrow(
      'the given files have the results of 3 of 5 settings; part 3 of 3 is missing: run the sweep with --shard 3/3 and add its file',
    );
    const [third, ...others] = parts;
    const stopped = { name: 'third.json', sweep: { ...third!.sweep, outcomes: [], stopped: true as const } };
    expect(() => mergeSweeps([stopped, ...others])).toThrow(
      'the given files have the results of 3 of 5 settings; third.json was stopped before its end: run that part again',
    );
    const other = { ...parts[0]!.sweep, fileDigest: 'another' };
    expect(() => mergeSweeps([parts[1]!, { name: 'x.json', sweep: other }])).toThrow(
      /x\.json belongs to another sweep/,
    );
    expect(() => readShard('4/3')).toThrow(/expected I\/N/);
  });

  it('gives each shard settings of all values, and each setting to one shard', () => {
    const of = 3;
    const all = variantsOf([readVariation('seed=a,b,c,d'), readVariation('steps[0].repeat.times=1,100,10_000')]);
    const shards = [1, 2, 3].map((part) => inShard(all, { part, of }));
    const indexes = shards.flatMap((variants) => variants.map(({ index }) => index));
    expect(indexes.sort((a, b) => a - b)).toEqual(all.map(({ index }) => index));
    for (const variants of shards)
      expect(new Set(variants.flatMap(({ values: [, times] }) => times ?? []))).toEqual(new Set([1, 100, 10_000]));
  });

  it('has findings for more settings than a call may have arguments', async () => {
    const { outcomes, ...small } = await sweep(['getEnergyFee=100', 'accounts.shop.stake.energy=0']);
    const fees = [100, 200];
    const stakes = Array.from({ length: 70_000 }, (_, stake) => stake);
    const variations = [
      { name: 'getEnergyFee', values: fees },
      { name: 'accounts.shop.stake.energy', values: stakes },
    ];
    const [first, other] = outcomes as [VariantOutcome, VariantOutcome];
    const many = variantsOf(variations).map(({ index, values }) =>
      index === 0 ? first : { ...other, index, values: values.map((value) => value ?? null), stakedSun: BigInt(index) },
    );
    const large: Sweep = { ...small, variations, variants: many.length, outcomes: many };
    const { cheapest, decisions } = findingsOf(large);
    expect([cheapest?.feeSun, decisions.map(({ name }) => name)]).toEqual([
      first.feeSun,
      variations.map(({ name }) => name),
    ]);
    expect(findingLines(large).length).toBeGreaterThan(2);
    // Without the unchanged file, as a stopped sweep of a shard has it.
    expect(findingsOf({ ...large, outcomes: many.slice(1) }).spoiled).toBe(0);
  });

  it('stops when somebody asks, with what has run', async () => {
    const document = readDocument('accounts: { a: 1 TRX }\nsteps: []', FILE);
    const variations = [withUnits(document, readVariation('getEnergyFee=1..9/9'))];
    const stop = new AbortController();
    const outcomes = await runSweep(
      { file: FILE, text: 'accounts: { a: 1 TRX }\nsteps: []', variations, artifacts: new Map() },
      variantsOf(variations),
      { threads: 1, signal: stop.signal, progress: (done) => (done === 3 ? stop.abort() : undefined) },
    );
    expect(outcomes.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('is written as CSV and Markdown', async () => {
    const whole = await sweep(['getEnergyFee=100,210']);
    const [head, ...rows] = sweepCsv(whole).trimEnd().split('\r\n');
    expect(head).toBe(
      'getEnergyFee,transactions,failed,refused,bytes,Energy,penalty,stake (sun),fee (sun),difference to the file (sun),once (sun),per day (sun)',
    );
    const { feeSun, energy, bandwidth, daySun } = whole.outcomes[0]!;
    expect(rows[0]).toBe(`unchanged,6,0,0,${bandwidth},${energy},0,5000000000,${feeSun},0,0,${daySun}`);
    expect(sweepMarkdown(whole)).toContain('| unchanged | 6 |');
  });
});
