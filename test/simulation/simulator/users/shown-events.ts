/** Events that a contract was told to log, as `/v1` and call trees show them by the ABI on the chain. */

import { Interface } from 'ethers';
import type { AbiParameter } from '../../../../src/contracts/abi.js';
import type { Said } from './handles.js';
import { require as requireSame } from './speakers.js';
import type { Host } from './user.js';

const same = (what: string, shown: unknown, expected: unknown): void =>
  requireSame(what, shown, expected, 'an event is shown as its contract declares it');

interface TracedCall {
  readonly events: readonly {
    readonly type: string;
    readonly call?: TracedCall;
    readonly event?: string;
    readonly arguments?: readonly { readonly name: string; readonly value: unknown }[];
  }[];
}

/** As in a signature with names: `Told(uint256 indexed value, address who)`. */
function declared(name: string, inputs: readonly AbiParameter[]): string {
  const words = inputs.map(({ type, indexed, name: of }) => [
    type,
    ...(indexed ? ['indexed'] : []),
    ...(of ? [of] : []),
  ]);
  return `${name}(${words.map((one) => one.join(' ')).join(', ')})`;
}

/** Numbers as digits; a log's own topics and data are shown beside it. */
const digits = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

interface ShownEvent {
  readonly event: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Undefined: there is no answer. */
async function eventsOf({ world, asker }: Pick<Host, 'world' | 'asker'>, txid: string) {
  const answer = await asker.get(`/v1/transactions/${txid}/events`);
  if (!answer?.startsWith('200 ') || !world.isQuiet) return undefined;
  return (JSON.parse(answer.slice(4)) as { readonly data: readonly ShownEvent[] }).data;
}

/** @throws Violation */
export async function shownEventsAgree(
  { world, asker }: Host,
  txid: string,
  { by, event: { name = '', inputs = [] }, values }: Said,
): Promise<void> {
  const require = (what: string, shown: unknown, expected: unknown) => same(`${what} of ${txid}`, shown, expected);
  const events = await eventsOf({ world, asker }, txid);
  if (events !== undefined) {
    const [first] = events;
    require('the event', events.map(({ event }) => event), [declared(name, inputs)]);
    for (const [i, { type, name: of }] of inputs.entries())
      if (type === 'uint256')
        for (const key of [of || i, i]) require(`value ${key} of the event`, first?.result[key], digits(values[i]));
  }
  const tree = await asker.get(`/sunup/trace?txid=${txid}`);
  if (!tree?.startsWith('200 ') || !world.isQuiet) return;
  const { call } = JSON.parse(tree.slice(4)) as { readonly call?: TracedCall };
  const log = call && logsOf(call)[0];
  require('the event of the call tree', log?.event, name);
  const shown = log?.arguments?.map(({ name: of, value }) => [of, value]);
  require(`values of the call tree, logged by ${by.address},`, shown, inputs.map(({ name: of = '' }, i) => [
    of,
    digits(values[i]),
  ]));
}

/** Of contracts without an ABI: those of the standards, which differ in what is indexed. */
const STANDARD = Interface.from([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
]);
const STANDARD_OF_DEEDS = Interface.from([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
]);

/** Logs of tokens and deeds that have no ABI. @throws Violation */
export async function standardEventsAgree(
  { world, asker }: Host,
  txid: string,
  logs: readonly { readonly topics: readonly string[] }[],
): Promise<void> {
  const events = await eventsOf({ world, asker }, txid);
  const expected = logs.map(({ topics }) =>
    (topics.length === 4 ? STANDARD_OF_DEEDS : STANDARD)
      .getEvent(`0x${topics[0]}`)
      ?.format('full')
      .replace(/^event /, ''),
  );
  if (events !== undefined)
    same(
      `the events of ${txid}`,
      events.map(({ event }) => event),
      expected,
    );
}

function logsOf({ events }: TracedCall): TracedCall['events'] {
  return events
    .flatMap((event) => (event.call === undefined ? [event] : logsOf(event.call)))
    .filter(({ type }) => type === 'log');
}
