/**
 * Writes docs/reference/json-rpc.md from the table of methods.
 *
 *     npx tsx scripts/json-rpc-docs.ts           writes the file
 *     npx tsx scripts/json-rpc-docs.ts --print   prints it
 */

import {
  anything,
  type Binder,
  buildObject,
  callObject,
  filterObject,
  stateBlock,
  text,
  truth,
} from '../src/jsonrpc/arguments.js';
import { blockOverrides } from '../src/jsonrpc/block-overrides.js';
import { refusedMethods } from '../src/jsonrpc/methods/refused.js';
import { sendObject } from '../src/jsonrpc/methods/send.js';
import { methods } from '../src/jsonrpc/methods.js';
import { stateOverrides } from '../src/jsonrpc/state-overrides.js';
import type { Method } from '../src/jsonrpc/table.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/json-rpc.md', import.meta.url);

const KINDS = new Map<Binder<unknown>, string>([
  [text, 'text'],
  [truth, 'boolean'],
  [stateBlock, 'tag'],
  [anything, 'tag or object'],
  [stateOverrides, 'state override'],
  [blockOverrides, 'block override'],
  [callObject, 'call'],
  [filterObject, 'filter'],
  [buildObject, 'transaction'],
  [sendObject, 'transaction'],
]);

export function jsonRpcDocs(): string {
  const answered = [...methods.values()].filter(
    (method) => !refusedMethods.includes(method) && method.forDevelopers === undefined,
  );
  return `# JSON-RPC

Made from the methods in \`src/jsonrpc/methods/\` by \`scripts/json-rpc-docs.ts\`; a test keeps it so.

JSON-RPC 2.0 by POST on \`/jsonrpc\` of the HTTP port. \`--jsonrpc-port\` opens a port of its own, \`--jsonrpc-solidity-port\` one that reads the solidified state. Answers are java-tron 4.8.0's to the byte, oddities included: code that works here works on the network. Later releases answer otherwise in places ([--node-version](node-versions.md)). \`/eth\` on the same ports answers the same methods as Ethereum's tools expect it ([below](#eth)), which the network does not; \`--jsonrpc-dialect friendly\` makes \`/jsonrpc\` do so too, for tools whose path is fixed.

- Reading is for any Ethereum library; sending is not: a transaction goes to \`/wallet/broadcasttransaction\` or \`/wallet/broadcasthex\`, or by [/eth](#eth). There is no nonce.
- Amounts are in sun, gas is Energy. Addresses have 20 bytes (\`0x…\`), without TRON's \`41\`; base58 is not accepted.
- State is that of \`latest\`; every other block parameter of \`eth_call\`, \`eth_getBalance\`, \`eth_getCode\` and \`eth_getStorageAt\` is refused.
- A method answers to the name of java-tron's Java method too (\`getFilterChanges\`), as jsonrpc4j has it.
- Parameters are counted exactly: one more or one less is \`method parameters invalid\`. A member that a call or a filter does not have (\`input\`, \`type\`, \`maxFeePerGas\`) is \`JSON parse error\`.
- A block's \`stateRoot\` is \`0x\`, which \`getBlock\` of ethers from 6.11 on does not accept; viem and web3.js do.
- A batch has at most 1,000 requests (\`--jsonrpc-max-batch\`; 100 with \`--node-version\` 4.8.2), an answer 25 MiB (\`--jsonrpc-max-answer\`). java-tron 4.8.0 has no such limits; the errors are those of later releases, -32005 and -32003.
- \`eth_getLogs\` looks through at most 5,000 blocks. Filters last five minutes without being asked, and are part of snapshots. After a rollback or a reorganisation the logs that a filter has told and that are no more are told again with \`removed: true\`, the last first; blocks are not.

## /eth

What is otherwise than on \`/jsonrpc\`:

- A block's \`stateRoot\` is 32 zero bytes, a transaction's \`nonce\` is \`0x0\`. A transaction that waits for its block has \`null\` for the block's hash and number and its index, and the price of the moment.
- Calls and filters may have members that are not known; they are passed over. \`input\` is read, and wins over \`data\`.
- \`eth_call\`, \`eth_estimateGas\`, \`eth_getBalance\`, \`eth_getCode\` and \`eth_getStorageAt\` answer for the block that they name: a number, \`{blockNumber}\`, \`{blockHash}\`, \`earliest\`, \`finalized\` or \`safe\` (what is solidified), \`latest\` or \`pending\` (the head, with what waits for a block); without one, the head. A block that is not there is \`header not found\`. \`safe\` and \`pending\` are known where blocks and logs are asked for, too. All heights are kept; an old one costs what was changed since.
- \`eth_call\` and \`eth_estimateGas\` take a state override: \`balance\` in sun, \`code\`, \`state\` or \`stateDiff\` by address; a \`nonce\` is passed over. \`eth_call\` also takes what a contract is to see of its block: \`number\`, \`time\` in seconds, \`feeRecipient\`, \`baseFeePerGas\`; there is nothing else of a block that it could see.
- A revert is code 3, \`execution reverted\` with the reason, and \`data\` is what the contract gave back: libraries decode its errors.
- \`data\` of every other error is absent, and an error has the id of its request.
- An unknown method is named, with the nearest one that there is: \`the method eth_blocknumber does not exist/is not available: did you mean eth_blockNumber?\`. \`/tre\` does so, too. On \`/jsonrpc\` it is java-tron's \`method not found\`.
- \`eth_getTransactionCount\` counts the account's transactions in blocks. It is a hint: there is no nonce. With \`--no-history\` it is refused.
- \`eth_accounts\` and \`eth_requestAccounts\` list the devnet's accounts, and those that are impersonated.
- \`eth_sendTransaction\` sends for these accounts: signed with the devnet's key, or, for an impersonated one, with 65 zeros in the place of a signature, whose bytes are paid for. It is for trusted callers only. With \`data\` and no \`to\` it deploys a contract (callers pay, \`consumeUserResourcePercent\` 100, unless it is given), with a contract as \`to\` it calls it, else it transfers \`value\` sun, or \`tokenValue\` of \`tokenId\`. \`gas\` times the price of Energy is the fee limit, and without \`gas\` that is what the network allows at most. The nonce and all prices are passed over. The answer is the txID with \`0x\`; a refused transaction is an error with the network's code and text. A transaction that reverts is in its block all the same, as in Ethereum.
- \`eth_sendRawTransaction\` takes a signed TRON transaction, \`protocol.Transaction\` as hex. A signed transaction of Ethereum cannot be read, and the error says so.
- \`eth_sendUnsignedTransaction\` (anvil's), a developer method of every path, sends from any account at all.
- \`eth_mining\` says whether blocks are made without being asked for.

## Over a WebSocket

\`/jsonrpc\`, \`/eth\` and \`/tre\` accept WebSockets (\`ws://127.0.0.1:9090/eth\`), on every port that has them; those of further chains too (\`/~id/eth\`). All methods are asked for in the same way, batches too, and answered in the dialect of the path. java-tron has no WebSocket: \`--no-dev-methods\` leaves it out.

\`eth_subscribe\` gives an id, with which notifications come until \`eth_unsubscribe\`, or the connection's end:

| \`eth_subscribe\` | tells |
|---|---|
| \`newHeads\` | of each block the object of \`eth_getBlockByNumber\` without \`transactions\`, \`uncles\` and \`size\` |
| \`logs\`, \`{address, topics}\` | of each log that meets them the object of \`eth_getLogs\`; a range is passed over: what has been is asked for |
| \`newPendingTransactions\`, \`true\` or nothing | the id of each transaction that enters the pool; with \`true\` the transaction |
| \`syncing\` | \`false\`, once |

- Of a block first its head is told, then its logs in their order, when the block is stored: all of it can be read at once. Many empty blocks that are mined together are told one by one.
- When blocks are taken back (a revert to a snapshot, a rollback, a reorganisation), their logs are told again with \`removed: true\`, the last first. Heads are not: the next one stands on the block that the chain went back to. Subscriptions stay.
- A port of the solidified state tells of what is solidified, and of no pending transactions.
- A connection has at most 100 subscriptions with 10,000 addresses and topics together. All connections of a port have at most 10,000, 2,000 of them of logs. A message is as long as a body may be (4 MiB). Eight messages of a connection are answered at once, others wait, also while 1 MiB of answers is not read. A port has 1,000 connections.
- Who does not read gets no more than 16 MiB of notifications kept: then the connection is closed with 1013. It is closed with 1009 for a message that is too long, with 1001 when the node ends, and after 30 to 60 seconds without an answer to a ping.
- Who may call what is judged by the headers of the request for the WebSocket, for every method. Requests of callers with limits are counted by message ([limits](limits.md)).

## Methods

The last column says what \`/eth\` takes, where that differs; in brackets what may be left out.

${table(answered)}

## Traces

On every path, and not with \`--no-dev-methods\`; the network has none of them. They are answered to command lines and to pages of this machine (\`--allow-origin\` lets others in), because they may take their time. They read only: a past transaction is run again in its place, on the state before it, and nothing of that stays.

| Method | Parameters |
|---|---|
| \`debug_traceTransaction\` | txid with or without \`0x\`, [options] |
| \`debug_traceCall\` | call, [block], [options, \`stateOverrides\`, \`blockOverrides\` and \`txIndex\` (before which transaction of the block) among them] |
| \`debug_traceBlockByNumber\`, \`debug_traceBlockByHash\` | block, [options]; a list of \`{txHash, result}\` |
| \`trace_transaction\` | txid; as \`flatCallTracer\` answers it |
| \`debug_storageRangeAt\` | block, index (passed over), address, first row, how many; \`{storage, nextKey}\` by the keys of the chain's rows |

Options are geth's: without a \`tracer\` struct logs (\`disableStack\`, \`disableStorage\`, \`enableMemory\`, \`enableReturnData\`, \`limit\`), or \`callTracer\` (\`onlyTopCall\`, \`withLog\`), \`prestateTracer\` (\`diffMode\`, \`disableCode\`, \`disableStorage\`), \`flatCallTracer\` (\`includePrecompiles\`), \`4byteTracer\`, \`noopTracer\`, or several of them by \`muxTracer\`. Gas is Energy, values are sun. What TRON has besides: \`energyPenalty\` of a step, \`tokenId\` and \`tokenValue\` of a call, staking opcodes as leaves of the call tree by the note of their internal transaction, \`tron\` (used resources, TRC-10) of an account in the prestate.

At \`/tre\`, and there with no options only, struct logs have the form of TRE: keys in the order of the alphabet, \`gas\` as 16 hex digits, words without \`0x\`; \`debug_storageRangeAt\` there answers the newest rows, whatever is asked for.

A trace that would be longer than an answer may be (\`--jsonrpc-max-answer\`) is refused while it is made: \`limit\`, \`disableStack\` and \`disableStorage\` make it shorter. An execution does no more than any other one (\`--vm-limit\`).

## Always refused

As java-tron does: \`the method … does not exist/is not available\`. \`/eth\` answers three of them.

${table(refusedMethods)}
`;
}

function table(rows: readonly Method[]): string {
  const lines = [...rows]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((method) => `| \`${method.name}\` | ${onJavaTron(method)} | ${onEth(method)} |`);
  return ['| Method | Parameters | on `/eth` |', '|---|---|---|', ...lines].join('\n');
}

function onJavaTron({ onlyFriendly, onlySocket, parameters, required, since }: Method): string {
  if (onlyFriendly) return '`method not found`';
  if (onlySocket)
    return `over a WebSocket: ${parameters.map((kind, i) => described(kind, i >= (required ?? i + 1))).join(', ')}`;
  const kinds = parameters.map((kind) => KINDS.get(kind)).join(', ');
  return since === undefined ? kinds : `${kinds}; from release ${since} on`;
}

function described(kind: Binder<unknown>, isOptional: boolean): string {
  const name = kind === anything ? 'options' : KINDS.get(kind);
  return isOptional ? `[${name}]` : `${name}`;
}

function onEth({ onlyFriendly, parameters, friendly }: Method): string {
  if (onlyFriendly) return 'answered';
  if (friendly === undefined) return '';
  if (parameters.length === 0) return 'answered';
  const required = friendly.required ?? parameters.length;
  return [...(friendly.parameters ?? parameters), ...(friendly.further ?? [])]
    .map((kind) => (kind === stateBlock || kind === anything ? 'block' : KINDS.get(kind)))
    .map((kind, index) => (index < required ? kind : `[${kind}]`))
    .join(', ');
}

await makeFile(import.meta.filename, { file, text: jsonRpcDocs });
