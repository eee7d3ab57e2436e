/**
 * Calls and deployments that a form sends: by an account of the node, which signs with its key; or by an injected wallet,
 * which asks its person (`wallets.ts`).
 */

import type { TransactionAnswer } from '../chain/answers.js';
import { AnswerError, rpc, wallet } from '../chain/ask.js';
import { toEthereum, toHex } from './address-forms.js';

export interface Outgoing {
  /** Base58check; undefined: a deployment. */
  readonly to?: string;
  /** Hex without `0x`. */
  readonly data: string;
  readonly valueSun: bigint;
  /** Of a deployment: what stands on the chain beside the code. */
  readonly contract?: { readonly name: string; readonly abi: readonly unknown[] };
}

export interface Sender {
  /** Which account or wallet it is. */
  readonly key: string;
  /** Base58check. */
  readonly address: string;
  /** @returns the id of the transaction @throws Error with the refusal of the node or of the wallet's person */
  send(outgoing: Outgoing): Promise<string>;
}

/** Callers pay for all Energy. */
const CREATION = { percent: 100, originEnergyLimit: 10_000_000 };
const FEE_LIMIT_SUN = 15_000_000_000;

/** An account of the node: one whose key it has, or one that is impersonated already. */
export function accountSender(address: string): Sender {
  const send = async ({ to, data, valueSun, contract }: Outgoing) => {
    const call = {
      from: toEthereum(address),
      ...(to !== undefined && { to: toEthereum(to) }),
      data: `0x${data}`,
      value: `0x${valueSun.toString(16)}`,
      // A member that only TRON has makes it a transaction of TRON, without a nonce.
      permissionId: 0,
      ...(contract !== undefined && {
        ...{ abi: JSON.stringify(contract.abi), name: contract.name },
        ...{ consumeUserResourcePercent: CREATION.percent, originEnergyLimit: CREATION.originEnergyLimit },
      }),
    };
    const id = await rpc<string>('eth_sendTransaction', [call], 'eth');
    return id.slice(2);
  };
  return { key: address, address, send };
}

/** Builds the transaction with the node. @throws Error with java-tron's refusal */
export async function builtTransaction(
  owner: string,
  { to, data, valueSun, contract }: Outgoing,
): Promise<TransactionAnswer> {
  // Wallets check a transaction in the form that TronWeb builds, with addresses in hex.
  const form = { visible: false, owner_address: toHex(owner), fee_limit: FEE_LIMIT_SUN };
  const common = { ...form, call_value: Number(valueSun) };
  if (to === undefined) {
    return wallet<TransactionAnswer>('deploycontract', {
      ...common,
      ...{ name: contract?.name ?? '', abi: JSON.stringify(contract?.abi ?? []), bytecode: data },
      ...{ consume_user_resource_percent: CREATION.percent, origin_energy_limit: CREATION.originEnergyLimit },
    });
  }
  const { result, transaction } = await wallet<{
    readonly result: { readonly result?: boolean; readonly message?: string };
    readonly transaction: TransactionAnswer;
  }>('triggersmartcontract', { ...common, contract_address: toHex(to), data });
  if (result.result !== true) throw new Error(textOf(result.message ?? 'The node refused the call.'));
  return transaction;
}

interface BroadcastAnswer {
  readonly result?: boolean;
  readonly code?: string;
  /** Hex. */
  readonly message?: string;
  readonly txid: string;
}

/** @returns its id @throws AnswerError with java-tron's refusal */
export async function broadcast(transaction: TransactionAnswer): Promise<string> {
  const answer = await wallet<BroadcastAnswer>('broadcasttransaction', { ...transaction });
  if (answer.result === true) return answer.txid;
  throw new AnswerError(`${answer.code ?? 'refused'}: ${textOf(answer.message ?? '')}`, 200);
}

/** Messages of broadcasts are text in hex. */
export function textOf(hex: string): string {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return hex;
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  return new TextDecoder().decode(bytes);
}
