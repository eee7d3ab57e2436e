/**
 * Call trees: committed outputs of the real command, compared with receipts. `npx vitest run
 * test/clients/call-trees.test.ts -u` writes the outputs: read them before you commit.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outputFor } from '../../src/cli/output.js';
import { runRemote } from '../../src/cli/remote.js';
import {
  type CallTree,
  createDevnet,
  NotExplainableError,
  type TracedCall,
  type TransactionFailedError,
} from '../../src/index.js';
import type { CommandSettings } from '../../src/options/declarations.js';
import { toJson, writeJson } from '../../src/primitives/amount-json.js';
import { said } from '../unit/cli/said.js';
import { TRACED, writeArtifacts } from './traced-calls.js';
import { compile, type Info, TRX, TronWebDevnet } from './tronweb-devnet.js';

const OUTPUTS = path.resolve(import.meta.dirname, '../../fixtures/traces');
const artifacts = mkdtempSync(path.join(tmpdir(), 'traces-'));
beforeAll(() => writeArtifacts(artifacts));
afterAll(() => rmSync(artifacts, { recursive: true, force: true }));

/** The output of the command. */
async function sunup(...words: readonly string[]): Promise<string> {
  const { out, err } = await said((say) => runRemote(words, say));
  return out + err;
}

function calls(top: TracedCall): readonly TracedCall[] {
  return [top, ...top.events.flatMap((event) => (event.type === 'call' ? calls(event.call) : []))];
}

function expectReceipt({ call, outcome }: CallTree, { receipt, contractResult }: Info): void {
  const all = calls(call!);
  const sum = (part: 'own' | 'penalty') => all.reduce((total, { energy }) => total + Number(energy[part]), 0);
  expect(sum('own')).toBe(receipt.energy_usage_total);
  expect(call!.energy.total).toBe(BigInt(receipt.energy_usage_total!));
  expect(sum('penalty')).toBe(receipt.energy_penalty_total ?? 0);
  expect(outcome.result).toBe(receipt.result);
  if (call!.result.kind === 'reverted') expect(call!.result.reason.data ?? '').toBe(contractResult[0] ?? '');
}

describe('the call tree of', () => {
  it.each(TRACED)(
    '$name is the committed one, and its Energy is the receipt’s',
    async ({ name, tell, artifacts: named }) => {
      const { chain, info } = await tell(named ? { artifacts: [artifacts] } : {});
      await using _ = chain;
      const tree = await chain.devnet.trace(info.id);
      expectReceipt(tree, info);
      for (const line of tree.text) expect(line.length, line).toBeLessThanOrEqual(120);
      const printed = await sunup('trace', info.id, '--url', chain.devnet.http.url);
      expect(printed).toBe(`${tree.text.join('\n')}\n`);
      await expect(printed).toMatchFileSnapshot(path.join(OUTPUTS, `${name}.txt`));
      expect(JSON.parse(await sunup('trace', info.id, '--json', '--url', chain.devnet.http.url))).toEqual(toJson(tree));
    },
  );
});

it('is below its transaction in the log with --trace, and is data with --json', async () => {
  const { tell } = TRACED.find(({ name }) => name === 'revert-deep-inside')!;
  const lines: string[] = [];
  const events: { transactions: { txid: string; trace?: TracedCall }[] }[] = [];
  const text = outputFor({ json: false } as CommandSettings, (line) => lines.push(line));
  const json = outputFor({ json: true } as CommandSettings, (line) => events.push(JSON.parse(line)));
  const log = { warn: (message: string) => lines.push(message), error: (message: string) => lines.push(message) };
  const { chain, info } = await tell({ artifacts: [artifacts], trace: true, log });
  await using _ = chain;
  chain.devnet.on('block', (block) => text.events.block(block));
  chain.devnet.on('block', (block) => json.events.block(block));
  const again = await chain.send(0, repeated(chain, info));
  await chain.devnet.mine(0);
  const tree = await chain.devnet.trace(again.id);
  // Margins change the line breaks.
  const words = (texts: readonly string[]) =>
    texts
      .join(' ')
      .replace(/[\s│├└]+/g, ' ')
      .trim();
  const body = words(tree.text.slice(tree.text.indexOf('') + 1));
  expect(body).toContain('reverts: NotEnough(who: ');
  const at = lines.findIndex((line) => line.includes(again.id));
  expect(lines[at]).toBe(`  ${again.id}  REVERT`);
  expect(words(lines)).toContain(body);
  expect(lines.at(-1)).toBe('    └ reverts with the same error');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  const [reported] = events.at(-1)!.transactions;
  expect(reported!.trace).toEqual(toJson(tree.call));
});

/** The same call in another transaction. */
async function repeated(chain: TronWebDevnet, { id }: Info) {
  const { raw_data } = await chain.client(0).trx.getTransaction(id);
  const { contract_address, data } = (
    raw_data.contract[0]!.parameter as { value: { contract_address: string; data: string } }
  ).value;
  const { transaction } = await chain
    .client(0)
    .transactionBuilder.triggerSmartContract(contract_address, '', { feeLimit: 999 * TRX, input: data } as never, []);
  return transaction as never;
}

it('has no calls if no contract runs, and an error if the transaction is not on the chain', async () => {
  await using chain = await TronWebDevnet.start({ trace: true });
  const blocks: unknown[] = [];
  chain.devnet.on('block', (block) => blocks.push(block));
  const { id } = await chain.send(0, chain.client(0).transactionBuilder.sendTrx(chain.address(1), 5, chain.address(0)));
  await chain.devnet.mine(0);
  const { text, ...tree } = await chain.devnet.trace(id);
  expect(tree).not.toHaveProperty('call');
  expect(text[1]).toContain('which runs no contract');
  expect(writeJson(blocks)).not.toContain('"trace"');
  const unknown = '0'.repeat(64);
  await expect(chain.devnet.trace(unknown)).rejects.toThrow(NotExplainableError);
  expect(await sunup('trace', unknown, '--url', chain.devnet.http.url)).toMatch(/^error: transaction 000/);
});

it('shows the arguments of a constructor, also after code with metadata', async () => {
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Coin {
  constructor(string memory name, uint256[] memory parts, uint256 supply) { require(supply < 100, name); parts; }
}
contract Plain { constructor(bool on, address to) payable { on; to; } }
contract Bare {}`;
  await using devnet = await createDevnet({ httpPort: false });
  const { address } = devnet.accounts[1]!;
  const traced = async (name: string, ...args: unknown[]) => {
    const { abi, bytecode } = compile(source, name);
    const deploying = devnet.deploy({ contractName: name, abi: abi as never, bytecode }, { args } as object);
    const txid = await deploying.then(
      ({ deployment }) => deployment!.txid,
      (error: TransactionFailedError) => error.receipt.txid,
    );
    const { text } = await devnet.trace(txid);
    return text[3]!;
  };
  expect(await traced('Coin', 'a "name"', [1, 2], 99)).toMatch(
    /^Coin\(name: "a \\"name\\"", parts: \[1, 2\], supply: 99\) \(\d+ bytes\) {2}\[/,
  );
  expect(await traced('Coin', 'too many', [], 100)).toMatch(
    /^Coin\(name: "too many", parts: \[\], supply: 100\) {2}\[/,
  );
  expect(await traced('Plain', true, address)).toMatch(new RegExp(`^Plain\\(on: true, to: ${address}\\) \\(`));
  expect(await traced('Bare')).toMatch(/^Bare \(\d+ bytes\)/);
});

it('exists for unsent transactions, too', async () => {
  const { tell } = TRACED.find(({ name }) => name === 'revert-deep-inside')!;
  const { chain, info } = await tell({ artifacts: [artifacts] });
  await using _ = chain;
  const { text } = await chain.devnet.trace(info.id);
  const { raw_data } = await chain.client(0).trx.getTransaction(info.id);
  const { value } = raw_data.contract[0]!.parameter as {
    value: { owner_address: string; contract_address: string; data: string };
  };
  const call = { from: value.owner_address, to: value.contract_address, data: `0x${value.data}` };
  const ask = (...words: string[]) => sunup('trace', ...words, '--url', chain.devnet.http.url);
  const printed = await ask(JSON.stringify(call));
  expect(printed).toMatch(/^not sent; result in block \d+: REVERT\n/);
  expect(printed.split('\n').slice(1, -1)).toEqual(text.slice(1));
  expect(JSON.parse(await ask(JSON.stringify(call), '--json'))).toMatchObject({ call: { kind: 'transaction' } });
  expect(await ask('{"from":')).toMatch(/^error: \{"from": is not JSON/);
  expect(await ask('{}')).toMatch(/^error: tx: expected a transaction as JSON or hex, or a call/);
  expect(await ask(JSON.stringify(call), '--lines')).toMatch(
    /^not sent; .*\n[\s\S]*no artifact with a source map matches its code/,
  );
});
