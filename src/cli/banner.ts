/** What the command shows when it is ready: everything that somebody has to copy to use the chain. */

import type { Devnet } from '../devnet/devnet.js';
import type { Endpoint } from '../devnet/endpoints.js';
import type { DevContract, DevWitness } from '../devnet/genesis.js';
import { type CommandSettings, declarations } from '../options/declarations.js';
import { INDEX } from '../options/key-derivation.js';
import { timeSpanText } from '../options/time-span.js';
import { VERSION } from '../platform/version.js';
import { formatTrx } from '../prose/amounts.js';

const DEFAULT_HTTP_PORT = declarations.httpPort.commandDefault;

/** How the banner marks its headings; colours where there is a terminal, nothing in a file. */
export type Mark = (heading: string) => string;

export function banner(devnet: Devnet, settings: CommandSettings, mark: Mark = (heading) => heading): string {
  const { accounts, wallet } = devnet;
  const sections: (readonly [heading: string, lines: readonly string[]])[] = [];
  if (accounts.length > 0) {
    sections.push(
      [
        'Available accounts',
        accounts.map((one) => `(${one.index}) ${one.address} (${formatTrx(one.balanceSun)}) ${one.addressHex}`),
      ],
      [
        'Private keys (known to everybody: never send real coin to these accounts)',
        accounts.map((one) => `(${one.index}) ${one.privateKey}`),
      ],
      ['HD wallet', [`Mnemonic:   ${wallet.mnemonic}`, `Path:       ${pathText(wallet.derivationPath)}`]],
    );
  }
  sections.push(
    ['Witnesses (they make the blocks, and vote on proposals)', devnet.witnesses.flatMap(witnessLines)],
    ...(devnet.predeployed.length === 0 ? [] : [['Contracts', devnet.predeployed.map(contractLine)] as const]),
    [
      'Chain',
      [
        `Chain id:   ${devnet.chainId} (${Number(devnet.chainId)})`,
        `Genesis:    ${devnet.genesisId}`,
        `Profile:    ${settings.preset.name} (rules of java-tron ${devnet.nodeVersion})`,
        `Load:       ${loadText(devnet)}`,
        `Blocks:     ${blocksText(devnet, settings)}`,
        `Data:       ${dataText(devnet)}`,
      ],
    ],
    ['Endpoints', endpointLines(devnet, settings)],
    ['From another terminal', commandLines(devnet, settings)],
  );
  const text = sections.map(([heading, lines]) => `${mark(heading)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return `${mark(`Sunup ${VERSION}`)}\n\n${text.join('\n')}`;
}

/** The last lines before the first request can be answered; scripts wait for one of them. */
export function readyLines(devnet: Devnet, { tre }: CommandSettings): readonly string[] {
  const line = `Sunup is listening on ${devnet.http.url}`;
  return tre ? [line, `TRE now listening on ${devnet.http.url}`] : [line];
}

function pathText(path: string): string {
  return path.includes(INDEX) ? path : `${path.replace(/\/$/, '')}/${INDEX}`;
}

/** Where JSON-RPC is; java-tron's layout has it on ports of its own, which can be left out. */
export function jsonRpcOf(
  devnet: Devnet,
  { ports, jsonrpcPort }: CommandSettings,
): Partial<Pick<Devnet, 'jsonrpc' | 'eth'>> {
  if (ports === 'java-tron' && jsonrpcPort === false) return {};
  const { jsonrpc, eth } = devnet;
  return { jsonrpc, eth };
}

function endpointLines(devnet: Devnet, settings: CommandSettings): string[] {
  const { grpcSolidity } = devnet;
  const { jsonrpc, eth } = jsonRpcOf(devnet, settings);
  const lines: (readonly [name: string, endpoint: Pick<Endpoint, 'url'> | undefined])[] = [
    ['HTTP', devnet.http],
    ['Try it', { url: `${devnet.http.url}/docs` }],
    ['HTTP solid', devnet.httpSolidity],
    ['HTTP PBFT', devnet.httpPbft],
    ['JSON-RPC', jsonrpc],
    ['Ethereum', eth],
    ['RPC solid', devnet.jsonrpcSolidity],
    ['RPC PBFT', devnet.jsonrpcPbft],
    ['gRPC', devnet.grpc],
    ...grpcSolidity.map((endpoint) => ['gRPC solid', endpoint] as const),
    ['gRPC PBFT', devnet.grpcPbft],
  ];
  const shown = lines.flatMap(([name, endpoint]) =>
    endpoint === undefined ? [] : [`${`${name}:`.padEnd(12)}${endpoint.url}`],
  );
  return devnet.eventQueue === undefined ? shown : [...shown, `Events:     ${devnet.eventQueue} (ZeroMQ)`];
}

function contractLine({ name, address, addressHex }: DevContract): string {
  return `${`${name}:`.padEnd(11)} ${address} 0x${addressHex.slice(2)}`;
}

function witnessLines({ address, addressHex, privateKey, url }: DevWitness, index: number): string[] {
  const key = privateKey ?? 'key not known: its blocks are signed with that of another';
  return [`(${index}) ${address} ${addressHex} ${url}`, `    ${key}`];
}

/** The commands that are needed first, as they can be copied; without the methods that they call there are none. */
function commandLines({ http }: Devnet, { devMethods }: CommandSettings): string[] {
  const stop = 'Ctrl-C stops this one.';
  if (!devMethods) return [stop];
  const where = http.port === DEFAULT_HTTP_PORT ? '' : ` --url :${http.port}`;
  return [
    `npx sunup explain <txid>${where}     what it cost, and why`,
    `npx sunup mine --advance 6h${where}  let time pass`,
    stop,
  ];
}

function loadText({ networkLoad: { name, energyPerTrx, bandwidthPerTrx } }: Devnet): string {
  if (name === 'none') return 'none: who stakes here shares the Energy of the whole network';
  const [energy, bandwidth] = [energyPerTrx, bandwidthPerTrx].map((perTrx) => decimal(perTrx));
  return `${name}: a TRX staked yields ${energy} Energy or ${bandwidth} bandwidth a day`;
}

function decimal(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

function blocksText({ slotMs }: Devnet, { mining, blockTime }: CommandSettings): string {
  if (mining === 'instant') return 'one for every transaction, at once';
  return mining === 'manual' ? 'when asked for' : `every ${timeSpanText(Number(blockTime ?? slotMs))}`;
}

function dataText({ dataDirectory }: Devnet): string {
  if (dataDirectory === undefined) return 'in memory';
  return dataDirectory.temporary ? `${dataDirectory.path} (removed at exit; --db DIR keeps it)` : dataDirectory.path;
}
