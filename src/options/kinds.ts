/**
 * The types of option values: their syntax on a command line, the input that the library accepts, and the resulting
 * value. Each rule is here once, for every source of a value.
 */

import { grpcAddress } from '../fork/network/grpc-address.js';
import { NETWORK_STAKES, type NetworkStake, networkStakeByName } from '../parameters/network-stakes.js';
import type { Preset } from '../parameters/presets/preset.js';
import { PRESETS, presetByName } from '../parameters/presets.js';
import { closest } from '../primitives/closest-name.js';
import { type Hex, hexToBytes } from '../primitives/hex.js';
import type { Sun } from '../primitives/ids.js';
import { LAST_MOMENT_MS } from '../primitives/moment.js';
import { givenBalance } from '../primitives/most-balance.js';
import type { WholeNumber } from '../primitives/whole-number.js';
import { isPrivateKey } from '../protocol/secp256k1.js';

export interface Kind<Input, Value> {
  /** The placeholder of the value in `--help`, e.g. `<port>`. Undefined: the flag takes no value. */
  readonly placeholder: string | undefined;
  /** The TypeScript type for the documentation. */
  readonly type: string;
  /** Returns the value, or throws BadValue. */
  readonly check: (input: Input) => Value;
  /** Parses `text` for `check`; absent: the text itself. */
  readonly fromText?: (text: string, before: Input | undefined) => unknown;
}

/** The fault of a value. The caller knows the option's name and throws an OptionError. */
export class BadValue extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

export function shown(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : typeof value === 'bigint' ? `${value}n` : String(value);
}

function numberFrom(text: string): unknown {
  return /^-?\d+(\.\d+)?$/.test(text.trim().replaceAll('_', '')) ? Number(text.replaceAll('_', '')) : text;
}

export function integer(placeholder: string, min: number, max: number): Kind<number, number> {
  return {
    placeholder,
    type: 'number',
    fromText: numberFrom,
    check: (value) => {
      if (!Number.isInteger(value) || value < min || value > max) {
        throw new BadValue(`is ${shown(value)}, but must be a whole number from ${min} to ${max}`);
      }
      return value;
    },
  };
}

function checkPort(value: unknown): number {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 65_535) {
    throw new BadValue(`is ${shown(value)}, but a port is a whole number from 0 to 65535`, '0 takes any free port');
  }
  return value as number;
}

/** java-tron's answers need the blocks that are not merged yet; fewer would not include them. */
const BLOCKS = integer('<blocks>', 256, 1_000_000_000);

/** A number of blocks, or all. */
export const blocksOrAll: Kind<number | 'all', number | 'all'> = {
  placeholder: '<blocks>',
  type: "number | 'all'",
  fromText: (text) => (text === 'all' ? 'all' : numberFrom(text)),
  check: (value) => (value === 'all' ? 'all' : (BLOCKS.check(value as number) as number)),
};

/** A port; the library can also do without. */
export const portOrNone: Kind<number | false, number | false> = {
  placeholder: '<port>',
  type: 'number | false',
  fromText: numberFrom,
  check: (value) => (value === false ? false : checkPort(value)),
};

/** A port of an optional service. */
export const portOrOff: Kind<number | false, number | false> = {
  placeholder: '<port>',
  type: 'number | false',
  fromText: (text) => (text === 'off' ? false : numberFrom(text)),
  check: (value) => (value === false ? false : checkPort(value)),
};

/** The ports of one service; `off`: none. */
export const ports: Kind<number | readonly number[] | false, readonly number[]> = {
  placeholder: '<ports>',
  type: 'number | number[] | false',
  fromText: (text) => (text === 'off' ? false : text.split(',').map(numberFrom)),
  check: (value) => (value === false ? [] : [value].flat().map(checkPort)),
};

export const text = (placeholder: string): Kind<string, string> => ({
  placeholder,
  type: 'string',
  check: (value) => {
    if (typeof value !== 'string' || value.trim() === '')
      throw new BadValue(`is ${shown(value)}, but must be a string`);
    return value;
  },
});

export function choice<const Choice extends string>(
  placeholder: string,
  ...choices: readonly Choice[]
): Kind<Choice, Choice> {
  return {
    placeholder,
    type: choices.map((one) => `'${one}'`).join(' | '),
    check: (value) => {
      if (choices.includes(value)) return value;
      const close = closest(String(value), choices);
      throw new BadValue(
        `is ${shown(value)}, but must be ${choices.map((one) => `"${one}"`).join(' or ')}`,
        close === undefined ? undefined : `Did you mean "${close}"?`,
      );
    },
  };
}

/** A dated preset of chain parameters; a network's name means its newest one. */
export const preset: Kind<string, Preset> = {
  placeholder: '<name>',
  type: 'string',
  check: (value) => {
    const found = presetByName(value);
    if (found !== undefined) return found;
    throw new BadValue(
      `is ${shown(value)}, which is not a preset`,
      `There are ${PRESETS.map(({ name }) => name).join(', ')}`,
    );
  },
};

/** Some of these names, separated by commas on a command line; an empty list is as no value. */
export function someOf<const Name extends string>(
  ...names: readonly Name[]
): Kind<readonly Name[], readonly Name[] | undefined> {
  return {
    placeholder: '<names>',
    type: `(${names.map((one) => `'${one}'`).join(' | ')})[]`,
    fromText: (text) => text.split(',').map((name) => name.trim()),
    check: (value) => {
      if (!Array.isArray(value)) throw new BadValue(`is ${shown(value)}, but must be a list of names`);
      const wrong = value.find((name) => !names.includes(name));
      if (wrong !== undefined)
        throw new BadValue(`has ${shown(wrong)}, which does not exist`, `There are ${names.join(', ')}`);
      const some = names.filter((name) => value.includes(name));
      return some.length === 0 ? undefined : some;
    },
  };
}

/** A dated network stake; a network's name means its newest one. */
export const networkStake: Kind<string, NetworkStake> = {
  placeholder: '<name>',
  type: 'string',
  check: (value) => {
    const found = networkStakeByName(value);
    if (found !== undefined) return found;
    throw new BadValue(
      `is ${shown(value)}, which is not a network stake`,
      `There are ${NETWORK_STAKES.map(({ name }) => name).join(', ')}`,
    );
  },
};

export const onOff: Kind<boolean, boolean> = {
  placeholder: undefined,
  type: 'boolean',
  check: (value) => {
    if (typeof value !== 'boolean') throw new BadValue(`is ${shown(value)}, but must be true or false`);
    return value;
  },
};

/** The chain id for Ethereum's tools: four bytes, as hex. */
export const chainId: Kind<number | string, Hex> = {
  placeholder: '<id>',
  type: 'number | string',
  check: (value) => {
    const text = String(value).replaceAll('_', '');
    const id = /^(\d+|0x[0-9a-f]+)$/i.test(text) ? Number(text) : Number.NaN;
    if (id >= 1 && id < 2 ** 32) return id.toString(16).padStart(8, '0');
    throw new BadValue(`is ${shown(value)}, but must be a number from 1 to 4294967295`);
  },
};

/** A balance in TRX with up to six decimals, as sun. More than 63 bits hold becomes the most that an account is given. */
export const trx: Kind<WholeNumber, Sun> = {
  placeholder: '<trx>',
  type: 'number | bigint | string',
  check: (value) => {
    // From 10^21 on, JavaScript writes a number with an exponent.
    const text = Number.isInteger(value) ? BigInt(value).toString() : String(value).replaceAll('_', '');
    const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text);
    if (!match) {
      throw new BadValue(
        `is ${shown(value)}, but must be an amount of TRX`,
        'TRX has six decimals: 0.000001 is one sun',
      );
    }
    const sun = BigInt(match[1]!) * 1_000_000n + BigInt((match[2] ?? '').padEnd(6, '0'));
    return givenBalance(sun);
  },
};

/** A duration in seconds with up to three decimals, as milliseconds. */
export const seconds: Kind<number | string, bigint> = {
  placeholder: '<seconds>',
  type: 'number | string',
  check: (value) => {
    const text = String(value).replace(/s$/, '');
    const ms = /^\d+(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1_000) : 0;
    if (ms < 100 || ms > 86_400_000) throw new BadValue(`is ${shown(value)}, but must be from 0.1 to 86400 seconds`);
    return BigInt(ms);
  },
};

/** A time: milliseconds since 1970, a Date, or text such as `2025-01-01T00:00:00Z`. */
export const moment: Kind<number | string | Date, number> = {
  placeholder: '<time>',
  type: 'number | string | Date',
  fromText: numberFrom,
  check: (value) => {
    const timestampMs = typeof value === 'number' ? value : new Date(value).getTime();
    if (!Number.isInteger(timestampMs) || timestampMs < 0 || timestampMs > LAST_MOMENT_MS) {
      throw new BadValue(
        `is ${shown(value)}, which is not a time`,
        'Write milliseconds since 1970 or 2025-01-01T00:00:00Z; chains end in the year 2286',
      );
    }
    return timestampMs;
  },
};

/** Chain parameters by name, `getEnergyFee=100`; the flag may be repeated. The chain validates the names. */
export const parameterValues: Kind<Readonly<Record<string, number | bigint>>, ReadonlyMap<string, bigint>> = {
  placeholder: '<name=value>',
  type: 'Record<string, number | bigint>',
  fromText: (text, before) => {
    const match = /^(\w+)=(-?\d+)$/.exec(text);
    if (!match) throw new BadValue(`is ${shown(text)}, but must be name=number`, 'For example getEnergyFee=210');
    return { ...before, [match[1]!]: BigInt(match[2]!) };
  },
  check: (values) =>
    new Map(
      Object.entries(values).map(([name, value]) => {
        if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
          throw new BadValue(`has ${name} = ${shown(value)}, but must be a whole number`);
        }
        return [name, BigInt(value)];
      }),
    ),
};

/** A list of texts, each validated; a repeated flag appends, and commas separate the texts in a variable. */
export function texts(
  placeholder: string,
  checkOne: (value: string) => string,
): Kind<readonly string[], readonly string[]> {
  return {
    placeholder,
    type: 'string[]',
    fromText: (text, before = []) => [...before, ...text.split(',').map((one) => one.trim())],
    check: (values) => {
      if (!Array.isArray(values)) throw new BadValue(`is ${shown(values)}, but must be a list of strings`);
      return values.map(checkOne);
    },
  };
}

/** The values of the `Origin` header: scheme, host and port; `null` for pages without one; `*`. */
export const origins = texts('<origin>', (value) => {
  if (value === 'null' || value === '*') return value;
  const url = /^[a-z][a-z\d+.-]*:\/\/[^/]/i.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  // For other schemes, such as a browser extension's, the URL's origin is null, but browsers send it.
  const origin = url?.origin === 'null' ? `${url.protocol}//${url.host}` : url?.origin;
  if (origin !== undefined && value.length <= origin.length + 1) return origin;
  throw new BadValue(
    `is ${shown(value)}, which is not an origin`,
    'For example https://dapp.example or http://10.0.0.5:3000',
  );
});

/** Host names without a port. */
export const hostNames = texts('<name>', (value) => {
  if (value === '*' || /^[\w-]+(\.[\w-]+)*\.?$/.test(value)) return value.toLowerCase().replace(/\.$/, '');
  throw new BadValue(
    `is ${shown(value)}, which is not a host name`,
    'For example devnet.example, without scheme and port',
  );
});

/** The address of a gRPC interface. */
export const grpcTarget: Kind<string, string> = {
  placeholder: '<host:port>',
  type: 'string',
  check: (value) => {
    if (typeof value === 'string' && grpcAddress(value) !== undefined) return value;
    throw new BadValue(
      `is ${shown(value)}, which is not the address of a gRPC interface`,
      'Write it as host:port, or as grpcs://host:port where it has TLS',
    );
  },
};

/** Headers, `name: value`. Commas are part of a header: a variable has one header a line. */
export const headerLines: Kind<readonly string[], readonly string[]> = {
  ...texts('<header>', (value) => {
    if (!/^[\w-]+:\s*\S/.test(value)) throw new BadValue(`is ${shown(value)}`, "Write it as 'name: value'");
    return value;
  }),
  fromText: (text, before = []) => [...before, ...text.split('\n').map((one) => one.trim())],
};

export const folders = texts('<dir>', (value) => {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new BadValue(`has ${shown(value)}, which is not a folder`);
});

/** Private keys: 32 bytes of hex, with or without `0x`. */
export const privateKeys = texts('<hex>', (value) => {
  const hex = /^(?:0x)?([\da-f]{64})$/i.exec(value)?.[1]?.toLowerCase();
  if (hex !== undefined && isPrivateKey(hexToBytes(hex))) return hex;
  throw new BadValue('contains an invalid private key', 'A key is 32 bytes of hex');
});

/** A value from code. On a command line it is text; without a placeholder it has no flag. */
export function codeValue<T>(type: string, isOne: (value: unknown) => boolean, placeholder?: string): Kind<T, T> {
  return {
    placeholder,
    type,
    check: (value) => {
      if (!isOne(value)) throw new BadValue(`is ${shown(value)}, but must be ${type}`);
      return value;
    },
  };
}
