/**
 * Transactions that a screen sends: built by the node, signed by an injected wallet, or sent without a signature for one
 * of the node's accounts, which the node impersonates for that moment.
 */

import type { TransactionAnswer } from './answers.js';
import { AnswerError, rpc, wallet } from './ask.js';

export interface Sender {
  /** Base58check. */
  readonly address: string;
  readonly name: string;
  readonly isWallet: boolean;
}

interface InjectedTronWeb {
  readonly defaultAddress?: { readonly base58?: string | false };
  readonly trx: { sign(transaction: unknown): Promise<TransactionAnswer> };
}

declare global {
  interface Window {
    /** TronLink, and wallets that take its place. */
    readonly tronLink?: {
      readonly tronWeb?: InjectedTronWeb | false;
      request(question: { readonly method: string }): Promise<unknown>;
    };
  }
}

/** Asks the injected wallet for its account. @returns undefined if there is no wallet, or the person refuses */
export async function connectWallet(): Promise<Sender | undefined> {
  await window.tronLink?.request({ method: 'tron_requestAccounts' });
  const address = injected()?.defaultAddress?.base58;
  return address ? { address, name: 'wallet', isWallet: true } : undefined;
}

export const hasWallet = (): boolean => window.tronLink !== undefined;

const injected = (): InjectedTronWeb | undefined => window.tronLink?.tronWeb || undefined;

/**
 * @param transaction as a builder of `/wallet` returns it
 * @returns its id
 * @throws AnswerError with java-tron's refusal
 */
export async function send({ address, isWallet }: Sender, transaction: TransactionAnswer): Promise<string> {
  if (isWallet) {
    const signed = await injected()?.trx.sign(transaction);
    if (signed === undefined) throw new Error('The wallet is gone.');
    return broadcast(signed);
  }
  await rpc('tron_impersonate', [address]);
  try {
    return await broadcast(transaction);
  } finally {
    await rpc('tron_stopImpersonating', [address]);
  }
}

interface BroadcastAnswer {
  readonly result?: boolean;
  readonly code?: string;
  /** Hex. */
  readonly message?: string;
  readonly txid: string;
}

async function broadcast(transaction: TransactionAnswer): Promise<string> {
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
