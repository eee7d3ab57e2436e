/**
 * Chain files: dumps and recordings have one format. A chain file can be loaded, run and recorded again; so can files
 * of earlier versions.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { TronWeb } from 'tronweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChainLines } from '../../src/chain-file/reader.js';
import { runRecordCommand } from '../../src/cli/record-command.js';
import { runRunCommand } from '../../src/cli/run-command.js';
import { OperationError } from '../../src/errors/operation-error.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { said } from '../unit/cli/said.js';
import { runText } from '../unit/scenario/run-file.js';

const FORMER = path.resolve(import.meta.dirname, '../../fixtures/former-chain-files');
const folder = mkdtempSync(path.join(tmpdir(), 'sunup-chain-files-'));
const place = (name: string) => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = async (devnet: Devnet, request: string, body: object = {}): Promise<Record<string, unknown>> =>
  (await devnet.fetch(`/${request}`, { method: 'POST', body: JSON.stringify(body) })).json() as never;

/** The head block, with the signature of its witness. */
const head = (devnet: Devnet) => ask(devnet, 'wallet/getnowblock');
const balance = async (devnet: Devnet, address: string) =>
  (await ask(devnet, 'wallet/getaccount', { address, visible: true })).balance;

/** Transfers, a refusal, operations, a rollback into a run of empty blocks, and one pending transaction at the end. */
async function live(devnet: Devnet): Promise<void> {
  const [alice, bob, carol] = devnet.accounts;
  const tronWeb = new TronWeb({ fullHost: devnet.http!.url, privateKey: alice!.privateKey });
  const send = async (to: string, sun: number) => {
    const signed = await tronWeb.trx.sign(await tronWeb.transactionBuilder.sendTrx(to, sun));
    await tronWeb.trx.sendRawTransaction(signed);
    return signed;
  };
  await send(bob!.address, 1);
  await devnet.mine();
  await tronWeb.trx.sendRawTransaction(await send(carol!.address, 2));
  await devnet.mine(20);
  await devnet.setBalance(bob!.address, 77_000_000);
  const snapshot = devnet.snapshot();
  await send(carol!.address, 3);
  await devnet.mine(30);
  await devnet.setBalance(bob!.address, 78_000_000);
  await devnet.revert(snapshot);
  await devnet.mine(40);
  await devnet.rollback(15);
  await devnet.setBalance(carol!.address, 5_000_000);
  await send(bob!.address, 5);
  await devnet.mine({ advanceMs: 7 * 3_600_000 });
  await send(bob!.address, 6);
}

describe('a recorded and dumped chain', () => {
  let then: unknown;
  let bob: string;
  beforeAll(async () => {
    const devnet = await createDevnet({ mining: 'manual', record: place('live.chain') });
    await live(devnet);
    bob = devnet.accounts[1]!.address;
    writeFileSync(place('whole.dump'), await devnet.dump());
    writeFileSync(place('killed.chain'), readFileSync(place('live.chain')));
    then = await head(devnet);
    await devnet.close();
  });

  it.each(['whole.dump', 'live.chain', 'killed.chain'])('starts a devnet: %s', async (file) => {
    await using devnet = await createDevnet({ mining: 'manual', loadState: place(file) });
    expect(await head(devnet)).toEqual(then);
    // The end of a recording drops pending transactions.
    expect(await balance(devnet, bob)).toBe(file === 'live.chain' ? 77_000_005 : 77_000_011);
    await devnet.mine();
    expect(await balance(devnet, bob)).toBe(file === 'live.chain' ? 77_000_005 : 77_000_011);
  });

  it('can be loaded into a running devnet with a small state history', async () => {
    await using devnet = await createDevnet({ mining: 'manual', stateHistory: 256 });
    await devnet.mine(1_000);
    await devnet.load(readFileSync(place('live.chain')));
    expect(await head(devnet)).toEqual(then);
  });

  it('runs as a scenario from each file, also with other values', async () => {
    const { blockID } = then as { blockID: string };
    for (const file of ['whole.dump', 'live.chain', 'killed.chain']) {
      const { code, out } = await said((say) => runRunCommand(['run', place(file), '--json'], say));
      expect([file, code, JSON.parse(out).head.id]).toEqual([file, 0, blockID]);
      const args = ['run', place(file), '--what-if', 'getTransactionFee=10,2000', '--json'];
      expect((await said((say) => runRunCommand(args, say))).code).toBe(0);
    }
  });

  it('can be recorded from each file, and a recording of a recording is the same file', async () => {
    const record = (to: string, from: string) =>
      said((say) => runRecordCommand(['record', place(to), '--from', place(from)], say));
    expect((await record('again.chain', 'live.chain')).code).toBe(0);
    expect(readFileSync(place('again.chain'), 'utf8')).toBe(readFileSync(place('live.chain'), 'utf8'));
    expect((await record('of-dump.chain', 'whole.dump')).code).toBe(0);
    const { end } = await runText(readFileSync(place('of-dump.chain'), 'utf8'));
    expect(end.head.id).toBe((then as { blockID: string }).blockID);
  });

  it('is read or refused with a message if a line is doubled, missing or changed', async () => {
    const lines = readFileSync(place('live.chain'), 'utf8').trimEnd().split('\n');
    const thrown: unknown[] = [];
    const read = async (changed: readonly string[]) => {
      try {
        for await (const _ of (await readChainLines(() => changed)).steps);
      } catch (error) {
        if (!(error instanceof OperationError)) thrown.push(error);
      }
    };
    for (const [at, line] of lines.entries()) {
      const with_ = (...others: readonly string[]) => [...lines.slice(0, at), ...others, ...lines.slice(at + 1)];
      await read(with_());
      await read(with_(line, line));
      const [kind, given] = Object.entries(JSON.parse(line))[0]!;
      for (const value of [null, -1, 1e15, 'x', 'ff', [], {}, '__proto__']) {
        await read(with_(JSON.stringify({ [kind]: value })));
        if (typeof given === 'object')
          for (const name of Object.keys(given as object))
            await read(with_(JSON.stringify({ [kind]: { ...given, [name]: value } })));
      }
    }
    expect(thrown).toEqual([]);
  });

  it('a dump consists of a head, blocks, runs of empty blocks, operations and an end', async () => {
    const kinds = new Set(
      gunzipSync(readFileSync(place('whole.dump')))
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line))[0]),
    );
    expect([...kinds]).toEqual(['sunup', 'import', 'produceEmpty', 'operation', 'end']);
  });
});

describe('files of earlier versions', () => {
  const heads = {
    'chain-1.dump': [25, '0000000000000019753ecd79642f7de6c5fdc9411ea16e155cab8cba3ad44c08'],
    'chain.scenario.yaml': [25, '0000000000000019753ecd79642f7de6c5fdc9411ea16e155cab8cba3ad44c08'],
    'fork-2.dump': [29, '000000000000001d8d95985e820a93d557f7d1e8984f95f37ad508fa87dd1598'],
    'fork.scenario.yaml': [29, '000000000000001d8d95985e820a93d557f7d1e8984f95f37ad508fa87dd1598'],
  } as const;

  it.each(Object.entries(heads))('can be loaded, run and recorded: %s', async (name, [number, id]) => {
    const file = path.join(FORMER, name);
    const options = name.startsWith('fork') ? { forkOffline: true } : {};
    await using devnet = await createDevnet({ accounts: 3, mining: 'manual', loadState: file, ...options });
    expect(await head(devnet)).toMatchObject({ blockID: id });
    const ran = await said((say) => runRunCommand(['run', file, '--json'], say));
    expect([ran.code, JSON.parse(ran.out).head]).toMatchObject([0, { number, id }]);
    const { code } = await said((say) => runRecordCommand(['record', place(`${name}.chain`), '--from', file], say));
    const today = readFileSync(place(`${name}.chain`), 'utf8');
    expect([code, today]).toEqual([0, expect.stringMatching(/^{"sunup":"chain","version":1,/)]);
    expect((await runText(today)).end.head).toMatchObject({ number, id });
  });
});
