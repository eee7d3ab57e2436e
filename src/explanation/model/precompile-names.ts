/**
 * Names of precompiled contracts, as in Solidity and the network's compiler (protocol/precompiles.md#table).
 */

const NAMES: Readonly<Record<string, string>> = {
  '1': 'ecrecover',
  '2': 'sha256',
  '3': 'ripemd160',
  '4': 'identity',
  '5': 'modexp',
  '6': 'ecAdd',
  '7': 'ecMul',
  '8': 'ecPairing',
  '9': 'batchvalidatesign',
  a: 'validatemultisign',
  '100': 'p256verify',
  '20003': 'ripemd160',
  '20009': 'blake2f',
  '1000001': 'verifyMintProof',
  '1000002': 'verifyTransferProof',
  '1000003': 'verifyBurnProof',
  '1000004': 'pedersenHash',
  '1000005': 'rewardBalance',
  '1000006': 'isSrCandidate',
  '1000007': 'voteCount',
  '1000008': 'usedVoteCount',
  '1000009': 'receivedVoteCount',
  '100000a': 'totalVoteCount',
  '100000b': 'getChainParameter',
  '100000c': 'availableUnfreezeV2Size',
  '100000d': 'unfreezableBalanceV2',
  '100000e': 'expireUnfreezeBalanceV2',
  '100000f': 'delegatableResource',
  '1000010': 'resourceV2',
  '1000011': 'checkUnDelegateResource',
  '1000012': 'resourceUsage',
  '1000013': 'totalResource',
  '1000014': 'totalDelegatedResource',
  '1000015': 'totalAcquiredResource',
};

/** Empty if it has no name. @example precompileName(2n) // 'sha256' */
export function precompileName(address: bigint): string {
  return NAMES[address.toString(16)] ?? '';
}
