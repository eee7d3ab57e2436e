/**
 * All options of the command and of the library. The command line, `--help`, environment variables, the library's
 * checks and types, and docs/reference/options.md come from this table: a new option is a new entry.
 */

import type { WallClock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { FIRST_RELEASE, RELEASES } from '../primitives/release.js';
import { apiKeys, rateLimit } from './caller-limits.js';
import { contractAddresses, eventTriggers, logTopics, queueEndpoint } from './event-queue.js';
import {
  blocksOrAll,
  chainId,
  choice,
  codeValue,
  folders,
  grpcTarget,
  headerLines,
  hostNames,
  integer,
  type Kind,
  moment,
  networkStake,
  onOff,
  origins,
  parameterValues,
  portOrNone,
  portOrOff,
  ports,
  preset,
  privateKeys,
  seconds,
  someOf,
  text,
  trx,
} from './kinds.js';
import { TEST_MNEMONIC, TRON_PATH } from './test-accounts.js';

export type Group = 'Chain' | 'Accounts' | 'Blocks' | 'Interfaces' | 'Output';

/** An option; its name is its key in the table. */
export interface Declaration<Input, Value, Default extends Input | undefined> {
  readonly kind: Kind<Input, Value>;
  readonly group: Group;
  /** One sentence without a final full stop, for `--help`. */
  readonly description: string;
  readonly default: Default;
  /** The command's default, if it differs from the library's. */
  readonly commandDefault?: NoInfer<Input>;
  /** The default with `tre`. */
  readonly treDefault?: NoInfer<Input>;
  /** The default with `ports: 'java-tron'`. */
  readonly javaTronDefault?: NoInfer<Input>;
  /** The text for a default that is not a plain value. */
  readonly defaultText?: string;
  /** The flag on the command line; absent: only the library has the option. */
  readonly flag?: `--${string}`;
  readonly short?: `-${string}`;
  /** A second flag that users of another tool know; `--help` does not show it. */
  readonly alias?: `--${string}`;
  /**
   * The option defines the chain or its blocks: the database keeps its value, and a start with another value is
   * refused. `secret`: the database keeps only a hash.
   */
  readonly begins?: 'shown' | 'secret';
  /** Flags that stand for one value each. */
  readonly shorthands?: Readonly<Record<`--${string}`, readonly [value: NoInfer<Input>, description: string]>>;
}

function option<Input, Value, const Default extends Input | undefined = undefined>(
  declaration: Omit<Declaration<Input, Value, Default>, 'default'> & { readonly default?: Default },
): Declaration<Input, Value, Default> {
  return { default: undefined as Default, ...declaration };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isClock(value: unknown): boolean {
  const { nowMs, after } = Object(value) as Partial<WallClock>;
  return typeof nowMs === 'function' && typeof after === 'function';
}

export const declarations = {
  db: option({
    kind: text('<dir>'),
    flag: '--db',
    group: 'Chain',
    description: 'keep the chain in this directory; the next start with it continues the same chain',
    defaultText: 'library: in memory; command: a temporary directory, removed at exit',
  }),
  tre: option({
    kind: onOff,
    flag: '--tre',
    group: 'Chain',
    begins: 'shown',
    description:
      'replace the TronBox Runtime Environment: its chain id, witness key, environment variables and instant blocks',
    default: false,
  }),
  preset: option({
    kind: preset,
    flag: '--preset',
    group: 'Chain',
    begins: 'shown',
    description: 'chain parameters to start from: mainnet (the newest set), mainnet@2025-09, or none',
    default: 'mainnet',
  }),
  nodeVersion: option({
    kind: choice('<version>', ...RELEASES),
    flag: '--node-version',
    group: 'Chain',
    begins: 'shown',
    description: 'java-tron release to match: its rules, endpoints and responses; docs/reference/node-versions.md',
    defaultText: `${FIRST_RELEASE}; fork: the release that the network's newest block names`,
  }),
  parameters: option({
    kind: parameterValues,
    flag: '--param',
    group: 'Chain',
    begins: 'shown',
    description: 'set a chain parameter, as an approved proposal would: getEnergyFee=210 (repeatable)',
  }),
  genesis: option({
    kind: codeValue<string | object>(
      'a file name or a genesis object',
      (value) => typeof value === 'string' || isObject(value),
      '<file>',
    ),
    flag: '--genesis',
    group: 'Chain',
    begins: 'secret',
    description: 'genesis from a JSON file: time, accounts, witnesses and their keys',
    defaultText: 'one witness and the accounts of --accounts',
  }),
  fork: option({
    kind: text('<url>'),
    flag: '--fork',
    group: 'Chain',
    description: "fork a live network at its head block and fetch its state on demand: URL of a node's HTTP API",
  }),
  forkJsonrpc: option({
    kind: text('<url>'),
    flag: '--fork-jsonrpc',
    group: 'Chain',
    description: 'JSON-RPC URL of the forked network, used to read contract storage',
    defaultText: '/jsonrpc under the URL of --fork',
  }),
  forkGrpc: option({
    kind: grpcTarget,
    flag: '--fork-grpc',
    group: 'Chain',
    description: 'gRPC endpoint of the forked network, used instead of /wallet; TLS with grpcs:// or port 443',
    defaultText: 'none: the HTTP API is used',
  }),
  forkApiKey: option({
    kind: text('<key>'),
    flag: '--fork-api-key',
    group: 'Chain',
    description: 'API key for the forked network, sent with each request as TRON-PRO-API-KEY',
  }),
  forkHeader: option({
    kind: headerLines,
    flag: '--fork-header',
    group: 'Chain',
    description: "extra HTTP header for requests to the forked network: 'name: value' (repeatable)",
    default: [],
    defaultText: 'none',
  }),
  forkRate: option({
    kind: integer('<per second>', 1, 10_000),
    flag: '--fork-rate',
    group: 'Chain',
    description: 'maximum requests per second to the forked network',
    defaultText: 'unlimited; 13 for TronGrid, which allows 15',
  }),
  forkTimeout: option({
    kind: integer('<ms>', 1, 3_600_000),
    flag: '--fork-timeout',
    group: 'Chain',
    description: 'fail requests that need state of a network that has sent no response for this many milliseconds',
    default: 10_000,
  }),
  forkCache: option({
    kind: text('<dir>'),
    flag: '--fork-cache',
    group: 'Chain',
    description: 'store fetched state in this directory and read it first; the same fork then runs without the network',
  }),
  forkOffline: option({
    kind: onOff,
    flag: '--fork-offline',
    group: 'Chain',
    description: 'never contact the forked network; state that is missing from --fork-cache is an error',
    default: false,
  }),
  forkBrokerages: option({
    kind: onOff,
    flag: '--fork-brokerages',
    group: 'Chain',
    description: 'read the brokerage of each of the 127 rewarded witnesses; without it, 20 % is assumed',
    default: false,
  }),
  forkChainId: option({
    kind: chainId,
    flag: '--fork-chain-id',
    group: 'Chain',
    description: "chain id of the fork, for eth_chainId and contracts, if not the network's: a number, or 0x and hex",
    defaultText: "the network's chain id",
  }),
  networkStake: option({
    kind: networkStake,
    flag: '--network-stake',
    group: 'Chain',
    begins: 'shown',
    description: 'stake of other accounts; sets the yield per staked TRX: mainnet (newest), mainnet@2025-12, or none',
    defaultText: 'mainnet; none with --genesis, --preset none or --tre',
    treDefault: 'none',
  }),
  loadState: option({
    kind: codeValue<string | Uint8Array>(
      'a file name or the bytes of a dump',
      (value) => typeof value === 'string' || value instanceof Uint8Array,
      '<file>',
    ),
    flag: '--load-state',
    group: 'Chain',
    description: 'start from a chain file (sunup dump FILE, --record FILE), including its block history',
  }),
  predeploy: option({
    kind: someOf('multicall3', 'usdt', 'wtrx'),
    flag: '--predeploy',
    group: 'Chain',
    begins: 'shown',
    description:
      'contracts to deploy at genesis, comma-separated: multicall3, usdt, wtrx; docs/reference/predeployed.md',
    defaultText: 'none',
  }),
  genesisTime: option({
    kind: moment,
    flag: '--genesis-time',
    group: 'Chain',
    begins: 'shown',
    description: 'time of the genesis block; another time gives another chain id',
    defaultText: 'constant, so that wallets keep their network settings',
  }),

  accounts: option({
    kind: integer('<count>', 0, 10_000),
    flag: '--accounts',
    short: '-a',
    group: 'Accounts',
    begins: 'shown',
    description: 'number of funded accounts with known keys',
    default: 10,
  }),
  balance: option({
    kind: trx,
    flag: '--balance',
    group: 'Accounts',
    begins: 'shown',
    description: 'balance of each account, in TRX; more than an account can have becomes the most, 2^62 sun',
    default: 10_000,
  }),
  mnemonic: option({
    kind: text('<words>'),
    flag: '--mnemonic',
    short: '-m',
    group: 'Accounts',
    begins: 'secret',
    description: 'BIP-39 phrase from which the keys are derived',
    default: TEST_MNEMONIC,
  }),
  derivationPath: option({
    kind: text('<path>'),
    flag: '--derivation-path',
    group: 'Accounts',
    begins: 'shown',
    description: "BIP-32 path of the keys; the index is appended, or replaces {index}: m/44'/195'/{index}'",
    default: TRON_PATH,
  }),
  seed: option({
    kind: text('<text>'),
    flag: '--seed',
    group: 'Accounts',
    description: 'derive the phrase from this text, as TRE does; ignored if a phrase is given',
  }),
  privateKeys: option({
    kind: privateKeys,
    flag: '--private-key',
    group: 'Accounts',
    begins: 'secret',
    description:
      'private key of an account, placed before the keys of the phrase and counted in --accounts (repeatable)',
    default: [],
    defaultText: 'none',
  }),

  mining: option({
    kind: choice('<mode>', 'interval', 'instant', 'manual'),
    flag: '--mining',
    group: 'Blocks',
    description: 'when blocks are produced: interval (every 3 seconds, or --block-time), instant or manual',
    default: 'instant',
    commandDefault: 'interval',
    treDefault: 'instant',
    shorthands: {
      '--instant': ['instant', 'produce a block for each transaction (--mining instant)'],
      '--manual': ['manual', 'produce blocks on request only (--mining manual)'],
    },
  }),
  slotMs: option({
    kind: integer('<ms>', 100, 60_000),
    flag: '--slot-ms',
    group: 'Chain',
    begins: 'shown',
    description: 'slot length in milliseconds; 3000 on public networks; docs/reference/time.md',
    default: 3_000,
  }),
  blockTime: option({
    kind: seconds,
    flag: '--block-time',
    short: '-b',
    group: 'Blocks',
    description:
      'seconds between blocks in interval mode; multiples of the slot length (--slot-ms) keep blocks on slot times',
    defaultText: 'one slot',
  }),
  blockStepMs: option({
    kind: integer('<ms>', 1, 86_400_000),
    flag: '--block-step',
    group: 'Blocks',
    description: 'minimum milliseconds between the timestamps of two blocks in instant and manual mode',
    defaultText: '1; with a virtual clock 1000, so that each block has its own second',
  }),
  solidified: option({
    kind: choice('<view>', 'head', 'network'),
    flag: '--solidified',
    group: 'Blocks',
    description: 'state that /walletsolidity reads: head (the newest block) or network (some blocks behind it)',
    default: 'head',
  }),
  unknownWitnesses: option({
    kind: choice('<how>', 'fill', 'miss'),
    flag: '--unknown-witnesses',
    group: 'Blocks',
    description:
      'slots of witnesses whose key Sunup does not have: fill (another key signs the block) or miss (no block)',
    default: 'fill',
  }),
  shieldedTransactions: option({
    kind: choice('<how>', 'validate', 'ignore'),
    flag: '--shielded-transactions',
    group: 'Blocks',
    description: 'shielded transfers: validate (refuse invalid ones) or ignore (answer SUCCESS, execute none)',
    default: 'validate',
  }),
  poolSize: option({
    kind: integer('<count>', 1, 1_000_000),
    flag: '--pool-size',
    group: 'Blocks',
    description: 'maximum pending transactions before SERVER_BUSY; also limited by twice --vm-limit of execution time',
    default: 2_000,
  }),
  vmLimitMs: option({
    kind: integer('<ms>', 1, 1_000_000_000),
    flag: '--vm-limit',
    group: 'Chain',
    begins: 'shown',
    description:
      "execution time limit in ms, counted per instruction, so equal on every machine; the network's limit is 80",
    default: 500,
  }),
  constantEnergy: option({
    kind: integer('<energy>', 3_000_000, 1_000_000_000_000),
    flag: '--constant-energy',
    group: 'Blocks',
    description: 'Energy limit of a constant call (triggerconstantcontract, estimateenergy, eth_call)',
    default: 100_000_000,
  }),
  constantCallMs: option({
    kind: integer('<ms>', 1, 1_000_000_000),
    flag: '--constant-call-limit',
    group: 'Blocks',
    description: 'execution time limit of a constant call in ms, counted as for --vm-limit (vm.constantCallTimeoutMs)',
    defaultText: 'the value of --vm-limit',
  }),
  clock: option({
    kind: codeValue<'virtual' | 'wall' | WallClock>(
      "'virtual', 'wall' or a clock",
      (value) => value === 'virtual' || value === 'wall' || isClock(value),
    ),
    group: 'Blocks',
    description: "source of the chain's time; a virtual clock advances only when blocks are produced",
    default: 'virtual',
    commandDefault: 'wall',
  }),

  host: option({
    kind: text('<address>'),
    flag: '--host',
    group: 'Interfaces',
    description: 'address to listen on; 0.0.0.0 allows connections from other machines',
    default: '127.0.0.1',
  }),
  ports: option({
    kind: choice('<layout>', 'combined', 'java-tron'),
    flag: '--ports',
    group: 'Interfaces',
    description:
      'combined: one HTTP port for all interfaces; java-tron: the nine ports of a java-tron node; docs/reference/ports.md',
    default: 'combined',
  }),
  httpPort: option({
    kind: portOrNone,
    flag: '--http-port',
    short: '-p',
    alias: '--port',
    group: 'Interfaces',
    description: 'port of the HTTP API (/wallet, /walletsolidity) and JSON-RPC (/jsonrpc, /eth); 0 for any free port',
    default: 0,
    commandDefault: 9090,
    javaTronDefault: 8090,
  }),
  httpSolidityPort: option({
    kind: portOrOff,
    flag: '--http-solidity-port',
    group: 'Interfaces',
    description: 'additional port for /walletsolidity (java-tron: 8091); 0 for any free port',
    default: false,
    javaTronDefault: 8091,
  }),
  pbft: option({
    kind: onOff,
    flag: '--pbft',
    group: 'Interfaces',
    description: 'serve /walletpbft, which reads the solidified state, as main network nodes do',
    default: false,
    javaTronDefault: true,
  }),
  httpPbftPort: option({
    kind: portOrOff,
    flag: '--http-pbft-port',
    group: 'Interfaces',
    description: 'with --pbft: additional port for /walletpbft (java-tron: 8092); 0 for any free port',
    default: false,
    javaTronDefault: 8092,
  }),
  grpcPort: option({
    kind: portOrOff,
    flag: '--grpc-port',
    group: 'Interfaces',
    description: 'port of gRPC service protocol.Wallet; 0 for any free port, off to disable',
    default: false,
    commandDefault: 50_051,
    javaTronDefault: 50_051,
  }),
  grpcSolidityPort: option({
    kind: ports,
    flag: '--grpc-solidity-port',
    group: 'Interfaces',
    description: 'ports of gRPC service protocol.WalletSolidity, comma-separated (50052,50061); off to disable',
    default: false,
    commandDefault: 50_052,
    javaTronDefault: 50_061,
  }),
  grpcPbftPort: option({
    kind: portOrOff,
    flag: '--grpc-pbft-port',
    group: 'Interfaces',
    description:
      'with --pbft: port of its gRPC service protocol.WalletSolidity (java-tron: 50071); 0 for any free port',
    default: false,
    javaTronDefault: 50_071,
  }),
  jsonrpcPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-port',
    group: 'Interfaces',
    description: 'additional port for JSON-RPC (java-tron: 8545); 0 for any free port, off to disable',
    default: false,
    javaTronDefault: 8545,
  }),
  jsonrpcSolidityPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-solidity-port',
    group: 'Interfaces',
    description: 'port of JSON-RPC on the solidified state (java-tron: 8555); 0 for any free port, off to disable',
    default: false,
    javaTronDefault: 8555,
  }),
  jsonrpcPbftPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-pbft-port',
    group: 'Interfaces',
    description: 'with --pbft: port of its JSON-RPC, without filters and logs (java-tron: 8565); 0 for any free port',
    default: false,
    javaTronDefault: 8565,
  }),
  jsonrpcDialect: option({
    kind: choice('<dialect>', 'strict', 'friendly'),
    flag: '--jsonrpc-dialect',
    group: 'Interfaces',
    description: 'dialect of /jsonrpc: strict (java-tron) or friendly (Ethereum-compatible, as /eth always is)',
    default: 'strict',
  }),
  jsonrpcMaxBatch: option({
    kind: integer('<count>', 1, 1_000_000),
    flag: '--jsonrpc-max-batch',
    group: 'Interfaces',
    description: 'maximum requests in a JSON-RPC batch; java-tron: 100 since 4.8.2, unlimited before',
    defaultText: '1000; with `--node-version` 4.8.2: 100',
  }),
  jsonrpcMaxAnswer: option({
    kind: integer('<bytes>', 1_024, 268_435_456),
    flag: '--jsonrpc-max-answer',
    group: 'Interfaces',
    description: 'maximum size of a JSON-RPC response in bytes; java-tron: this default since 4.8.2, unlimited before',
    default: 26_214_400,
  }),
  clientVersion: option({
    kind: text('<name>'),
    flag: '--client-version',
    group: 'Interfaces',
    description: 'result of web3_clientVersion; some test helpers require HardhatNetwork/… or anvil/…',
    defaultText: 'as java-tron; /eth: HardhatNetwork/…',
  }),
  createNonces: option({
    kind: onOff,
    flag: '--create-nonces',
    group: 'Interfaces',
    description:
      "contracts created by CREATE get Ethereum's address (creator and nonce), for porting; see tron_setCreateNonces",
    default: false,
  }),
  history: option({
    kind: onOff,
    flag: '--no-history',
    group: 'Interfaces',
    description:
      'do not index accounts and contracts, which disables /v1 and /event; a later start can build the index',
    default: true,
  }),
  stateHistory: option({
    kind: blocksOrAll,
    flag: '--state-history',
    group: 'Chain',
    description: 'number of recent blocks for state queries and rollback; older state is deleted',
    default: 'all',
  }),
  devMethods: option({
    kind: onOff,
    flag: '--no-dev-methods',
    group: 'Interfaces',
    description: "serve only java-tron's interfaces: no /sunup (explain, mine, snapshot, revert), no WebSockets",
    default: true,
  }),
  dashboard: option({
    kind: onOff,
    flag: '--no-dashboard',
    group: 'Interfaces',
    description: 'do not serve the dashboard, the page for browsers at /',
    default: true,
  }),
  cors: option({
    kind: onOff,
    flag: '--no-cors',
    group: 'Interfaces',
    description: 'refuse requests from web pages of other origins; by default they can read and broadcast',
    default: true,
  }),
  allowOrigin: option({
    kind: origins,
    flag: '--allow-origin',
    group: 'Interfaces',
    description:
      'origin whose web pages may use all methods (mine, revert), as local pages may; * for all (repeatable)',
    default: [],
    defaultText: 'none',
  }),
  allowHost: option({
    kind: hostNames,
    flag: '--allow-host',
    group: 'Interfaces',
    description:
      'public host name to serve; IP addresses, names without a dot and *.internal always work; * for all (repeatable)',
    default: [],
    defaultText: 'none',
  }),

  apiKeys: option({
    kind: apiKeys,
    flag: '--api-key',
    group: 'Interfaces',
    description: 'valid API key; all others are refused; KEY=15 or KEY=15/1000 limits it per second/day (repeatable)',
    default: [],
    defaultText: 'none: any key is accepted',
  }),
  rateLimit: option({
    kind: rateLimit,
    flag: '--rate-limit',
    group: 'Interfaces',
    description:
      'requests per second: anonymous=3,key=15,daily=100000,suspend=30; docs/reference/limits.md lists all names',
    defaultText: 'no limit',
  }),

  metrics: option({
    kind: onOff,
    flag: '--metrics',
    group: 'Interfaces',
    description: 'serve Prometheus metrics of requests, blocks and transactions at /metrics; docs/reference/metrics.md',
    default: false,
  }),
  eventQueue: option({
    kind: queueEndpoint,
    flag: '--event-queue',
    group: 'Interfaces',
    description: "java-tron's native event queue (ZeroMQ), for example tcp://127.0.0.1:5555; needs the package zeromq",
    defaultText: 'none',
  }),
  eventTriggers: option({
    kind: eventTriggers,
    flag: '--event-triggers',
    group: 'Interfaces',
    description:
      'events for the queue: block, transaction:ethCompatible, contractlog:redundancy, …; docs/reference/push.md',
    defaultText: 'all',
  }),
  eventContracts: option({
    kind: contractAddresses,
    flag: '--event-contract',
    group: 'Interfaces',
    description: 'queue only logs and events of this contract (repeatable)',
    default: [],
    defaultText: 'all',
  }),
  eventTopics: option({
    kind: logTopics,
    flag: '--event-topic',
    group: 'Interfaces',
    description: 'queue only logs and events with this topic, 64 hex digits (repeatable)',
    default: [],
    defaultText: 'all',
  }),

  trace: option({
    kind: onOff,
    flag: '--trace',
    group: 'Output',
    description:
      'print the call tree of each transaction: call names, arguments, results, Energy, events, revert reason',
    default: false,
  }),
  record: option({
    kind: text('<file>'),
    flag: '--record',
    group: 'Output',
    description: 'record the session in a new file (a chain file); sunup run replays it to identical blocks',
    defaultText: 'none',
  }),
  portReport: option({
    kind: text('<file>'),
    flag: '--port-report',
    group: 'Output',
    description:
      'when the node stops, write costs and differences from Ethereum to this file (.html, .md, .json; else text)',
    defaultText: 'none',
  }),
  artifacts: option({
    kind: folders,
    flag: '--artifacts',
    group: 'Output',
    description:
      'artifacts of solc, Hardhat, Foundry or TronBox, for contract names, ABIs and source lines (repeatable)',
    default: [],
    defaultText: 'none',
  }),
  log: option({
    kind: codeValue<Log>('a Log', isObject),
    group: 'Output',
    description: 'destination of warnings',
    defaultText: 'none; command: standard error',
  }),
} as const;

/** Options that only the command has. */
export const commandDeclarations = {
  json: option({
    kind: onOff,
    flag: '--json',
    group: 'Output',
    description: 'print one JSON object per line instead of text',
    default: false,
  }),
  quiet: option({
    kind: onOff,
    flag: '--quiet',
    short: '-q',
    group: 'Output',
    description: 'print no banner and no block lines; the ready line and automatically chosen ports remain',
    default: false,
  }),
} as const;

export type OptionName = keyof typeof declarations;
export type CommandOptionName = keyof typeof commandDeclarations;

type InputOf<D> = D extends Declaration<infer Input, infer _Value, infer _Default> ? Input : never;
type ValueOf<D> =
  D extends Declaration<infer _Input, infer Value, infer Default>
    ? undefined extends Default
      ? Value | undefined
      : Value
    : never;

/** Options of `createDevnet`; docs/reference/options.md describes each with its default. */
export type DevnetOptions = {
  readonly [Name in OptionName]?: InputOf<(typeof declarations)[Name]> | undefined;
};

type ValuesOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** All options, validated, with defaults. */
export type Settings = ValuesOf<typeof declarations>;
export type CommandSettings = Settings & ValuesOf<typeof commandDeclarations>;
