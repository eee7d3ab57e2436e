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
  return `# What a fork of a live network has to assume

Made from \`src/ledger/genesis/fork-assumptions.ts\` by \`scripts/fork-docs.ts\`; a test keeps it so.

A fork reads accounts, contracts, storage, parameters and prices from a node's public interfaces, as the node has them: random chains that are read through our own interfaces come back row for row (\`test/simulation/fork-rows.property.test.ts\`). Some of what a chain knows no interface tells. What a fork takes it to be stands here, and nothing else is assumed. \`sunup explain\` names those that may matter to a transaction, with whose rows, as \`assumptions\`.

| Name | Rows of | Not served | Assumed | What may come out differently | Named for a transaction that |
|---|---|---|---|---|---|
${lines.join('\n')}

Nothing of this is corrected later, also where a network could be asked later: the votes of the running epoch, for one, could be told from its witnesses once its own epoch has ended. What a fork comes to follows from the rows that it has read and from what is done on it, so that \`--fork-cache\`, \`--fork-offline\` and recordings come to the same blocks, whenever and as often as they run. A correction would depend on when somebody asks. And it would come too late: a fork can end its epoch at once, hours before the network does, and then elections and pay have gone by its own counts.

Answers are those of java-tron and have no room for names. One that has votes of witnesses (\`listwitnesses\`, \`getpaginatednowwitnesslist\`) while \`runningTally\` is assumed has the header (of gRPC, the metadata) \`sunup-assumes: runningTally\`: \`listwitnesses\` from the fork's first maintenance on.
`;
}

await makeFile(import.meta.filename, { file, text: forkDocs });
