/**
 * Makes docs/images/start.svg from what the command prints: its start on the default ports, the tutorial's contract
 * deployed and called, and the explanation of the call.
 *
 *     npx tsx scripts/start-picture.ts
 */

import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { buildIfStale } from './build.mjs';

const root = path.resolve(import.meta.dirname, '..');
const ELLIPSIS = '  …';

const command = await buildIfStale();
const node = spawn(process.execPath, [command, '--instant'], { stdio: ['ignore', 'pipe', 'inherit'] });
const printed: string[] = [];
const reader = createInterface({ input: node.stdout }).on('line', (line) => printed.push(line));
try {
  await new Promise<void>((resolve, reject) => {
    reader.on('line', (line) => line.startsWith('Sunup is listening') && resolve());
    node.on('exit', () => reject(new Error('the command ended: are its ports free?')));
  });
  const cwd = path.join(root, 'examples/first-contract');
  const example = async (...words: string[]) => (await promisify(execFile)(process.execPath, words, { cwd })).stdout;
  const [, contract = ''] = /contract (\S+)/.exec(await example('deploy.mjs')) ?? [];
  const [, txid = ''] = /transaction (\S+)/.exec(await example('add.mjs', contract, '5')) ?? [];
  const explained = (await example(command, 'explain', txid)).split('\n');

  const banner = printed.slice(0, printed.findIndex((line) => line.startsWith('Sunup is listening')) + 1);
  const lines = [
    '$ npx sunup --instant',
    ...section(banner, 'Available accounts', 2),
    ELLIPSIS,
    '',
    ...section(banner, 'Chain', 0).filter((line) => !line.startsWith('  Data:')),
    '',
    banner.at(-1)!,
    // Of the blocks that of the call.
    ...printed.slice(printed.findLastIndex((line) => line.startsWith('block'))),
    '',
    `$ npx sunup explain ${txid.slice(0, 16)}…`,
    ...explained.slice(
      explained.findIndex((line) => line.startsWith('Cost')),
      explained.findIndex((line) => line.startsWith('Energy limit')),
    ),
    ELLIPSIS,
    explained.findLast((line) => line !== '')!,
  ];
  writeFileSync(path.join(root, 'docs/images/start.svg'), picture(lines));
} finally {
  node.kill();
}

/** A section of the banner with its heading; `count` lines of it, or all. */
function section(lines: readonly string[], heading: string, count: number): readonly string[] {
  const from = lines.indexOf(heading);
  const end = lines.indexOf('', from);
  return lines.slice(from, count === 0 ? end : from + 1 + count);
}

/** A terminal. Its colours are set, not inherited: it reads the same on light and dark pages. */
function picture(lines: readonly string[]): string {
  const [size, leading, margin] = [13, 19, 20];
  const columns = Math.max(...lines.map(({ length }) => length));
  const width = Math.ceil(columns * size * 0.602) + 2 * margin;
  const height = lines.length * leading + 2 * margin;
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const styled = (line: string): string => {
    if (line.startsWith('$ ')) return `<tspan class="typed">${escaped(line)}</tspan>`;
    if (/^\S.*|SUCCESS$/.test(line) && !line.startsWith('block')) return `<tspan class="head">${escaped(line)}</tspan>`;
    return escaped(line).replace(/(?<=^ {4})(paid .*)$/, '<tspan class="cost">$1</tspan>');
  };
  const rows = lines.map(
    (line, i) => `<text x="${margin}" y="${margin + (i + 0.75) * leading}" xml:space="preserve">${styled(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>Sunup starts, makes blocks, and explains what a transaction cost</title>
<style>
text { font: ${size}px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #24292f }
.typed { fill: #0550ae; font-weight: 600 }
.head { font-weight: 600 }
.cost { fill: #953800 }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#f6f8fa" stroke="#d0d7de"/>
${rows.join('\n')}
</svg>
`;
}
