/**
 * Writes the list of differences in docs/how-to/port-from-ethereum.md from the table that port reports use.
 *
 *     npx tsx scripts/porting-docs.ts           writes the file
 *     npx tsx scripts/porting-docs.ts --print   prints the list
 */

import { readFileSync } from 'node:fs';
import { DIFFERENCES, type Difference } from '../src/explanation/porting/differences.js';
import { HEADINGS } from '../src/porting/report-parts.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/how-to/port-from-ethereum.md', import.meta.url);

const HEADING = '## What behaves otherwise';

/** The guide with the list as the table has it. */
export function portingGuide(): string {
  const guide = readFileSync(file, 'utf8');
  const start = guide.indexOf(`${HEADING}\n`);
  const end = guide.indexOf('\n## ', start + 1);
  if (start < 0 || end < 0) throw new Error(`${file.pathname} has no section "${HEADING}" with another behind it`);
  return guide.slice(0, start) + list() + guide.slice(end);
}

function list(): string {
  const tables = Object.entries(HEADINGS).map(([weight, heading]) => {
    const rows = DIFFERENCES.filter((difference) => difference.weight === weight).map(row);
    return `### ${heading}\n\n| On Ethereum | On TRON | What to do |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `${HEADING}

A report lists what your contracts have met. This is the whole list; each link leads to the rule.

${tables.join('\n')}`;
}

function row({ onEthereum, onTron, whatToDo, rule }: Difference): string {
  return `| ${onEthereum} | ${onTron} ([rule](../${rule})) | ${whatToDo} |`;
}

await makeFile(import.meta.filename, { file, text: portingGuide, shown: list });
