/**
 * Explanations: committed outputs of the real command. Each figure is compared with the receipt and with the chain's
 * other answers. `npx vitest run test/clients/explanations.test.ts -u` writes the outputs: read them before you commit.
 */

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
import type { ExplanationInWords } from '../../src/index.js';
import { type Json, toJson, writeJson } from '../../src/primitives/amount-json.js';
import { said } from '../unit/cli/said.js';
import { SCENARIOS } from './cost-scenarios.js';
import type { Info, TronWebDevnet } from './tronweb-devnet.js';

const OUTPUTS = path.resolve(import.meta.dirname, '../../fixtures/explanations');

/** The output of the command, and its exit code. */
const sunup = (...words: readonly string[]) => said((say) => runRemote(words, say));

async function asked(chain: TronWebDevnet, path_: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${chain.devnet.http.url}${path_}`, { method: 'POST', body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

const sum = <T>(items: readonly T[], value: (item: T) => number | string) =>
  items.reduce((total, item) => total + Number(value(item)), 0);

/** Checks all figures that are also in the receipt. */
function expectReceipt({ charges, feeSun, outcome, energy, bandwidth }: Json<ExplanationInWords>, info: Info): void {
  const { receipt } = info;
  const paid = (resource: string, ...reasons: readonly string[]) =>
    sum(
      charges.filter((charge) => charge.resource === resource && reasons.includes(charge.reason)),
      ({ amount }) => amount,
    );
  const coin = charges.filter(({ resource }) => resource === 'coin');
  expect(feeSun).toBe(info.fee ?? 0);
  expect(sum(coin, ({ amount }) => amount)).toBe(info.fee ?? 0);
  for (const { units, unitPriceSun, amount } of coin) {
    if (units !== undefined) expect(Number(units) * Number(unitPriceSun)).toBe(amount);
  }
  expect(paid('bandwidth', 'bandwidth')).toBe(receipt.net_usage ?? 0);
  expect(paid('coin', 'bandwidth', 'account-creation-bandwidth')).toBe(receipt.net_fee ?? 0);
  if (receipt.net_usage !== undefined) expect(bandwidth?.bytes).toBe(receipt.net_usage);

  expect(outcome.succeeded).toBe(info.result !== 'FAILED');
  expect(Buffer.from(outcome.message ?? '').toString('hex')).toBe(info.resMessage ?? '');
  expect(outcome.result).toBe(receipt.result ?? 'SUCCESS');
  expect(energy === undefined).toBe(receipt.result === undefined);
  if (energy === undefined) return;
  const { caller, origin, contracts, feeLimit, priceSun } = energy;
  expect(energy.total).toBe(receipt.energy_usage_total ?? 0);
  expect(energy.penalty).toBe(receipt.energy_penalty_total ?? 0);
  expect(caller.staked).toBe(receipt.energy_usage ?? 0);
  expect(caller.feeSun).toBe(receipt.energy_fee ?? 0);
  expect(origin?.paid ?? 0).toBe(receipt.origin_energy_usage ?? 0);
  expect(Number(caller.bought) * Number(priceSun)).toBe(caller.feeSun);
  expect(Number(caller.staked) + Number(caller.bought)).toBe(caller.owed);
  expect(Number(caller.owed) + Number(origin?.paid ?? 0)).toBe(energy.total);
  expect(sum(contracts, ({ total }) => total)).toBe(energy.total);
  expect(sum(contracts, ({ penalty }) => penalty)).toBe(energy.penalty);
  for (const { base, penalty, precompiles, deposit, forfeited, stipends, total } of contracts) {
    expect(sum([base, penalty, precompiles, deposit, forfeited], Number) - Number(stipends)).toBe(total);
  }
  expect(Number(energy.total)).toBeLessThanOrEqual(Number(energy.limit));
  expect(sum(energy.frames, ({ own }) => own)).toBe(energy.total);
  expect(sum(energy.frames, ({ penalty }) => penalty)).toBe(energy.penalty);
  expect(energy.frames[0]?.total ?? 0).toBe(energy.total);
  const { staked, balance, feeLimit: allowed } = caller.limitParts;
  expect(caller.limit).toBe(Math.min(Number(staked) + Number(balance), Number(allowed)));
  expect(staked).toBe(caller.stake.left);
  expect(allowed).toBe(feeLimit.energy);
  expect(balance).toBe(Math.floor(Number(caller.balanceSun) / Number(priceSun)));
  expect(Number(caller.limit) + Number(origin?.limit ?? 0)).toBe(energy.limit);
  if (origin !== undefined) {
    const { proportion, staked: left, originEnergyLimit } = origin.limitParts;
    const bounds = [...(proportion === undefined ? [] : [proportion]), left, originEnergyLimit].map(Number);
    expect(origin.limit).toBe(origin.percent === 0 ? 0 : Math.min(...bounds));
    if (proportion !== undefined) {
      const share = (BigInt(caller.limit) * BigInt(origin.percent)) / BigInt(100 - origin.percent);
      expect(BigInt(proportion)).toBe(share);
    }
  }
  expect(Number(feeLimit.usedSun) + Number(feeLimit.headroomSun)).toBe(feeLimit.feeLimitSun);
  if (origin !== undefined && origin.boundBy === 'percent') expect(origin.paid).toBe(origin.agreed);
  if (origin?.boundBy === 'origin_energy_limit') expect(origin.paid).toBe(origin.originEnergyLimit);
  if (origin?.boundBy === 'stake') expect(origin.paid).toBe(origin.stake.left);
}

/** Checks factors, limits and delegations against other endpoints. */
async function expectChain(chain: TronWebDevnet, { energy }: Json<ExplanationInWords>): Promise<void> {
  if (energy === undefined) return;
  for (const { address, factor } of energy.contracts) {
    const { contract_state } = await asked(chain, '/wallet/getcontractinfo', { value: address, visible: true });
    const { energy_factor = 0 } = (contract_state ?? {}) as { energy_factor?: number };
    expect(Math.round(factor * 10_000)).toBe(energy_factor);
  }
  for (const side of [energy.caller, energy.origin]) {
    if (side === undefined) continue;
    const { address, stake } = side;
    const resources = await asked(chain, '/wallet/getaccountresource', { address, visible: true });
    expect(stake.limit).toBe(resources.EnergyLimit ?? 0);
    expect(stake.networkStakeCoins).toBe(resources.TotalEnergyWeight ?? 0);
    expect(stake.networkLimit).toBe(resources.TotalEnergyLimit);
    const account = await asked(chain, '/wallet/getaccount', { address, visible: true });
    const record = account.account_resource as { acquired_delegated_frozenV2_balance_for_energy?: number };
    expect(sum(stake.delegated, ({ stakeSun }) => stakeSun)).toBe(
      record?.acquired_delegated_frozenV2_balance_for_energy ?? 0,
    );
    for (const { from, stakeSun } of stake.delegated) {
      const { delegatedResource } = await asked(chain, '/wallet/getdelegatedresourcev2', {
        fromAddress: from,
        toAddress: address,
        visible: true,
      });
      expect(delegatedResource).toMatchObject([{ frozen_balance_for_energy: stakeSun }]);
    }
  }
}

/** Prices of the protocol in sentences. */
const CONSTANTS = new Set([200, 2_300]);

/** All numbers of a value in the notation of sentences. */
function figuresOf(value: unknown, into: Set<number> = new Set()): Set<number> {
  if (typeof value === 'number') into.add(value).add(value / 1_000_000);
  else if (typeof value === 'string' && /^\d+$/.test(value)) into.add(Number(value));
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) figuresOf(one, into);
  return into;
}

/** Sentences must not contain figures that the data lacks. */
function expectFiguresOfData({ text, ...data }: Json<ExplanationInWords>): void {
  const figures = figuresOf(data);
  const { energy } = data;
  if (energy?.origin !== undefined) figures.add(100 - energy.origin.percent);
  for (const { factor } of energy?.contracts ?? []) figures.add(Number((1 + factor).toFixed(4)));
  for (const { stake } of [energy?.caller, energy?.origin].filter((side) => side !== undefined)) {
    figures.add((Number(stake.ownStakeSun) + sum(stake.delegated, ({ stakeSun }) => stakeSun)) / 1_000_000);
  }
  const words = text
    .slice(2)
    .join('\n')
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, '')
    .replace(/\b\w+\((u?int256|address|,)*\)/g, '');
  for (const [figure] of words.matchAll(/\d[\d,]*(\.\d+)?/g)) {
    const value = Number(figure.replace(/,/g, ''));
    expect(figures.has(value) || CONSTANTS.has(value), `${figure} in ${words}`).toBe(true);
  }
}

describe('the explanation of', () => {
  it.each(SCENARIOS)('$name is the committed one, and its figures are the receipt’s', async ({ name, tell }) => {
    const { chain, info } = await tell();
    await using _ = chain;
    const { url } = chain.devnet.http;
    const explained = await chain.devnet.explain(info.id);
    const explanation = toJson(explained);
    expectReceipt(explanation, info);
    await expectChain(chain, explanation);
    expectFiguresOfData(explanation);

    const said = await sunup('explain', info.id, '--url', url);
    expect(said).toMatchObject({ code: 0, err: '' });
    for (const line of said.out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    await expect(said.out).toMatchFileSnapshot(path.join(OUTPUTS, `${name}.txt`));

    // All interfaces give the same, and JSON loses nothing.
    expect(JSON.parse(writeJson(explained))).toEqual(explanation);
    expect(JSON.parse((await sunup('explain', info.id, '--json', '--url', url)).out)).toEqual(explanation);
    expect(await asked(chain, '/sunup/explain', { txid: info.id })).toEqual(explanation);
    const byGet = await fetch(`${url}/sunup/explain?txid=0x${info.id.toUpperCase()}`);
    expect(await byGet.json()).toEqual(explanation);
  });
});
