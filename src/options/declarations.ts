/**
 * Every option of the command and of the library, declared once. The command line, `--help`, environment variables, the
 * library's checks and its types, and docs/reference/options.md are all made from this table; an option is added by adding a row.
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
  folders,
  grpcTarget,
  handedOver,
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

/** What an option is, apart from its name, which is its key in the table. */
export interface Declaration<Input, Value, Default extends Input | undefined> {
  readonly kind: Kind<Input, Value>;
  readonly group: Group;
  /** One sentence without a full stop, as `--help` prints it. */
  readonly description: string;
  readonly default: Default;
  /** Where the command's default is another one than the library's. */
  readonly commandDefault?: NoInfer<Input>;
  /** What it is by default with `tre`. */
  readonly treDefault?: NoInfer<Input>;
  /** What it is by default with `ports: 'java-tron'`. */
  readonly javaTronDefault?: NoInfer<Input>;
  /** What to say for a default that is not a plain value. */
  readonly defaultText?: string;
  /** On the command line; without it the option is for the library only. */
  readonly flag?: `--${string}`;
  readonly short?: `-${string}`;
  /** A second name, for those who bring it from another tool; `--help` does not show it. */
  readonly alias?: `--${string}`;
  /**
   * Decides what the chain is, or what its blocks come to: a database keeps what its chain was begun with, and a start
   * with something else is refused. `secret`: only a hash of it is kept.
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
    description: 'keep the chain in this directory and go on with it at the next start',
    defaultText: 'library: in memory; command: a temporary directory, removed at exit',
  }),
  tre: option({
    kind: onOff,
    flag: '--tre',
    group: 'Chain',
    begins: 'shown',
    description: 'stand in for the TronBox Runtime Environment: its chain id, witness key, variables, instant blocks',
    default: false,
  }),
  preset: option({
    kind: preset,
    flag: '--preset',
    group: 'Chain',
    begins: 'shown',
    description: 'chain parameters to start from: mainnet (its newest), mainnet@2025-09, or none',
    default: 'mainnet',
  }),
  nodeVersion: option({
    kind: choice('<version>', ...RELEASES),
    flag: '--node-version',
    group: 'Chain',
    begins: 'shown',
    description: 'release of java-tron whose rules, rows and answers the chain has; docs/reference/node-versions.md',
    defaultText: `${FIRST_RELEASE}; of a fork what the newest block of its network says`,
  }),
  parameters: option({
    kind: parameterValues,
    flag: '--param',
    group: 'Chain',
    begins: 'shown',
    description: 'set a chain parameter, as an approved proposal would: getEnergyFee=210 (may be repeated)',
  }),
  genesis: option({
    kind: handedOver<string | object>(
      'a file name or a genesis object',
      (value) => typeof value === 'string' || isObject(value),
      '<file>',
    ),
    flag: '--genesis',
    group: 'Chain',
    begins: 'secret',
    description: 'genesis from a JSON file: time, accounts, witnesses and their keys',
    defaultText: 'one witness and the accounts below',
  }),
  fork: option({
    kind: text('<url>'),
    flag: '--fork',
    group: 'Chain',
    description:
      "go on above the head of a live network, whose rows are read when needed: URL of a node's HTTP interface",
  }),
  forkJsonrpc: option({
    kind: text('<url>'),
    flag: '--fork-jsonrpc',
    group: 'Chain',
    description: 'its JSON-RPC, from which words of storage are read',
    defaultText: '/jsonrpc below the URL of --fork',
  }),
  forkGrpc: option({
    kind: grpcTarget,
    flag: '--fork-grpc',
    group: 'Chain',
    description: 'its gRPC, which is asked instead of /wallet; TLS with grpcs:// or port 443',
    defaultText: 'HTTP is asked',
  }),
  forkApiKey: option({
    kind: text('<key>'),
    flag: '--fork-api-key',
    group: 'Chain',
    description: 'key that goes with each question, as TRON-PRO-API-KEY',
  }),
  forkHeader: option({
    kind: headerLines,
    flag: '--fork-header',
    group: 'Chain',
    description: "further header of each question: 'name: value' (may be repeated)",
    default: [],
  }),
  forkRate: option({
    kind: integer('<per second>', 1, 10_000),
    flag: '--fork-rate',
    group: 'Chain',
    description: 'ask it at most so many questions a second',
    defaultText: 'as many as it takes; 13 of TronGrid, which allows 15',
  }),
  forkTimeout: option({
    kind: integer('<ms>', 1, 3_600_000),
    flag: '--fork-timeout',
    group: 'Chain',
    description: 'refuse requests that need a row of a network which has answered nothing for so many milliseconds',
    default: 10_000,
  }),
  forkCache: option({
    kind: text('<dir>'),
    flag: '--fork-cache',
    group: 'Chain',
    description: 'keep what is read as files, and read them first: the same fork then runs without the network',
  }),
  forkOffline: option({
    kind: onOff,
    flag: '--fork-offline',
    group: 'Chain',
    description: 'ask nobody: rows that --fork-cache does not have are an error',
    default: false,
  }),
  forkBrokerages: option({
    kind: onOff,
    flag: '--fork-brokerages',
    group: 'Chain',
    description: 'read the brokerage of each of the 127 witnesses who are paid: without it they are taken to keep 20 %',
    default: false,
  }),
  forkChainId: option({
    kind: chainId,
    flag: '--fork-chain-id',
    group: 'Chain',
    description: 'another chain id than the network has, for eth_chainId and contracts: a number, or 0x and hex',
    defaultText: "the network's",
  }),
  networkStake: option({
    kind: networkStake,
    flag: '--network-stake',
    group: 'Chain',
    begins: 'shown',
    description:
      'what others have staked, which says what a staked TRX yields: mainnet (newest), mainnet@2025-12, or none',
    defaultText: 'mainnet; none with --genesis, --preset none or --tre',
    treDefault: 'none',
  }),
  loadState: option({
    kind: handedOver<string | Uint8Array>(
      'a file name or the bytes of a dump',
      (value) => typeof value === 'string' || value instanceof Uint8Array,
      '<file>',
    ),
    flag: '--load-state',
    group: 'Chain',
    description: 'begin with the chain of a dump (sunup dump FILE), its history included',
  }),
  predeploy: option({
    kind: someOf('multicall3', 'usdt', 'wtrx'),
    flag: '--predeploy',
    group: 'Chain',
    begins: 'shown',
    description:
      'contracts that are there from the beginning, with commas: multicall3, usdt, wtrx; docs/reference/predeployed.md',
    defaultText: 'none',
  }),
  genesisTime: option({
    kind: moment,
    flag: '--genesis-time',
    group: 'Chain',
    begins: 'shown',
    description: 'time of the genesis block; another time gives another chain id',
    defaultText: 'fixed, so that wallets keep their network settings',
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
    description: 'what each of them owns, in TRX',
    default: 10_000,
  }),
  mnemonic: option({
    kind: text('<words>'),
    flag: '--mnemonic',
    short: '-m',
    group: 'Accounts',
    begins: 'secret',
    description: 'BIP-39 phrase that the keys are derived from',
    default: TEST_MNEMONIC,
  }),
  derivationPath: option({
    kind: text('<path>'),
    flag: '--derivation-path',
    group: 'Accounts',
    begins: 'shown',
    description: "BIP-32 path of the keys, to which the index is appended; or with {index} in it: m/44'/195'/{index}'",
    default: TRON_PATH,
  }),
  seed: option({
    kind: text('<text>'),
    flag: '--seed',
    group: 'Accounts',
    description: 'make a phrase of this text, as TRE does, where none is given',
  }),
  privateKeys: option({
    kind: privateKeys,
    flag: '--private-key',
    group: 'Accounts',
    begins: 'secret',
    description: 'key of an account that comes before those of the phrase, and counts among them (may be repeated)',
    default: [],
    defaultText: 'none',
  }),

  mining: option({
    kind: choice('<mode>', 'interval', 'instant', 'manual'),
    flag: '--mining',
    group: 'Blocks',
    description: 'when blocks are made: interval (every 3 seconds, or --block-time), instant or manual',
    default: 'instant',
    commandDefault: 'interval',
    treDefault: 'instant',
    shorthands: {
      '--instant': ['instant', 'a block for every transaction, at once (--mining instant)'],
      '--manual': ['manual', 'a block only when one is asked for (--mining manual)'],
    },
  }),
  slotMs: option({
    kind: integer('<ms>', 100, 60_000),
    flag: '--slot-ms',
    group: 'Chain',
    begins: 'shown',
    description:
      "length of the protocol's slot, 3000 on networks; chains with 1000 or 10000 exist; docs/reference/time.md",
    default: 3_000,
  }),
  blockTime: option({
    kind: seconds,
    flag: '--block-time',
    short: '-b',
    group: 'Blocks',
    description:
      "interval mode: how often a block is made, in seconds; multiples of the protocol's slot (--slot-ms) stay on slots",
    defaultText: 'a block in every slot',
  }),
  blockStepMs: option({
    kind: integer('<ms>', 1, 86_400_000),
    flag: '--block-step',
    group: 'Blocks',
    description: 'blocks that are made at once (instant, manual) are at least so many milliseconds apart',
    defaultText: '1; on a virtual clock 1000, so that no two blocks have the same second',
  }),
  solidified: option({
    kind: choice('<view>', 'head', 'network'),
    flag: '--solidified',
    group: 'Blocks',
    description: 'what /walletsolidity shows: head, at once, or as on the network, some blocks behind',
    default: 'head',
  }),
  unknownWitnesses: option({
    kind: choice('<how>', 'fill', 'miss'),
    flag: '--unknown-witnesses',
    group: 'Blocks',
    description:
      'slots of elected witnesses whose key is not at hand: fill them with our key, or miss them as the network does',
    default: 'fill',
  }),
  shieldedTransactions: option({
    kind: choice('<how>', 'validate', 'ignore'),
    flag: '--shielded-transactions',
    group: 'Blocks',
    description: 'broadcasts of shielded transfers: refuse what is invalid, or answer SUCCESS and ignore all of them',
    default: 'validate',
  }),
  poolSize: option({
    kind: integer('<count>', 1, 1_000_000),
    flag: '--pool-size',
    group: 'Blocks',
    description:
      'transactions that may wait for a block before SERVER_BUSY; or fewer, whose contracts run for twice --vm-limit',
    default: 2_000,
  }),
  vmLimitMs: option({
    kind: integer('<ms>', 1, 1_000_000_000),
    flag: '--vm-limit',
    group: 'Chain',
    begins: 'shown',
    description:
      'milliseconds a contract may run, counted step by step, the same on every machine; the network stops it after 80',
    default: 500,
  }),
  constantEnergy: option({
    kind: integer('<energy>', 3_000_000, 1_000_000_000_000),
    flag: '--constant-energy',
    group: 'Blocks',
    description: 'Energy that a call without a transaction may use (triggerconstantcontract, estimateenergy, eth_call)',
    default: 100_000_000,
  }),
  constantCallMs: option({
    kind: integer('<ms>', 1, 1_000_000_000),
    flag: '--constant-call-limit',
    group: 'Blocks',
    description:
      'milliseconds that a call without a transaction may run, counted as --vm-limit is (vm.constantCallTimeoutMs)',
    defaultText: 'as --vm-limit',
  }),
  clock: option({
    kind: handedOver<'virtual' | 'wall' | WallClock>(
      "'virtual', 'wall' or a clock",
      (value) => value === 'virtual' || value === 'wall' || isClock(value),
    ),
    group: 'Blocks',
    description: 'where the chain takes its time from; a virtual clock stands still until blocks are mined',
    default: 'virtual',
    commandDefault: 'wall',
  }),

  host: option({
    kind: text('<address>'),
    flag: '--host',
    group: 'Interfaces',
    description: 'address to listen on; 0.0.0.0 lets other machines in',
    default: '127.0.0.1',
  }),
  ports: option({
    kind: choice('<layout>', 'combined', 'java-tron'),
    flag: '--ports',
    group: 'Interfaces',
    description:
      "combined: one HTTP port for everything; java-tron: its nine ports, each with what a node's has; docs/reference/ports.md",
    default: 'combined',
  }),
  httpPort: option({
    kind: portOrNone,
    flag: '--http-port',
    short: '-p',
    alias: '--port',
    group: 'Interfaces',
    description: 'HTTP API (/wallet, /walletsolidity) and JSON-RPC (/jsonrpc, /eth); 0 takes a free port',
    default: 0,
    commandDefault: 9090,
    javaTronDefault: 8090,
  }),
  httpSolidityPort: option({
    kind: portOrOff,
    flag: '--http-solidity-port',
    group: 'Interfaces',
    description: '/walletsolidity on a port of its own too, as java-tron has it (8091); 0 takes a free port',
    default: false,
    javaTronDefault: 8091,
  }),
  pbft: option({
    kind: onOff,
    flag: '--pbft',
    group: 'Interfaces',
    description:
      '/walletpbft, which reads what is solidified, as on nodes of the main network; without it there is none',
    default: false,
    javaTronDefault: true,
  }),
  httpPbftPort: option({
    kind: portOrOff,
    flag: '--http-pbft-port',
    group: 'Interfaces',
    description: 'with --pbft: /walletpbft on a port of its own too (java-tron: 8092); 0 takes a free port',
    default: false,
    javaTronDefault: 8092,
  }),
  grpcPort: option({
    kind: portOrOff,
    flag: '--grpc-port',
    group: 'Interfaces',
    description: 'gRPC, protocol.Wallet; 0 takes a free port, off leaves it out',
    default: false,
    commandDefault: 50_051,
    javaTronDefault: 50_051,
  }),
  grpcSolidityPort: option({
    kind: ports,
    flag: '--grpc-solidity-port',
    group: 'Interfaces',
    description: 'gRPC, protocol.WalletSolidity; several with commas (50052,50061), off leaves it out',
    default: false,
    commandDefault: 50_052,
    javaTronDefault: 50_061,
  }),
  grpcPbftPort: option({
    kind: portOrOff,
    flag: '--grpc-pbft-port',
    group: 'Interfaces',
    description: 'with --pbft: gRPC, protocol.WalletSolidity of it (java-tron: 50071); 0 takes a free port',
    default: false,
    javaTronDefault: 50_071,
  }),
  jsonrpcPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-port',
    group: 'Interfaces',
    description:
      'JSON-RPC on a port of its own too, as java-tron has it (8545); 0 takes a free port, off leaves it out',
    default: false,
    javaTronDefault: 8545,
  }),
  jsonrpcSolidityPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-solidity-port',
    group: 'Interfaces',
    description: 'JSON-RPC that reads the solidified state (java-tron: 8555); 0 takes a free port, off leaves it out',
    default: false,
    javaTronDefault: 8555,
  }),
  jsonrpcPbftPort: option({
    kind: portOrOff,
    flag: '--jsonrpc-pbft-port',
    group: 'Interfaces',
    description: 'with --pbft: JSON-RPC of it, without filters and logs (java-tron: 8565); 0 takes a free port',
    default: false,
    javaTronDefault: 8565,
  }),
  jsonrpcDialect: option({
    kind: choice('<dialect>', 'strict', 'friendly'),
    flag: '--jsonrpc-dialect',
    group: 'Interfaces',
    description: "how /jsonrpc answers: strict as java-tron, friendly for Ethereum's tools, as /eth always does",
    default: 'strict',
  }),
  jsonrpcMaxBatch: option({
    kind: integer('<count>', 1, 1_000_000),
    flag: '--jsonrpc-max-batch',
    group: 'Interfaces',
    description: 'most requests in one JSON-RPC batch; java-tron takes 100 from 4.8.2 on, and any number before',
    defaultText: '1000; with `--node-version` 4.8.2 its 100',
  }),
  jsonrpcMaxAnswer: option({
    kind: integer('<bytes>', 1_024, 268_435_456),
    flag: '--jsonrpc-max-answer',
    group: 'Interfaces',
    description: 'longest JSON-RPC answer; the default is that of java-tron from 4.8.2 on, which had none before',
    default: 26_214_400,
  }),
  clientVersion: option({
    kind: text('<name>'),
    flag: '--client-version',
    group: 'Interfaces',
    description:
      'what web3_clientVersion answers; some helpers work only where it begins with HardhatNetwork/ or anvil/',
    defaultText: 'as java-tron',
  }),
  history: option({
    kind: onOff,
    flag: '--no-history',
    group: 'Interfaces',
    description: 'keep no index of accounts and contracts: no /v1 and /event; made later when it is wanted again',
    default: true,
  }),
  stateHistory: option({
    kind: blocksOrAll,
    flag: '--state-history',
    group: 'Chain',
    description: 'how many blocks back the state can be read and the chain can go back; older values are deleted',
    default: 'all',
  }),
  devMethods: option({
    kind: onOff,
    flag: '--no-dev-methods',
    group: 'Interfaces',
    description: 'only what java-tron has: no /sunup (explain, mine, snapshot, revert), no WebSockets',
    default: true,
  }),
  cors: option({
    kind: onOff,
    flag: '--no-cors',
    group: 'Interfaces',
    description: 'refuse pages of other origins, which otherwise may read and broadcast as on the network',
    default: true,
  }),
  allowOrigin: option({
    kind: origins,
    flag: '--allow-origin',
    group: 'Interfaces',
    description:
      'let pages of this origin do everything, as pages of this machine may: mine, revert; * for all (may be repeated)',
    default: [],
    defaultText: 'none',
  }),
  allowHost: option({
    kind: hostNames,
    flag: '--allow-host',
    group: 'Interfaces',
    description:
      'answer under this public name; addresses, names without a dot and *.internal need no leave; * for all (may be repeated)',
    default: [],
    defaultText: 'none',
  }),

  apiKeys: option({
    kind: apiKeys,
    flag: '--api-key',
    group: 'Interfaces',
    description:
      'the API keys that there are, others are refused; KEY=15 or KEY=15/1000: a second, a day (may be repeated)',
    default: [],
    defaultText: 'none: any key is taken',
  }),
  rateLimit: option({
    kind: rateLimit,
    flag: '--rate-limit',
    group: 'Interfaces',
    description:
      'answer so many requests a second: anonymous=3,key=15,daily=100000,suspend=30; docs/reference/limits.md has the rest',
    defaultText: 'no limit',
  }),

  metrics: option({
    kind: onOff,
    flag: '--metrics',
    group: 'Interfaces',
    description: 'count what happens and time every request, for Prometheus at /metrics; docs/reference/metrics.md',
    default: false,
  }),
  eventQueue: option({
    kind: queueEndpoint,
    flag: '--event-queue',
    group: 'Interfaces',
    description: "java-tron's native event queue (ZeroMQ), at tcp://127.0.0.1:5555 say; needs the package zeromq",
    defaultText: 'none',
  }),
  eventTriggers: option({
    kind: eventTriggers,
    flag: '--event-triggers',
    group: 'Interfaces',
    description:
      'what the queue tells: block, transaction:ethCompatible, contractlog:redundancy, …; docs/reference/push.md has all',
    defaultText: 'all of them',
  }),
  eventContracts: option({
    kind: contractAddresses,
    flag: '--event-contract',
    group: 'Interfaces',
    description: 'logs and events on the queue: only of this contract (may be repeated)',
    default: [],
    defaultText: 'all',
  }),
  eventTopics: option({
    kind: logTopics,
    flag: '--event-topic',
    group: 'Interfaces',
    description: 'logs and events on the queue: only those with this topic, 64 hex digits (may be repeated)',
    default: [],
    defaultText: 'all',
  }),

  trace: option({
    kind: onOff,
    flag: '--trace',
    group: 'Output',
    description:
      'show the call tree of each transaction: calls by name, arguments, results, Energy, events, the revert',
    default: false,
  }),
  record: option({
    kind: text('<file>'),
    flag: '--record',
    group: 'Output',
    description: 'write all that happens into a scenario, which sunup run replays to the same blocks; a new file',
    defaultText: 'nothing is recorded',
  }),
  artifacts: option({
    kind: folders,
    flag: '--artifacts',
    group: 'Output',
    description:
      'artifacts of solc, Hardhat, Foundry, TronBox: names of contracts without an ABI, source lines (may be repeated)',
    default: [],
    defaultText: 'none',
  }),
  log: option({
    kind: handedOver<Log>('a Log', isObject),
    group: 'Output',
    description: 'where warnings go',
    defaultText: 'nowhere; command: standard error',
  }),
} as const;

/** What only the command has. */
export const commandDeclarations = {
  json: option({
    kind: onOff,
    flag: '--json',
    group: 'Output',
    description: 'one JSON object a line instead of text, for programs',
    default: false,
  }),
  quiet: option({
    kind: onOff,
    flag: '--quiet',
    short: '-q',
    group: 'Output',
    description: 'no banner and no line per block; the line that says it is ready remains, and where ports were free',
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

/** Options of `createDevnet`; docs/reference/options.md says what each one does and what it is without being set. */
export type DevnetOptions = {
  readonly [Name in OptionName]?: InputOf<(typeof declarations)[Name]> | undefined;
};

type ValuesOf<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** All options, checked, with the defaults filled in. */
export type Settings = ValuesOf<typeof declarations>;
export type CommandSettings = Settings & ValuesOf<typeof commandDeclarations>;
