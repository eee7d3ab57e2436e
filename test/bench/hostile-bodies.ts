/** Bodies just under what the server takes, in the shapes that cost most to read for their length. */

import { devMethods } from '../../src/devtools/methods.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { methods } from '../../src/jsonrpc/methods.js';
import type { FieldType, MessageType } from '../../src/protocol/message-type.js';

export interface HostileBody {
  readonly path: string;
  /** What is in it, and where. */
  readonly label: string;
  readonly contentType: string;
  readonly text: () => string;
}

const MIB = 1_048_576;
/** Of a value; the rest is for what stands around it. */
const SIZE = 4 * MIB - 16_384;

const many = (unit: string, bytes = SIZE): string => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
const quoted = (text: string): string => `"${text}"`;
const list = (item: string, count: number, bytes = SIZE): string =>
  `[${Array.from({ length: Math.min(count, Math.floor(bytes / (item.length + 1))) }, () => item).join(',')}]`;
/** Different names, as long as fits. */
const names = (count: number, value = '1'): string => {
  const length = Math.min(70, Math.floor(SIZE / count) - 4 - value.length);
  return `{${Array.from({ length: count }, (_, i) => `"${String(i).padStart(length, 'k')}":${value}`).join(',')}}`;
};
/** Names that Java's hash, and V8's of short ones, find hard to tell apart. */
const colliding = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"${i.toString(2).padStart(17, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB')}":1`).join(',')}}`;

/**
 * What a value can be. `few` is as many values as are read, `fewNames` as many members.
 */
function shapesFor(few: number, fewNames = few): Readonly<Record<string, () => string>> {
  return {
    letters: () => quoted(many('a')),
    digits: () => quoted(many('9')),
    'an odd number of hex digits': () => quoted(`${many('ab')}a`),
    umlauts: () => quoted(many('é')),
    'three bytes a letter': () => quoted(many('中')),
    emoji: () => quoted(many('😀')),
    'control characters': () => quoted(many('\x01')),
    'as many escapes as are read': () => quoted(many('\\u0041', 1_790_000) + many('a', 2_100_000)),
    'more escapes': () => quoted(many('\\u0041')),
    'quoted quotes': () => quoted(many('\\"')),
    'letters of base58': () => quoted(many('z')),
    'a number': () => many('9'),
    'a number of zeros': () => many('0'),
    'an exponent': () => `1e${many('9')}`,
    'a number of a sixteenth': () => many('9', SIZE / 16),
    'different names': () => names(fewNames),
    'more different names': () => names(4 * fewNames),
    'names of numbers': () => `{${Array.from({ length: fewNames }, (_, i) => `${7 * i}:1`).join(',')}}`,
    'names that collide': () => colliding(fewNames),
    'one name again and again': () => `{${many('"a":1,', 6 * fewNames)}"a":1}`,
    'one object': () => `{"a":${quoted(many('a'))}}`,
    'empty objects': () => list('{}', few),
    'more empty objects': () => `[${many('{},')}{}]`,
    'empty objects without commas': () => `[${many('{}')}]`,
    'empty arrays': () => list('[]', few),
    objects: () => list(`{"a":${quoted(many('a', Math.max(0, SIZE / fewNames - 10)))}}`, fewNames),
    numbers: () => list('9'.repeat(Math.min(75, Math.floor(SIZE / few) - 1)), few),
    'small numbers': () => list('1', few),
    texts: () => list('"a"', few),
    addresses: () => list(quoted(`41${'a'.repeat(40)}`), few),
    nulls: () => `[${many('null ')}]`,
    'an array in an array, and so on': () => '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2),
    'objects in objects': () => many('{"a":', SIZE),
    'as deep as is read': () => `${'['.repeat(990)}${quoted(many('a'))}${']'.repeat(990)}`,
    'objects as deep as is read': () => `${many('{"a":', 4_950)}1${'}'.repeat(990)}`,
    'deep objects, many': () => list('{"a":{"b":{"c":{"d":1}}}}', fewNames / 4),
    'a comment': () => `/*${many('a')}*/1`,
    hashes: () => quoted(many('#')),
    blanks: () => `${many(' ')}1`,
    'line ends': () => `${many('\n')}1`,
    'carriage returns': () => `${many('\r')}1`,
  };
}

/** Made when first asked for, since each is 4 MB. */
function remembered(shapes: Readonly<Record<string, () => string>>): Readonly<Record<string, () => string>> {
  const made = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(shapes).map(([name, make]) => [
      name,
      () => {
        const text = made.get(name) ?? make();
        made.set(name, text);
        return text;
      },
    ]),
  );
}

const render = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;

/** Members that servlets read themselves. */
const EXTRAS = ['visible', 'unknown', 'extra_data', 'Permission_id', 'value', 'address'];

function plausible({ kind, form }: FieldType, owner: string): string | undefined {
  if (kind === 'bytes') return quoted(form === 'address' ? owner : '61');
  if (kind === 'int64' || kind === 'int32') return '1';
  return kind === 'string' ? '"a"' : undefined;
}

/** What every endpoint is asked with in every place. The other shapes are for the first place of its kind. */
const HARDEST: ReadonlySet<string> = new Set([
  'an odd number of hex digits',
  'as many escapes as are read',
  'different names',
  'empty objects',
  'texts',
  'carriage returns',
]);

/** Which code reads it: the member's own name where the message does not know it, a servlet reads that. */
function kindOf(type: MessageType | undefined, place: string): string {
  const [name, inner] = place.split('.') as [string, string?];
  const field = type?.fieldByName.get(name);
  if (field === undefined) return place;
  const one = inner === undefined ? field : field.messageType?.fieldByName.get(inner);
  if (one === undefined) return place;
  const { label, kind, form, messageType, enumType } = one;
  return [inner === undefined ? '' : 'in', label, kind, form, messageType?.fullName, enumType?.fullName].join(' ');
}

function isNew(known: Set<string>, kind: string): boolean {
  const before = known.size;
  return known.add(kind).size > before;
}

/** As an endpoint reads its message: the first field of each kind, and of each kind in the messages that it holds. */
function placesIn(type: MessageType | undefined): readonly string[] {
  const kinds = new Set<string>();
  const places = (type?.fields ?? []).flatMap(({ name, messageType }) => [
    name,
    ...(messageType?.fields ?? []).map((inner) => `${name}.${inner.name}`),
  ]);
  return places.filter((place) => isNew(kinds, kindOf(type, place)));
}

/** `{"a":VALUE}`, or `{"a":[{"b":VALUE}]}` for `a.b` of a repeated field. */
function put(type: MessageType | undefined, place: string, value: string): readonly [string, string] {
  const [field, inner] = place.split('.') as [string, string?];
  if (inner === undefined) return [field, value];
  const object = `{"${inner}":${value}}`;
  return [field, type?.fieldByName.get(field)?.label === 'repeated' ? `[${object}]` : object];
}

const HTTP_VALUES = 39_900;

/** For every endpoint that answers a POST. */
export function* httpBodies(owner: string): Iterable<HostileBody> {
  const shapes = remembered(shapesFor(HTTP_VALUES));
  const whole = remembered({
    'an array': () => `[${many('1 ')}]`,
    'plain text': () => many('a'),
    'an open name': () => quoted(many('a')).slice(0, -1),
    'a name': () => `{${quoted(many('a'))}:1}`,
    'a bare name': () => `{${many('a')}:1}`,
    'one name again and again': () => `{${many(`"owner_address":"${owner}",`)}"owner_address":"${owner}"}`,
    'different names': () => names(HTTP_VALUES),
    braces: () => many('{'),
  });
  /** Kinds of fields that an earlier endpoint has been asked with in every shape. */
  const known = new Set<string>();
  const forms = remembered({
    pluses: () => `value=${many('+')}`,
    percents: () => `value=${many('%')}`,
    'escaped letters': () => `value=${many('%41')}`,
    'escaped umlauts': () => `value=${many('%C3%A9')}`,
    umlauts: () => `value=${many('é')}`,
    fields: () => many('a=b&', 4 * HTTP_VALUES) + many('a', SIZE - 4 * HTTP_VALUES),
    'more fields': () => many('a=b&'),
    'different fields': () =>
      Array.from({ length: HTTP_VALUES }, (_, i) => `${String(i).padStart(70, 'k')}=1`).join('&'),
    'a name': () => `${many('a')}=1`,
  });
  for (const { name, services, post, request } of httpEndpoints) {
    if (post !== 'answers') continue;
    const [service = ''] = services;
    const path = `/${service}/${name}`;
    const base: Record<string, string> = { owner_address: quoted(owner), contract_address: quoted(owner) };
    for (const field of request?.fields ?? []) {
      const value = field.label === 'singular' ? plausible(field, owner) : undefined;
      if (value !== undefined) base[field.name] = value;
    }
    const json = (label: string, text: () => string): HostileBody => ({
      ...{ path, label, contentType: 'application/json', text },
    });
    const extras = name === 'createcommontransaction' ? [...EXTRAS, 'contractType'] : EXTRAS;
    for (const place of new Set([...placesIn(request), ...extras])) {
      const isKnown = !isNew(known, kindOf(request, place));
      for (const [shape, value] of Object.entries(shapes)) {
        if (isKnown && !HARDEST.has(shape)) continue;
        yield json(`${place}: ${shape}`, () => {
          const [field, text] = put(request, place, value());
          return render({ ...base, [field]: text });
        });
      }
      for (const shape of isKnown ? [] : ['letters', 'umlauts', 'letters of base58', 'control characters'])
        yield json(`${place}: ${shape}, visible`, () =>
          render({ ...base, [place]: (shapes[shape] as () => string)(), visible: 'true' }),
        );
    }
    for (const [shape, text] of Object.entries(whole)) yield json(shape, text);
    for (const [shape, text] of Object.entries(forms))
      yield { path, label: `form: ${shape}`, contentType: 'application/x-www-form-urlencoded', text };
  }
}

const RPC_VALUES = 99_000;
/** Of members. */
const RPC_NAMES = 49_900;
/** Members of objects among the parameters, of any method. */
const MEMBERS = ['from', 'to', 'data', 'value', 'address', 'topics', 'abi', 'gas', 'tracerConfig', 'stateOverrides'];

/** For every method by its own name, in each place that it has a parameter; then bodies that are no one call. */
export function* rpcBodies(): Iterable<HostileBody> {
  const shapes = remembered(shapesFor(RPC_VALUES, RPC_NAMES));
  const body = (path: string, label: string, text: () => string): HostileBody => ({
    ...{ path, label, contentType: 'application/json', text },
  });
  const call = (name: string, params: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${params}}`;
  const ofDevelopers = new Set([...devMethods.values()].map(({ method }) => method));
  const all = [
    ...[...methods.values()].map(({ name, parameters, friendly }) => ({
      name,
      count: parameters.length + (friendly?.further?.length ?? 0),
    })),
    ...[...ofDevelopers].map(({ name, parameters }) => ({ name, count: parameters.length })),
  ];
  for (const { name, count } of all) {
    for (let place = 0; place < count; place++) {
      const params = (value: string) => `[${[...Array<string>(place).fill('null'), value].join(',')}]`;
      for (const [shape, value] of Object.entries(shapes))
        yield body('/eth', `${name} ${place}: ${shape}`, () => call(name, params(value())));
    }
    if (count === 0)
      yield body('/eth', `${name}: small numbers`, () => call(name, (shapes['small numbers'] as () => string)()));
  }
  for (const name of ['eth_call', 'eth_getLogs', 'buildTransaction', 'debug_traceCall', 'tron_preview'])
    for (const member of MEMBERS)
      for (const [shape, value] of Object.entries(shapes)) {
        const object = () => `{"${member}":${value()}}`;
        yield body('/eth', `${name} ${member}: ${shape}`, () =>
          call(
            name,
            name === 'debug_traceCall' && member.length > 7 ? `[{},"latest",${object()}]` : `[${object()},"latest"]`,
          ),
        );
      }
  const address = (i: number) => `"0x${i.toString(16).padStart(40, '0')}"`;
  const word = (i: number) => `"0x${i.toString(16).padStart(64, '0')}"`;
  const each = (count: number, item: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => item(i)).join(',');
  const overrides = remembered({
    'balances of accounts': () => `{${each(24_900, (i) => `${address(i)}:{"balance":"0x1"}`)}}`,
    'slots of a contract': () => `{${address(1)}:{"state":{${each(28_000, (i) => `${word(i)}:${word(i)}`)}}}}`,
    'code of a contract': () => `{${address(1)}:{"code":"0x00${many('5b')}"}}`,
    'code of contracts': () => `{${each(24_900, (i) => `${address(i)}:{"code":"0x${'5b'.repeat(40)}"}`)}}`,
  });
  for (const [shape, value] of Object.entries(overrides)) {
    for (const name of ['eth_call', 'eth_estimateGas'])
      yield body('/eth', `${name}: ${shape}`, () => call(name, `[{"to":${address(1)}},"latest",${value()}]`));
    yield body('/eth', `debug_traceCall: ${shape}`, () =>
      call('debug_traceCall', `[{"to":${address(1)}},"latest",{"stateOverrides":${value()}}]`),
    );
  }
  for (const path of ['/jsonrpc', '/eth', '/tre'])
    for (const member of ['id', 'jsonrpc', 'method', 'params', 'unknown'])
      for (const [shape, value] of Object.entries(shapes))
        yield body(path, `${member}: ${shape}`, () => `{"method":"eth_chainId","id":1,"${member}":${value()}}`);
  for (const path of ['/jsonrpc', '/eth'])
    for (const [shape, value] of Object.entries(shapes)) {
      yield body(path, `a body of ${shape}`, value);
      yield body(path, `in a batch: ${shape}`, () => `[${value()}]`);
    }
}
