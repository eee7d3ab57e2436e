/**
 * The chain parameters: those that the committee votes on, and the two derived values in `getchainparameters`. The only
 * source for a parameter's proposal id, name, key, property, initial value, allowed values and meaning.
 *
 * The order is that of `getchainparameters`. Mirrors the enums and tables of java-tron's ProposalUtil, Wallet and
 * DynamicPropertiesStore (protocol/proposals.md#parameters,
 * protocol/proposals.md#parameters-as-walletgetchainparameters-lists-them). The effects of an approved proposal are in
 * `effects.ts`, the values of a network in `presets/`.
 */

import { FIRST_RELEASE, isSince, type Release } from '../primitives/release.js';

/**
 * The values that a proposal may have (protocol/proposals.md#generic-validation-texts); `validation.ts` builds the
 * refusal texts from it.
 */
export type ValueRule =
  /** 0 to 10^17. */
  | { readonly accepts: 'amount' }
  /** `min` to `max`; other values are refused with `refusal`. */
  | { readonly accepts: 'range'; readonly min: bigint; readonly max: bigint; readonly refusal: string }
  /** 0 or 1; `label`: the parameter's name in the refusal, if it differs. */
  | { readonly accepts: 'zeroOrOne'; readonly label?: string }
  /**
   * Only 1. `once`: the refusal if it is 1 already. `after`: parameters that must be on before, by name, in this order.
   */
  | { readonly accepts: 'one'; readonly once?: string; readonly after?: readonly string[] }
  /** Any value: java-tron has no check. */
  | { readonly accepts: 'anything' }
  /** 0 or 1, but not the current value. */
  | { readonly accepts: 'switch' }
  /** No value any more. */
  | { readonly accepts: 'nothing'; readonly refusal: string }
  /** Its own rule in `validation.ts`. */
  | { readonly accepts: 'special' };

interface Definition {
  /** Proposal id; absent: derived, not proposable. */
  readonly id?: number;
  /** Name in java-tron's ProposalType, as refusals print it. */
  readonly name: string;
  /** Key in `getchainparameters`. */
  readonly key: string;
  /** The dynamic property that holds it, if its name differs. */
  readonly property?: string;
  /** Value of a fresh chain, as `getchainparameters` reports it. */
  readonly initial: bigint;
  readonly rule?: ValueRule;
  /** The stored value is the reported value times this. */
  readonly storedScale?: bigint;
  readonly since?: Release;
  /** The value counts slots: with shorter slots, initial and preset values are scaled up. */
  readonly inSlots?: true;
  readonly meaning: string;
}

const AMOUNT: ValueRule = { accepts: 'amount' };
const ONE: ValueRule = { accepts: 'one' };
const ZERO_OR_ONE: ValueRule = { accepts: 'zeroOrOne' };
const ANYTHING: ValueRule = { accepts: 'anything' };
const SPECIAL: ValueRule = { accepts: 'special' };

const after = (...names: readonly string[]): ValueRule => ({ accepts: 'one', after: names });
const once = (name: string): ValueRule => ({
  accepts: 'one',
  once: `[${name}] has been valid, no need to propose again`,
});
const range = (min: bigint, max: bigint, refusal: string): ValueRule => ({ accepts: 'range', min, max, refusal });
const badRange = (min: bigint, max: bigint, shown: string): ValueRule =>
  range(min, max, `Bad chain parameter value, valid range is [${shown}]`);
const onlyIn = (name: string, min: bigint, max: bigint, shown: string): ValueRule =>
  range(min, max, `This value[${name}] is only allowed to be ${shown}`);

// biome-ignore format: two lines a row read as a table
const DEFINITIONS = [
  { id: 0, name: 'MAINTENANCE_TIME_INTERVAL', key: 'getMaintenanceTimeInterval', initial: 21_600_000n, rule: badRange(81_000n, 86_400_000n, '3 * 27 * 1000,24 * 3600 * 1000'),
    meaning: 'Maintenance interval in ms. At each maintenance, votes are counted, proposals are decided and a cycle ends.' },
  { id: 1, name: 'ACCOUNT_UPGRADE_COST', key: 'getAccountUpgradeCost', initial: 9_999_000_000n, rule: AMOUNT,
    meaning: 'Burned fee for becoming a witness, in sun.' },
  { id: 2, name: 'CREATE_ACCOUNT_FEE', key: 'getCreateAccountFee', initial: 100_000n, rule: AMOUNT,
    meaning: 'Burned fee in sun, instead of bandwidth, of a transaction that creates an account.' },
  { id: 3, name: 'TRANSACTION_FEE', key: 'getTransactionFee', initial: 10n, rule: AMOUNT,
    meaning: 'Price of a byte of bandwidth that is neither staked nor free, in sun.' },
  { id: 4, name: 'ASSET_ISSUE_FEE', key: 'getAssetIssueFee', initial: 1_024_000_000n, rule: AMOUNT,
    meaning: 'Burned fee for issuing a TRC-10 asset, in sun.' },
  { id: 5, name: 'WITNESS_PAY_PER_BLOCK', key: 'getWitnessPayPerBlock', initial: 32_000_000n, rule: AMOUNT,
    meaning: "Reward of a block's producer, in sun." },
  { id: 6, name: 'WITNESS_STANDBY_ALLOWANCE', key: 'getWitnessStandbyAllowance', initial: 115_200_000_000n, rule: AMOUNT,
    meaning: 'Reward of the first 127 witnesses at each maintenance, in sun; only while CHANGE_DELEGATION is off.' },
  { id: 7, name: 'CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT', key: 'getCreateNewAccountFeeInSystemContract', initial: 0n, rule: AMOUNT,
    meaning: 'Burned fee in sun for an account that a system contract creates, in addition to bandwidth.' },
  { id: 8, name: 'CREATE_NEW_ACCOUNT_BANDWIDTH_RATE', key: 'getCreateNewAccountBandwidthRate', initial: 1n, rule: AMOUNT,
    meaning: 'Multiplier for the size of an account-creating transaction that staked bandwidth pays for.' },
  { id: 9, name: 'ALLOW_CREATION_OF_CONTRACTS', key: 'getAllowCreationOfContracts', initial: 0n, rule: ONE,
    meaning: 'Enables contracts (the virtual machine).' },
  { id: 10, name: 'REMOVE_THE_POWER_OF_THE_GR', key: 'getRemoveThePowerOfTheGr', initial: 0n, rule: SPECIAL,
    meaning: 'Removes the genesis votes of the genesis witnesses at the next maintenance, once; -1 afterwards.' },
  { id: 11, name: 'ENERGY_FEE', key: 'getEnergyFee', initial: 100n, rule: ANYTHING,
    meaning: 'Price of one Energy that is not staked, in sun.' },
  { id: 12, name: 'EXCHANGE_CREATE_FEE', key: 'getExchangeCreateFee', initial: 1_024_000_000n, rule: ANYTHING,
    meaning: 'Burned fee for creating a Bancor exchange, in sun.' },
  { id: 13, name: 'MAX_CPU_TIME_OF_ONE_TX', key: 'getMaxCpuTimeOfOneTx', initial: 50n, rule: SPECIAL,
    meaning: 'Time limit of a contract call, in ms.' },
  { id: 14, name: 'ALLOW_UPDATE_ACCOUNT_NAME', key: 'getAllowUpdateAccountName', initial: 0n, rule: ONE,
    meaning: 'Account names can be changed and need not be unique.' },
  { id: 15, name: 'ALLOW_SAME_TOKEN_NAME', key: 'getAllowSameTokenName', initial: 0n, rule: ONE,
    meaning: 'TRC-10 assets are identified by id; their names need not be unique.' },
  { id: 16, name: 'ALLOW_DELEGATE_RESOURCE', key: 'getAllowDelegateResource', initial: 0n, rule: ONE,
    meaning: 'Enables delegation of staked resources to other accounts.' },
  { id: 17, name: 'TOTAL_ENERGY_LIMIT', key: 'getTotalEnergyLimit', initial: 50_000_000_000n, rule: { accepts: 'nothing', refusal: 'Bad chain parameter id' },
    meaning: 'Energy per day for all stakes, before the adaptive factor; set by TOTAL_CURRENT_ENERGY_LIMIT.' },
  { id: 18, name: 'ALLOW_TVM_TRANSFER_TRC10', key: 'getAllowTvmTransferTrc10', initial: 0n, rule: after('ALLOW_SAME_TOKEN_NAME'),
    meaning: 'Contracts can hold and send TRC-10 assets.' },
  { id: 19, name: 'TOTAL_CURRENT_ENERGY_LIMIT', key: 'getTotalEnergyCurrentLimit', property: 'TOTAL_ENERGY_CURRENT_LIMIT', initial: 50_000_000_000n, rule: AMOUNT,
    meaning: 'Energy per day for all stakes.' },
  { id: 20, name: 'ALLOW_MULTI_SIGN', key: 'getAllowMultiSign', initial: 0n, rule: ONE,
    meaning: 'Enables account permissions and transactions with several signatures.' },
  { id: 21, name: 'ALLOW_ADAPTIVE_ENERGY', key: 'getAllowAdaptiveEnergy', initial: 0n, rule: ONE,
    meaning: 'The Energy per day adapts to demand.' },
  { name: 'TOTAL_ENERGY_TARGET_LIMIT', key: 'getTotalEnergyTargetLimit', initial: 3_472_222n,
    meaning: 'Energy per minute above which the adaptive limit decreases. Derived.' },
  { name: 'TOTAL_ENERGY_AVERAGE_USAGE', key: 'getTotalEnergyAverageUsage', initial: 0n,
    meaning: 'Recent Energy usage per minute. Measured.' },
  { id: 22, name: 'UPDATE_ACCOUNT_PERMISSION_FEE', key: 'getUpdateAccountPermissionFee', initial: 100_000_000n, rule: badRange(0n, 100_000_000_000n, '0, 100_000_000_000L'),
    meaning: 'Burned fee for changing the permissions of an account, in sun.' },
  { id: 23, name: 'MULTI_SIGN_FEE', key: 'getMultiSignFee', initial: 1_000_000n, rule: badRange(0n, 100_000_000_000n, '0, 100_000_000_000L'),
    meaning: 'Burned fee of a transaction with more than one signature, in sun.' },
  { id: 25, name: 'ALLOW_ACCOUNT_STATE_ROOT', key: 'getAllowAccountStateRoot', initial: 0n, rule: ZERO_OR_ONE,
    meaning: 'Block headers contain an account state root.' },
  { id: 24, name: 'ALLOW_PROTO_FILTER_NUM', key: 'getAllowProtoFilterNum', initial: 0n, rule: ZERO_OR_ONE,
    meaning: 'Messages with unknown fields are refused.' },
  { id: 26, name: 'ALLOW_TVM_CONSTANTINOPLE', key: 'getAllowTvmConstantinople', initial: 0n, rule: after('ALLOW_TVM_TRANSFER_TRC10'),
    meaning: 'Enables the shift opcodes, CREATE2, EXTCODEHASH, and clearing of ABIs.' },
  { id: 32, name: 'ALLOW_TVM_SOLIDITY_059', key: 'getAllowTvmSolidity059', initial: 0n, rule: after('ALLOW_CREATION_OF_CONTRACTS'),
    meaning: 'Contracts can create accounts by sending TRX; enables the batch validation precompiles.' },
  { id: 41, name: 'ALLOW_TVM_ISTANBUL', key: 'getAllowTvmIstanbul', initial: 0n, rule: ONE,
    meaning: 'Enables CHAINID, SELFBALANCE and the Istanbul prices of the bn128 precompiles.' },
  { id: 39, name: 'ALLOW_SHIELDED_TRC20_TRANSACTION', key: 'getAllowShieldedTRC20Transaction', initial: 0n, rule: ZERO_OR_ONE,
    meaning: 'Enables the precompiles for shielded TRC-20 transfers.' },
  { id: 35, name: 'FORBID_TRANSFER_TO_CONTRACT', key: 'getForbidTransferToContract', initial: 0n, rule: after('ALLOW_CREATION_OF_CONTRACTS'),
    meaning: 'Transfers of TRX and TRC-10 assets to contracts are refused.' },
  { id: 33, name: 'ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO', key: 'getAdaptiveResourceLimitTargetRatio', initial: 10n, rule: badRange(1n, 1_000n, '1,1_000'), storedScale: 1440n,
    meaning: 'The adaptive target is the daily Energy divided by this and by the minutes of a day.' },
  { id: 29, name: 'ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER', key: 'getAdaptiveResourceLimitMultiplier', initial: 1_000n, rule: badRange(1n, 10_000n, '1,10_000'),
    meaning: 'Maximum of the adaptive limit, as a multiple of TOTAL_ENERGY_LIMIT.' },
  { id: 30, name: 'ALLOW_CHANGE_DELEGATION', key: 'getChangeDelegation', property: 'CHANGE_DELEGATION', initial: 0n, rule: ZERO_OR_ONE,
    meaning: 'Enables reward cycles: witnesses share rewards with their voters, by brokerage.' },
  { id: 31, name: 'WITNESS_127_PAY_PER_BLOCK', key: 'getWitness127PayPerBlock', initial: 16_000_000n, rule: AMOUNT,
    meaning: 'Reward per block for the first 127 witnesses by votes, in sun.' },
  { id: 44, name: 'ALLOW_MARKET_TRANSACTION', key: 'getAllowMarketTransaction', initial: 0n, rule: ONE,
    meaning: 'Enables the market (order book).' },
  { id: 45, name: 'MARKET_SELL_FEE', key: 'getMarketSellFee', initial: 0n, rule: SPECIAL,
    meaning: 'Burned fee for placing a market order, in sun.' },
  { id: 46, name: 'MARKET_CANCEL_FEE', key: 'getMarketCancelFee', initial: 0n, rule: SPECIAL,
    meaning: 'Burned fee for cancelling a market order, in sun.' },
  { id: 40, name: 'ALLOW_PBFT', key: 'getAllowPBFT', initial: 0n, rule: ONE,
    meaning: 'PBFT votes make blocks final.' },
  { id: 48, name: 'ALLOW_TRANSACTION_FEE_POOL', key: 'getAllowTransactionFeePool', initial: 0n, rule: ZERO_OR_ONE,
    meaning: 'Bandwidth and Energy fees go to the producer of the block instead of being burned.' },
  { id: 47, name: 'MAX_FEE_LIMIT', key: 'getMaxFeeLimit', initial: 1_000_000_000n, rule: SPECIAL,
    meaning: 'Maximum fee_limit of a contract call, in sun.' },
  { id: 49, name: 'ALLOW_BLACKHOLE_OPTIMIZATION', key: 'getAllowOptimizeBlackHole', initial: 0n, rule: { accepts: 'zeroOrOne', label: 'ALLOW_REMOVE_BLACKHOLE' },
    meaning: 'Burned TRX is counted, instead of sent to the black-hole account.' },
  { id: 51, name: 'ALLOW_NEW_RESOURCE_MODEL', key: 'getAllowNewResourceModel', initial: 0n, rule: ONE,
    meaning: 'Voting power is a separate resource to stake for.' },
  { id: 52, name: 'ALLOW_TVM_FREEZE', key: 'getAllowTvmFreeze', initial: 0n,
    rule: after('ALLOW_DELEGATE_RESOURCE', 'ALLOW_MULTI_SIGN', 'ALLOW_TVM_CONSTANTINOPLE', 'ALLOW_TVM_SOLIDITY_059'),
    meaning: 'Contracts can use Stake 1.0 (FREEZE, UNFREEZE).' },
  { id: 59, name: 'ALLOW_TVM_VOTE', key: 'getAllowTvmVote', initial: 0n, rule: after('ALLOW_CHANGE_DELEGATION'),
    meaning: 'Contracts can vote and withdraw rewards; voter rewards use accumulators.' },
  { id: 63, name: 'ALLOW_TVM_LONDON', key: 'getAllowTvmLondon', initial: 0n, rule: ONE,
    meaning: 'Enables BASEFEE; refuses code that starts with 0xEF; allows a larger MAX_FEE_LIMIT.' },
  { id: 60, name: 'ALLOW_TVM_COMPATIBLE_EVM', key: 'getAllowTvmCompatibleEvm', initial: 0n, rule: ONE,
    meaning: "New contracts have version 1, with addresses and call Energy closer to Ethereum's." },
  { id: 53, name: 'ALLOW_ACCOUNT_ASSET_OPTIMIZATION', key: 'getAllowAccountAssetOptimization', initial: 0n, rule: ONE,
    meaning: 'Superseded by ALLOW_ASSET_OPTIMIZATION.' },
  { id: 61, name: 'FREE_NET_LIMIT', key: 'getFreeNetLimit', initial: 5_000n, rule: badRange(0n, 100_000n, '0,100_000'),
    meaning: 'Free bandwidth per account and day, in bytes.' },
  { id: 62, name: 'TOTAL_NET_LIMIT', key: 'getTotalNetLimit', initial: 43_200_000_000n, rule: badRange(0n, 1_000_000_000_000n, '0, 1_000_000_000_000L'),
    meaning: 'Bandwidth per day for all stakes, in bytes.' },
  { id: 65, name: 'ALLOW_HIGHER_LIMIT_FOR_MAX_CPU_TIME_OF_ONE_TX', key: 'getAllowHigherLimitForMaxCpuTimeOfOneTx', initial: 0n, rule: ONE,
    meaning: 'Allows MAX_CPU_TIME_OF_ONE_TX up to 400; memory opcodes cost one Energy more.' },
  { id: 66, name: 'ALLOW_ASSET_OPTIMIZATION', key: 'getAllowAssetOptimization', initial: 0n, rule: ONE,
    meaning: 'TRC-10 balances are stored separately from the account.' },
  { id: 67, name: 'ALLOW_NEW_REWARD', key: 'getAllowNewReward', initial: 0n, rule: { accepts: 'one', once: 'New reward has been valid.' },
    meaning: 'Voter rewards use accumulators; stake totals count whole TRX per account.' },
  { id: 68, name: 'MEMO_FEE', key: 'getMemoFee', initial: 0n, rule: onlyIn('MEMO_FEE', 0n, 1_000_000_000n, 'in the range 0-1000_000_000'),
    meaning: 'Burned fee of a transaction with a memo, in sun.' },
  { id: 69, name: 'ALLOW_DELEGATE_OPTIMIZATION', key: 'getAllowDelegateOptimization', initial: 0n, rule: ONE,
    meaning: 'The index of delegations has one entry per pair of accounts.' },
  { id: 70, name: 'UNFREEZE_DELAY_DAYS', key: 'getUnfreezeDelayDays', initial: 0n, rule: onlyIn('UNFREEZE_DELAY_DAYS', 1n, 365n, 'in the range 1-365'),
    meaning: 'Enables Stake 2.0; days between unstaking and payout.' },
  { id: 71, name: 'ALLOW_OPTIMIZED_RETURN_VALUE_OF_CHAIN_ID', key: 'getAllowOptimizedReturnValueOfChainId', initial: 0n, rule: ONE,
    meaning: "CHAINID returns the last four bytes of the genesis block's id." },
  { id: 72, name: 'ALLOW_DYNAMIC_ENERGY', key: 'getAllowDynamicEnergy', initial: 0n, rule: SPECIAL,
    meaning: 'Enables dynamic Energy: contracts with high usage cost more Energy.' },
  { id: 73, name: 'DYNAMIC_ENERGY_THRESHOLD', key: 'getDynamicEnergyThreshold', initial: 0n, rule: AMOUNT,
    meaning: "Energy per cycle above which a contract's Energy factor rises." },
  { id: 74, name: 'DYNAMIC_ENERGY_INCREASE_FACTOR', key: 'getDynamicEnergyIncreaseFactor', initial: 0n, rule: onlyIn('DYNAMIC_ENERGY_INCREASE_FACTOR', 0n, 10_000n, 'in the range 0-10000'),
    meaning: 'Increase of the price per cycle above the threshold, in 1/10,000 of the previous price.' },
  { id: 75, name: 'DYNAMIC_ENERGY_MAX_FACTOR', key: 'getDynamicEnergyMaxFactor', initial: 0n, rule: onlyIn('DYNAMIC_ENERGY_MAX_FACTOR', 0n, 100_000n, 'in the range 0-100000'),
    meaning: 'Maximum Energy factor (surcharge), in 1/10,000 of the base price.' },
  { id: 76, name: 'ALLOW_TVM_SHANGHAI', key: 'getAllowTvmShangHai', initial: 0n, rule: ONE,
    meaning: 'Enables PUSH0.' },
  { id: 77, name: 'ALLOW_CANCEL_ALL_UNFREEZE_V2', key: 'getAllowCancelAllUnfreezeV2', initial: 0n, rule: after('UNFREEZE_DELAY_DAYS'),
    meaning: 'Pending unstakings can be cancelled; recovery windows are stored in 1/1,000 of a slot.' },
  { id: 78, name: 'MAX_DELEGATE_LOCK_PERIOD', key: 'getMaxDelegateLockPeriod', initial: 86_400n, rule: SPECIAL, inSlots: true,
    meaning: 'Maximum lock time of a delegation, in slots. Above 86,400 slots of 3 s (three days), the delegator chooses the time.' },
  { id: 79, name: 'ALLOW_OLD_REWARD_OPT', key: 'getAllowOldRewardOpt', initial: 0n, rule: SPECIAL,
    meaning: 'Rewards of cycles before the accumulators also use accumulators.' },
  { id: 81, name: 'ALLOW_ENERGY_ADJUSTMENT', key: 'getAllowEnergyAdjustment', initial: 0n, rule: once('ALLOW_ENERGY_ADJUSTMENT'),
    meaning: 'SELFDESTRUCT to an account that does not exist and the memory of VOTEWITNESS cost Energy.' },
  { id: 82, name: 'MAX_CREATE_ACCOUNT_TX_SIZE', key: 'getMaxCreateAccountTxSize', initial: 1_000n,
    rule: onlyIn('MAX_CREATE_ACCOUNT_TX_SIZE', 500n, 10_000n, 'greater than or equal to 500 and less than or equal to 10000!'),
    meaning: 'Maximum size, in bytes without signatures, of a transaction that creates an account.' },
  { id: 87, name: 'ALLOW_STRICT_MATH', key: 'getAllowStrictMath', initial: 0n, rule: once('ALLOW_STRICT_MATH'),
    meaning: 'Powers are calculated with fdlibm, with equal results on every machine.' },
  { id: 88, name: 'CONSENSUS_LOGIC_OPTIMIZATION', key: 'getConsensusLogicOptimization', initial: 0n, rule: once('CONSENSUS_LOGIC_OPTIMIZATION'),
    meaning: 'The size and time rules of broadcasts also apply in blocks; witnesses with equal votes are ordered by address.' },
  { id: 83, name: 'ALLOW_TVM_CANCUN', key: 'getAllowTvmCancun', initial: 0n, rule: once('ALLOW_TVM_CANCUN'),
    meaning: 'Enables TLOAD, TSTORE and MCOPY.' },
  { id: 89, name: 'ALLOW_TVM_BLOB', key: 'getAllowTvmBlob', initial: 0n, rule: once('ALLOW_TVM_BLOB'),
    meaning: 'Enables BLOBHASH, BLOBBASEFEE and the KZG precompile.' },
  { id: 94, name: 'ALLOW_TVM_SELFDESTRUCT_RESTRICTION', key: 'getAllowTvmSelfdestructRestriction', initial: 0n, rule: once('ALLOW_TVM_SELFDESTRUCT_RESTRICTION'), since: '4.8.1',
    meaning: 'SELFDESTRUCT removes a contract only in the transaction that created it.' },
  { id: 92, name: 'PROPOSAL_EXPIRE_TIME', key: 'getProposalExpireTime', initial: 259_200_000n, since: '4.8.1',
    rule: onlyIn('PROPOSAL_EXPIRE_TIME', 1n, 31_536_002_999n, 'greater than 0 and less than 31536003000!'),
    meaning: 'Time for which a proposal is open for approval, in ms.' },
  { id: 96, name: 'ALLOW_TVM_OSAKA', key: 'getAllowTvmOsaka', initial: 0n, rule: once('ALLOW_TVM_OSAKA'), since: '4.8.2',
    meaning: 'Enables the opcodes and precompile prices of Osaka.' },
  { id: 95, name: 'ALLOW_TVM_PRAGUE', key: 'getAllowTvmPrague', initial: 0n, rule: SPECIAL, since: '4.8.2',
    meaning: 'Adds a contract that stores the hashes of the last 8,191 blocks (TIP-2935).' },
  { id: 97, name: 'ALLOW_HARDEN_RESOURCE_CALCULATION', key: 'getAllowHardenResourceCalculation', initial: 0n, rule: once('ALLOW_HARDEN_RESOURCE_CALCULATION'), since: '4.8.2',
    meaning: 'Resource limits and windows are calculated with exact integers.' },
  { id: 98, name: 'ALLOW_HARDEN_EXCHANGE_CALCULATION', key: 'getAllowHardenExchangeCalculation', initial: 0n, rule: { accepts: 'switch' }, since: '4.8.2',
    meaning: 'Exchange amounts are calculated with exact decimals; enables trades on exchanges, which 4.8.0.1 disabled.' },
] as const satisfies readonly Definition[];

type PropertyOf<R> = R extends { readonly property: infer P extends string }
  ? P
  : R extends { readonly name: infer N extends string }
    ? N
    : never;

/** The dynamic properties that hold chain parameters. */
export type ParameterProperty = PropertyOf<(typeof DEFINITIONS)[number]>;

type DefinitionOf<R extends Definition, P> = R extends unknown ? (PropertyOf<R> extends P ? R : never) : never;

/** The key in `getchainparameters` of a property. */
export type ParameterKey<P extends ParameterProperty> = DefinitionOf<(typeof DEFINITIONS)[number], P>['key'];

/** Names of parameters in proposals and refusals. */
export type ParameterName = (typeof DEFINITIONS)[number]['name'];

export interface ParameterDefinition {
  /** Proposal id; undefined: derived, not proposable. */
  readonly id: number | undefined;
  readonly name: ParameterName;
  /** Key in `getchainparameters`, e.g. `getEnergyFee`. */
  readonly key: string;
  readonly property: ParameterProperty;
  /** Value of a fresh chain, as reported. */
  readonly initial: bigint;
  /** The stored value is the reported value times this: 1, except for ADAPTIVE_RESOURCE_LIMIT_TARGET_RATIO. */
  readonly storedScale: bigint;
  readonly rule: ValueRule;
  readonly since: Release;
  readonly inSlots: boolean;
  /** One sentence. */
  readonly meaning: string;
}

const NOT_PROPOSABLE: ValueRule = { accepts: 'nothing', refusal: 'Bad chain parameter id' };

/** All parameters of all supported releases, in the order of `getchainparameters`. */
export const PARAMETERS: readonly ParameterDefinition[] = DEFINITIONS.map((row: Definition) => ({
  id: row.id,
  name: row.name as ParameterName,
  key: row.key,
  property: (row.property ?? row.name) as ParameterProperty,
  initial: row.initial,
  storedScale: row.storedScale ?? 1n,
  rule: row.rule ?? NOT_PROPOSABLE,
  since: row.since ?? FIRST_RELEASE,
  inSlots: row.inSlots ?? false,
  meaning: row.meaning,
}));

/** Shared by all chains: constant after this module is loaded. */
const byId = new Map<number, ParameterDefinition>();
/** Shared by all chains: constant after this module is loaded. */
const bySpelling = new Map<string, ParameterDefinition>();
for (const parameter of PARAMETERS) {
  if (parameter.id !== undefined) byId.set(parameter.id, parameter);
  for (const spelling of [parameter.name, parameter.key, parameter.property]) bySpelling.set(spelling, parameter);
}

/** Whether a node of `release` has the parameter. */
export function isKnownIn(parameter: ParameterDefinition, release: Release): boolean {
  return isSince(parameter.since, release);
}

/** The parameter with this proposal id, if `release` has it; without `release`, if any release does. */
export function parameterById(id: number | bigint, release?: Release): ParameterDefinition | undefined {
  const parameter = byId.get(Number(id));
  if (parameter === undefined || release === undefined) return parameter;
  return isKnownIn(parameter, release) ? parameter : undefined;
}

/** The parameter of any release by its name, its key or its property: `ENERGY_FEE`, `getEnergyFee`. */
export function parameterBySpelling(spelling: string): ParameterDefinition | undefined {
  return bySpelling.get(spelling);
}

/**
 * The answer of `getchainparameters`, in its order, with reported values; an interface may omit zeros.
 *
 * @example chainParameters((name) => ledger.long(name), '4.8.0').find(({ key }) => key === 'getEnergyFee')?.value // 100n
 */
export function chainParameters(
  read: (property: ParameterProperty) => bigint,
  release: Release,
): { readonly key: string; readonly value: bigint }[] {
  return PARAMETERS.filter((parameter) => isKnownIn(parameter, release)).map(({ key, property, storedScale }) => ({
    key,
    value: read(property) / storedScale,
  }));
}
