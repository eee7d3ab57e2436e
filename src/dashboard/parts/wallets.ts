/**
 * Wallets that extensions inject into the page: TronLink and its like (`window.tronLink`, `window.tron` of TIP-1193,
 * `window.tronWeb`), and Ethereum's (EIP-6963, `window.ethereum`), which reach the node at `/eth`.
 */

import { useEffect, useState } from 'preact/hooks';
import type { TransactionAnswer } from '../chain/answers.js';
import { base, rpc, sunup } from '../chain/ask.js';
import { toBase58, toEthereum } from './address-forms.js';
import { broadcast, builtTransaction, type Outgoing, type Sender } from './send.js';

export interface Wallet {
  readonly key: string;
  readonly name: string;
  /** Asks the person for an account. @throws Error if they refuse */
  connect(): Promise<Sender>;
}

interface Requests {
  request(question: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>;
}

interface InjectedTronWeb {
  readonly defaultAddress?: { readonly base58?: string | false };
  readonly trx: { sign(transaction: unknown): Promise<TransactionAnswer> };
}

interface Announcement {
  readonly info: { readonly uuid: string; readonly name: string };
  readonly provider: Requests;
}

declare global {
  interface Window {
    readonly tronLink?: Requests & { readonly tronWeb?: InjectedTronWeb | false };
    readonly tron?: Requests & { readonly tronWeb?: InjectedTronWeb | false };
    readonly tronWeb?: InjectedTronWeb | false;
    readonly ethereum?: Requests;
  }
}

/** The wallets of this browser. They may announce themselves after the page has loaded. */
export function useWallets(): readonly Wallet[] {
  const [announced, setAnnounced] = useState<readonly Announcement[]>([]);
  useEffect(() => {
    const hear = ({ detail }: CustomEvent<Announcement>) =>
      setAnnounced((known) => (known.some(({ info }) => info.uuid === detail.info.uuid) ? known : [...known, detail]));
    addEventListener('eip6963:announceProvider', hear as EventListener);
    dispatchEvent(new Event('eip6963:requestProvider'));
    return () => removeEventListener('eip6963:announceProvider', hear as EventListener);
  }, []);
  const ofEthereum = announced.map(({ info, provider }) => ethereumWallet(info.uuid, String(info.name), provider));
  if (ofEthereum.length === 0 && window.ethereum !== undefined)
    ofEthereum.push(ethereumWallet('ethereum', 'Ethereum wallet', window.ethereum));
  return [...tronWallets(), ...ofEthereum];
}

const CHANGED = 'The wallet uses another account now. Choose it again as the sender.';

/** One of them: a wallet has all names at once. */
function tronWallets(): readonly Wallet[] {
  const { tronLink, tron, tronWeb } = window;
  if (tronLink !== undefined)
    return [
      tronWallet(
        'TronLink',
        () => tronLink.tronWeb,
        () => tronLink.request({ method: 'tron_requestAccounts' }),
      ),
    ];
  if (tron !== undefined)
    return [
      tronWallet(
        'TRON wallet',
        () => tron.tronWeb,
        () => tron.request({ method: 'eth_requestAccounts' }),
      ),
    ];
  return tronWeb
    ? [
        tronWallet(
          'TRON wallet',
          () => window.tronWeb,
          async () => undefined,
        ),
      ]
    : [];
}

function tronWallet(
  name: string,
  injected: () => InjectedTronWeb | false | undefined,
  ask: () => Promise<unknown>,
): Wallet {
  const current = () => (injected() || undefined)?.defaultAddress?.base58 || undefined;
  return {
    key: 'tron',
    name,
    async connect() {
      await ask();
      const address = current();
      if (address === undefined) throw new Error(`${name} has no account for this page: unlock it and allow the page.`);
      const send = async (outgoing: Outgoing) => {
        const tronWeb = injected();
        if (!tronWeb || current() !== address) throw new Error(CHANGED);
        return broadcast(await tronWeb.trx.sign(await builtTransaction(address, outgoing)));
      };
      return { key: 'tron', address, send };
    },
  };
}

function ethereumWallet(key: string, name: string, provider: Requests): Wallet {
  const ask = async <Answer>(method: string, ...params: readonly unknown[]): Promise<Answer> => {
    try {
      return (await provider.request({ method, params })) as Answer;
    } catch (error) {
      // Providers throw plain objects, too.
      const { message, code } = error as { readonly message?: string; readonly code?: number };
      throw Object.assign(new Error(`${name}: ${message ?? 'refused'}`), { code });
    }
  };
  return {
    key,
    name,
    async connect() {
      const [account = ''] = await ask<readonly string[]>('eth_requestAccounts');
      const address = toBase58(account);
      if (address === undefined) throw new Error(`${name} has no account for this page.`);
      const send = async ({ to, data, valueSun }: Outgoing) => {
        const accounts = await ask<readonly string[]>('eth_accounts');
        if (!accounts.some((known) => toBase58(known) === address)) throw new Error(CHANGED);
        await enterChain(ask);
        const hash = await ask<string>('eth_sendTransaction', {
          from: toEthereum(address),
          ...(to !== undefined && { to: toEthereum(to) }),
          ...{ data: `0x${data}`, value: `0x${valueSun.toString(16)}` },
        });
        return idOf(hash);
      };
      return { key, address, send };
    },
  };
}

/** EIP-3326. */
const UNKNOWN_CHAIN = 4902;

/** The wallet sends to the chain of its choice: it has to be this one. */
async function enterChain(
  ask: <Answer>(method: string, ...params: readonly unknown[]) => Promise<Answer>,
): Promise<void> {
  const chainId = await rpc<string>('eth_chainId', [], 'eth');
  if ((await ask<string>('eth_chainId')) === chainId) return;
  try {
    await ask('wallet_switchEthereumChain', { chainId });
  } catch (error) {
    if ((error as { readonly code?: number }).code !== UNKNOWN_CHAIN) throw error;
    await ask('wallet_addEthereumChain', {
      ...{ chainId, chainName: 'Sunup', rpcUrls: [`${base}eth`] },
      nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 18 },
    });
  }
}

/** A transaction through `/eth` has Ethereum's hash beside its id. @throws Error while no block has it */
async function idOf(hash: string): Promise<string> {
  try {
    return (await sunup<{ readonly txid: string }>('explain', { txid: hash })).txid;
  } catch {
    throw new Error(`The transaction is sent as ${hash} and pending. Search for this hash when a block has it.`);
  }
}
