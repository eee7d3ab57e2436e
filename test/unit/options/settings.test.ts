import { describe, expect, it } from 'vitest';

import { OptionError } from '../../../src/options/option-error.js';
import { commandOptions, settingsForCommand, settingsForLibrary } from '../../../src/options/settings.js';
import { TEST_MNEMONIC } from '../../../src/options/test-accounts.js';

describe('settings for the library', () => {
  it('are private, virtual and in memory by default', () => {
    expect(settingsForLibrary({})).toMatchObject({
      db: undefined,
      clock: 'virtual',
      mining: 'instant',
      host: '127.0.0.1',
      httpPort: 0,
      grpcPort: false,
      grpcSolidityPort: [],
      accounts: 10,
      balance: 10_000_000_000n,
      mnemonic: TEST_MNEMONIC,
      derivationPath: "m/44'/195'/0'/0",
      poolSize: 2000,
      solidified: 'head',
      cors: true,
    });
  });

  it('read a value in every form that it may have', () => {
    expect(settingsForLibrary({ balance: '1.5' }).balance).toBe(1_500_000n);
    expect(settingsForLibrary({ balance: 0.000001 }).balance).toBe(1n);
    expect(settingsForLibrary({ balance: '1_000' }).balance).toBe(1_000_000_000n);
    expect(settingsForLibrary({ balance: '9223372036854.775807' }).balance).toBe(2n ** 63n - 1n);
    // More than an account can have: the most that one is given.
    expect(settingsForLibrary({ balance: '9223372036855' }).balance).toBe(2n ** 62n);
    for (const balance of [10n ** 22n, 1e30]) expect(settingsForLibrary({ balance }).balance).toBe(2n ** 62n);
    expect(settingsForLibrary({ genesisTime: '2025-01-01T00:00:00Z' }).genesisTime).toBe(1_735_689_600_000);
    expect(settingsForLibrary({ genesisTime: new Date(5) }).genesisTime).toBe(5);
    expect(settingsForLibrary({ grpcSolidityPort: 7 }).grpcSolidityPort).toEqual([7]);
    expect(settingsForLibrary({ grpcSolidityPort: [7, 8] }).grpcSolidityPort).toEqual([7, 8]);
    expect(settingsForLibrary({ parameters: { getEnergyFee: 210, getMemoFee: 0n } }).parameters).toEqual(
      new Map([
        ['getEnergyFee', 210n],
        ['getMemoFee', 0n],
      ]),
    );
  });

  it('take an option that is undefined for one that is not set', () => {
    expect(settingsForLibrary({ accounts: undefined }).accounts).toBe(10);
  });

  it.each<[object, string, RegExp]>([
    [{ httpPrt: 1 }, 'httpPrt', /does not exist\. Did you mean httpPort\?/],
    [{ json: true }, 'json', /does not exist/],
    [{ unheardOf: 1 }, 'unheardOf', /does not exist\. The options are db, /],
    [{ httpPort: 65_536 }, 'httpPort', /is 65536, but a port is a whole number from 0 to 65535/],
    [{ httpPort: '9090' }, 'httpPort', /is "9090", but a port/],
    [{ grpcPort: -1 }, 'grpcPort', /is -1, but a port/],
    [{ grpcSolidityPort: [1, 1.5] }, 'grpcSolidityPort', /is 1\.5, but a port/],
    [{ accounts: 2.5 }, 'accounts', /is 2\.5, but must be a whole number from 0 to 10000/],
    [{ balance: -1 }, 'balance', /is -1, but must be an amount of TRX/],
    [{ balance: '1.0000001' }, 'balance', /must be an amount of TRX\. TRX has six decimals/],
    [
      { mining: 'Manual' },
      'mining',
      /is "Manual", but must be "interval" or "instant" or "manual"\. Did you mean "manual"/,
    ],
    [{ preset: 'mianet' }, 'preset', /is "mianet", which is not a preset\. There are mainnet@/],
    [{ genesisTime: 'yesterday' }, 'genesisTime', /which is not a time/],
    [{ genesisTime: -1 }, 'genesisTime', /which is not a time/],
    [{ genesisTime: 10_000_000_000_000 }, 'genesisTime', /which is not a time\n?.*2286/s],
    [{ cors: 'no' }, 'cors', /is "no", but must be true or false/],
    [{ db: ' ' }, 'db', /must be a string/],
    [{ db: 5 }, 'db', /is 5, but must be a string/],
    [{ parameters: { getEnergyFee: 1.5 } }, 'parameters', /getEnergyFee = 1\.5/],
    [{ allowOrigin: 'https://dapp.example' }, 'allowOrigin', /must be a list of strings/],
    [
      { allowOrigin: ['dapp.example'] },
      'allowOrigin',
      /is "dapp\.example", which is not an origin\. For example https:/,
    ],
    [{ allowOrigin: ['https://dapp.example/page'] }, 'allowOrigin', /is not an origin/],
    [{ allowHost: ['https://devnet.example'] }, 'allowHost', /is not a host name\. For example devnet\.example/],
    [{ allowHost: ['devnet.example:9090'] }, 'allowHost', /is not a host name/],
    [{ clock: {} as 'wall' }, 'clock', /must be 'virtual', 'wall' or a clock/],
    [{ clock: 'fast' }, 'clock', /is "fast", but must be 'virtual', 'wall' or a clock/],
  ])('refuse %j', (options, name, message) => {
    let thrown: unknown;
    try {
      settingsForLibrary(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OptionError);
    expect((thrown as OptionError).option).toBe(name);
    expect((thrown as OptionError).message).toMatch(message);
  });
});

describe('settings for the command', () => {
  it('have the ports that tools look for, the wall clock and a block every slot', () => {
    expect(settingsForCommand({})).toMatchObject({
      httpPort: 9090,
      grpcPort: 50_051,
      grpcSolidityPort: [50_052],
      clock: 'wall',
      mining: 'interval',
      json: false,
    });
  });
});

describe("java-tron's ports", () => {
  const PORTS = {
    httpPort: 8090,
    httpSolidityPort: 8091,
    pbft: true,
    httpPbftPort: 8092,
    jsonrpcPort: 8545,
    jsonrpcSolidityPort: 8555,
    jsonrpcPbftPort: 8565,
    grpcPort: 50_051,
    grpcSolidityPort: [50_061],
    grpcPbftPort: 50_071,
  };

  it('are taken at once, by the command and by the library', () => {
    expect(settingsForCommand({ ports: 'java-tron' })).toMatchObject(PORTS);
    expect(settingsForLibrary({ ports: 'java-tron' })).toMatchObject(PORTS);
  });

  it('can be replaced one by one', () => {
    const own = { httpPort: 18_090, httpPbftPort: false, jsonrpcPort: 0 } as const;
    expect(settingsForLibrary({ ports: 'java-tron', ...own })).toMatchObject({ ...PORTS, ...own });
  });

  it.each(['httpPbftPort', 'jsonrpcPbftPort', 'grpcPbftPort'] as const)('of PBFT (%s) need pbft', (option) => {
    expect(() => settingsForLibrary({ [option]: 0 })).toThrow(`option ${option} needs PBFT. Also set pbft (--pbft)`);
    expect(settingsForLibrary({ [option]: 0, pbft: true })[option]).toBe(0);
  });
});

describe('what the event queue tells', () => {
  it.each([{ eventTriggers: ['block'] }, { eventContracts: [] }, { eventTopics: ['0'.repeat(64)] }])(
    '%j needs the queue',
    (options) => {
      const [name] = Object.keys(options);
      const message = `option ${name} needs the event queue. Also set eventQueue (--event-queue)`;
      expect(() => settingsForLibrary(options)).toThrow(message);
      expect(() => settingsForLibrary({ ...options, eventQueue: 'tcp://127.0.0.1:*' })).not.toThrow();
    },
  );

  it.each(['tcp://127.0.0.1:65536', 'tcp://127.0.0.1:99999', 'tcp://127.0.0.1:123456'])(
    'is not at %s',
    (eventQueue) => {
      expect(() => settingsForLibrary({ eventQueue })).toThrow('which is not a ZeroMQ endpoint');
    },
  );
});

describe('the table of options', () => {
  it('has no flag twice', () => {
    const flags = commandOptions.flatMap(([, { flag, short, alias, shorthands }]) => [
      ...[flag, short, alias].filter((one) => one !== undefined),
      ...Object.keys(shorthands ?? {}),
    ]);
    expect(new Set(flags).size).toBe(flags.length);
  });

  it('describes each option in one line without a full stop', () => {
    for (const [name, { description }] of commandOptions) {
      expect(description, name).toMatch(/^\S[^\n]{10,118}[^.\s]$/);
    }
  });
});
