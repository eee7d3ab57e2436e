/**
 * The committee's flags that change the virtual machine (protocol/virtual-machine.md#flags; java-tron VMConfig).
 *
 * A plain value, read from the chain's properties at the start of an execution. The machine has one opcode table for
 * each object, so pass the same object while the properties do not change.
 */
export interface TvmFlags {
  /** Proposal 18: opcodes 0xd0–0xd3, tokens in calls, tokens on self-destruct. */
  readonly transferTrc10: boolean;
  /** 20: ADDRESS and ORIGIN are 20 bytes; token ids are checked strictly. */
  readonly multiSign: boolean;
  /**
   * 26: SHL SHR SAR CREATE2 EXTCODEHASH; failed transfers keep the remaining Energy; runtime code is the output of
   * RETURN.
   */
  readonly constantinople: boolean;
  /** 32: ISCONTRACT, precompiles 0x09 and 0x0a; a transfer to a missing account creates it. */
  readonly solidity059: boolean;
  /** 39: precompiles 0x1000001–0x1000004. */
  readonly shieldedTrc20: boolean;
  /** 41: CHAINID, SELFBALANCE, cheaper BN128, CREATE2 from the executing contract. */
  readonly istanbul: boolean;
  /** 52: stake 1.0 opcodes. */
  readonly freezeV1: boolean;
  /** 59: VOTEWITNESS, WITHDRAWREWARD, precompiles 0x1000005–0x100000a. */
  readonly vote: boolean;
  /** 60: contracts of version 1 (63/64 rule, GASPRICE, hashed storage keys), precompiles 0x20003 and 0x20009. */
  readonly compatibleEvm: boolean;
  /** 63: BASEFEE; code that starts with 0xef is refused. */
  readonly london: boolean;
  /** 65: MLOAD, MSTORE and MSTORE8 cost 1. */
  readonly higherCpuLimit: boolean;
  /** 70 (days > 0): stake 2.0 opcodes 0xda–0xdf and precompiles 0x100000b–0x1000015. */
  readonly freezeV2: boolean;
  /** 71: CHAINID is the last 4 bytes of the genesis id. */
  readonly optimizedChainId: boolean;
  /** 72: the dynamic energy model. */
  readonly dynamicEnergy: boolean;
  /** 76: PUSH0. */
  readonly shanghai: boolean;
  /** 81: self-destruct to a missing account costs 25,000 more; VOTEWITNESS also pays for the arrays' length words. */
  readonly energyAdjustment: boolean;
  /** 83: TLOAD TSTORE MCOPY. */
  readonly cancun: boolean;
  /** 89: BLOBHASH BLOBBASEFEE. */
  readonly blob: boolean;
  /** 94 (4.8.1): self-destruct only deletes contracts of the same transaction. */
  readonly selfdestructRestriction: boolean;
  /** 96 (4.8.2): CLZ, EIP-7823/7883 MODEXP, P256VERIFY, strict signature precompiles. */
  readonly osaka: boolean;
}
