/**
 * Writes docs/reference/history.md from the rows of the history interface.
 *
 *     npx tsx scripts/history-docs.ts           writes the file
 *     npx tsx scripts/history-docs.ts --print   prints it
 */

import { historyRows } from '../src/history/rows.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/history.md', import.meta.url);

export function historyDocs(): string {
  const rows = historyRows();
  const table = (prefix: string) =>
    rows
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, about }) => `| \`${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${about} |`)
      .join('\n');
  return `# History and events

Made from the rows in \`src/history/rows/\` by \`scripts/history-docs.ts\`; a test keeps it so.

What the managed service of the network adds to a node, on the same port as everything else: what an account or a contract took part in, transfers of tokens, decoded events. All by GET. A client that was written for the service finds what it knows: \`{"data":[…],"success":true,"meta":{…}}\`, pages by \`meta.fingerprint\` or \`meta.links.next\`.

\`\`\`sh
curl -s 'http://127.0.0.1:9090/v1/accounts/TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6/transactions?limit=5&only_confirmed=true'
\`\`\`

Addresses are \`T…\`, or hex with \`41\`, \`0x41\` or \`0x\` in front of 20 bytes. Parameters may be written \`only_to\` or \`onlyTo\`.

| Parameter of lists | |
|---|---|
| \`limit\` | 1 to 200, default 20 |
| \`fingerprint\` | the page after the one that had it in \`meta\`; everything else has to be repeated |
| \`order_by\` | \`block_timestamp,desc\` (default) or \`block_timestamp,asc\` |
| \`min_timestamp\`, \`max_timestamp\` | milliseconds, both included; \`min_block_timestamp\` and \`max_block_timestamp\` are the same |
| \`only_confirmed\`, \`only_unconfirmed\` | in solidified blocks, or above them; what waits for its block is not listed |
| \`only_from\`, \`only_to\` | of accounts: the side they are on |

A page is stable: blocks that come after the first page do not move the pages after it. What stands above the solidified block has \`_unconfirmed: true\`; with the default \`--solidified head\` nothing does.

## /v1

| Path | |
|---|---|
${table('/v1/')}

## Paths of the first event server

For TronWeb up to version 5 (\`contract.event().watch\`): a bare list, \`size\` rather than \`limit\`, \`sort=-block_timestamp\`, \`since\`, \`filters\`; the cursor stands as \`_fingerprint\` on the last record.

| Path | |
|---|---|
${table('/event/')}

## How events get their names

From the ABI that the contract has on the chain; one that was cleared is read from the transaction that deployed the contract. Contracts that others created have none: events of TRC-20, TRC-721, TRC-1155 and ownership are known anyway, others are listed with an empty \`event_name\`. A proxy's events are decoded with the proxy's own ABI. The chain does not keep the parts of tuples, so events with tuples stay without a name.

## Without the index

\`--no-history\` leaves the index out, and these paths answer 503. A database that was used so is indexed when it is next opened with it.
`;
}

await makeFile(import.meta.filename, { file, text: historyDocs });
