/**
 * A preview under changes is what is charged when the same changes are made by the real operations and the same
 * transaction is sent then: for calls, deployments, transfers and system contracts, with random changes in random order.
 */

import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeployedContract, PreviewInWords } from '../../src/index.js';
import { TRX, TronWebDevnet } from '../clients/tronweb-devnet.js';

let chain: TronWebDevnet;
let dollar: DeployedContract;
beforeAll(async () => {
  chain = await TronWebDevnet.start({ networkStake: 'mainnet' });
  const { devnet } = chain;
  const supply = { args: [10n ** 15n, 'Dollar', 'USD', 6], userFeePercent: 40, originEnergyLimit: 9_000 };
  dollar = await devnet.deploy('fixtures/contracts/Dollar.json', supply);
  for (const i of [SENDER, OTHER]) await dollar.write.transfer!([chain.address(i), 1_000_000n]);
  await devnet.setStake(chain.address(SENDER), { energy: 200 * TRX, bandwidth: 300 * TRX });
});
afterAll(() => chain[Symbol.asyncDispose]());

/** The first account has deployed. */
const [SENDER, OTHER] = [1, 2];
const NOBODY = 'TVj7RNVHy6thbM7BWdSe9G6gXwKhjhdNZS';

type Builder = TronWebDevnet['clients'][number]['transactionBuilder'];
type Build = (builder: Builder, sender: string, other: string) => Promise<unknown>;

const call =
  (name: string, ...values: readonly { readonly type: string; readonly value: unknown }[]): Build =>
  async (builder, sender) =>
    (await builder.triggerSmartContract(dollar.address, name, { feeLimit: 20 * TRX }, [...values], sender)).transaction;

const SUBJECTS: Readonly<Record<string, Build>> = {
  'a call': (...given) =>
    call('transfer(address,uint256)', { type: 'address', value: given[2] }, { type: 'uint256', value: 5 })(...given),
  'a call that makes a new slot': call(
    'transfer(address,uint256)',
    { type: 'address', value: NOBODY },
    { type: 'uint256', value: 5 },
  ),
  'a call that fails': call(
    'transfer(address,uint256)',
    { type: 'address', value: NOBODY },
    { type: 'uint256', value: 10 ** 15 },
  ),
  'a deployment': (builder, sender) =>
    builder.createSmartContract(
      { abi: [], bytecode: `69${'5b'.repeat(10)}600052600a6016f3`, feeLimit: 5 * TRX, name: 'Ten' },
      sender,
    ),
  'a transfer': (builder, sender, other) => builder.sendTrx(other, 3, sender),
  'a transfer to a new account': (builder, sender) => builder.sendTrx(NOBODY, 3, sender),
  'a stake': (builder, sender) => builder.freezeBalanceV2(2 * TRX, 'ENERGY', sender),
  'an unstaking': (builder, sender) => builder.unfreezeBalanceV2(TRX, 'BANDWIDTH', sender),
  'a delegation': (builder, sender, other) => builder.delegateResource(TRX, other, 'ENERGY', sender, false),
};

/** A change by its name, and the real operation that does the same. */
interface ChangeMade {
  readonly name: string;
  readonly value: bigint;
  readonly made: () => Promise<unknown>;
}

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });
const parameter = (name: string, values: fc.Arbitrary<bigint>) =>
  values.map(
    (value): ChangeMade => ({
      name,
      value,
      made: () => chain.devnet.setChainParameters({ [name]: value }, { force: true }),
    }),
  );
const sun = (most: number) => fc.oneof(fc.constant(0n), between(0n, BigInt(most) * BigInt(TRX)));
const stake = (who: string, i: number, resource: 'energy' | 'bandwidth') =>
  sun(20_000).map(
    (value): ChangeMade => ({
      name: `accounts.${who}.stake.${resource}`,
      value,
      made: () => chain.devnet.setStake(chain.address(i), { [resource]: value }),
    }),
  );

const ofAny = [
  parameter('getEnergyFee', between(1n, 1_000n)),
  parameter('getTransactionFee', between(0n, 5_000n)),
  parameter('getFreeNetLimit', between(0n, 1_000n)),
  parameter('getCreateNewAccountFeeInSystemContract', between(0n, 5_000_000n)),
  parameter('getDynamicEnergyThreshold', between(0n, 10n ** 10n)),
  stake('sender', 1, 'energy'),
  stake('sender', 1, 'bandwidth'),
  sun(30).map(
    (balanceSun): ChangeMade => ({
      name: 'accounts.sender.balance',
      value: balanceSun,
      made: () => chain.devnet.setBalance(chain.address(SENDER), balanceSun),
    }),
  ),
] as const;

const contractEnergy = (name: 'energyFactor' | 'energyUsed', most: bigint) =>
  between(0n, most).map(
    (value): ChangeMade => ({
      name: `contracts.called.${name}`,
      value,
      made: () =>
        chain.devnet.setContractEnergy(dollar.address, { [name === 'energyUsed' ? 'energyUsage' : name]: value }),
    }),
  );
const ofCalls = [
  stake('deployer', 0, 'energy'),
  contractEnergy('energyFactor', 34_000n),
  contractEnergy('energyUsed', 10n ** 11n),
];

const changes = (subject: string) =>
  fc.uniqueArray(fc.oneof(...ofAny, ...(subject.startsWith('a call') ? ofCalls : [])), {
    maxLength: 5,
    selector: ({ name }) => name,
  });

async function receiptOf(id: string): Promise<unknown> {
  const body = JSON.stringify({ value: id, visible: true });
  return (await chain.devnet.fetch('/wallet/gettransactioninfobyid', { method: 'POST', body })).json();
}

/** What a preview and an explanation both have, without sentences, which speak of what would be and of what was. */
function compared(preview: Partial<PreviewInWords>): object {
  const { text: _, isOfChain: __, limits: ___, fees: ____, receipt: _____, ...rest } = preview;
  return rest;
}

describe.each(Object.entries(SUBJECTS))('a preview of %s', (subject, build) => {
  it('is what is charged', async () => {
    await fc.assert(
      fc.asyncProperty(changes(subject), async (made) => {
        const { devnet } = chain;
        const before = devnet.snapshot();
        try {
          const builder = chain.client(SENDER).transactionBuilder;
          const built = (await build(builder, chain.address(SENDER), chain.address(OTHER))) as never;
          const given = Object.fromEntries(made.map(({ name, value }) => [name, value]));
          const previewed = await devnet.preview(built, { changes: given }).catch((error: Error) => error);
          for (const { made: make } of made) await make();
          if (previewed instanceof Error) {
            expect(previewed.message).toMatch(/^the transaction would be refused: /);
            // Throws where it is accepted.
            await chain.refusal(SENDER, built);
            return;
          }
          const { id } = await chain.send(SENDER, built);
          expect(compared(previewed)).toEqual(compared(await devnet.explain(id)));
          expect(previewed.receipt).toEqual(await receiptOf(id));
          expect(previewed.limits === undefined).toBe(!/call|deployment/.test(subject));
          // Looked at again in its place, it is what it was.
          const { text, isOfChain, limits, ...again } = await devnet.preview(id);
          expect([text.length, isOfChain, limits?.now]).toEqual([previewed.text.length, true, previewed.limits?.now]);
          expect({ ...compared(again), receipt: again.receipt, fees: again.fees }).toEqual({
            ...compared(previewed),
            receipt: previewed.receipt,
            fees: previewed.fees,
          });
        } finally {
          await devnet.revert(before);
        }
      }),
      { numRuns: 25 },
    );
  });
});

it('gives a feeLimit that is enough; one Energy less is not', async () => {
  const { address } = dollar;
  await fc.assert(
    fc.asyncProperty(changes('a call'), async (made) => {
      const given = Object.fromEntries(made.map(({ name, value }) => [name, value]));
      const to = TronWeb.address.toHex(NOBODY).slice(2).padStart(64, '0');
      const data = `0xa9059cbb${to}${'1'.padStart(64, '0')}`;
      const subject = { from: chain.address(SENDER), to: address, data };
      const previewed = await chain.devnet.preview(subject, { changes: given }).catch(() => undefined);
      const now = previewed?.limits?.now;
      if (now === undefined || now.feeLimitSun === 'beyond-the-maximum' || now.missingSun > 0n) return;
      const { priceSun } = previewed!.limits!;
      const limited = async (feeLimit: bigint) =>
        (await chain.devnet.preview({ ...subject, feeLimit }, { changes: given })).outcome.result;
      expect(await limited(now.feeLimitSun)).toBe('SUCCESS');
      if (now.feeLimitSun > 0n) expect(await limited(now.feeLimitSun - priceSun)).toBe('OUT_OF_ENERGY');
    }),
    { numRuns: 25 },
  );
});
