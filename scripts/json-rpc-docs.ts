/**
 * Writes docs/json-rpc.md from the table of methods.
 *
 *     npx tsx scripts/json-rpc-docs.ts           writes the file
 *     npx tsx scripts/json-rpc-docs.ts --print   prints it
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { anything, type Binder, buildObject, callObject, filterObject, text, truth } from '../src/jsonrpc/arguments.js';
import { refusedMethods } from '../src/jsonrpc/methods/refused.js';
import { methods } from '../src/jsonrpc/methods.js';
import type { Method } from '../src/jsonrpc/table.js';

export const file = new URL('../docs/json-rpc.md', import.meta.url);

const KINDS = new Map<Binder<unknown>, string>([
  [text, 'text'],
  [truth, 'boolean'],
  [anything, 'tag or object'],
  [callObject, 'call'],
  [filterObject, 'filter'],
  [buildObject, 'transaction'],
]);

export function jsonRpcDocs(): string {
  const answered = [...methods.values()].filter((method) => !refusedMethods.includes(method));
  return `# JSON-RPC

Made from the methods in \`src/jsonrpc/methods/\` by \`scripts/json-rpc-docs.ts\`; a test keeps it so.

JSON-RPC 2.0 by POST on \`/jsonrpc\` of the HTTP port. \`--jsonrpc-port\` opens a port of its own, \`--jsonrpc-solidity-port\` one that reads the solidified state. Answers are java-tron 4.8.0's to the byte, oddities included: code that works here works on the network.

- Reading is for any Ethereum library; sending is not: a transaction goes to \`/wallet/broadcasttransaction\` or \`/wallet/broadcasthex\`. There is no nonce.
- Amounts are in sun, gas is Energy. Addresses have 20 bytes (\`0x…\`), without TRON's \`41\`; base58 is not accepted.
- State is that of \`latest\`; every other block parameter of \`eth_call\`, \`eth_getBalance\`, \`eth_getCode\` and \`eth_getStorageAt\` is refused.
- A method answers to the name of java-tron's Java method too (\`getFilterChanges\`), as jsonrpc4j has it.
- Parameters are counted exactly: one more or one less is \`method parameters invalid\`. A member that a call or a filter does not have (\`input\`, \`type\`, \`maxFeePerGas\`) is \`JSON parse error\`.
- A block's \`stateRoot\` is \`0x\`, which \`getBlock\` of ethers from 6.11 on does not accept; viem and web3.js do.
- A batch has at most 1,000 requests (\`--jsonrpc-max-batch\`), an answer 25 MiB (\`--jsonrpc-max-answer\`). java-tron 4.8.0 has no such limits; the errors are those of later releases, -32005 and -32003.
- \`eth_getLogs\` looks through at most 5,000 blocks. Filters last five minutes without being asked, and are part of snapshots.

## Methods

${table(answered)}

## Always refused

As java-tron does: \`the method … does not exist/is not available\`.

${table(refusedMethods)}
`;
}

function table(rows: readonly Method[]): string {
  const lines = [...rows]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, parameters }) => `| \`${name}\` | ${parameters.map((kind) => KINDS.get(kind)).join(', ')} |`);
  return ['| Method | Parameters |', '|---|---|', ...lines].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--print')) process.stdout.write(jsonRpcDocs());
  else writeFileSync(file, jsonRpcDocs());
}
