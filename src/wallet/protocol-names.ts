/**
 * Constants of the protocol that no endpoint of java-tron has: what each chain parameter means, and the number of each
 * contract type (a bit of a permission's `operations`).
 */

import { PARAMETERS } from '../parameters/definitions.js';
import { genesisProperties, presetByName } from '../parameters/presets.js';
import { Transaction_Contract_ContractType as ContractType } from '../protocol/generated/tron.js';

export interface ProtocolNames {
  /** In the order of `getchainparameters`. */
  readonly parameters: readonly {
    /** Of proposals; absent: not proposable. */
    readonly id?: number;
    /** In proposals of java-tron, `ENERGY_FEE`. */
    readonly name: string;
    /** In `getchainparameters`, `getEnergyFee`. */
    readonly key: string;
    readonly meaning: string;
    /** Of a fresh java-tron chain. */
    readonly initial: bigint;
    /** Of the main network, at the date of the preset. */
    readonly mainnet: bigint;
  }[];
  /** Name of the preset, `mainnet@2025-09`. */
  readonly preset: string;
  readonly contractTypes: Readonly<Record<string, number>>;
}

export function protocolNames(): ProtocolNames {
  const preset = presetByName('mainnet');
  const values = preset && genesisProperties(preset).longs;
  return {
    parameters: PARAMETERS.map(({ id, name, key, meaning, initial, property, storedScale }) => ({
      ...(id !== undefined && { id }),
      name,
      key,
      meaning,
      initial,
      mainnet: (values?.get(property) ?? initial * storedScale) / storedScale,
    })),
    preset: preset?.name ?? '',
    contractTypes: ContractType,
  };
}
