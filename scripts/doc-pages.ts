/**
 * Runs the pages of docs/ whose blocks are marked. In the Markdown, before a block:
 *
 *     <!-- file: examples/NAME/FILE -->   the block is that file
 *     <!-- run -->                        a shell runs the block in a copy of examples/NAME
 *     <!-- run: TOOL -->                  the same, where that tool is installed (scripts/tools.ts)
 *     <!-- add to FILE after "TEXT" for TOOLS -->   for these tools, the block is put into that file of the folder, after
 *                                         the line with the text
 *     <!-- output -->                     what the block before printed
 *
 * What a block exports, later blocks have, as in one terminal. A folder that begins as a tool's own template gets those
 * files of the page that the commands of the tool name.
 *
 * `npx tsx scripts/doc-pages.ts` writes the files and the outputs into the pages that Node alone can run.
 *
 * Ids, addresses and times differ from run to run: those of the page stand for those of the run, in later blocks, too.
 */

import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDevnet, type DevnetOptions } from '../src/index.js';
import { buildIfStale } from './build.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** A block with its mark: `file: …`, `run`, `output`, or nothing. */
interface Block {
  readonly mark: string;
  readonly text: string;
  /** Where the text stands in the page. */
  readonly from: number;
}

export interface PageRun {
  /** The page with the output that came in the place of its own, with the page's ids, addresses and times. */
  readonly page: string;
  /** Each output of the page, and what came instead, with the page's ids, addresses and times. */
  readonly outputs: readonly { readonly command: string; readonly expected: string; readonly actual: string }[];
}

export interface PageOptions {
  /** The folder in examples/ that the commands run in a copy of. */
  readonly example: string;
  /** Fills the folder with the tool's own template, in the place of the copy. */
  readonly template?: (folder: string) => void;
  /** Runs the blocks of this tool; default: those without one. */
  readonly tool?: string;
  readonly devnet?: DevnetOptions;
  readonly env?: Readonly<Record<string, string>>;
  /** The packages of the example; default: the repository's. */
  readonly modules?: string;
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^(?:<!-- (.+?) -->\n)?```\w*\n([\s\S]*?)^```$/gm)].map(
    ({ index, 0: all, 1: mark, 2: text = '' }) => ({
      mark: mark ?? '',
      text,
      from: index + all.length - text.length - 3,
    }),
  );
}

/** Blocks of the page that are not the file they name. */
export function staleFiles(page: string): readonly string[] {
  return blocksOf(page).flatMap(({ mark, text }) => {
    const file = /^file: (.+)$/.exec(mark)?.[1];
    return file === undefined || readFileSync(path.join(root, file), 'utf8') === text ? [] : [file];
  });
}

/** The page with the files that it names in their blocks. */
export function withFiles(page: string): string {
  let fresh = page;
  for (const { mark, text, from } of blocksOf(page).toReversed()) {
    const file = /^file: (.+)$/.exec(mark)?.[1];
    if (file === undefined) continue;
    fresh = fresh.slice(0, from) + readFileSync(path.join(root, file), 'utf8') + fresh.slice(from + text.length);
  }
  return fresh;
}

/** Pages have the port that is the default. */
const PAGE_URL = 'http://127.0.0.1:9090';

/** Ids of transactions and blocks, addresses, times, durations. */
const VARYING =
  /\b\d+(?:\.\d+)?[mµ]s\b|\b\d+\.\d+s\b|\b(?:0x)?[0-9a-f]{64}\b|\b[0-9a-f]{16}…|\b[0-9a-f]{8}…|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|\b0x[0-9a-fA-F]{40}\b|\b41[0-9a-f]{40}\b|\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{3})?(?: UTC|Z)|\(\d+m?s\)/g;

/** Runs the marked blocks of a page, one after the other, against one devnet. */
export async function runPage(
  page: string,
  { example, template, tool, devnet: options, env = {}, modules = path.join(root, 'node_modules') }: PageOptions,
): Promise<PageRun> {
  const command = await buildIfStale();
  await using devnet = await createDevnet({ mining: 'instant', ...options });
  const place = mkdtempSync(path.join(tmpdir(), 'sunup-page-'));
  const folder = path.join(place, example);
  try {
    if (template === undefined) cpSync(path.join(root, 'examples', example), folder, { recursive: true });
    else {
      mkdirSync(folder);
      template(folder);
    }
    if (!existsSync(path.join(folder, 'node_modules'))) symlinkSync(modules, path.join(folder, 'node_modules'));
    // `npx sunup` is the command that was built, others are the example's packages.
    const npx = `#!/bin/sh
name=$1
shift
if [ "$name" = sunup ]; then exec "${process.execPath}" "${command}" "$@"; fi
exec "node_modules/.bin/$name" "$@"
`;
    writeFileSync(path.join(place, 'npx'), npx);
    chmodSync(path.join(place, 'npx'), 0o755);
    const environment = {
      ...process.env,
      SUNUP_URL: devnet.http.url,
      ...(devnet.grpc && { SUNUP_GRPC: devnet.grpc.url }),
      ...(devnet.grpcSolidity[0] && { SUNUP_GRPC_SOLIDITY: devnet.grpcSolidity[0].url }),
      ...env,
      PATH: [place, env.PATH, path.dirname(process.execPath), process.env.PATH].filter(Boolean).join(':'),
    };
    const mark = tool === undefined ? 'run' : `run: ${tool}`;
    const ofRun = new Map<string, string>();
    const outputs: { command: string; expected: string; actual: string }[] = [];
    const changes: { block: Block; text: string }[] = [];
    const blocks = blocksOf(page);
    const commands = blocks.filter((block) => block.mark === mark).map(({ text }) => text);
    let exported = '';
    for (const [i, block] of blocks.entries()) {
      if (template !== undefined)
        writeBlock(block, { commands: commands.join(''), example, tool: tool ?? '', folder, url: devnet.http.url });
      if (block.mark !== mark) continue;
      const line = block.text
        .replaceAll(VARYING, (word) => ofRun.get(word) ?? word)
        .replaceAll(PAGE_URL, devnet.http.url);
      const output = (await outputOf(exported + line, folder, environment))
        .replaceAll(devnet.http.url, PAGE_URL)
        .replaceAll(`${folder}/`, '');
      exported += line.match(/^export .*\n/gm)?.join('') ?? '';
      const shown = blocks[i + 1];
      if (shown?.mark !== 'output') continue;
      const words = [...shown.text.matchAll(VARYING)].map(([word]) => word);
      const actual = output.replaceAll(VARYING, (word) => {
        const expected = words.shift() ?? word;
        ofRun.set(expected, word);
        return expected;
      });
      outputs.push({ command: block.text, expected: shown.text, actual });
      changes.push({ block: shown, text: actual });
    }
    let fresh = page;
    for (const { block, text } of changes.toReversed())
      fresh = fresh.slice(0, block.from) + text + fresh.slice(block.from + block.text.length);
    return { page: fresh, outputs };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What a block does to a folder that began as a template: writes the file that it is, or its lines into one. */
function writeBlock(
  { mark, text }: Block,
  {
    commands,
    example,
    tool,
    folder,
    url,
  }: Readonly<Record<'commands' | 'example' | 'tool' | 'folder' | 'url', string>>,
): void {
  const shown = path.posix.relative(`examples/${example}`, /^file: (.+)$/.exec(mark)?.[1] ?? '');
  if (mark.startsWith('file: ') && commands.includes(shown)) {
    mkdirSync(path.dirname(path.join(folder, shown)), { recursive: true });
    writeFileSync(path.join(folder, shown), text);
  }
  const [, name = '', anchor = '', tools] = /^add to (\S+) after "(.+)" for (.+)$/.exec(mark) ?? [];
  if (!tools?.split(', ').includes(tool)) return;
  const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes(anchor));
  if (at === -1) throw new Error(`${name} has no "${anchor}"`);
  lines.splice(at + 1, 0, text.replaceAll(PAGE_URL, url).trimEnd());
  writeFileSync(path.join(folder, name), lines.join('\n'));
}

/** What a terminal shows in the end: lines that a program erased are gone. */
function onScreen(output: string): string {
  const [first = '', ...parts] = output.split('\u001b[');
  let screen = first;
  for (const part of parts) {
    const [sequence = '', count, code] = /^([\d;?]*)([a-zA-Z])/.exec(part) ?? [];
    if (code === 'K') screen = screen.slice(0, screen.lastIndexOf('\n') + 1);
    else if (code === 'A') screen = [...screen.split('\n').slice(0, -Number(count) - 1), ''].join('\n');
    screen += part.slice(sequence.length);
  }
  return screen;
}

async function outputOf(lines: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', lines], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${lines}ended with ${code}:\n${output}`);
  // Mocha has the duration of a test only where it was slow.
  return onScreen(output).replaceAll(/^( +✔ .*) \(\d+m?s\)$/gm, '$1');
}

/** The pages that Node alone can run, and the folder in examples/ of each. */
export const PAGES = [
  ['docs/tutorials/first-contract.md', 'first-contract'],
  ['docs/how-to/tronweb.md', 'tronweb'],
  ['docs/how-to/ethereum-libraries.md', 'ethereum-libraries'],
] as const;

/** The pages that only show files: others run their commands. */
export const SHOWING = [
  'docs/how-to/tronbox.md',
  'docs/how-to/hardhat.md',
  'docs/how-to/port-from-ethereum.md',
  'docs/how-to/python.md',
  'docs/how-to/go.md',
  'docs/how-to/java.md',
] as const;

if (process.argv[1] === import.meta.filename) {
  for (const name of SHOWING) {
    const file = path.join(root, name);
    writeFileSync(file, withFiles(readFileSync(file, 'utf8')));
  }
  for (const [name, example] of PAGES) {
    const file = path.join(root, name);
    writeFileSync(file, (await runPage(withFiles(readFileSync(file, 'utf8')), { example })).page);
  }
}
