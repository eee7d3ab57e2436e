/**
 * `import { … } from 'sunup/fees'`: the cost of TRON transactions, as pure functions for wallets. No network, no state,
 * no dependency; runs in browsers. Input: the answers of a node, unchanged. Sun is bigint; Energy, bytes, milliseconds,
 * percent and factors are numbers. Sunup's ledger uses the same formulas.
 */

export {
  type AccountAnswer,
  type AccountResourceAnswer,
  accountFrom,
  type FeeAccount,
  type FeeStake,
  stakedPerDay,
} from './fees/account.js';
export {
  type ContractInfoAnswer,
  contractFrom,
  type FeeContract,
  factorAfter,
  penalised,
  type SmartContractAnswer,
} from './fees/contract.js';
export {
  type BandwidthCost,
  type CallCost,
  type CallTerms,
  callCost,
  type EnergyLimit,
  type EnergyShares,
  mostBurned,
  type TransactionCost,
  type TransactionTerms,
  transactionCost,
} from './fees/cost.js';
export { adviseFeeLimit, type EnergyAnswer, type FeeLimitAdvice, type FeeLimitTerms } from './fees/fee-limit.js';
export {
  type ChainParameterAnswer,
  type ChainParametersAnswer,
  type FeeNetwork,
  type NetworkTotalsAnswer,
  networkFrom,
} from './fees/network.js';
export { recoveredWhen, type Usage, usagesFrom, usedAt } from './fees/recovery.js';
export type { Slots } from './fees/slots.js';
export { type FreeOfCharge, stakeToPayNothing } from './fees/stake.js';
export { grantedBytes, type TokenAnswer, type TokenHolderAnswer } from './fees/token-grant.js';
export { transactionBytes } from './fees/transaction-bytes.js';
export type { WholeNumber } from './primitives/whole-number.js';
