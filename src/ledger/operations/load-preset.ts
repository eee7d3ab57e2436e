import { OperationError } from '../../errors/operation-error.js';
import { isKnownIn, PARAMETERS } from '../../parameters/definitions.js';
import { networkStakeByName, WEIGHT_PROPERTIES } from '../../parameters/network-stakes.js';
import { PRESETS, presetByName } from '../../parameters/presets.js';
import { decodeBeginning } from '../genesis/genesis-text.js';
import type { Ledger } from '../ledger.js';
import { setTotalStake } from '../stake/phantom-stake.js';
import { reported, setParameter } from './chain-parameters.js';

export interface LoadedPreset {
  /** `mainnet@2025-09`, or `genesis`. */
  readonly name: string;
  /** The month of the values; undefined if they have none. */
  readonly takenAt: string | undefined;
  /** By the key of `getchainparameters`, or the name of a total. */
  readonly changed: Readonly<Record<string, { readonly from: bigint; readonly to: bigint }>>;
}

/**
 * Sets all chain parameters to those of a dated preset, or, with `genesis`, to the chain's initial ones.
 *
 * @param given `stakeTotals`: also set the totals of stake of that network
 * @throws OperationError for an unknown preset, for missing stake totals, or if a switch that cannot be turned off
 * would be
 */
export function loadPreset(
  ledger: Ledger,
  { name: wanted, stakeTotals = false }: { readonly name: string; readonly stakeTotals?: boolean },
): LoadedPreset {
  const { name, values, totals } = presetOf(ledger, wanted);
  const changed: Record<string, { from: bigint; to: bigint }> = {};
  for (const parameter of PARAMETERS) {
    const { id, rule } = parameter;
    if (id === undefined || !isKnownIn(parameter, ledger.config.release) || rule.accepts === 'nothing') continue;
    const [from, to] = [reported(ledger, parameter), values.get(parameter.name) ?? parameter.initial];
    if (from === to) continue;
    setParameter(ledger, parameter, to, true);
    changed[parameter.key] = { from, to };
  }
  if (stakeTotals) {
    if (totals === undefined) throw new OperationError(`${name} has no totals of stake`);
    for (const total of WEIGHT_PROPERTIES) {
      const [from, to] = [ledger.long(total), totals(total)];
      if (from === to) continue;
      setTotalStake(ledger, total, to);
      changed[total] = { from, to };
    }
  }
  return { name, takenAt: name.split('@')[1], changed };
}

interface Values {
  readonly name: string;
  /** In the reported form. */
  readonly values: ReadonlyMap<string, bigint>;
  readonly totals: ((total: (typeof WEIGHT_PROPERTIES)[number]) => bigint) | undefined;
}

function presetOf(ledger: Ledger, wanted: string): Values {
  if (wanted === 'genesis') return genesisValues(ledger);
  const preset = presetByName(wanted);
  if (preset === undefined) {
    const names = [...PRESETS.map(({ name }) => name), 'genesis'];
    throw new OperationError(`no preset is called ${JSON.stringify(wanted.slice(0, 80))}; known: ${names.join(', ')}`);
  }
  const networkStake = networkStakeByName(preset.name.replace(/@.*/, ''));
  return {
    name: preset.name,
    values: new Map(Object.entries(preset.values)),
    totals: networkStake && ((total) => networkStake.values[total] ?? 0n),
  };
}

function genesisValues({ state }: Ledger): Values {
  const begun = state.tables.meta.get('begun');
  if (begun === undefined) throw new OperationError('this chain does not store its initial settings');
  const { longs } = decodeBeginning(begun).genesis.properties;
  return {
    name: 'genesis',
    values: new Map(
      PARAMETERS.map(({ name, property, storedScale, initial }) => [
        name,
        (longs.get(property) ?? initial * storedScale) / storedScale,
      ]),
    ),
    totals: (total) => longs.get(total) ?? 0n,
  };
}
