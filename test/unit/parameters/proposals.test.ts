import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PARAMETERS, parameterBySpelling } from '../../../src/parameters/definitions.js';
import { proposalEffects } from '../../../src/parameters/effects.js';
import { isLongProperty, LONG_PROPERTIES } from '../../../src/parameters/properties.js';
import { validateProposalValue } from '../../../src/parameters/validation.js';
import type { Release } from '../../../src/primitives/release.js';
import { decodeRow, RecordedProperties } from './recorded-properties.js';

type Entries = readonly (readonly [id: string, value: string])[];

interface Event {
  readonly refused?: Entries;
  readonly text?: string;
  readonly accepted?: Entries;
  readonly approved?: readonly { readonly entries: Entries; readonly expirationTimeMs: string }[];
  readonly changed?: Record<string, string>;
}

function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/parameters/${name}`, import.meta.url), 'utf8')) as T;
}

const GENESIS = fixture<{
  base: Record<string, string>;
  recordings: Record<string, { differs: Record<string, string>; absent: readonly string[] }>;
}>('recorded-genesis.json');

function genesis(recording: string): RecordedProperties {
  const properties = new RecordedProperties();
  for (const { name, initial } of LONG_PROPERTIES) properties.apply([{ property: name, value: initial }]);
  const { differs, absent } = GENESIS.recordings[recording]!;
  const rows = { ...GENESIS.base, ...differs };
  for (const key of absent) delete rows[key];
  properties.set(Object.fromEntries(Object.entries(rows).filter(([key]) => !key.startsWith('FORK_VERSION_'))));
  return properties;
}

const NETWORK = { release: '4.8.0', slotMs: 3_000n } as const;

/** The first refusal among the entries of a proposal, in their order. */
function refusalOf(properties: RecordedProperties, entries: Entries): string | undefined {
  return entries
    .map(([id, value]) => validateProposalValue((name) => properties.long(name), BigInt(id), BigInt(value), NETWORK))
    .find((text) => text !== undefined);
}

describe('proposals of the recorded chains', () => {
  for (const { recording, events } of fixture<{ recording: string; events: readonly Event[] }[]>(
    'recorded-proposals.json',
  )) {
    it(`${recording}: refused with the same text, applied with the same effect`, () => {
      const properties = genesis(recording);
      for (const event of events) {
        if (event.refused !== undefined) {
          expect([event.refused, refusalOf(properties, event.refused)]).toEqual([event.refused, event.text]);
        }
        if (event.accepted !== undefined) {
          expect([event.accepted, refusalOf(properties, event.accepted)]).toEqual([event.accepted, undefined]);
        }
        if (event.approved !== undefined) {
          const before = new Map(properties.values);
          for (const { entries, expirationTimeMs } of event.approved) {
            for (const [id, value] of entries) {
              const context = {
                expirationTimeMs: BigInt(expirationTimeMs),
                currentCycle:
                  (decodeRow(
                    'CURRENT_CYCLE_NUMBER',
                    event.changed!.CURRENT_CYCLE_NUMBER ?? '0000000000000001',
                  ) as bigint) - 1n,
              };
              properties.apply(proposalEffects(properties, BigInt(id), BigInt(value), context, '4.8.0'));
            }
          }
          const ours = [...properties.values].filter(([key, value]) => before.get(key) !== value);
          const theirs = Object.entries(event.changed!).map(([key, hex]) => [key, decodeRow(key, hex)] as const);
          // The adaptive limit moves with every block, the cycle with every maintenance: not the proposal's doing.
          const moving = new Set(['CURRENT_CYCLE_NUMBER']);
          if (properties.long('ALLOW_ADAPTIVE_ENERGY') === 1n) moving.add('TOTAL_ENERGY_CURRENT_LIMIT');
          const settled = (rows: readonly (readonly [string, bigint | string])[]) =>
            new Map(rows.filter(([key]) => !moving.has(key)));
          expect(settled(ours)).toEqual(settled(theirs));
        }
        properties.set(event.changed ?? {});
      }
    });
  }

  it('are there', () => {
    const all = fixture<{ events: readonly Event[] }[]>('recorded-proposals.json').flatMap(({ events }) => events);
    expect(all.filter((event) => event.refused !== undefined).length).toBeGreaterThan(480);
    expect(all.flatMap((event) => event.approved ?? []).length).toBeGreaterThan(25);
  });
});

describe('rules that no recording reaches', () => {
  const mainnet = genesis('stake-v2');
  const validate = (id: number, value: bigint, release: Release = '4.8.0') =>
    validateProposalValue((name) => mainnet.long(name), id, value, { release, slotMs: 3_000n });

  it('needs every dependency by name', () => {
    for (const parameter of PARAMETERS) {
      for (const name of parameter.rule.accepts === 'one' ? (parameter.rule.after ?? []) : []) {
        expect(parameterBySpelling(name)?.name).toBe(name);
      }
      expect(isLongProperty(parameter.property)).toBe(true);
    }
  });

  it('knows a parameter from the release on that introduced it', () => {
    expect(validate(92, 1n)).toBe('Does not support code : 92');
    expect(validate(92, 1n, '4.8.1')).toBeUndefined();
    expect(validate(92, 0n, '4.8.1')).toBe(
      'This value[PROPOSAL_EXPIRE_TIME] is only allowed to be greater than 0 and less than 31536003000!',
    );
    expect(validate(97, 1n, '4.8.1')).toBe('Does not support code : 97');
    expect(validate(97, 1n, '4.8.2')).toBeUndefined();
    expect(validate(94, 1n, '4.8.0.1')).toBe('Does not support code : 94');
    expect(validate(94, 1n, '4.8.1')).toBeUndefined();
    expect(proposalEffects(mainnet, 97, 1n, { expirationTimeMs: 0n, currentCycle: 0n }, '4.8.1')).toEqual([]);
    expect(proposalEffects(mainnet, 97, 1n, { expirationTimeMs: 0n, currentCycle: 0n }, '4.8.2')).toEqual([
      { property: 'ALLOW_HARDEN_RESOURCE_CALCULATION', value: 1n },
    ]);
  });

  it('has the texts of the parameters that came later', () => {
    const none = (id: number, value: bigint) =>
      validateProposalValue(() => 0n, id, value, { release: '4.8.2', slotMs: 3_000n });
    expect(none(95, 1n)).toBe('[ALLOW_TVM_PRAGUE] requires [ALLOW_TVM_SHANGHAI] to be enacted first');
    expect(validate(95, 1n, '4.8.2')).toBeUndefined();
    expect(validate(95, 2n, '4.8.2')).toBe('This value[ALLOW_TVM_PRAGUE] is only allowed to be 1');
    const all = (id: number, value: bigint) =>
      validateProposalValue(() => 1n, id, value, { release: '4.8.2', slotMs: 3_000n });
    expect(all(95, 1n)).toBe('[ALLOW_TVM_PRAGUE] has been valid, no need to propose again');
    expect(all(96, 1n)).toBe('[ALLOW_TVM_OSAKA] has been valid, no need to propose again');
    expect(none(98, 0n)).toBe('[ALLOW_HARDEN_EXCHANGE_CALCULATION] has been set to 0, no need to propose again');
    expect(all(98, 1n)).toBe('[ALLOW_HARDEN_EXCHANGE_CALCULATION] has been set to 1, no need to propose again');
    expect(none(98, 2n)).toBe('This value[ALLOW_HARDEN_EXCHANGE_CALCULATION] is only allowed to be 0 or 1');
    expect([none(98, 1n), all(98, 0n)]).toEqual([undefined, undefined]);
  });

  it('leaves ENERGY_FEE and EXCHANGE_CREATE_FEE unchecked', () => {
    expect(validate(11, -5n)).toBeUndefined();
    expect(validate(12, 2n ** 63n - 1n)).toBeUndefined();
  });
});
