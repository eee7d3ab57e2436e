/**
 * CreateSmartContract and TriggerSmartContract as transactions: checks, budget, run, bill (tvm.md 4.3, 4.4, section 5;
 * fees-and-resources.md 5, 6). Mirrors VMActuator, and what RuntimeImpl and TransactionTrace make of it.
 */

import { nullPointerException } from '../../errors/java-exception.js';
import { byteLength, bytesToHex, type Hex, hexToBytes, utf8ToHex } from '../../primitives/hex.js';
import { type Address, type BlockId, isAddress } from '../../primitives/ids.js';
import { deployedContractAddress, toBase58 } from '../../protocol/address.js';
import type { CreateSmartContract, TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Account,
  AccountType,
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
  InternalTransaction,
  InternalTransaction_CallValueInfo,
  TransactionInfo_Log,
} from '../../protocol/generated/tron.js';
import { javaCopiedMapCapacity, javaMapOrder } from '../../protocol/json/java-map-order.js';
import type { Sent } from '../../protocol/message-type.js';
import type { ExecutionContext } from '../../tvm/execution.js';
import type { BlockEnvironment } from '../../tvm/host.js';
import type { TokenAmount, InternalTransaction as VmInternalTransaction } from '../../tvm/internal-transactions.js';
import { type ExecutionResult, runCall, runCreate } from '../../tvm/run.js';
import { MIN_TOKEN_ID, tokenTransferRefusal, transferRefusal } from '../../tvm/transfers.js';
import { WorkBudget } from '../../tvm/work.js';
import { contractValidateException, refuseOverflow } from '../admission/refusals.js';
import type { BlockPlace } from '../blocks/block-place.js';
import { budgetForCall, budgetForCreation, type EnergyBudget, payEnergyBill } from '../charging/energy.js';
import type { VmOutcome } from '../charging/receipt.js';
import type { Execution } from '../contracts/contract.js';
import type { Ledger } from '../ledger.js';
import { tvmFlags } from './flags.js';
import { LedgerHost } from './host.js';

export function isSmartContractType(type: number): boolean {
  return type === ContractType.CreateSmartContract || type === ContractType.TriggerSmartContract;
}

/** Runs the contract of a transaction and pays for it. @throws JavaException when it may not even begin */
export function executeSmartContract(ledger: Ledger, place: BlockPlace, execution: Execution): VmOutcome {
  const mark = ledger.state.mark();
  const { contractType, contract } = execution.transaction;
  const context = { ...contextOf(ledger, place, execution), place };
  const run = ledger.state.gathering(
    () =>
      contractType === ContractType.CreateSmartContract
        ? create(ledger, context, execution, contract as Sent<CreateSmartContract>)
        : trigger(ledger, context, execution, contract as Sent<TriggerSmartContract>),
    context.work?.lookAhead,
  );
  const { host, result, budget, contractAddress } = run;
  const kept = result.runtimeError === undefined;
  // The charge in advance and a deployment's records lie under the machine's own changes and go with them.
  if (!kept) ledger.state.revert(mark);
  const energyUsageTotal = BigInt(Math.max(0, result.energyUsed));
  // With an Energy limit of somebody's choice there is nobody to pay.
  if (execution.trial?.energyLimit === undefined) {
    const used = { total: energyUsageTotal, kept, contractResult: result.contractResult };
    payEnergyBill(ledger, budget, used, execution.charges);
  }
  if (kept) host.removeDestroyed();
  return { ...outcomeOf(result, place), contractAddress, energyUsageTotal, budget, work: context.work?.done ?? 0 };
}

interface Run {
  readonly host: LedgerHost;
  readonly result: ExecutionResult;
  readonly budget: EnergyBudget;
  readonly contractAddress: Address;
}

/** Reads of the header what a program reads of it, and not before. */
class EnvironmentInPlace implements BlockEnvironment {
  constructor(
    private readonly place: BlockPlace,
    readonly genesisId: BlockId,
    readonly energyPriceSun: bigint,
  ) {}

  get number(): number {
    return this.place.number;
  }

  get timestampMs(): bigint {
    return this.place.timestampMs;
  }

  get producer(): Address | undefined {
    return this.place.producer;
  }
}

export function blockEnvironment(ledger: Ledger, place: BlockPlace): BlockEnvironment {
  return new EnvironmentInPlace(place, ledger.config.genesisId, ledger.long('ENERGY_FEE'));
}

function contextOf(ledger: Ledger, place: BlockPlace, { transaction, trial }: Execution): ExecutionContext {
  return {
    flags: tvmFlags(ledger),
    block: blockEnvironment(ledger, place),
    txid: transaction.txId,
    work: WorkBudget.of(ledger.config.vmLimit),
    tracer: trial?.tracer,
  };
}

type PlacedContext = ExecutionContext & { readonly place: BlockPlace };

function create(ledger: Ledger, context: PlacedContext, execution: Execution, message: Sent<CreateSmartContract>): Run {
  const { txId, raw } = execution.transaction;
  const owner = ownerOf(message);
  const contract = message.new_contract;
  if (!ledger.vmOn) throw contractValidateException('vm work is off, need to be opened by the committee');
  if (contract === undefined || contract.origin_address !== owner) {
    throw contractValidateException('OwnerAddress is not equals OriginAddress');
  }
  checkDeployable(contract);
  const address = deployedContractAddress(txId, owner);
  if (ledger.state.tables.accounts.has(address)) {
    throw contractValidateException(`Trying to create a contract with existing contract address: ${toBase58(address)}`);
  }
  checkFeeLimit(ledger, raw.fee_limit);
  const token = tokenOf(ledger, message);
  checkValues(contract.call_value, token.tokenValue);
  if (contract.origin_energy_limit <= 0n) throw contractValidateException('The originEnergyLimit must be > 0');

  const terms = { caller: owner, callValueSun: contract.call_value, feeLimitSun: raw.fee_limit };
  const budget = refuseOverflow(() => budgetForCreation(ledger, terms));
  checkToken(ledger, token.tokenId, token.tokenValue);
  placeContract(ledger, address, owner, contract);
  const host = new LedgerHost(ledger, context.place);
  const initCode = hexToBytes(contract.bytecode);
  if (!ledger.on('ALLOW_TVM_CONSTANTINOPLE')) host.setCode(address, codeBehindReturn(initCode));
  checkTransfers(host, owner, address, contract.call_value, token.tokenId, token.tokenValue);
  const result = runCreate(host, context, {
    owner,
    contract: address,
    initCode,
    callValueSun: contract.call_value,
    ...token,
    energyLimit: energyLimitOf(budget, execution),
  });
  return { host, result, budget, contractAddress: address };
}

/** Whose signatures were checked: so there is such an account. */
function ownerOf({ owner_address }: Sent<CreateSmartContract | TriggerSmartContract>): Address {
  return owner_address as Address;
}

/** Tokens of a call; they are not even looked at before calls could carry them. */
export function tokenOf(
  ledger: Ledger,
  { token_id, call_token_value }: Sent<CreateSmartContract | TriggerSmartContract>,
) {
  const carried = ledger.on('ALLOW_TVM_TRANSFER_TRC10');
  return { tokenId: carried ? token_id : 0n, tokenValue: carried ? call_token_value : 0n };
}

const RETURN = 0xf3;
const STOP = 0x00;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/**
 * The runtime code of a deployment before Constantinople, when it was not what the constructor returned but what stands
 * behind the first RETURN STOP of the init code; a word of zeros if there is no such place.
 */
function codeBehindReturn(initCode: Uint8Array): Uint8Array {
  for (let at = 0; at < initCode.length; at++) {
    const opcode = initCode[at] as number;
    if (opcode === RETURN && initCode[at + 1] === STOP) return initCode.slice(at + 2);
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return new Uint8Array(32);
}

/** What is checked of a deployment's record; the node checks the percentage also when it builds the transaction. */
function checkDeployable(contract: Sent<NonNullable<CreateSmartContract['new_contract']>>): void {
  if (byteLength(utf8ToHex(contract.name)) > 32) {
    throw contractValidateException("contractName's length cannot be greater than 32");
  }
  checkPercent(contract.consume_user_resource_percent);
}

export function checkPercent(consumeUserResourcePercent: bigint): void {
  if (consumeUserResourcePercent < 0n || consumeUserResourcePercent > 100n) {
    throw contractValidateException('percent must be >= 0 and <= 100');
  }
}

/** Account and records of a contract that is about to be deployed (tvm.md 4.3 item 2). */
export function placeContract(
  ledger: Ledger,
  address: Address,
  owner: Address,
  contract: Sent<NonNullable<CreateSmartContract['new_contract']>>,
): void {
  const { accounts, contracts, abis } = ledger.state.tables;
  accounts.set(
    address,
    Account.create({ address, type: AccountType.Contract, account_name: utf8ToHex(contract.name) }),
  );
  contracts.set(address, {
    ...contract,
    abi: undefined,
    origin_address: owner,
    contract_address: address,
    version: ledger.on('ALLOW_TVM_COMPATIBLE_EVM') ? 1 : 0,
  });
  if (contract.abi !== undefined) abis.set(address, contract.abi);
}

function trigger(
  ledger: Ledger,
  context: PlacedContext,
  execution: Execution,
  message: Sent<TriggerSmartContract>,
): Run {
  const { raw } = execution.transaction;
  const owner = ownerOf(message);
  const { contract_address: address } = message;
  const contract = isAddress(address) ? ledger.state.tables.contracts.get(address) : undefined;
  // Before Constantinople java-tron looks, first of all, whether a constant function is called. It finds none: ABIs are
  // kept apart from the records since.
  if (contract === undefined && !ledger.on('ALLOW_TVM_CONSTANTINOPLE')) {
    throw contractValidateException(`contract: ${toBase58(address)} is not in contract store`);
  }
  if (!ledger.vmOn) throw contractValidateException('VM work is off, need to be opened by the committee');
  if (!isAddress(address) || contract === undefined) {
    throw contractValidateException('No contract or not a smart contract');
  }
  const token = tokenOf(ledger, message);
  checkValues(message.call_value, token.tokenValue);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const host = new LedgerHost(ledger, context.place);
  // java-tron never builds a program for a contract without code and trips over its absence.
  if (host.code(address).length === 0) throw nullPointerException();
  checkFeeLimit(ledger, raw.fee_limit);
  const terms = { caller: owner, callValueSun: message.call_value, feeLimitSun: raw.fee_limit };
  const budget = budgetForCall(ledger, terms, contract);
  checkTransfers(host, owner, address, message.call_value, token.tokenId, token.tokenValue);
  const result = runCall(host, context, {
    owner,
    contract: address,
    data: hexToBytes(message.data),
    callValueSun: message.call_value,
    ...token,
    energyLimit: energyLimitOf(budget, execution),
  });
  return { host, result, budget, contractAddress: address };
}

/** The machine counts in doubles; budgets beyond 2^53 need prices that nobody sets, and are cut there. */
function energyLimitOf({ total }: EnergyBudget, { trial }: Execution): number {
  if (trial?.energyLimit !== undefined) return trial.energyLimit;
  return Number(total > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : total);
}

function checkFeeLimit(ledger: Ledger, feeLimitSun: bigint): void {
  const max = ledger.long('MAX_FEE_LIMIT');
  if (feeLimitSun < 0n || feeLimitSun > max) {
    throw contractValidateException(`feeLimit must be >= 0 and <= ${max}`);
  }
}

export function checkValues(callValueSun: bigint, tokenValue: bigint): void {
  if (callValueSun < 0n) throw contractValidateException('callValue must be >= 0');
  if (tokenValue < 0n) throw contractValidateException('tokenValue must be >= 0');
}

/** Token ids begin above a million; only 0 stands for none (tvm.md section 5). */
export function checkToken(ledger: Ledger, tokenId: bigint, tokenValue: bigint): void {
  if (!ledger.on('ALLOW_TVM_TRANSFER_TRC10') || !ledger.on('ALLOW_MULTI_SIGN')) return;
  if (tokenId <= MIN_TOKEN_ID && tokenId !== 0n) throw contractValidateException('tokenId must be > 1000000');
  if (tokenValue > 0n && tokenId === 0n) {
    throw contractValidateException(`invalid arguments with tokenValue = ${tokenValue}, tokenId = ${tokenId}`);
  }
}

/** The move of call value and tokens ends the checks; the machine then makes it. */
export function checkTransfers(
  host: LedgerHost,
  from: Address,
  to: Address,
  callValueSun: bigint,
  tokenId: bigint,
  tokenValue: bigint,
): void {
  if (callValueSun > 0n) {
    const refusal = transferRefusal(host, from, to, callValueSun);
    if (refusal !== undefined) throw contractValidateException(refusal);
  }
  if (tokenValue > 0n && host.tokensInCalls) {
    const refusal = tokenTransferRefusal(host, from, to, tokenId, tokenValue);
    if (refusal !== undefined) throw contractValidateException(refusal);
  }
}

function outcomeOf(
  result: ExecutionResult,
  place: BlockPlace,
): Omit<VmOutcome, 'contractAddress' | 'energyUsageTotal' | 'budget' | 'work'> {
  const outcome = {
    contractResult: result.contractResult,
    energyPenaltyTotal: BigInt(result.energyPenalty),
    returnData: bytesToHex(result.output),
    failure: result.runtimeError,
    logs: result.logs.map((log) => TransactionInfo_Log.create(log)),
    internalTransactions: result.internalTransactions.map(internalTransactionMessage),
    consoleCalls: consoleCallsOf(result),
  };
  if (result.contractResult !== ContractResult.OUT_OF_TIME || !place.inBlock) return outcome;
  // The node that made the block does not run such a transaction a second time (tvm.md 4.2).
  return { ...outcome, failure: 'Already Time Out', logs: [], internalTransactions: [] };
}

/** Hardhat's console address with the network's prefix: calls to it are what a contract prints (json-rpc.md C.8). */
export const CONSOLE_ADDRESS = '41000000000000000000636f6e736f6c652e6c6f67';

export function consoleCallsOf(result: ExecutionResult): readonly Hex[] {
  return result.internalTransactions
    .filter(({ transferToAddress }) => transferToAddress === CONSOLE_ADDRESS)
    .map(({ data }) => bytesToHex(data));
}

/** Tokens as java-tron's record of an internal transaction gives them: a HashMap, copied from the account's map. */
function tokensInOrder({ tokens }: VmInternalTransaction): readonly TokenAmount[] {
  if (tokens.length < 2) return tokens;
  const order = javaMapOrder(
    tokens.map(([tokenId]) => tokenId),
    javaCopiedMapCapacity(tokens.length),
  );
  return order.map((at) => tokens[at] as TokenAmount);
}

export function internalTransactionMessage(internal: VmInternalTransaction): InternalTransaction {
  return InternalTransaction.create({
    hash: internal.hash,
    caller_address: internal.callerAddress,
    transferTo_address: internal.transferToAddress,
    callValueInfo: [
      InternalTransaction_CallValueInfo.create({ callValue: internal.callValueSun }),
      ...tokensInOrder(internal).map(([tokenId, callValue]) =>
        InternalTransaction_CallValueInfo.create({ tokenId, callValue }),
      ),
    ],
    note: utf8ToHex(internal.note),
    rejected: internal.rejected,
    extra: internal.extra,
  });
}
