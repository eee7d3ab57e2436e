/** Traces by a node: with the names and sources of this command's artifacts, and profiles as files. */

import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ExecutedCode } from '../explanation/model/created-contracts.js';
import type { SpeedscopeFile } from '../explanation/sources/speedscope.js';
import { declarations } from '../options/declarations.js';
import { hexToBytes } from '../primitives/hex.js';
import { RemoteError } from './node-client.js';

export type TraceAnswer = Record<string, unknown>;

/** Sends the request to a node, with further options. */
export type TraceRequest = (options: object) => Promise<TraceAnswer>;

/** Adds the options that {@link TraceWords} has. */
export function withTraceOptions(command: Command): Command {
  return command
    .option('--lines', 'also show the Energy by source line, and the stack trace of a failure')
    .option(
      `${declarations.artifacts.flag} <dir>`,
      declarations.artifacts.description,
      (folder: string, all: readonly string[]) => [...all, folder],
      [],
    )
    .option('--speedscope <file>', 'write a profile for https://www.speedscope.app')
    .option('--svg <file>', 'write a flame chart')
    .option('--by <part>', 'group a profile or chart by function or line', 'function');
}

export function traceText({ text }: Record<string, unknown>): string {
  return `${(text as readonly string[]).join('\n')}\n`;
}

/** Options of commands that trace. */
export interface TraceWords {
  readonly artifacts: readonly string[];
  readonly lines?: boolean;
  readonly speedscope?: string;
  readonly svg?: string;
  readonly by: string;
}

/** The trace options of the command, as members of the request. */
function traceOptionsOf({ lines = false, speedscope, svg, by }: TraceWords): object {
  if (by !== 'function' && by !== 'line') throw new RemoteError(`--by: ${by} is not valid. Use function or line`, 2);
  const wantsProfile = speedscope !== undefined || svg !== undefined;
  return { ...(lines && { lines }), ...(wantsProfile && { profile: by }) };
}

/** The node returns the executed codes; the folders of this command give their names and sources. */
export async function tracedWith(request: TraceRequest, words: TraceWords): Promise<TraceAnswer> {
  const options = traceOptionsOf(words);
  if (words.artifacts.length === 0) return request(options);
  const { codes } = (await request({ codes: true })) as unknown as { readonly codes: readonly ExecutedCode[] };
  const { ArtifactFolders } = await import('../devnet/artifacts/artifact-folders.js');
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(sentence);
  const folders = new ArtifactFolders(words.artifacts, { warn, error: warn });
  const contracts = codes.flatMap(
    ({ code, isCreation }) => folders.suppliedContract(hexToBytes(code), isCreation) ?? [],
  );
  if (contracts.length === 0 && codes.length > 0)
    throw new RemoteError(
      [`no contract in ${words.artifacts.join(', ')} matches a contract that ran`, ...warnings].join('\n'),
    );
  return request({ ...options, contracts });
}

/** @returns the names of the written files, one a line */
export async function writeProfile(
  { profile }: Record<string, unknown>,
  { speedscope, svg }: Pick<TraceWords, 'speedscope' | 'svg'>,
): Promise<string> {
  if (speedscope === undefined && svg === undefined) return '';
  if (profile === undefined) throw new RemoteError('no profile: the transaction does not call a contract');
  const names: string[] = [];
  const write = async (file: string, text: string) => {
    await writeOrRefuse(file, text);
    names.push(`${file}\n`);
  };
  if (speedscope !== undefined) await write(speedscope, `${JSON.stringify(profile)}\n`);
  if (svg !== undefined) {
    const { flameChart } = await import('../prose/flame-chart.js');
    await write(svg, flameChart(profile as SpeedscopeFile));
  }
  return names.join('');
}

/** @throws RemoteError */
export async function writeOrRefuse(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch((error: Error) => {
    throw new RemoteError(`${file} cannot be written: ${error.message}`);
  });
}
