/** Subcommands that are made from the table of developer methods. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { unknownCommand } from '../../../src/cli/command-names.js';
import { controlNames, runControlCommand } from '../../../src/cli/control-commands.js';
import { createDevnet, type Devnet } from '../../../src/index.js';
import { said } from './said.js';

let devnet: Devnet;
beforeAll(async () => {
  devnet = await createDevnet();
});
afterAll(() => devnet.close());

const say = (...words: string[]) => said((speaker) => runControlCommand(words, speaker));

const ask = (...words: string[]) => say(...words, '--url', devnet.http.url);

it('change the chain of a node that runs, and say what came of it', async () => {
  const { address } = devnet.accounts[0]!;
  expect(await ask('set-balance', address, '5000000')).toEqual({
    code: 0,
    out: '{\n  "balance": "5000000"\n}\n',
    err: '',
  });
  expect(await ask('set-balance', address, '0x10', '--json')).toEqual({ code: 0, out: '{"balance":"16"}\n', err: '' });
  expect((await ask('set-stake', address, '{"energy":7000000}')).out).toContain('"energy": 7000000');
  expect(await (await devnet.fetch(`/wallet/getaccount?visible=true&address=${address}`)).json()).toMatchObject({
    balance: 16,
    frozenV2: expect.arrayContaining([{ type: 'ENERGY', amount: 7_000_000 }]),
  });
});

it('fail where the node refuses the caller', async () => {
  await using limited = await createDevnet({ rateLimit: { anonymous: 1, suspend: 30 } });
  await fetch(`${limited.http.url}/wallet/getnowblock`);
  const { address } = limited.accounts[0]!;
  expect(await say('set-balance', address, '5', '--url', limited.http.url)).toEqual({
    code: 1,
    out: '',
    err: expect.stringContaining('error: request rate exceeded'),
  });
});

it('say what is wrong with what was typed', async () => {
  expect(await ask('set-balance', 'xyz', '5')).toEqual({
    code: 1,
    out: '',
    err: 'error: address: expected an address (T…, 41… or 0x…), got "xyz"\n',
  });
  expect((await ask('set-balance', devnet.accounts[0]!.address, '-1')).err).toBe(
    'error: balance can not be less than 0\n',
  );
  expect(await ask('set-balance')).toMatchObject({
    code: 2,
    err: expect.stringContaining("missing required argument 'address'"),
  });
  expect(await ask('set-stake', devnet.accounts[0]!.address, '{"energy"')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error: \{"energy" is not JSON: /),
  });
  expect(unknownCommand('set-balence', controlNames)).toBe('unknown command set-balence\n(Did you mean set-balance?)');
  expect(unknownCommand('explian', [])).toBe('unknown command explian\n(Did you mean explain?)');
  expect(unknownCommand('start', [])).toMatch(
    /^unknown command start\n\(Without a command, sunup starts a chain. Commands: mine, explain/,
  );
});

it('say what is wrong with an address', async () => {
  const [{ address, addressHex }] = devnet.accounts as [Devnet['accounts'][number]];
  const fault = async (typed: string) => {
    const { code, err } = await ask('set-balance', typed, '5');
    const [, problem = ''] =
      /^error: address: expected an address \(T…, 41… or 0x…\), got "[^"]*"(.*)\n$/.exec(err) ?? [];
    return [code, problem];
  };
  const swapped = address.slice(0, -1) + (address.endsWith('C') ? 'D' : 'C');
  expect(await fault(swapped)).toEqual([1, ': its checksum is wrong: at least one character differs']);
  expect(await fault(address.slice(0, -1))).toEqual([1, ': its length is wrong: 33 characters, expected 34']);
  expect(await fault(`${address.slice(0, -1)}0`)).toEqual([
    1,
    ': it has the character 0, which base58 does not have (0, O, I and l)',
  ]);
  // The zero address of a Bitcoin-like network with the prefix 0.
  expect(await fault('1111111111111111111114oLvT2'.padStart(34, '1'))).toEqual([1, expect.stringContaining('prefix')]);
  expect(await fault(`a0${addressHex.slice(2)}`)).toEqual([1, ': its prefix is a0, expected 41']);
  expect(await fault(addressHex.slice(0, -1))).toEqual([
    1,
    ': its length is wrong: 41 hex digits, expected 42 with the prefix 41',
  ]);
  expect(await fault('alice')).toEqual([1, '']);
});

it('control takes no word: the nearest command is named', async () => {
  expect(await say('control', 'set-balanc')).toEqual({
    code: 2,
    out: '',
    err: 'error: unknown command set-balanc\n(Did you mean set-balance?)\n',
  });
  expect(await say('control', 'set-balance', 'T…', '5')).toEqual({
    code: 2,
    out: '',
    err: 'error: set-balance is a command of its own\n(See sunup set-balance --help)\n',
  });
  expect(await say('control', '--jsn')).toMatchObject({ code: 2, out: '' });
  expect((await say('control', '--help')).out).toContain('sunup set-balance');
});

it('are listed, each with what it does and how', async () => {
  const { out } = await say('control');
  for (const name of controlNames) {
    expect(out).toContain(`  sunup ${name}`);
    const help = await say(name, '--help');
    expect([help.code, help.out]).toEqual([0, expect.stringContaining(`Usage: ${name}`)]);
  }
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});
