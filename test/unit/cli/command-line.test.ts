import { afterEach, describe, expect, it, vi } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line.js';
import type { CommandSettings } from '../../../src/options/declarations.js';
import { commandOptions } from '../../../src/options/settings.js';

function read(...words: string[]): { settings?: CommandSettings; exitCode?: number; out: string; err: string } {
  const said = { out: '', err: '' };
  const reading = readCommandLine(words, {
    out: (text) => {
      said.out += text;
    },
    overwrite: () => {},
    err: (text) => {
      said.err += text;
    },
  });
  return { ...reading, ...said };
}

afterEach(() => vi.unstubAllEnvs());

describe('the command line', () => {
  it('reads every kind of value', () => {
    const { settings } = read(
      ...['--http-port', '0', '--grpc-port', 'off', '--grpc-solidity-port', '50052,50061', '--no-cors', '--instant'],
      ...['--balance', '1.5', '--accounts', '3', '--db', './chain', '--genesis-time', '2025-01-01T00:00:00Z', '--json'],
      ...['--param', 'getEnergyFee=210', '--param', 'getMemoFee=0', '--solidified', 'network', '--genesis', 'g.json'],
    );
    expect(settings).toMatchObject({
      httpPort: 0,
      grpcPort: false,
      grpcSolidityPort: [50_052, 50_061],
      cors: false,
      mining: 'instant',
      balance: 1_500_000n,
      accounts: 3,
      db: './chain',
      genesisTime: 1_735_689_600_000,
      json: true,
      parameters: new Map([
        ['getEnergyFee', 210n],
        ['getMemoFee', 0n],
      ]),
      solidified: 'network',
      genesis: 'g.json',
    });
  });

  it.each([
    [['-p', '1'], { httpPort: 1 }],
    [['--port', '2'], { httpPort: 2 }],
    [
      ['--allow-origin', 'https://dapp.example/', '--allow-origin', 'null,HTTP://10.0.0.5:3000,chrome-extension://abc'],
      { allowOrigin: ['https://dapp.example', 'null', 'http://10.0.0.5:3000', 'chrome-extension://abc'] },
    ],
    [['--allow-host', 'Devnet.example.', '--allow-host', '*'], { allowHost: ['devnet.example', '*'] }],
    [['--manual'], { mining: 'manual' }],
    [['--mining', 'manual'], { mining: 'manual' }],
    [['-a', '4', '-q'], { accounts: 4, quiet: true }],
    [['-b', '12'], { blockTime: 12_000n }],
    [['--block-time', '0.5'], { blockTime: 500n }],
  ])('understands %j', (words, expected) => {
    expect(read(...words).settings).toMatchObject(expected);
  });

  it.each([
    [['--http-port', '70000'], "error: option '--http-port' is 70000, but a port is a whole number from 0 to 65535"],
    [['--http-port', 'x'], `error: option '--http-port' is "x", but a port`],
    [['--port', '-1'], "error: option '--http-port' is -1, but a port"],
    [['--http-prt', '1'], "error: unknown option '--http-prt'\n(Did you mean --http-port?)"],
    [['--instant', '--manual'], "error: option '--mining' is given twice: --instant and --manual"],
    [['--port', '1', '-p', '2'], "error: option '--http-port' is given twice"],
    [['--mining', 'manul'], 'Did you mean "manual"?'],
    [['--param', 'getEnergyFee'], `error: option '--param' is "getEnergyFee", but must be name=number`],
    [['--db'], "error: option '--db <dir>' argument missing"],
    [['--json', 'set-balance'], 'error: set-balance is not an option, and a command must come first\n(sunup --help'],
    [['--json', 'mine', '5'], 'error: the command mine must come first: sunup mine'],
    [['--block-time', '0'], 'error: option \'--block-time\' is "0", but must be from 0.1 to 86400 seconds'],
    [['--block-time', '1', '--instant'], "error: option '--block-time' needs interval mining"],
  ])('refuses %j', (words, message) => {
    const { settings, exitCode, err, out } = read(...words);
    expect(settings).toBeUndefined();
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
    expect(out).toBe('');
  });

  it('takes what is not typed from the environment', () => {
    vi.stubEnv('SUNUP_HTTP_PORT', '81');
    vi.stubEnv('SUNUP_MINING', 'manual');
    vi.stubEnv('SUNUP_NO_CORS', '1');
    expect(read('--instant').settings).toMatchObject({ httpPort: 81, mining: 'instant', cors: false });
    vi.stubEnv('SUNUP_HTTP_PORT', 'many');
    expect(read().err).toContain(`option '--http-port' is "many"`);
    expect(read('--port', '5').settings).toMatchObject({ httpPort: 5 });
  });

  it('shows every flag in its help, with the default of the command', () => {
    const { out, exitCode } = read('--help');
    expect(exitCode).toBe(0);
    for (const [, { flag, shorthands }] of commandOptions) {
      for (const one of [...(flag === undefined ? [] : [flag]), ...Object.keys(shorthands ?? {})])
        expect(out).toContain(one);
    }
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/0 for any free port[^()]* \(default 9090\)/);
    expect(out).not.toContain('--port <port>  ');
  });

  it('knows its version', () => {
    expect(read('--version')).toMatchObject({ exitCode: 0, out: '0.1.0\n' });
  });
});
