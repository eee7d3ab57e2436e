/**
 * A genesis, and the settings that receipts depend on, as text. A database stores it, so that its blocks can be
 * applied again, and so that different options are noticed.
 */

import type { GenesisProperties } from '../../parameters/presets.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../config.js';
import type { Genesis } from './genesis.js';

/** The initial settings of a chain. */
export interface Beginning {
  readonly genesis: Genesis;
  readonly settings: NodeSettings;
}

/** Older chains have a text without these settings, which must stay valid. */
const { release, slotMs } = NETWORK_SETTINGS;
const FORMERLY = { release, slotMs } satisfies Partial<NodeSettings>;

function unsaid(settings: NodeSettings): Partial<Record<keyof NodeSettings, undefined>> {
  const names = Object.keys(FORMERLY) as (keyof typeof FORMERLY)[];
  return Object.fromEntries(names.filter((name) => settings[name] === FORMERLY[name]).map((name) => [name, undefined]));
}

/** Equal settings have equal texts. */
export function encodeBeginning({ genesis, settings }: Beginning): string {
  const { timestampMs, parentHash, accounts, witnesses, contracts, properties, fork } = genesis;
  const text: BeginningText = {
    timestampMs: String(timestampMs),
    parentHash,
    accounts: accounts.map(({ name, address, balanceSun, activated, untold }) => ({
      name,
      address,
      balanceSun: String(balanceSun),
      ...(activated && { activated }),
      ...(untold && { untold }),
    })),
    // Their order does not affect the chain.
    witnesses: [...witnesses]
      .sort((one, other) => (one.address < other.address ? -1 : 1))
      .map(({ address, url, voteCount }) => ({ address, url, voteCount: String(voteCount) })),
    ...(contracts !== undefined && contracts.length > 0 && { contracts }),
    longs: ordered(properties.longs).map(([name, value]) => [name, String(value)] as const),
    texts: ordered(properties.texts),
    ...(fork && { fork }),
    // Signers and name lookups are not part of it: functions are left out.
    settings: JSON.stringify({ ...settings, knownContracts: undefined, ...unsaid(settings) }, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    ),
  };
  return JSON.stringify(text);
}

export function decodeBeginning(encoded: string): Beginning {
  const text = JSON.parse(encoded) as BeginningText;
  const properties: GenesisProperties = {
    longs: new Map(text.longs.map(([name, value]) => [name, BigInt(value)])) as GenesisProperties['longs'],
    texts: new Map(text.texts) as GenesisProperties['texts'],
  };
  return {
    genesis: {
      timestampMs: BigInt(text.timestampMs),
      parentHash: text.parentHash,
      accounts: text.accounts.map((account) => ({ ...account, balanceSun: BigInt(account.balanceSun) })),
      witnesses: text.witnesses.map((witness) => ({ ...witness, voteCount: BigInt(witness.voteCount) })),
      ...(text.contracts && { contracts: text.contracts }),
      ...(text.fork && { fork: text.fork }),
      properties,
    },
    settings: {
      ...FORMERLY,
      ...(JSON.parse(text.settings, (_, value) =>
        typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
      ) as NodeSettings),
    },
  };
}

type WithText<Fields, Long extends keyof Fields> = Omit<Fields, Long> & Readonly<Record<Long, string>>;

interface BeginningText {
  readonly timestampMs: string;
  readonly parentHash: string;
  readonly accounts: readonly WithText<Genesis['accounts'][number], 'balanceSun'>[];
  readonly witnesses: readonly WithText<Genesis['witnesses'][number], 'voteCount'>[];
  readonly contracts?: NonNullable<Genesis['contracts']>;
  readonly fork?: NonNullable<Genesis['fork']>;
  readonly longs: readonly (readonly [name: string, value: string])[];
  readonly texts: readonly (readonly [name: string, value: string])[];
  readonly settings: string;
}

function ordered<Value>(map: ReadonlyMap<string, Value>): (readonly [string, Value])[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1));
}
