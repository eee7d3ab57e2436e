/**
 * A user whose requests may be wrong: members of other types, numbers beyond their range, text that is cut off, bytes that
 * are no message. Every interface answers as to a request that is right, or with an error that has a name. What is asked
 * is the whole of each interface's table, without what developers do to a chain.
 */

import { OperationError } from '../../../../src/errors/operation-error.js';
import { HISTORY_PATHS } from '../../../../src/history/paths.js';
import { httpEndpoints } from '../../../../src/http/endpoints.js';
import { methods } from '../../../../src/jsonrpc/methods.js';
import { Wallet_service } from '../../../../src/protocol/generated/services.js';
import type { MessageType } from '../../../../src/protocol/message-type.js';
import { type Choices, WildMessages } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { DIALECTS } from './asker.js';
import type { Host, User } from './user.js';

const JAVA_TRONS = ['wallet', 'walletsolidity', 'walletpbft'] as const;
const ENDPOINTS = httpEndpoints.filter(({ services, post }) => post === 'answers' && services.includes('wallet'));
const METHODS = [...methods.values()].filter(({ forDevelopers }) => forDevelopers === undefined);
const GRPC_METHODS = Object.entries(Wallet_service.methods);

/** Values that are wrong somewhere, and right elsewhere. */
function anyValue(choices: Choices, known: readonly unknown[]): unknown {
  return choices.of<unknown>([
    ...known,
    ...known,
    ...[null, true, false, '', '0x', 'latest', 'earliest', 'finalized', 'pending', '0xzz', '\u{1f4a5}'],
    ...[0, 1, -1, 2 ** 53, 1e300, 0.5, '9223372036854775808', `0x${'f'.repeat(65)}`, 'x'.repeat(300)],
    ...[[], {}, [[]], { address: {} }, { fromBlock: '0x1', toBlock: '0x0' }],
  ]);
}

/** What there is on the chain. */
function knownTo({ world, people }: Host): readonly string[] {
  const { choices } = world;
  const address = choices.of(people.addresses);
  const contract = people.programs.length === 0 ? address : choices.of(people.programs);
  const txId = people.sent.length === 0 ? '00'.repeat(32) : choices.of(people.sent).txId;
  const number = choices.below(world.headNumber + 2);
  // While the disk fails, the database may be closed.
  const blockId = (world.diskFails ? undefined : world.blockIdAt(number)) ?? txId;
  return [
    ...[address, `0x${address.slice(2)}`, contract, `0x${contract.slice(2)}`, people.text(0)],
    ...[txId, `0x${txId}`, blockId, `0x${blockId}`, String(number), `0x${number.toString(16)}`],
  ];
}

/** Members of other types, or of the request's with values that may fit. */
function members(host: Host, type: MessageType | undefined, known: readonly string[]): object {
  const { choices } = host.world;
  if (type !== undefined && choices.chance(0.7)) return fieldsOf(host, type);
  const names = [...(type?.fields.map(({ name }) => name) ?? []), 'value', 'address', 'num', 'visible', 'hash'];
  return Object.fromEntries([1, 2, 3].map(() => [choices.of(names), anyValue(choices, known)]));
}

function fieldsOf({ world, people }: Host, type: MessageType): object {
  const { ledger } = people;
  const { tables } = ledger.state;
  return new WildMessages(world.choices, {
    addresses: people.addresses,
    witnesses: tables.witnesses.entries().map(([address]) => address),
    contracts: people.programs,
    tokens: tables.assets.entries().map(([key]) => key),
    orders: [],
    codes: ['00'],
    headTimeMs: ledger.headTimeMs,
    proposals: ledger.long('LATEST_PROPOSAL_NUM'),
    exchanges: ledger.long('LATEST_EXCHANGE_NUM'),
  }).fields(type);
}

/** As JSON, which may be cut off, doubled or followed by something. */
function textOf(value: unknown, choices: Choices): string {
  const text = JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? Number(member) : member instanceof Map ? [...member] : member,
  );
  const ways = [text, text, text, text, text.slice(0, choices.below(text.length + 1)), `${text}${text}`, `[${text}`];
  return choices.of(ways);
}

type Way = (host: Host, known: readonly string[]) => Promise<readonly [question: string, answer: string | undefined]>;

const byHttp: Way = async (host, known) => {
  const { choices } = host.world;
  const { name, services, request } = choices.of(ENDPOINTS);
  const service = choices.of(JAVA_TRONS.filter((one) => services.includes(one)));
  const body = textOf(members(host, request, known), choices);
  const path = `/${service}/${name}`;
  return [`POST ${path} ${body}`, await host.asker.postText(path, body)];
};

const byRpc: Way = async (host, known) => {
  const { choices } = host.world;
  const { name, parameters } = choices.of(METHODS);
  const params = Array.from({ length: Math.max(0, parameters.length + choices.below(3) - 1) }, () =>
    anyValue(choices, known),
  );
  const call = { jsonrpc: '2.0', id: anyValue(choices, [1, 'one']), method: name, params };
  const body = textOf(choices.chance(0.2) ? [call, 1, call] : call, choices);
  const dialect = choices.of(DIALECTS);
  return [`POST ${dialect} ${body}`, await host.asker.postText(dialect, body)];
};

const byGrpc: Way = async (host) => {
  const { choices } = host.world;
  const [name, { request }] = choices.of(GRPC_METHODS);
  const { codec } = request.type;
  const bytes = choices.chance(0.3)
    ? Buffer.from(choices.hex(choices.below(40)), 'hex')
    : codec.encode(codec.create(fieldsOf(host, request.type) as never));
  if (choices.chance(0.2) && bytes.length > 0) bytes[choices.below(bytes.length)] = choices.below(256);
  const path = `/protocol.Wallet/${name}`;
  return [path, await host.asker.grpc(path, bytes)];
};

const byHistory: Way = async (host, known) => {
  const { choices } = host.world;
  const value = () => encodeURIComponent(String(anyValue(choices, known)));
  const path = choices.of(HISTORY_PATHS).replaceAll(/:\w+/g, () => value() || '0');
  const names = [
    'limit',
    'fingerprint',
    'min_timestamp',
    'max_timestamp',
    'order_by',
    'only_confirmed',
    'block_number',
  ];
  const query = `${choices.of(names)}=${value()}&${choices.of(names)}=${value()}`;
  return [path, await host.asker.get(`${path}?${query}`)];
};

/** A server's fault has a status of its own; 502 and 503 are a fork's network and a full disk. */
const OF_THE_SERVER = /^5(?!0[23] )\d\d /;

export const askWildly: User = async (host) => {
  const { world } = host;
  const ask = world.choices.of([byHttp, byRpc, byGrpc, byHistory]);
  const asked = async () => ask(host, knownTo(host));
  const [question, answer] = await asked().catch((error: unknown) => {
    // Who makes up a message looks at the chain, which is closed while its disk fails.
    if (world.diskFails && error instanceof OperationError) return [];
    throw error;
  });
  if (answer !== undefined && OF_THE_SERVER.test(answer))
    throw new Violation('no error without a name', `${question}: ${answer}`);
};
