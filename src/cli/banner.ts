/** What the command shows when it is ready: everything that somebody has to copy to use the chain. */

import type { Devnet } from '../devnet/devnet.js';
import type { CommandSettings } from '../options/declarations.js';
import { VERSION } from '../platform/version.js';
import { formatTrx } from '../prose/amounts.js';

/** How the banner marks its headings; colours where there is a terminal, nothing in a file. */
export type Mark = (heading: string) => string;

export function banner(devnet: Devnet, settings: CommandSettings, mark: Mark = (heading) => heading): string {
  const { accounts } = devnet;
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
      ['HD wallet', [`Mnemonic:   ${settings.mnemonic}`, `Path:       ${settings.derivationPath}/{account_index}`]],
    );
  }
  sections.push(
    [
      'Chain',
      [
        `Chain id:   ${devnet.chainId} (${Number(devnet.chainId)})`,
        `Genesis:    ${devnet.genesisId}`,
        `Profile:    ${settings.preset.name} (rules of java-tron ${settings.preset.release})`,
        `Blocks:     ${blocksText(settings)}`,
        `Data:       ${dataText(devnet)}`,
      ],
    ],
    ['Endpoints', endpointLines(devnet)],
  );
  const text = sections.map(([heading, lines]) => `${mark(heading)}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return `${mark(`Sunup ${VERSION}`)}\n\n${text.join('\n')}`;
}

/** The last line before the first request can be answered; scripts wait for it. */
export function readyLine(devnet: Devnet): string {
  return `Sunup is listening on ${devnet.http.url}`;
}

function endpointLines({ http, jsonrpc, jsonrpcSolidity, grpc, grpcSolidity }: Devnet): string[] {
  const lines = [`HTTP:       ${http.url}`, `JSON-RPC:   ${jsonrpc.url}`];
  if (jsonrpcSolidity !== undefined) lines.push(`RPC solid:  ${jsonrpcSolidity.url}`);
  if (grpc !== undefined) lines.push(`gRPC:       ${grpc.url}`);
  for (const endpoint of grpcSolidity) lines.push(`gRPC solid: ${endpoint.url}`);
  return lines;
}

function blocksText({ mining }: CommandSettings): string {
  if (mining === 'instant') return 'one for every transaction, at once';
  return mining === 'manual' ? 'when asked for' : 'every 3 seconds';
}

function dataText({ dataDirectory }: Devnet): string {
  if (dataDirectory === undefined) return 'in memory';
  return dataDirectory.temporary ? `${dataDirectory.path} (removed at exit; --db DIR keeps it)` : dataDirectory.path;
}
