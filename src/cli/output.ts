/** The two ways in which the command speaks: text for people, one JSON object a line (`--json`) for programs. */

import picocolors from 'picocolors';
import type { Devnet } from '../devnet/devnet.js';
import type { BlockReport } from '../devnet/reports.js';
import type { CommandSettings } from '../options/declarations.js';
import { VERSION } from '../platform/version.js';
import { banner, readyLine } from './banner.js';
import { blockLines, consoleOutput } from './log-lines.js';

export interface Output {
  /** Requests are answered from now on. */
  ready(devnet: Devnet): void;
  /** Not called with `--quiet`, as `console` is not. */
  block(block: BlockReport): void;
  /** What a contract printed in a call without a transaction. */
  console(lines: readonly string[]): void;
  closed(): void;
}

export function outputFor(settings: CommandSettings, write: (line: string) => void): Output {
  return settings.json ? jsonOutput(settings, write) : textOutput(settings, write);
}

function textOutput(settings: CommandSettings, write: (line: string) => void): Output {
  return {
    ready(devnet) {
      if (!settings.quiet) write(banner(devnet, settings, picocolors.bold));
      write(readyLine(devnet));
    },
    block(block) {
      for (const line of blockLines(block)) write(line);
    },
    console(lines) {
      for (const line of consoleOutput(lines)) write(line);
    },
    closed() {
      if (!settings.quiet) write('closed');
    },
  };
}

function jsonOutput(settings: CommandSettings, write: (line: string) => void): Output {
  const event = (name: string, values: object) => write(jsonLine({ event: name, ...values }));
  return {
    ready({ http, jsonrpc, jsonrpcSolidity, grpc, grpcSolidity, chainId, genesisId, dataDirectory, ...keys }) {
      const { accounts, witnesses } = keys;
      const { mnemonic, derivationPath, mining } = settings;
      const preset = settings.preset.name;
      event('ready', {
        version: VERSION,
        ...{
          http,
          jsonrpc,
          jsonrpcSolidity,
          grpc,
          grpcSolidity,
          chainId,
          genesisId,
          preset,
          mining,
          dataDirectory,
        },
        ...{ mnemonic, derivationPath, accounts, witnesses },
      });
    },
    block: (block) => event('block', block),
    console: (lines) => event('console', { lines }),
    closed: () => event('closed', {}),
  };
}

/** Amounts are numbers where JavaScript reads them exactly, and text beyond. */
function jsonLine(value: object): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== 'bigint') return member;
    return BigInt.asIntN(54, member) === member ? Number(member) : member.toString();
  });
}
