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

This page lists the JSON-RPC methods of the node, and what differs between its paths.

| Path | Dialect | Purpose |
|---|---|---|
| \`/jsonrpc\` | strict: responses are byte for byte those of java-tron 4.8.0 | code that also runs against a TRON network |
| \`/eth\` | that of an Ethereum node ([below](#eth)) | Ethereum's tools and libraries; networks do not have this path |
| \`/tre\` | the one of the TronBox Runtime Environment | [TronBox and TRE](../how-to/tre.md) |

All accept JSON-RPC 2.0 by POST on the HTTP port. \`--jsonrpc-port\` opens an additional port, and \`--jsonrpc-solidity-port\` one that reads the solidified state. \`--jsonrpc-dialect friendly\` makes \`/jsonrpc\` Ethereum-compatible too, for tools with a fixed path. Later releases of java-tron differ in places ([--node-version](node-versions.md)).

## /jsonrpc

- **Transactions**: reading works with any Ethereum library; sending does not. Send transactions to \`/wallet/broadcasttransaction\` or \`/wallet/broadcasthex\`, or with [/eth](#eth). There is no nonce.
- **Units**: amounts are in sun, and gas is Energy. Addresses have 20 bytes (\`0x…\`), without TRON's prefix \`41\`; base58 is not accepted.
- **State**: only \`latest\` is available. \`eth_call\`, \`eth_getBalance\`, \`eth_getCode\` and \`eth_getStorageAt\` refuse every other block parameter.
- **Names**: a method is also available under the name of java-tron's Java method (\`getFilterChanges\`), as in jsonrpc4j.
- **Parameters**: a missing or an additional parameter is the error \`method parameters invalid\`. An unknown member of a call or a filter (\`input\`, \`type\`, \`maxFeePerGas\`) is the error \`JSON parse error\`.
- **Blocks**: \`stateRoot\` is \`0x\`. \`getBlock\` of ethers 6.11 and later does not accept that; viem and web3.js do.
- **Sizes**: a batch has at most 1,000 requests (\`--jsonrpc-max-batch\`; 100 with \`--node-version\` 4.8.2), and a response at most 25 MiB (\`--jsonrpc-max-answer\`). java-tron 4.8.0 has no such limits. The error codes are those of later releases, -32005 and -32003.
- **Logs**: \`eth_getLogs\` searches at most 5,000 blocks.
- **Filters** expire after five minutes without a request. They are part of snapshots. After a rollback or a reorganisation, a filter returns the removed logs again with \`removed: true\`, the last one first. Block filters do not.

## /eth

\`/eth\` answers as an Ethereum node: nonces, signed Ethereum transactions, Ethereum's contract addresses and hashes. It is a tool for porting: **no TRON network accepts these transactions** ([how it works](../background/ethereum.md)). The friendly dialect (\`--jsonrpc-dialect friendly\`) has only what is marked with (f).

**Blocks and transactions**

- \`stateRoot\` of a block is 32 zero bytes (f).
- A pending transaction has \`null\` as its block hash, block number and index, and the current price (f).
- A transaction that came through \`/eth\` has Ethereum's hash (keccak256 of the signed bytes), also in receipts, logs, filters and traces. The TRON transaction id is accepted wherever a hash is expected.
- The raw bytes of a transaction (\`eth_getRawTransactionByHash\`) are those that were signed. Of a TRON transaction they are its \`protocol.Transaction\`, which \`eth_sendRawTransaction\` accepts.
- The block \`pending\` is the next block with the pending transactions. Its hash, miner, nonce and logs bloom are \`null\`.
- \`logsBloom\` is Ethereum's filter of the logs. On \`/jsonrpc\` it is zero, as from java-tron.
- \`gasUsed\` times \`effectiveGasPrice\` is the whole fee in sun ([examples](../background/ethereum.md#gas)).
- \`baseFeePerGas\` is the Energy price, \`gasLimit\` of a block the most Energy that one transaction can buy.

**Calls and filters**

- \`eth_call\` sees the number and time of the block that it asks for: with \`latest\` or nothing those of the head, as on Hardhat and Anvil. With \`pending\`, or when the time of the next block is set (\`evm_setNextBlockTimestamp\`), it sees the next block. \`eth_estimateGas\` always sees the next block.
- Without \`to\`, \`eth_call\` and \`eth_estimateGas\` run a constructor. A call to an account without code returns \`0x\`, one to a precompiled contract its result. (TRON runs these for contracts only, so a transaction to one is a transfer.)
- \`eth_estimateGas\` returns the Energy of the call plus what its bytes cost at most, and no less than Ethereum's intrinsic gas (21,000 for a transfer).
- Unknown members are ignored (f). \`input\` is accepted, and takes precedence over \`data\`.
- \`eth_call\`, \`eth_estimateGas\`, \`eth_getBalance\`, \`eth_getCode\` and \`eth_getStorageAt\` use the block in their parameters: a number, \`{blockNumber}\`, \`{blockHash}\`, \`earliest\`, \`finalized\` or \`safe\` (the solidified block), \`latest\` (the head), or \`pending\` (the head and the pending transactions). The default is the head. In the friendly dialect \`latest\` includes the pending transactions, too. An unknown block is the error \`header not found\`. \`safe\` also works for blocks and logs; for logs, \`pending\` is the head. The state of every block is available; the cost of reading an old one depends on the changes since then.
- \`eth_call\` and \`eth_estimateGas\` accept a state override: \`balance\` in sun (above 2^62 it is 2^62), \`code\`, \`state\` or \`stateDiff\` by address; \`nonce\` is ignored.
- \`eth_call\` also accepts a block override: \`number\`, \`time\` in seconds, \`feeRecipient\`, \`baseFeePerGas\`. A TRON contract can see nothing else of a block that could be overridden.

**Errors**

- A revert has code 3, the message \`execution reverted\` with the reason, and the returned bytes in \`data\`, so that libraries can decode custom errors.
- Other errors have no \`data\`. Every error has the id of its request.
- The error for an unknown method suggests a similar one: \`the method eth_blocknumber does not exist/is not available: did you mean eth_blockNumber?\`. \`/tre\` does the same. \`/jsonrpc\` returns java-tron's \`method not found\`.

**Accounts and transactions**

- \`eth_getTransactionCount\` returns the account's nonce: the number of its transactions through \`/eth\`. \`latest\` does not count pending ones, \`pending\` does. In the friendly dialect it is the number of the account's transactions in blocks, for information only; with \`--no-history\` it is refused there.
- \`eth_accounts\` and \`eth_requestAccounts\` list the accounts of the devnet and the impersonated accounts.
- \`eth_sendTransaction\` sends a transaction from one of these accounts. It is available to [trusted callers](http-api.md#access) only.
  - The node signs with the devnet's key. For an impersonated account it uses 65 zero bytes as the signature, whose bandwidth is charged.
  - With \`data\` and no \`to\`, it deploys a contract; \`consumeUserResourcePercent\` is 100 (callers pay) by default. With a contract as \`to\`, it calls the contract. Otherwise it transfers \`value\` in sun, or \`tokenValue\` of the token \`tokenId\`.
  - The fee limit is \`gas\` times the Energy price; the default is what the sender can pay, up to the highest fee limit of the network.
  - The result is Ethereum's hash. With \`--instant\`, a transaction that fails in its block is an error with the returned bytes, as with Hardhat's network; it is in its block nevertheless. With a \`--client-version\` that does not begin with \`HardhatNetwork\`, the result is the hash, as with anvil.
  - An object with a member that only TRON has (\`tokenId\`, \`abi\`, \`permissionId\`, …) becomes a TRON transaction without a nonce, as in the friendly dialect.
- \`eth_sendRawTransaction\` accepts signed Ethereum transactions of type 0 (with and without chain id), 1 and 2, and signed TRON transactions (\`protocol.Transaction\` as hex). Types 3 (blobs) and 4 (sets code) are refused, also in \`eth_sendTransaction\`, \`eth_signTransaction\` and \`eth_fillTransaction\`.
  - A nonce beyond the next one waits (\`txpool_content\` lists it under \`queued\`). A pending transaction is replaced by one with the same nonce and a price at least 10 % higher.
  - Refusals have geth's texts: \`nonce too low\`, \`insufficient funds for gas * price + value\`, \`intrinsic gas too low\`, \`already known\`, \`replacement transaction underpriced\`.
- \`eth_sendRawTransactionSync\` and \`eth_sendTransactionSync\` answer with the receipt (EIP-7966). They wait 10 s for a block, or the time in their second parameter, up to 60 s. Then they fail with code 4, and the hash in \`data\`: the transaction stays pending.
- \`eth_sign\`, \`personal_sign\`, \`eth_signTypedData_v4\` (also without \`_v4\`) and \`eth_signTransaction\` sign with the devnet's keys, for [trusted callers](http-api.md#access). \`eth_getProof\` is not available: TRON has no state trie.
- \`hardhat_setNonce\` and \`anvil_setNonce\` raise a nonce.
- \`web3_clientVersion\` begins with \`HardhatNetwork/\`, because test helpers refuse unknown nodes; \`--client-version\` changes it.
- \`eth_sendUnsignedTransaction\` (known from anvil) is a developer method on every path. It sends from any account.
- \`eth_mining\` returns whether the node produces blocks automatically.

## WebSocket

\`/jsonrpc\`, \`/eth\` and \`/tre\` accept WebSocket connections (\`ws://127.0.0.1:9090/eth\`) on every port that serves them, also for additional chains (\`/~id/eth\`). All methods and batches work as over HTTP, in the dialect of the path. java-tron has no WebSockets; \`--no-dev-methods\` disables them.

\`eth_subscribe\` returns an id. Notifications with this id follow until \`eth_unsubscribe\` or the end of the connection:

| \`eth_subscribe\` | Notification |
|---|---|
| \`newHeads\` | for each block, the object of \`eth_getBlockByNumber\` without \`transactions\`, \`uncles\` and \`size\` |
| \`logs\`, \`{address, topics}\` | for each matching log, the object of \`eth_getLogs\`; a block range is ignored: use \`eth_getLogs\` for earlier blocks |
| \`newPendingTransactions\`, \`true\` or nothing | for each transaction that enters the pool, its id; with \`true\`, the transaction |
| \`syncing\` | \`false\`, once |

- **Order**: for each block, the head comes first and its logs follow in their order. Notifications are sent after the block is stored, so its data can be read at once. Each of many empty blocks that are produced together has its own notification.
- **Rollbacks**: when blocks are removed (a revert to a snapshot, a rollback, a reorganisation), their logs are sent again with \`removed: true\`, the last one first. Heads are not sent again: the next head is a child of the block to which the chain was rolled back. Subscriptions stay.
- **Solidified ports** report solidified blocks and no pending transactions.
- **Limits of a connection**: 100 subscriptions with 10,000 addresses and topics in total; 4 MiB per message, as for a body. Eight messages are processed at once; others wait, also while 1 MiB of responses is unread.
- **Limits of a port**: 1,000 connections; 10,000 subscriptions in total, 2,000 of them for logs.
- **Close codes**: 1013 when 16 MiB of notifications are unread, 1009 for a message that is too long, 1001 when the node stops. A connection is also closed after 30 to 60 seconds without a response to a ping.
- **Access** is decided for every method by the headers of the WebSocket request. Rate limits count each message as a request ([limits](limits.md)).

## Methods

The column \`/eth\` has the parameters on \`/eth\` where they differ. Parameters in brackets are optional.

${table(answered)}

## Traces

The trace methods are available on every path, but not with \`--no-dev-methods\`; networks do not have them. Because they can take long, they are available to [trusted callers](http-api.md#access) only. They change nothing: a past transaction runs again on the state before it.

| Method | Parameters |
|---|---|
| \`debug_traceTransaction\` | txid with or without \`0x\`, [options] |
| \`debug_traceCall\` | call, [block], [options, including \`stateOverrides\`, \`blockOverrides\` and \`txIndex\` (run before this transaction of the block)] |
| \`debug_traceBlockByNumber\`, \`debug_traceBlockByHash\` | block, [options]; returns a list of \`{txHash, result}\` |
| \`trace_transaction\` | txid; returns the result of \`flatCallTracer\` |
| \`trace_block\` | block; returns the calls of all its transactions in one list |
| \`debug_storageRangeAt\` | block, index (ignored), address, first row, count; returns \`{storage, nextKey}\` by the keys of the chain's storage rows |

The options are those of geth:

- no \`tracer\`: struct logs (\`disableStack\`, \`disableStorage\`, \`enableMemory\`, \`enableReturnData\`, \`limit\`);
- \`callTracer\` (\`onlyTopCall\`, \`withLog\`), \`prestateTracer\` (\`diffMode\`, \`disableCode\`, \`disableStorage\`), \`flatCallTracer\` (\`includePrecompiles\`), \`4byteTracer\`, \`noopTracer\`;
- \`muxTracer\` for several of them.

Gas is Energy, and values are in sun. Traces have these additional members for TRON: \`energyPenalty\` of a step; \`tokenId\` and \`tokenValue\` of a call; staking opcodes as leaves of the call tree, named by the note of their internal transaction; and \`tron\` (used resources, TRC-10 balances) of an account in the prestate.

On \`/tre\`, struct logs without options have the format of TRE: keys in alphabetical order, \`gas\` as 16 hex digits, words without \`0x\`. There \`debug_storageRangeAt\` always returns the newest rows.

A trace that would be longer than \`--jsonrpc-max-answer\` is refused. \`limit\`, \`disableStack\` and \`disableStorage\` make it shorter. The execution limit is the one of all calls (\`--vm-limit\`).

## Unavailable methods

java-tron refuses these methods with \`the method … does not exist/is not available\`. \`/eth\` supports five of them.

${table(refusedMethods)}
`;
}

function table(methods: readonly Method[]): string {
  const lines = [...methods]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((method) => `| \`${method.name}\` | ${onJavaTron(method)} | ${onEth(method)} |`);
  return ['| Method | Parameters | `/eth` |', '|---|---|---|', ...lines].join('\n');
}

function onJavaTron({ onlyFriendly, onlyEthereum, onlySocket, parameters, required, since }: Method): string {
  if (onlyFriendly || onlyEthereum) return '`method not found`';
  if (onlySocket)
    return `WebSocket only: ${parameters.map((kind, i) => described(kind, i >= (required ?? i + 1))).join(', ')}`;
  const kinds = parameters.map((kind) => KINDS.get(kind)).join(', ');
  return since === undefined ? kinds : `${kinds}; since ${since}`;
}

function described(kind: Binder<unknown>, isOptional: boolean): string {
  const name = kind === anything ? 'options' : KINDS.get(kind);
  return isOptional ? `[${name}]` : `${name}`;
}

function onEth({ name, onlyFriendly, onlyEthereum, parameters, ethereum, friendly: form }: Method): string {
  if (name === 'eth_getProof') return 'refused: TRON has no state trie';
  if (onlyFriendly || onlyEthereum) return 'available';
  const friendly = ethereum ?? form;
  if (friendly === undefined) return '';
  if (parameters.length === 0) return 'available';
  const required = friendly.required ?? parameters.length;
  return [...(friendly.parameters ?? parameters), ...(friendly.further ?? [])]
    .map((kind) => (kind === stateBlock || kind === anything ? 'block' : KINDS.get(kind)))
    .map((kind, index) => (index < required ? kind : `[${kind}]`))
    .join(', ');
}

await makeFile(import.meta.filename, { file, text: jsonRpcDocs });
