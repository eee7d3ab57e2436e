/** The switches of the virtual machine, from the chain's properties. */

import type { LongProperty } from '../../parameters/properties.js';
import type { TvmFlags } from '../../tvm/flags.js';
import type { Ledger } from '../ledger.js';

const PROPERTIES = {
  transferTrc10: 'ALLOW_TVM_TRANSFER_TRC10',
  multiSign: 'ALLOW_MULTI_SIGN',
  constantinople: 'ALLOW_TVM_CONSTANTINOPLE',
  solidity059: 'ALLOW_TVM_SOLIDITY_059',
  shieldedTrc20: 'ALLOW_SHIELDED_TRC20_TRANSACTION',
  istanbul: 'ALLOW_TVM_ISTANBUL',
  freezeV1: 'ALLOW_TVM_FREEZE',
  vote: 'ALLOW_TVM_VOTE',
  compatibleEvm: 'ALLOW_TVM_COMPATIBLE_EVM',
  london: 'ALLOW_TVM_LONDON',
  higherCpuLimit: 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX',
  freezeV2: 'UNFREEZE_DELAY_DAYS',
  optimizedChainId: 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID',
  dynamicEnergy: 'ALLOW_DYNAMIC_ENERGY',
  shanghai: 'ALLOW_TVM_SHANGHAI',
  energyAdjustment: 'ALLOW_ENERGY_ADJUSTMENT',
  cancun: 'ALLOW_TVM_CANCUN',
  blob: 'ALLOW_TVM_BLOB',
  selfdestructRestriction: 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION',
  osaka: 'ALLOW_TVM_OSAKA',
} as const satisfies Record<keyof TvmFlags, LongProperty>;

const NAMES = Object.keys(PROPERTIES) as (keyof TvmFlags)[];

/** Shared by all chains: the machine keeps an opcode table per flags object, so equal switches have to be the same object. */
const known = new Map<number, TvmFlags>();

export function tvmFlags(ledger: Ledger): TvmFlags {
  let bits = 0;
  NAMES.forEach((name, index) => {
    const value = ledger.long(PROPERTIES[name]);
    if (name === 'freezeV2' ? value > 0n : value === 1n) bits |= 1 << index;
  });
  let flags = known.get(bits);
  if (flags === undefined) {
    flags = Object.fromEntries(NAMES.map((name, index) => [name, (bits & (1 << index)) !== 0])) as unknown as TvmFlags;
    known.set(bits, flags);
  }
  return flags;
}
