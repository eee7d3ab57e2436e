/**
 * Running a contract without a transaction: constant calls and Energy estimates (tvm.md 4.11, fees-and-resources.md 5.7).
 * Mirrors Wallet.triggerConstantContract, callConstantContract and estimateEnergy.
 *
 * The same machine as in a block, on whatever state the ledger stands, under the head's header; nothing stays.
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address, Sun, TxId } from '../../primitives/ids.js';
import { deployedContractAddress, toBase58 } from '../../protocol/address.js';
import { SmartContract, type TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { estimateEnergy as searchFeeLimit } from '../../resources/estimation.js';
import type { ContentVersion } from '../../state/journal.js';
import type { TvmFlags } from '../../tvm/flags.js';
import type { BlockEnvironment } from '../../tvm/host.js';
import { type ExecutionResult, runCall, runCreate } from '../../tvm/run.js';
import type { Tracer } from '../../tvm/trace.js';
import { contractValidateException } from '../admission/refusals.js';
import type { BlockPlace } from '../apply-transaction.js';
import { blockOutline } from '../blocks/blocks.js';
import type { Ledger } from '../ledger.js';
import { blockEnvironment, checkToken, checkTransfers, checkValues, placeContract, tokenOf } from './execute.js';
import { tvmFlags } from './flags.js';
import { LedgerHost } from './host.js';

/** `vm.maxEnergyLimitForConstant`. */
export const MAX_CONSTANT_ENERGY = 100_000_000;

export interface ConstantCallOptions {
  /** Caps the Energy at what it buys; 0 or absent: only {@link MAX_CONSTANT_ENERGY}. */
  readonly feeLimitSun?: Sun;
  /** Root of the addresses that the code creates: the id of the transaction around the call. */
  readonly txId: TxId;
  readonly tracer?: Tracer | undefined;
}

/** The head's header: what opcodes that ask for the block see. */
function headPlace(ledger: Ledger): BlockPlace {
  const raw = blockOutline(ledger, ledger.headNumber)?.header.raw_data;
  return {
    inBlock: true,
    number: ledger.headNumber,
    timestampMs: ledger.headTimeMs,
    producer: raw?.witness_address as Address | undefined,
  };
}

function energyLimit(ledger: Ledger, feeLimitSun: Sun = 0n): number {
  if (feeLimitSun <= 0n) return MAX_CONSTANT_ENERGY;
  const price = ledger.long('ENERGY_FEE');
  if (price === 0n) throw new JavaException('java.lang.ArithmeticException', '/ by zero');
  return Math.min(MAX_CONSTANT_ENERGY, Number(feeLimitSun / price));
}

/**
 * Calls a contract, or with an empty contract address runs `data` as init code.
 *
 * @throws JavaException ContractValidateException for what a call may not begin with
 */
export function constantCall(
  ledger: Ledger,
  call: TriggerSmartContract,
  options: ConstantCallOptions,
): ExecutionResult {
  return ledger.state.dryRun(() =>
    call.contract_address === '' ? simulateCreation(ledger, call, options) : simulateCall(ledger, call, options),
  );
}

function simulateCall(ledger: Ledger, call: TriggerSmartContract, options: ConstantCallOptions): ExecutionResult {
  const owner = call.owner_address as Address;
  const contract = call.contract_address as Address;
  if (!ledger.state.tables.contracts.has(contract)) throw contractValidateException('Smart contract is not exist.');
  if (!ledger.vmOn) throw contractValidateException('VM work is off, need to be opened by the committee');
  const token = tokenOf(ledger, call);
  checkValues(call.call_value, token.tokenValue);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const host = new LedgerHost(ledger, ledger.headTimeMs);
  if (host.code(contract).length === 0) throw nullPointerException();
  const limit = energyLimit(ledger, options.feeLimitSun);
  checkTransfers(host, owner, contract, call.call_value, token.tokenId, token.tokenValue);
  return runCall(host, contextOf(ledger, options), {
    owner,
    contract,
    data: hexToBytes(call.data),
    callValueSun: call.call_value,
    ...token,
    energyLimit: limit,
  });
}

function simulateCreation(ledger: Ledger, call: TriggerSmartContract, options: ConstantCallOptions): ExecutionResult {
  const owner = call.owner_address as Address;
  if (!ledger.vmOn) throw contractValidateException('vm work is off, need to be opened by the committee');
  const address = deployedContractAddress(options.txId, owner);
  if (ledger.state.tables.accounts.has(address)) {
    throw contractValidateException(`Trying to create a contract with existing contract address: ${toBase58(address)}`);
  }
  const token = tokenOf(ledger, call);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const limit = energyLimit(ledger, options.feeLimitSun);
  placeContract(ledger, address, simulatedContract(call));
  const host = new LedgerHost(ledger, ledger.headTimeMs);
  checkTransfers(host, owner, address, call.call_value, token.tokenId, token.tokenValue);
  return runCreate(host, contextOf(ledger, options), {
    owner,
    contract: address,
    initCode: hexToBytes(call.data),
    callValueSun: call.call_value,
    ...token,
    energyLimit: limit,
  });
}

/** The record that java-tron gives a contract which is deployed only for the answer. */
export function simulatedContract(call: TriggerSmartContract): SmartContract {
  return SmartContract.create({
    origin_address: call.owner_address,
    bytecode: call.data,
    call_value: call.call_value,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 1n,
  });
}

interface Surroundings {
  readonly version: ContentVersion;
  readonly flags: TvmFlags;
  readonly block: BlockEnvironment;
}

/** What all calls on the same content of a ledger see around them. */
const surroundings = new WeakMap<Ledger, Surroundings>();

function surroundingsOf(ledger: Ledger): Surroundings {
  const { version } = ledger.state.journal;
  const known = surroundings.get(ledger);
  if (known?.version === version) return known;
  const made = { version, flags: tvmFlags(ledger), block: blockEnvironment(ledger, headPlace(ledger)) };
  surroundings.set(ledger, made);
  return made;
}

function contextOf(ledger: Ledger, { txId, tracer }: ConstantCallOptions) {
  const { flags, block } = surroundingsOf(ledger);
  return {
    flags,
    block,
    txid: txId,
    stepLimit: ledger.config.vmStepBudget,
    tracer,
    isConstant: true,
  };
}

export interface EnergyEstimate {
  /** The run whose outcome the answer tells: the one that failed, or the last one. */
  readonly run: ExecutionResult;
  /** Undefined when the call fails whatever it may cost. */
  readonly energyRequired: bigint | undefined;
}

/** @throws JavaException ContractValidateException as `constantCall` */
export function estimateEnergy(ledger: Ledger, call: TriggerSmartContract, txId: TxId): EnergyEstimate {
  const maxFeeLimitSun = ledger.long('MAX_FEE_LIMIT');
  const run = (feeLimitSun: Sun): ExecutionResult => constantCall(ledger, call, { feeLimitSun, txId });
  const first = run(maxFeeLimitSun);
  if (first.runtimeError !== undefined) return { run: first, energyRequired: undefined };
  const { feeLimitSun, energyRequired } = searchFeeLimit(
    BigInt(first.energyUsed),
    (feeLimit) => run(feeLimit).runtimeError === undefined,
    { maxFeeLimitSun, energyFee: ledger.long('ENERGY_FEE') },
  );
  const last = run(feeLimitSun);
  return { run: last, energyRequired: last.runtimeError === undefined ? energyRequired : undefined };
}
