/**
 * Writes docs/reference/http-api.md from the table of HTTP rows.
 *
 *     npx tsx scripts/api-docs.ts           writes the file
 *     npx tsx scripts/api-docs.ts --print   prints it
 */

import { SERVICE_PREFIXES } from '../src/http/row-routes.js';
import { httpRows } from '../src/http/rows.js';
import type { HttpRow, Service } from '../src/http/table.js';
import { wordsFor } from '../src/openapi/row-words.js';
import type { MessageType } from '../src/protocol/message-type.js';
import type { WalletContext } from '../src/wallet/context.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/http-api.md', import.meta.url);

const ABOUT: Readonly<Record<Service, string>> = {
  wallet: 'Head of the chain and what is pending.',
  walletsolidity: 'The solidified state.',
  walletpbft: 'What PBFT has confirmed, with `--pbft`: the solidified state.',
  solidityPort: "On the solidity service's own port (`--http-solidity-port`): the solidified state.",
  net: 'Peers.',
  monitor: 'The node.',
  sunup: "Sunup's own; java-tron has nothing like it.",
};

export function apiDocs(): string {
  const services = Object.keys(SERVICE_PREFIXES) as Service[];
  const tables = services.map((service) => {
    const rows = httpRows.filter((row) => row.services.includes(service));
    return `## ${SERVICE_PREFIXES[service]}${service === 'solidityPort' ? ' on the solidity port' : ''}

${ABOUT[service]} ${rows.length} endpoints.

| Endpoint | | Methods | Request | Answer |
|---|---|---|---|---|
${rows
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map((row) => `| ${cells(row).join(' | ')} |`)
  .join('\n')}
`;
  });
  return `# HTTP API

Made from the rows in \`src/http/rows/\` by \`scripts/api-docs.ts\`; a test keeps it so.

The API is java-tron's: JSON or form bodies by POST, the same fields in the query of a GET, \`visible\` for base58 addresses. The message names are those of \`proto/\`.

All of it is in OpenAPI 3.1 at \`/openapi.json\`, with examples of the chain that is asked, and on a page to try it, \`/docs\`. A browser finds links to both at \`/\`; other clients get java-tron's 404 there. Types for a client: \`npx openapi-typescript http://127.0.0.1:9090/openapi.json -o sunup.d.ts\`.

Pages of any origin may call what is java-tron's, as on the network. What is marked *trusted* answers command lines, pages of this machine, its containers and private network, and what \`--allow-origin\` lets in, and only under a local name, an address or a name that \`--allow-host\` gives; others get 403 and a sentence that says so.

Where java-tron would read on: a body of more than 50,000 values (members and elements, or fields of a form) or 300,000 characters that JSON escapes is refused, and a transaction that is larger than any node takes is not built, because reading or printing it would hold up everybody else.

${tables.join('\n')}`;
}

function cells(row: HttpRow<WalletContext>): string[] {
  const methods = [...(row.get === 'answers' ? ['GET'] : []), ...(row.post === 'answers' ? ['POST'] : [])];
  const callers = row.callers === 'trusted' ? ' *trusted*' : '';
  const since = row.since === undefined ? '' : ` (from release ${row.since} on)`;
  return [
    code(row.name) + since,
    wordsFor(row.name),
    methods.join(', ') + callers,
    messageName(row.request),
    messageName(row.response),
  ];
}

function messageName(type: MessageType | undefined): string {
  return type === undefined || type.fields.length === 0 ? '' : code(type.fullName.replace('protocol.', ''));
}

function code(text: string): string {
  return `\`${text}\``;
}

await makeFile(import.meta.filename, { file, text: apiDocs });
