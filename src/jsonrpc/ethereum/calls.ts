/** `eth_call` and `eth_estimateGas` of an Ethereum node: which block they run in, and what they return. */

import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Result_contractResult as ContractResult } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { getBalance } from '../../wallet/accounts.js';
import {
  type BlockOverrides,
  type Called,
  callContract,
  estimateCall,
  NO_TRANSACTION,
  type StateOverrides,
  withOverrides,
} from '../../wallet/calls.js';
import type { WalletContext } from '../../wallet/context.js';
import { getCode } from '../../wallet/contracts.js';
import { blockGasLimit, chargedGas, intrinsicGas, nextBlock } from '../../wallet/ethereum.js';
import { forwardingTo, isPrecompile } from '../../wallet/precompiles.js';
import { energyPrice } from '../../wallet/prices.js';
import { type CallObject, callDataOf } from '../arguments.js';
import { answering, throwFailure } from '../call-failures.js';
import { type Dialect, isPending } from '../dialect.js';
import { internalError, invalidParams, JsonRpcError } from '../errors.js';
import type { Json } from '../json-text.js';
import type { RpcContext } from '../table.js';
import { quantity, readAddress, readQuantity } from '../values.js';

/** A call or deployment. */
interface EthereumCall {
  readonly from: Address;
  /** Undefined: `data` is init code. */
  readonly to: Address | undefined;
  readonly valueSun: bigint;
  readonly data: Hex;
  readonly gas: bigint;
}

function read(given: CallObject | null, { forms }: Dialect): EthereumCall {
  if (given === null) throw invalidParams('expected a call: {"to": "0x…", "data": "0x…"}');
  return {
    from: readAddress(given.from, forms),
    to: given.to === null || given.to === '' || given.to === '0x' ? undefined : readAddress(given.to, forms),
    valueSun: readQuantity(given.value),
    data: readHex(callDataOf(given, forms)),
    gas: readQuantity(given.gas),
  };
}

const message = ({ from, to, valueSun, data }: EthereumCall) => ({
  ...TriggerSmartContract.empty,
  owner_address: from,
  contract_address: to ?? '',
  call_value: valueSun,
  data,
});

function hasCode(wallet: WalletContext, address: Address): boolean {
  return (getCode(wallet, address)?.length ?? 0) > 0;
}

/**
 * Like Ethereum, refuses a call whose value exceeds the sender's balance.
 *
 * @throws JsonRpcError
 */
function requireFunds(wallet: WalletContext, { from, valueSun }: EthereumCall): void {
  if (valueSun > 0n && getBalance(wallet, from) < valueSun) throw internalError('insufficient funds for transfer');
}

/**
 * The block that a call sees: the block whose state it reads, because tests compare a contract's time with the head.
 * With `pending`, or if the time of the next block is set, it is the next block.
 */
export function blockSeen(
  newest: WalletContext,
  wallet: WalletContext,
  named: Json,
  given: BlockOverrides | null,
): BlockOverrides | undefined {
  const isNext = wallet === newest && (isPending(named) || newest.node.producer.nextTimeIsSet);
  return isNext ? inNextBlock(newest, given) : (given ?? undefined);
}

function inNextBlock(newest: WalletContext, given: BlockOverrides | null = null): BlockOverrides {
  const { number, timestampMs } = nextBlock(newest);
  return {
    number: given?.number ?? number,
    timestampMs: given?.timestampMs ?? timestampMs,
    producer: given?.producer,
    energyPriceSun: given?.energyPriceSun,
  };
}

export function callAsEthereum(
  { wallet: newest, dialect }: RpcContext,
  given: CallObject | null,
  block: Json,
  overrides: StateOverrides | null = null,
  ofBlock: BlockOverrides | null = null,
): string {
  const wallet = dialect.callAt(newest, block);
  const asked = read(given, dialect);
  const called = () => {
    // Only the node limits a call, as it limits one without gas: nobody pays, so the highest fee limit is not its limit.
    const feeLimitSun = asked.gas * energyPrice(wallet);
    const run = answering('', () =>
      callContract(wallet, message(asked), {
        txId: NO_TRANSACTION,
        feeLimitSun,
        block: blockSeen(newest, wallet, block, ofBlock),
      }),
    ).run;
    throwRefusal(dialect, run);
    return `0x${bytesToHex(run.output)}`;
  };
  return withOverrides(wallet, overrides, () => {
    requireFunds(wallet, asked);
    if (asked.to === undefined || hasCode(wallet, asked.to)) return called();
    return isPrecompile(wallet, asked.to) ? withOverrides(wallet, forwardingTo(asked.to), called) : '0x';
  });
}

/**
 * Gas limit for a transaction: its Energy in the next block, plus its bytes as gas, and at least Ethereum's intrinsic
 * gas.
 */
export function estimateAsEthereum(
  { wallet: newest, dialect }: RpcContext,
  given: CallObject | null,
  block: Json = null,
  overrides: StateOverrides | null = null,
): string {
  const wallet = block === null ? newest : dialect.stateAt(newest, block);
  const asked = read(given, dialect);
  const { to, data } = asked;
  return withOverrides(wallet, overrides, () => {
    const min = intrinsicGas(data, to === undefined);
    requireFunds(wallet, asked);
    if (to !== undefined && !hasCode(wallet, to)) return quantity(min);
    if (to === undefined && data === '') throw invalidParams('expected to, or data that deploys a contract');
    const { run, energyRequired } = answering('', () =>
      estimateCall(wallet, message(asked), NO_TRANSACTION, wallet === newest ? inNextBlock(newest) : undefined),
    );
    throwRefusal(dialect, run);
    const gas = (energyRequired ?? BigInt(run.energyUsed)) + chargedGas(wallet, asked);
    const enough = gas > min ? gas : min;
    const max = blockGasLimit(wallet);
    return quantity(enough > max ? max : enough);
  });
}

/** geth's texts, which tools look for. */
const GETH_TEXTS: ReadonlyMap<number, string> = new Map([
  [ContractResult.OUT_OF_ENERGY, 'out of gas'],
  [ContractResult.BAD_JUMP_DESTINATION, 'invalid jump destination'],
  [ContractResult.STACK_TOO_SMALL, 'stack underflow'],
  [ContractResult.STACK_TOO_LARGE, 'stack limit reached'],
  [ContractResult.INVALID_CODE, 'invalid code: must not begin with 0xef'],
]);

/** Matchers for failures read the returned bytes; there are none. */
export const NO_OUTPUT = '0x';

/**
 * Text of a failure that is not a revert.
 *
 * @param text java-tron's
 */
export function failureText(result: number, text: string): string {
  if (result === ContractResult.ILLEGAL_OPERATION) return `invalid opcode: ${text}`;
  return GETH_TEXTS.get(result) ?? text;
}

/** @throws JsonRpcError */
function throwRefusal(dialect: Dialect, run: Called['run']): void {
  const { exception } = run;
  if (exception !== undefined)
    throw new JsonRpcError(-32_000, failureText(exception.contractResult, exception.message), NO_OUTPUT);
  throwFailure(dialect, run);
}
