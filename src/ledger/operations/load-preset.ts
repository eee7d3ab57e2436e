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
  /** The month that the values are of; undefined where they are of none. */
  readonly takenAt: string | undefined;
  /** By the key of `getchainparameters`, or the name of a total. */
  readonly changed: Readonly<Record<string, { readonly from: bigint; readonly to: bigint }>>;
}

/**
 * Sets all chain parameters to those of a dated preset, or, as `genesis`, to those that the chain was begun with.
 *
 * @param given `stakeTotals`: what others have staked too, as on that network
 * @throws OperationError for a preset that there is not, without figures of stakes where they are wanted, or with a
 *   switch off that is on for ever
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
    if (totals === undefined) throw new OperationError(`there are no figures of what is staked on ${name}`);
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
  /** As reported. */
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
  const load = networkStakeByName(preset.name.replace(/@.*/, ''));
  return {
    name: preset.name,
    values: new Map(Object.entries(preset.values)),
    totals: load && ((total) => load.values[total] ?? 0n),
  };
}

function genesisValues({ state }: Ledger): Values {
  const begun = state.tables.meta.get('begun');
  if (begun === undefined) throw new OperationError('this chain does not say what it was begun with');
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
