import type { TvmFlags } from '../../../src/tvm/flags.js';

/** Mainnet of late 2025, which is what the recordings show. */
export const MAINNET_FLAGS: TvmFlags = {
  transferTrc10: true,
  multiSign: true,
  constantinople: true,
  solidity059: true,
  shieldedTrc20: true,
  istanbul: true,
  freezeV1: false,
  vote: true,
  compatibleEvm: false,
  london: true,
  higherCpuLimit: true,
  freezeV2: true,
  optimizedChainId: true,
  dynamicEnergy: true,
  shanghai: true,
  energyAdjustment: true,
  cancun: true,
  blob: true,
  selfdestructRestriction: false,
  osaka: false,
};
