import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chainParameters } from '../../../src/parameters/definitions.js';
import { genesisProperties, PRESETS, presetByName, UnknownParameterError } from '../../../src/parameters/presets.js';
import { LONG_PROPERTIES } from '../../../src/parameters/properties.js';
import { decodeRow, storedKey } from './recorded-properties.js';

interface RecordedGenesis {
  readonly preset: 'default' | 'none';
  readonly parameters: Record<string, number> | null;
  readonly maintenanceIntervalMs: number;
  readonly genesisTimestampMs: number;
  readonly witnesses: number;
  readonly differs: Record<string, string>;
  readonly absent: readonly string[];
}

const FIXTURE = JSON.parse(
  readFileSync(new URL('../../../fixtures/parameters/recorded-genesis.json', import.meta.url), 'utf8'),
) as { base: Record<string, string>; recordings: Record<string, RecordedGenesis> };

/** Set by the genesis, not by parameters. */
const HEAD = ['latest_block_header_timestamp', 'latest_block_header_hash', 'NEXT_MAINTENANCE_TIME'];

/**
 * Fork versions that java-tron counts votes for in `FORK_VERSION_<n>` (protocol/blocks.md#fork-versions); all have
 * passed on Sunup.
 */
const FORK_VERSIONS = [5, 6, 7, 8, 9, 10, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32];

const mainnet = presetByName('mainnet');
const none = presetByName('none');

describe('genesis properties equal those of java-tron', () => {
  for (const [name, recorded] of Object.entries(FIXTURE.recordings)) {
    it(name, () => {
      const preset = recorded.preset === 'none' ? none : mainnet;
      const overrides: Record<string, bigint> = { MAINTENANCE_TIME_INTERVAL: BigInt(recorded.maintenanceIntervalMs) };
      for (const [key, value] of Object.entries(recorded.parameters ?? {})) overrides[key] = BigInt(value);
      const { longs, texts } = genesisProperties(preset!, overrides);
      const ours = new Map<string, bigint | string>();
      for (const [property, value] of [...longs, ...texts]) ours.set(storedKey(property), value);

      const rows: Record<string, string> = { ...FIXTURE.base, ...recorded.differs };
      for (const key of recorded.absent) delete rows[key];
      const forks = Object.keys(rows).filter((key) => key.startsWith('FORK_VERSION_'));
      expect(new Set(forks)).toEqual(new Set(FORK_VERSIONS.map((version) => `FORK_VERSION_${version}`)));
      for (const key of forks) {
        expect(rows[key]).toBe('01'.repeat(recorded.witnesses));
        delete rows[key];
      }
      for (const key of HEAD) {
        ours.delete(key);
        delete rows[key];
      }
      for (const [key, hex] of Object.entries(rows)) {
        expect([key, ours.get(key)]).toEqual([key, decodeRow(key, hex)]);
      }
      // What java-tron has not written yet stands at its default with us.
      const initial = new Map(LONG_PROPERTIES.map((property) => [storedKey(property.name), property.initial]));
      for (const [key, value] of ours) {
        if (rows[key] === undefined) expect([key, value]).toEqual([key, initial.get(key)]);
      }
    });
  }
});

describe('presets', () => {
  it('mainnet reports exactly what the recorded node reported', () => {
    const recorded = JSON.parse(
      readFileSync(new URL('../../../fixtures/parameters/default-parameters.json', import.meta.url), 'utf8'),
    ) as Record<string, number>;
    const { longs } = genesisProperties(mainnet!);
    const reported = chainParameters((property) => longs.get(property) as bigint, '4.8.0');
    expect(reported.map(({ key }) => key)).toEqual(Object.keys(recorded));
    expect(reported.map(({ value }) => value)).toEqual(Object.values(recorded).map(BigInt));
  });

  it('are found by network or by full name, newest first', () => {
    expect(presetByName('mainnet@2025-09')).toBe(mainnet);
    expect(presetByName('main')).toBeUndefined();
    expect(PRESETS[0]).toBe(mainnet);
    expect(none?.values).toEqual({});
  });

  it('takes overrides in every spelling, with their side effects', () => {
    const energyFee = [{ getEnergyFee: 420n }, { ENERGY_FEE: 420n }].map((o) => genesisProperties(mainnet!, o));
    for (const { longs, texts } of energyFee) {
      expect(longs.get('ENERGY_FEE')).toBe(420n);
      expect(texts.get('ENERGY_PRICE_HISTORY')).toBe('0:420');
    }
    for (const key of ['getTotalEnergyLimit', 'TOTAL_ENERGY_LIMIT', 'TOTAL_CURRENT_ENERGY_LIMIT']) {
      const { longs } = genesisProperties(mainnet!, { [key]: 144_000n });
      expect(longs.get('TOTAL_ENERGY_CURRENT_LIMIT')).toBe(144_000n);
      expect(longs.get('TOTAL_ENERGY_LIMIT')).toBe(144_000n);
      expect(longs.get('TOTAL_ENERGY_TARGET_LIMIT')).toBe(10n);
    }
    expect(genesisProperties(mainnet!, { ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO: 5n }).longs).toEqual(
      new Map([
        ...genesisProperties(mainnet!).longs,
        ['ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', 7200n],
        ['TOTAL_ENERGY_TARGET_LIMIT', 25_000_000n],
      ]),
    );
    expect(genesisProperties(mainnet!, { PUBLIC_NET_LIMIT: 7n }).longs.get('PUBLIC_NET_LIMIT')).toBe(7n);
    expect(() => genesisProperties(mainnet!, { getEnergyFees: 1n })).toThrow(UnknownParameterError);
  });
});
