/** The text that the command shows when it is ready: everything that users copy to use the chain. */

import type { Devnet } from '../devnet/devnet.js';
import type { Endpoint } from '../devnet/endpoints.js';
import type { DevContract, DevWitness } from '../devnet/genesis/genesis.js';
import { type CommandSettings, declarations } from '../options/declarations.js';
import { INDEX } from '../options/key-derivation.js';
import { timeSpanText } from '../options/time-span.js';
import { VERSION } from '../platform/version.js';
import { MAX_BALANCE_SUN } from '../primitives/most-balance.js';
import { printableLine } from '../primitives/printable.js';
import { formatRounded, formatTrx, formatUnits } from '../prose/amounts.js';

/** For data older than this, the banner warns that the fork's chain is ahead of its network's state. */
const OLD_FORK_MS = 600_000;

const DEFAULT_HTTP_PORT = declarations.httpPort.commandDefault;

/** Formats a heading: with colour on a terminal, unchanged in a file. */
export type Mark = (heading: string) => string;

export function banner(devnet: Devnet, settings: CommandSettings, mark: Mark = (heading) => heading): string {
  const { accounts, wallet } = devnet;
  const sections: (readonly [heading: string, lines: readonly string[]])[] = [];
  if (accounts.length > 0) {
    sections.push(
      [
        accounts.some((one) => one.balanceSun === MAX_BALANCE_SUN)
          ? 'Available accounts, with the most that an account can have'
          : 'Available accounts',
        accounts.map((one) => `(${one.index}) ${one.address} (${formatTrx(one.balanceSun)}) ${one.addressHex}`),
      ],
      [
        'Private keys (public: never send real TRX to these accounts)',
        accounts.map((one) => `(${one.index}) ${one.privateKey}`),
      ],
      ['HD wallet', [`Mnemonic:   ${wallet.mnemonic}`, `Path:       ${pathText(wallet.derivationPath)}`]],
    );
  }
  sections.push(
    ...(devnet.fork === undefined
      ? [['Witnesses (they produce blocks and vote on proposals)', devnet.witnesses.flatMap(witnessLines)] as const]
      : []),
    ...(devnet.predeployed.length === 0 ? [] : [['Contracts', devnet.predeployed.map(contractLine)] as const]),
    [
      'Chain',
      [
        `Chain id:   ${devnet.chainId} (${Number(devnet.chainId)})`,
        `Genesis:    ${devnet.genesisId}`,
        ...originLines(devnet, settings),
        `Stake:      ${stakeText(devnet)}`,
        `Blocks:     ${blocksText(devnet, settings)}`,
        `Data:       ${dataText(devnet)}`,
      ],
    ],
    ['Endpoints', endpointsOf(devnet, settings).map(endpointLine)],
    ['From another terminal', commandLines(devnet, settings)],
  );
  const text = sections.map(
    ([heading, lines]) => `${mark(heading)}\n${lines.map((line) => `  ${printableLine(line)}\n`).join('')}`,
  );
  return `${mark(`Sunup ${VERSION}`)}\n\n${text.join('\n')}`;
}

/** The last lines before the node accepts requests; scripts wait for one of them. */
export function readyLines(devnet: Devnet, settings: CommandSettings): readonly string[] {
  const { quiet, tre, portReport } = settings;
  // Without the banner, nothing else shows which free ports were taken.
  const taken = quiet ? endpointsOf(devnet, settings).filter(({ requestedPort }) => requestedPort === 0) : [];
  return [
    ...taken.map(endpointLine),
    `Sunup is listening on ${devnet.http.url}`,
    ...(tre ? [`TRE now listening on ${devnet.http.url}`] : []),
    ...(portReport === undefined ? [] : [`The port report is written to ${portReport} when the node stops (Ctrl-C)`]),
  ];
}

function pathText(path: string): string {
  return path.includes(INDEX) ? path : `${path.replace(/\/$/, '')}/${INDEX}`;
}

/** The URL of JSON-RPC. In java-tron's layout it has its own ports, which can be off. */
export function jsonRpcOf(
  devnet: Devnet,
  { ports, jsonrpcPort }: CommandSettings,
): Partial<Pick<Devnet, 'jsonrpc' | 'eth'>> {
  if (ports === 'java-tron' && jsonrpcPort === false) return {};
  const { jsonrpc, eth } = devnet;
  return { jsonrpc, eth };
}

interface NamedEndpoint {
  readonly name: string;
  readonly url: string;
  /** The port in the settings, for an endpoint with a port of its own; 0: any free port. */
  readonly requestedPort?: number | false | undefined;
}

function endpointsOf(devnet: Devnet, settings: CommandSettings): NamedEndpoint[] {
  const { grpcSolidity, eventQueue } = devnet;
  const { jsonrpc, eth } = jsonRpcOf(devnet, settings);
  const of = (
    name: string,
    endpoint: Pick<Endpoint, 'url'> | undefined,
    requestedPort?: number | false,
  ): NamedEndpoint[] => (endpoint === undefined ? [] : [{ name, url: endpoint.url, requestedPort }]);
  return [
    ...of('HTTP', devnet.http),
    ...of('Dashboard', settings.dashboard ? { url: `${devnet.http.url}/` } : undefined),
    ...of('Try it', { url: `${devnet.http.url}/docs` }),
    ...of('Metrics', settings.metrics ? { url: `${devnet.http.url}/metrics` } : undefined),
    ...of('HTTP solid', devnet.httpSolidity, settings.httpSolidityPort),
    ...of('HTTP PBFT', devnet.httpPbft, settings.httpPbftPort),
    ...of('JSON-RPC', jsonrpc, settings.jsonrpcPort),
    ...of('Ethereum', eth),
    ...of('RPC solid', devnet.jsonrpcSolidity, settings.jsonrpcSolidityPort),
    ...of('RPC PBFT', devnet.jsonrpcPbft, settings.jsonrpcPbftPort),
    ...of('gRPC', devnet.grpc, settings.grpcPort),
    ...grpcSolidity.flatMap((endpoint, at) => of('gRPC solid', endpoint, settings.grpcSolidityPort[at])),
    ...of('gRPC PBFT', devnet.grpcPbft, settings.grpcPbftPort),
    ...of(
      'Events',
      eventQueue === undefined ? undefined : { url: `${eventQueue} (ZeroMQ)` },
      freeIn(settings.eventQueue),
    ),
  ];
}

function freeIn(endpoint: string | undefined): 0 | undefined {
  return /:(0+|\*)$/.test(endpoint ?? '') ? 0 : undefined;
}

function endpointLine({ name, url }: NamedEndpoint): string {
  return `${`${name}:`.padEnd(12)}${url}`;
}

function contractLine({ name, address, addressHex }: DevContract): string {
  return `${`${name}:`.padEnd(11)} ${address} 0x${addressHex.slice(2)}`;
}

function witnessLines({ address, addressHex, privateKey, url }: DevWitness, index: number): string[] {
  const key = privateKey ?? 'key not known: its blocks are signed with the key of another witness';
  return [`(${index}) ${address} ${addressHex} ${url}`, `    ${key}`];
}

/** The commands that users need first, ready to copy; none if the development methods are off. */
function commandLines({ http }: Devnet, { devMethods }: CommandSettings): string[] {
  const stop = 'Ctrl-C stops this one.';
  if (!devMethods) return [stop];
  const where = http.port === DEFAULT_HTTP_PORT ? '' : ` --url :${http.port}`;
  return [
    `npx sunup explain <txid>${where}     what a transaction cost, and why`,
    `npx sunup mine --advance 6h${where}  let time pass`,
    stop,
  ];
}

function originLines({ fork, nodeVersion }: Devnet, { preset }: CommandSettings): readonly string[] {
  const rules = `(rules of java-tron ${nodeVersion})`;
  if (fork === undefined) return [`Preset:     ${preset.name} ${rules}`];
  const { url, blockNumber, timestampMs } = fork;
  const of = url ?? 'the rows read from a network';
  const ageMs = Date.now() - timestampMs;
  return [
    `Fork:       ${of}, block ${formatUnits(blockNumber)} ${rules}`,
    // With old rows, Energy factors decay at maintenances and used resources recover.
    ...(ageMs < OLD_FORK_MS
      ? []
      : [
          `            That block is ${timeSpanText(ageMs)} old. New blocks use the clock of this machine, so usage has recovered`,
          '            and factors have fallen. estimate, run and the library start at the time of that block.',
        ]),
  ];
}

function stakeText({ fork, networkStake: { name, energyPerTrx, bandwidthPerTrx } }: Devnet): string {
  if (fork === undefined && name === 'none') return 'none: stakes of this chain share the Energy of the whole network';
  const [energy, bandwidth] = [energyPerTrx, bandwidthPerTrx].map((perTrx) => formatRounded(perTrx));
  return `${fork === undefined ? name : "the network's"}: a TRX staked yields ${energy} Energy or ${bandwidth} Bandwidth a day`;
}

function blocksText({ slotMs }: Devnet, { mining, blockTime }: CommandSettings): string {
  if (mining === 'instant') return 'one per transaction, at once';
  return mining === 'manual' ? 'on request' : `every ${timeSpanText(Number(blockTime ?? slotMs))}`;
}

function dataText({ dataDirectory }: Devnet): string {
  if (dataDirectory === undefined) return 'in memory';
  return dataDirectory.temporary ? `${dataDirectory.path} (removed at exit; --db DIR keeps it)` : dataDirectory.path;
}
