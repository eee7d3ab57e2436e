/**
 * Writes docs/background/fork-assumptions.md from the table of what no interface of a node serves.
 *
 *     npx tsx scripts/fork-docs.ts           writes the file
 *     npx tsx scripts/fork-docs.ts --print   prints it
 */

import { ASSUMPTIONS } from '../src/ledger/genesis/fork-assumptions.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/background/fork-assumptions.md', import.meta.url);

export function forkDocs(): string {
  const lines = ASSUMPTIONS.map(
    ({ name, tables, unknown, assumed, effect, named }) =>
      `| \`${name}\` | ${tables.map((table) => `\`${table}\``).join(', ')} | ${unknown} | ${assumed} | ${effect} | ${named} |`,
  );
  return `# Assumptions of a fork

This page lists what a fork assumes where no interface of a node serves the data, and which transactions that can affect.

A fork reads accounts, contracts, storage, parameters and prices exactly as the network has them. Everything that is not in this table is exact. For each transaction, \`sunup explain\` names the assumptions that may matter to it (\`assumptions\`), with the rows.

| Name | Rows of | Not served | Assumed | Possible difference from the network | Named for a transaction that |
|---|---|---|---|---|---|
${lines.join('\n')}

## Why assumptions are never corrected

Some data becomes available later. For example, the votes of the current epoch follow from the network's witnesses after its epoch has ended. A fork does not use it, for two reasons:

- The result of a fork depends only on the rows that it has read and on the transactions on it. \`--fork-cache\`, \`--fork-offline\` and recordings therefore give the same blocks in every run. A correction would depend on the time of the request.
- A correction would come too late. A fork can end its epoch hours before the network does. Its elections and payments then use its own counts.

## Headers of answers

Answers have the format of java-tron, which has no place for assumptions. A list with votes of witnesses (\`listwitnesses\`, \`getpaginatednowwitnesslist\`) that rests on \`runningTally\` has the header (in gRPC, the metadata) \`sunup-assumes: runningTally\`. For \`listwitnesses\` this begins with the fork's first maintenance.
`;
}

await makeFile(import.meta.filename, { file, text: forkDocs });
