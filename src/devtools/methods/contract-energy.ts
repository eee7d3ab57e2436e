/** The dynamic energy model: the energy factor of a contract, read and set. */

import * as v from 'valibot';
import { OperationError } from '../../errors/operation-error.js';
import type { Address } from '../../primitives/ids.js';
import { fullContext } from '../../wallet/context.js';
import { contractEnergyReport } from '../../wallet/contract-energy.js';
import { address, integer, members } from '../kinds.js';
import { alias, type DevContext, type DevMethod, method, parameter } from '../table.js';

const count = v.optional(integer);

const record = members(
  'energyFactor: surcharge in 1/10,000 of the base price; energyUsage: Energy in the cycle; updateCycle: default is the current cycle',
  { energyFactor: count, energyUsage: count, updateCycle: count },
);

const CONTRACT = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
const HAS_CODE = [['tron_setCode', CONTRACT, '0x602a60005260206000f3']] as const;

const UNIT = 10_000n;

interface EnergyRecord {
  readonly energyFactor?: bigint;
  readonly energyUsage?: bigint;
  readonly updateCycle?: bigint;
}

function set({ node }: DevContext, contract: Address, state: EnergyRecord): unknown {
  const { energyFactor, energyUsage, updateCycle } = node.operations.apply('setContractEnergy', {
    address: contract,
    state,
  });
  return recordOf(energyFactor, energyUsage, updateCycle);
}

function recordOf(energyFactor: bigint, energyUsage: bigint, updateCycle: bigint) {
  return {
    energyFactor: Number(energyFactor),
    energyUsage,
    updateCycle: Number(updateCycle),
    effectiveFactor: Number(UNIT + energyFactor),
  };
}

export const contractEnergyMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setContractEnergy',
    about:
      'sets the dynamic Energy record of a contract; effectiveFactor in the result is the total price per instruction, in 1/10,000 of the base price',
    parameters: [parameter('address', address), parameter('record', record)],
    example: [CONTRACT, { energyFactor: 12_000 }],
    exampleAfter: HAS_CODE,
    otherAliases: [
      alias(
        'tron_setContractEnergyFactor',
        [parameter('address', address), parameter('factor', integer)],
        (context, contract, energyFactor) => set(context, contract, { energyFactor }),
      ),
    ],
    answer: set,
  }),
  method({
    name: 'tron_getContractEnergy',
    about:
      'returns the dynamic Energy record of a contract, as stored and as of now, and the Energy left until the factor rises',
    parameters: [parameter('address', address)],
    example: [CONTRACT],
    exampleAfter: HAS_CODE,
    answer: ({ node }, contract) => {
      const report = contractEnergyReport(fullContext(node), contract);
      if (report === undefined) throw new OperationError('no contract at this address');
      const { stored, current, enabled, threshold } = report;
      const fields = ({ energy_factor, energy_usage, update_cycle }: typeof current) =>
        recordOf(energy_factor, energy_usage, update_cycle);
      return {
        enabled,
        stored: stored === undefined ? null : fields(stored),
        current: fields(current),
        threshold,
        toThreshold: threshold - current.energy_usage,
      };
    },
  }),
];
