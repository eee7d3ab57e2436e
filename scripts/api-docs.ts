/**
 * Writes docs/reference/http-api.md from the table of HTTP endpoints.
 *
 *     npx tsx scripts/api-docs.ts           writes the file
 *     npx tsx scripts/api-docs.ts --print   prints it
 */

import { SERVICE_PREFIXES } from '../src/http/endpoint-routes.js';
import { httpEndpoints } from '../src/http/endpoints.js';
import type { HttpEndpoint, Service } from '../src/http/table.js';
import { wordsFor } from '../src/openapi/endpoint-words.js';
import type { MessageType } from '../src/protocol/message-type.js';
import type { WalletContext } from '../src/wallet/context.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/http-api.md', import.meta.url);

const ABOUT: Readonly<Record<Service, string>> = {
  wallet: 'The state of the head block, and pending transactions.',
  walletsolidity: 'The solidified state.',
  walletpbft: 'The state that PBFT has confirmed, which is the solidified state here. Needs `--pbft`.',
  solidityPort: 'The solidified state, on the port of `--http-solidity-port` only.',
  net: 'The peers of the node.',
  monitor: 'The state of the node itself.',
  sunup: `Methods of Sunup that java-tron does not have. [control.md](control.md) has more of them; scenarios are at [/sunup/scenarios](scenarios.md#over-http).

A refusal has an HTTP status and the body \`{"Error":"…"}\`. (java-tron's endpoints answer errors with status 200.)

| Status | Meaning |
|---|---|
| 400 | The body or a parameter is wrong, or the chain does not allow the operation |
| 403 | The caller is not trusted |
| 404 | The snapshot, the transaction, the contract or the chain does not exist; a pending transaction is not on the chain yet |
| 409 | Another long operation or two scenarios are running, or blocks were rolled back while the answer was made |
| 413 | The body is too long |
| 502 | The network of a fork does not answer |
| 503 | The node is being closed, its disk is full, or \`/sunup/events\` has too many listeners |

`,
};

export function apiDocs(): string {
  const services = Object.keys(SERVICE_PREFIXES) as Service[];
  const tables = services.map((service) => {
    const endpoints = httpEndpoints.filter((endpoint) => endpoint.services.includes(service));
    return `## ${SERVICE_PREFIXES[service]}${service === 'solidityPort' ? ' on the solidity port' : ''}

${ABOUT[service]} ${endpoints.length} ${endpoints.length === 1 ? 'endpoint' : 'endpoints'}.

| Endpoint | Description | Methods | Request | Response |
|---|---|---|---|---|
${endpoints
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map((endpoint) => `| ${cells(endpoint).join(' | ')} |`)
  .join('\n')}
`;
  });
  return `# HTTP API

This page lists every HTTP endpoint of the node.

The API is the one of java-tron. A POST request has a JSON or form body; a GET request has the same fields in its query. \`visible: true\` selects base58 addresses instead of hex. The tables name the protobuf messages of java-tron's \`proto/\` folder.

## OpenAPI

\`/openapi.json\` describes the API in OpenAPI 3.1, with examples from the running chain. \`/docs\` is a page to try it. At \`/\`, browsers get links to both; other clients get 404 as from java-tron. Types for a TypeScript client: \`npx openapi-typescript http://127.0.0.1:9090/openapi.json -o sunup.d.ts\`.

## Access

Web pages of every origin may call java-tron's endpoints, as on the network. Endpoints marked *trusted* accept only these callers:

- clients that are not web pages, such as command-line tools;
- web pages of this machine, its containers and its private network;
- web pages of an origin in \`--allow-origin\`.

A *trusted* request must also address the node by a local name, an IP address or a name in \`--allow-host\`. All other requests get status 403 with the reason.

## Limits

Sunup refuses some requests that java-tron accepts, because they would block all other requests:

- a body of more than 50,000 values (members and elements in JSON, or fields of a form);
- a body with more than 300,000 escaped characters;
- building a transaction that is larger than any node accepts.

${tables.join('\n')}`;
}

function cells(endpoint: HttpEndpoint<WalletContext>): string[] {
  const methods = [...(endpoint.get === 'answers' ? ['GET'] : []), ...(endpoint.post === 'answers' ? ['POST'] : [])];
  const callers = endpoint.callers === 'trusted' ? ' *trusted*' : '';
  const since = endpoint.since === undefined ? '' : ` (since ${endpoint.since})`;
  return [
    code(endpoint.name) + since,
    wordsFor(endpoint.name),
    methods.join(', ') + callers,
    messageName(endpoint.request),
    messageName(endpoint.response),
  ];
}

function messageName(type: MessageType | undefined): string {
  return type === undefined || type.fields.length === 0 ? '' : code(type.fullName.replace('protocol.', ''));
}

function code(text: string): string {
  return `\`${text}\``;
}

await makeFile(import.meta.filename, { file, text: apiDocs });
