/**
 * Reads a recorded chain (format: fixtures/recorded/README.md): the genesis its scenario describes, and its lines.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type FolderLine,
  genesisOf,
  type RecordedNetwork,
  recordedNetwork,
  settingsOf,
} from '../../src/chain-file/recorded-folder.js';
import type { NodeSettings } from '../../src/ledger/config.js';
import type { Genesis } from '../../src/ledger/genesis/genesis.js';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';

export interface AnswerLine {
  readonly afterBlock: number;
  readonly surface: 'http' | 'solidity' | 'jsonrpc' | 'jsonrpcSolidity' | 'grpc' | 'grpcSolidity';
  /** Absent for gRPC, where `path` names the method. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number | string;
  readonly details?: string;
  readonly contentType?: string | null;
  readonly response?: string;
  readonly note?: string;
}

export interface Recording {
  readonly directory: string;
  readonly name: string;
  readonly genesis: Genesis;
  /** What the recorded node read from its configuration file. */
  readonly settings: NodeSettings;
  /** Private keys at hand, by the address they sign for. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  readonly lines: readonly FolderLine[];
  readonly answers: readonly AnswerLine[];
}

/** V8 has no longer texts: a recording that unpacks to more is refused before it does. */
const MAX_TEXT_BYTES = 500 * 1024 * 1024;

function readLines<Line>(file: string): Line[] {
  let text: string;
  try {
    text = gunzipSync(readFileSync(file), { maxOutputLength: MAX_TEXT_BYTES }).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function readNetwork(directory: string): RecordedNetwork {
  const file = join(directory, 'scenario.json');
  return recordedNetwork(readFileSync(file, 'utf8'), file);
}

/**
 * @throws ENOENT when `directory` holds no recording
 * @throws ChainFileError when its scenario holds something that would be left out of account
 */
export function readRecording(directory: string): Recording {
  const scenario = readNetwork(directory);
  return {
    directory,
    name: scenario.name,
    genesis: genesisOf(scenario),
    settings: settingsOf(scenario),
    witnessKeys: new Map(scenario.network.witnessKeys.map((key) => [addressFromPrivateKey(key), key])),
    lines: readLines<FolderLine>(join(directory, 'chain.ndjson.gz')),
    answers: readLines<AnswerLine>(join(directory, 'answers.ndjson.gz')),
  };
}
