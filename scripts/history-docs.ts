/**
 * Writes docs/reference/history.md from the endpoints of the history interface.
 *
 *     npx tsx scripts/history-docs.ts           writes the file
 *     npx tsx scripts/history-docs.ts --print   prints it
 */

import { historyEndpoints } from '../src/history/endpoints.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/history.md', import.meta.url);

export function historyDocs(): string {
  const endpoints = historyEndpoints();
  const table = (prefix: string) =>
    endpoints
      .filter(({ path }) => path.startsWith(prefix))
      .map(({ path, about }) => `| \`${path.replaceAll(/:(\w+)/g, '{$1}')}\` | ${about} |`)
      .join('\n');
  return `# History API

This page lists the endpoints for the history of accounts, contracts, tokens and events: \`/v1\` and \`/event\`.

They match the managed service of the network and are on the same port as everything else. All use GET. Clients of that service work without changes: responses are \`{"data":[…],"success":true,"meta":{…}}\`, with the next page in \`meta.fingerprint\` or \`meta.links.next\`.

\`\`\`sh
curl -s 'http://127.0.0.1:9090/v1/accounts/TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6/transactions?limit=5&only_confirmed=true'
\`\`\`

An address is \`T…\`, or 20 bytes of hex with the prefix \`41\`, \`0x41\` or \`0x\`. Parameter names work in both forms, \`only_to\` and \`onlyTo\`.

| Parameter of lists | Meaning |
|---|---|
| \`limit\` | page size, 1 to 200; default 20 |
| \`fingerprint\` | the value in \`meta\` of the previous page; all other parameters must be the same |
| \`order_by\` | \`block_timestamp,desc\` (default) or \`block_timestamp,asc\` |
| \`min_timestamp\`, \`max_timestamp\` | range of block times in milliseconds, inclusive; also \`min_block_timestamp\` and \`max_block_timestamp\` |
| \`only_confirmed\`, \`only_unconfirmed\` | only solidified blocks, or only blocks above them; pending transactions are never listed |
| \`only_from\`, \`only_to\` | for accounts: only as the sender, or only as the receiver |

Pages are stable: blocks that arrive after the first page do not change the following pages. Records above the solidified block have \`_unconfirmed: true\`; with the default \`--solidified head\` there are none.

## /v1

| Endpoint | Returns |
|---|---|
${table('/v1/')}

## /event

These endpoints of the first event server are for TronWeb up to version 5 (\`contract.event().watch\`). The response is a plain list. The parameters are \`size\` instead of \`limit\`, \`sort=-block_timestamp\`, \`since\` and \`filters\`. The last record has the fingerprint of the next page in \`_fingerprint\`.

| Endpoint | Returns |
|---|---|
${table('/event/')}

## Event names

Event names come from the ABI that the contract has on the chain. If it was cleared, they come from the ABI in the deployment transaction. Contracts that were created by contracts have no ABI: their events of TRC-20, TRC-721, TRC-1155 and ownership are known; others have an empty \`event_name\`. Events of a proxy are decoded with the proxy's own ABI. The chain does not store the components of tuples, so events with tuples have no name.

## Without the index

With \`--no-history\` the node keeps no index, and these endpoints return 503. When a database from such a run is opened without the option, the node builds the index first.
`;
}

await makeFile(import.meta.filename, { file, text: historyDocs });
