/**
 * Runs contracts without a transaction: constant calls and Energy estimates (protocol/contract-runs.md#constant-calls,
 * protocol/energy.md#constant-calls-and-estimation). Mirrors Wallet.triggerConstantContract, callConstantContract and
 * estimateEnergy. The same machine as in a block, on the ledger's state, under the head's header. Changes are
 * reverted, also if a row is missing: the surface fetches it and calls again (`node/with-rows.ts`).
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { contractValidateException } from '../../errors/refusals.js';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address, BlockId, Sun, TxId } from '../../primitives/ids.js';
import { deployedContractAddress, toBase58 } from '../../protocol/address.js';
import { SmartContract, type TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { Sent } from '../../protocol/message-type.js';
import { estimateEnergy as searchFeeLimit } from '../../resources/estimation.js';
import type { ContentVersion } from '../../state/journal.js';
import type { ExecutionContext } from '../../tvm/execution.js';
import type { BlockEnvironment } from '../../tvm/host.js';
import { type ExecutionResult, runCall, runCreate } from '../../tvm/run.js';
import type { Tracer } from '../../tvm/trace.js';
import { WorkBudget, type WorkLimit } from '../../tvm/work.js';
import type { BlockPlace } from '../blocks/block-place.js';
import { blockProducer } from '../blocks/blocks.js';
import type { Ledger } from '../ledger.js';
import { CallCache, callKeyOf } from './call-cache.js';
import { checkToken, checkTransfers, checkValues, tokenOf } from './call-checks.js';
import { placeContract } from './deployment.js';
import { blockEnvironment } from './environment.js';
import { tvmFlags } from './flags.js';
import { LedgerHost } from './host.js';

/** Default of `vm.maxEnergyLimitForConstant`. */
const MAX_CONSTANT_ENERGY = 100_000_000;
/** The minimum, whatever the node's setting. */
const MIN_CONSTANT_ENERGY = 3_000_000;

/** Undefined: unchanged. */
export interface BlockOverrides {
  readonly number: number | undefined;
  readonly timestampMs: bigint | undefined;
  readonly producer: Address | undefined;
  /** Value of BASEFEE. */
  readonly energyPriceSun: bigint | undefined;
}

export interface ConstantCallOptions {
  /** Limits the Energy to what it buys; 0 or absent: only the node's limit applies. */
  readonly feeLimitSun?: Sun;
  /** Root of created addresses: the id of the transaction around the call. */
  readonly txId: TxId;
  readonly tracer?: Tracer | undefined;
  /** Called with the state after the run, before it is reverted. */
  readonly afterwards?: (() => void) | undefined;
  /** Replaced fields of the block header that the code sees. */
  readonly block?: BlockOverrides | undefined;
  /** Shared by the runs of one request; absent: the limit of a single call. */
  readonly work?: WorkBudget | undefined;
  /** A further run of the same call: {@link ConstantCalls.watch} has seen it. */
  readonly isRepeated?: boolean;
}

/** The header of the head, for opcodes that read the block. */
function headPlace(ledger: Ledger): BlockPlace {
  return {
    inBlock: true,
    number: ledger.headNumber,
    timestampMs: ledger.headTimeMs,
    producer: blockProducer(ledger, ledger.headNumber),
  };
}

function energyLimit(ledger: Ledger, feeLimitSun: Sun, most: number): number {
  if (feeLimitSun <= 0n) return most;
  const price = ledger.long('ENERGY_FEE');
  if (price === 0n) throw new JavaException('java.lang.ArithmeticException', '/ by zero');
  return Math.min(most, Number(feeLimitSun / price));
}

/** Runs all constant calls of a node; holds the environment and the cached results of each view of the chain. */
export class ConstantCalls {
  readonly #views = new WeakMap<Ledger, ViewOfCalls>();
  readonly #maxEnergy: number;
  readonly #limit: WorkLimit | undefined;
  /** Observes calls that nobody else observes; results from the cache and further runs of an estimate are not handed over. */
  watch: ((ledger: Ledger, call: Sent<TriggerSmartContract>) => Tracer | undefined) | undefined;

  /**
   * @param maxEnergy `vm.maxEnergyLimitForConstant` of a call; at least 3,000,000
   * @param limit `vm.constantCallTimeoutMs`: work limit of a call; absent: that of a transaction
   */
  constructor(maxEnergy: number = MAX_CONSTANT_ENERGY, limit?: WorkLimit) {
    this.#maxEnergy = Math.max(maxEnergy, MIN_CONSTANT_ENERGY);
    this.#limit = limit;
  }

  /**
   * Calls a contract, or with an empty contract address runs `data` as init code.
   *
   * @throws JavaException ContractValidateException if the call cannot start
   */
  run(ledger: Ledger, call: Sent<TriggerSmartContract>, options: ConstantCallOptions): ExecutionResult {
    const view = this.#viewOf(ledger);
    const { version } = ledger.state.journal;
    const { txId, feeLimitSun = 0n } = options;
    // The result of a run with another limit, or with an observer, is not cached.
    const isPlain = options.tracer === undefined && options.work === undefined;
    const key = isPlain ? callKeyOf(call, feeLimitSun) : undefined;
    const depends = { txId, block: blockKeyOf(options.block) };
    const known = key === undefined ? undefined : view.cache.recall(version, key, depends);
    if (known !== undefined) return known;
    const work = options.work ?? this.#budget(ledger);
    const { flags, block: head } = view.surroundings(ledger, version);
    const block = new BlockOfCall(head, options.block);
    const tracer = options.tracer ?? (options.isRepeated ? undefined : this.watch?.(ledger, call));
    const context = { flags, block, txid: txId, work, tracer, isConstant: true };
    const creates = call.contract_address === '';
    const simulate = creates ? simulateCreation : simulateCall;
    const result = ledger.state.dryRun(() =>
      ledger.state.gathering(() => {
        const ran = simulate(ledger, call, () => energyLimit(ledger, feeLimitSun, this.#maxEnergy), context);
        options.afterwards?.();
        return ran;
      }, work?.lookAhead),
    );
    // A run that continued without missing rows, as part of other work, has no result.
    if (key !== undefined && !ledger.state.missesRows)
      view.cache.keep(version, key, result, {
        txId: creates || showsId(result) ? txId : undefined,
        block: block.isRead ? depends.block : undefined,
      });
    return result;
  }

  /** @throws JavaException ContractValidateException as {@link run} */
  estimate(ledger: Ledger, call: Sent<TriggerSmartContract>, txId: TxId, block?: BlockOverrides): EnergyEstimate {
    const maxFeeLimitSun = ledger.long('MAX_FEE_LIMIT');
    const work = this.#budget(ledger);
    const run = (feeLimitSun: Sun, isRepeated = true): ExecutionResult =>
      this.run(ledger, call, { feeLimitSun, txId, work, block, isRepeated });
    const first = run(maxFeeLimitSun, false);
    if (first.runtimeError !== undefined) return { run: first, energyRequired: undefined };
    const { feeLimitSun, energyRequired } = searchFeeLimit(
      BigInt(first.energyUsed),
      (feeLimit) => run(feeLimit).runtimeError === undefined,
      { maxFeeLimitSun, energyFee: ledger.long('ENERGY_FEE') },
    );
    const last = run(feeLimitSun);
    return { run: last, energyRequired: last.runtimeError === undefined ? energyRequired : undefined };
  }

  #budget({ config: { vmLimit } }: Ledger): WorkBudget | undefined {
    return WorkBudget.of(this.#limit ?? vmLimit);
  }

  #viewOf(ledger: Ledger): ViewOfCalls {
    let view = this.#views.get(ledger);
    if (view === undefined) {
      view = new ViewOfCalls();
      this.#views.set(ledger, view);
    }
    return view;
  }
}

export interface EnergyEstimate {
  /** The run of the reported outcome: the failed one, or the last one. */
  readonly run: ExecutionResult;
  /** Undefined if the call fails with any Energy. */
  readonly energyRequired: bigint | undefined;
}

/** The header that the code sees: that of the head, with what replaces it. Notes whether the code has read any of it. */
class BlockOfCall implements BlockEnvironment {
  isRead = false;

  constructor(
    private readonly head: BlockEnvironment,
    private readonly overrides: Partial<BlockOverrides> = {},
  ) {}

  get number(): number {
    this.isRead = true;
    return this.overrides.number ?? this.head.number;
  }

  get timestampMs(): bigint {
    this.isRead = true;
    return this.overrides.timestampMs ?? this.head.timestampMs;
  }

  get producer(): Address | undefined {
    this.isRead = true;
    return this.overrides.producer ?? this.head.producer;
  }

  get energyPriceSun(): bigint {
    this.isRead = true;
    return this.overrides.energyPriceSun ?? this.head.energyPriceSun;
  }

  get genesisId(): BlockId {
    return this.head.genesisId;
  }
}

function blockKeyOf({ number, timestampMs, producer, energyPriceSun }: Partial<BlockOverrides> = {}): string {
  return `${number}:${timestampMs}:${producer}:${energyPriceSun}`;
}

/** Everything that derives a value from the id increases the nonce and leaves a record: calls, creations. */
function showsId({ internalTransactions }: ExecutionResult): boolean {
  return internalTransactions.length > 0;
}

type NodeParts = Pick<ExecutionContext, 'flags' | 'block' | 'isConstant'>;

/** Environment and cached results of all calls on the same content of a ledger. */
class ViewOfCalls {
  readonly cache = new CallCache();
  #version: ContentVersion | undefined;
  #surroundings: NodeParts | undefined;

  surroundings(ledger: Ledger, version: ContentVersion): NodeParts {
    if (this.#surroundings === undefined || this.#version !== version) {
      this.#surroundings = {
        flags: tvmFlags(ledger),
        block: blockEnvironment(ledger, headPlace(ledger)),
        isConstant: true,
      };
      this.#version = version;
    }
    return this.#surroundings;
  }
}

function simulateCall(
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
  limit: () => number,
  context: ExecutionContext,
): ExecutionResult {
  const owner = call.owner_address as Address;
  const contract = call.contract_address as Address;
  if (!ledger.state.tables.contracts.has(contract)) throw contractValidateException('Smart contract is not exist.');
  if (!ledger.vmOn) throw contractValidateException('VM work is off, need to be opened by the committee');
  const token = tokenOf(ledger, call);
  checkValues(call.call_value, token.tokenValue);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const host = new LedgerHost(ledger, { timestampMs: ledger.headTimeMs });
  if (host.code(contract).length === 0) throw nullPointerException();
  const energyLimit = limit();
  checkTransfers(host, owner, contract, call.call_value, token.tokenId, token.tokenValue);
  return runCall(host, context, {
    owner,
    contract,
    data: hexToBytes(call.data),
    callValueSun: call.call_value,
    ...token,
    energyLimit,
  });
}

function simulateCreation(
  ledger: Ledger,
  call: Sent<TriggerSmartContract>,
  limit: () => number,
  context: ExecutionContext,
): ExecutionResult {
  const owner = call.owner_address as Address;
  if (!ledger.vmOn) throw contractValidateException('vm work is off, need to be opened by the committee');
  const address = deployedContractAddress(context.txid, owner);
  if (ledger.state.tables.accounts.has(address)) {
    throw contractValidateException(`Trying to create a contract with existing contract address: ${toBase58(address)}`);
  }
  const token = tokenOf(ledger, call);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const energyLimit = limit();
  placeContract(ledger, address, owner, simulatedContract(call));
  const host = new LedgerHost(ledger, { timestampMs: ledger.headTimeMs });
  checkTransfers(host, owner, address, call.call_value, token.tokenId, token.tokenValue);
  return runCreate(host, context, {
    owner,
    contract: address,
    initCode: hexToBytes(call.data),
    callValueSun: call.call_value,
    ...token,
    energyLimit,
  });
}

/** java-tron's record of a contract that is deployed only for an answer. */
export function simulatedContract(call: Sent<TriggerSmartContract>): Sent<SmartContract> {
  return SmartContract.create({
    origin_address: call.owner_address,
    bytecode: call.data,
    call_value: call.call_value,
    consume_user_resource_percent: 100n,
    origin_energy_limit: 1n,
  });
}
