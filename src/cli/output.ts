/** The two output formats of the command: text for people, one JSON object a line (`--json`) for programs. */

import picocolors from 'picocolors';
import type { Devnet } from '../devnet/devnet.js';
import type { DevnetEvents } from '../devnet/events/events.js';
import type { CommandSettings } from '../options/declarations.js';
import { VERSION } from '../platform/version.js';
import { writeJson } from '../primitives/amount-json.js';
import { printable, printableLine } from '../primitives/printable.js';
import { banner, jsonRpcOf, readyLines } from './banner.js';
import {
  blockLines,
  branchedLine,
  changedLine,
  consoleOutput,
  dayOf,
  failedCallLines,
  type Marks,
  minedLine,
  refusedLines,
  revertedLine,
  snapshotLine,
} from './log-lines.js';

/** In text, `dropped` is a warning of the devnet's log on standard error; in JSON it is an event. */
export type OutputEvent = Exclude<keyof DevnetEvents, 'failed' | 'logging'>;

export interface Output {
  /** The node accepts requests from now on. */
  ready(devnet: Devnet): void;
  /** Handlers of the devnet's events; not called with `--quiet`. */
  readonly events: { readonly [Name in OutputEvent]: (...values: DevnetEvents[Name]) => void };
  closed(): void;
}

/** @param write receives printable lines that may contain our colours */
export function outputFor(settings: CommandSettings, write: (line: string) => void): Output {
  return settings.json ? jsonOutput(settings, write) : textOutput(settings, write);
}

function textOutput(settings: CommandSettings, write: (line: string) => void): Output {
  // picocolors by itself would detect colours in CI logs, and in every pipe on Windows.
  const colors = picocolors.createColors(process.stdout.isTTY === true && process.stdout.hasColors());
  // Colours are added last: texts of others are already without control characters.
  const marks: Marks = {
    plain: printableLine,
    failed: (line) => colors.red(printableLine(line)),
    event: (line) => colors.cyan(printableLine(line)),
  };
  let day = dayOf({ timestampMs: Date.now() });
  const writeAll = (lines: readonly string[]) => {
    for (const line of lines) write(line);
  };
  const tell = (line: string) => write(marks.plain(line));
  return {
    ready(devnet) {
      if (!settings.quiet) write(banner(devnet, settings, colors.bold));
      for (const line of readyLines(devnet, settings)) tell(line);
    },
    events: {
      block(block) {
        const lines = blockLines(block, day, marks);
        writeAll(lines);
        if (lines.length > 0) day = dayOf(block);
      },
      refused: (refused) => writeAll(refusedLines(refused, marks.failed)),
      dropped: () => {},
      console: (lines) => consoleOutput(lines).forEach(tell),
      callFailed: (call) => writeAll(failedCallLines(call, marks)),
      mined: (mined) => tell(minedLine(mined)),
      snapshot: (snapshot) => tell(snapshotLine(snapshot)),
      reverted: (to) => tell(revertedLine(to)),
      changed: (change) => tell(changedLine(change)),
      branched: (branched) => tell(branchedLine(branched)),
    },
    closed() {
      if (!settings.quiet) write('closed');
    },
  };
}

function jsonOutput(settings: CommandSettings, write: (line: string) => void): Output {
  const event = (name: string, values: object) => write(printable(writeJson({ event: name, ...values })));
  return {
    ready(devnet) {
      const { accounts, wallet, witnesses, networkStake, predeployed, chainId, genesisId, dataDirectory } = devnet;
      const { http, jsonrpcSolidity, grpc, grpcSolidity } = devnet;
      const { httpSolidity, httpPbft, jsonrpcPbft, grpcPbft, eventQueue, fork } = devnet;
      const { mining } = settings;
      const { mnemonic, derivationPath } = wallet;
      const preset = settings.preset.name;
      event('ready', {
        version: VERSION,
        ...{
          http,
          httpSolidity,
          httpPbft,
          ...jsonRpcOf(devnet, settings),
          jsonrpcSolidity,
          jsonrpcPbft,
          grpc,
          grpcSolidity,
          grpcPbft,
          eventQueue,
          chainId,
          genesisId,
          preset,
          ...(fork && { fork }),
          networkStake,
          mining,
          dataDirectory,
        },
        ...{ mnemonic, derivationPath, accounts, witnesses, predeployed },
      });
    },
    events: {
      block: (block) => event('block', block),
      refused: (refused) => event('refused', refused),
      dropped: (dropped) => event('dropped', dropped),
      console: (lines) => event('console', { lines }),
      callFailed: (call) => event('callFailed', call),
      mined: (mined) => event('mined', mined),
      snapshot: (snapshot) => event('snapshot', snapshot),
      reverted: (to) => event('reverted', to),
      changed: (change) => event('changed', change),
      branched: (branched) => event('branched', branched),
    },
    closed: () => event('closed', {}),
  };
}
