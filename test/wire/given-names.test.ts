/** Names of JavaScript's object members for functions, events, accounts, tokens and steps: each is stored and found. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keccak256, toBytes } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { runScenario } from '../../src/run-scenario.js';

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', 'valueOf', 'hasOwnProperty'];

const push = (value: number) => `60${value.toString(16).padStart(2, '0')}`;

/** A contract that stores 1, 2, 3, … in memory, logs them under a topic, and returns the first. */
function runtimeCode(topic: string): string {
  const stores = NAMES.map((_, at) => `${push(at + 1)}${push(32 * at)}52`).join('');
  const size = 32 * NAMES.length;
  return `${stores}7f${topic}${push(size)}${push(0)}a1${push(32)}${push(0)}f3`;
}

function initCode(runtime: string): string {
  const size = push(runtime.length / 2);
  return `${size}${push(12)}${push(0)}39${size}${push(0)}f3${runtime}`;
}

const EVENT = `__proto__(${NAMES.map(() => 'uint256').join(',')})`;
const TOPIC = keccak256(toBytes(EVENT)).slice(2);
const ABI = [
  ...NAMES.map((name) => ({
    type: 'function',
    name,
    stateMutability: 'view',
    inputs: [],
    outputs: [{ name, type: 'uint256' }],
  })),
  { type: 'function', name: 'send', stateMutability: 'nonpayable', inputs: [], outputs: [] },
  { type: 'event', name: '__proto__', inputs: NAMES.map((name) => ({ name, type: 'uint256', indexed: false })) },
];

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet();
});
afterAll(() => devnet.close());

describe('a contract', () => {
  it('can have functions and events with any name', async () => {
    const code = initCode(runtimeCode(TOPIC));
    const contract = (await devnet.deploy({ abi: ABI, bytecode: `0x${code}` } as never)) as never as {
      readonly address: string;
      readonly read: Record<string, () => Promise<unknown>>;
      readonly write: Record<string, () => Promise<{ readonly events: readonly unknown[] }>>;
    };
    for (const name of NAMES) expect(await contract.read[name]!()).toBe(1n);
    const { events } = await contract.write.send!();
    const args = (events[0] as { args: Record<string, unknown> }).args;
    expect(NAMES.map((name) => Object.hasOwn(args, name) && args[name])).toEqual([1n, 2n, 3n, 4n, 5n, 6n]);
    const asked = async (where: string) => (await fetch(`${devnet.http.url}${where}`)).text();
    const page = await asked(`/v1/contracts/${contract.address}/events`);
    for (const [at, name] of NAMES.entries()) {
      expect(page).toContain(`"${name}":"${at + 1}"`);
      expect(page).toContain(`"${name}":"uint256"`);
      const found = (value: number) =>
        asked(`/event/contract/${contract.address}?filters=${encodeURIComponent(`{"${name}":"${value}"}`)}`);
      expect(JSON.parse(await found(at + 1))).toHaveLength(1);
      expect(JSON.parse(await found(99))).toHaveLength(0);
    }
  });

  it('has none of them if its ABI has none', async () => {
    const contract = (await devnet.deploy({
      abi: ABI.filter(({ name }) => name === 'send'),
      bytecode: `0x${initCode(runtimeCode(TOPIC))}`,
    } as never)) as never as { readonly read: Record<string, unknown> };
    for (const name of ['toString', 'valueOf', 'hasOwnProperty', '__proto__', 'prototype'])
      expect(() => contract.read[name]).toThrow(new RegExp(`${name}`));
  });
});

describe('a scenario', () => {
  it('can have accounts, tokens, contracts and steps with any name, and a snapshot of them', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-given-names-'));
    try {
      const file = path.join(folder, 'names.scenario.yaml');
      const text = (fee: string) =>
        [
          'network: { parameters: { getFreeNetLimit: 0 } }',
          'accounts:',
          '  issuer: 10 TRX',
          `  issuers: { count: ${NAMES.length}, balance: 2_000 TRX }`,
          ...NAMES.map((name) => `  ${name}: { balance: 10 TRX, tokens: { ${name}: 5, of_${name}: 7 } }`),
          'tokens:',
          ...NAMES.map((name, at) => `  ${name}: { issuer: issuers.${at}, supply: 1_000 }`),
          'contracts:',
          ...NAMES.map(
            (name) => `  of_${name}: { fixture: Dollar, deployer: issuer, args: [1_000_000, Dollar, USD, 6] }`,
          ),
          'steps:',
          ...NAMES.map(
            (name) =>
              `  - { label: ${name}, transfer: { from: ${name}, to: issuer, amount: 1 }, expect: { fee: ${fee}, balanceChanges: { ${name}: { TRX: -0.265001 TRX } } } }`,
          ),
        ].join('\n');
      writeFileSync(file, text('0.265 TRX'));
      const run = await runScenario(file, { update: true });
      expect(run.differences).toEqual([]);
      expect(run.totals.payers.map(({ payer }) => payer).sort()).toEqual([...NAMES].sort());
      expect(run.totals.steps.map(({ label }) => label)).toEqual(NAMES);
      expect((await runScenario(file)).differences).toEqual([]);
      writeFileSync(
        file,
        text('0.266 TRX').replaceAll('amount: 1 }', 'amount: 2 }').replaceAll('-0.265001', '-0.265002'),
      );
      expect((await runScenario(file)).differences.length).toBe(NAMES.length);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the sources', () => {
  it("read records with primitives/record-schema.ts only: valibot's own record skips such names", () => {
    const src = path.resolve(import.meta.dirname, '../../src');
    const using = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && /\bv\.record\(/.test(readFileSync(path.join(src, name), 'utf8')),
    );
    expect(using).toEqual([path.join('primitives', 'record-schema.ts')]);
  });
});
