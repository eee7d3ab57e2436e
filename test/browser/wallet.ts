/**
 * A wallet in the browser, as an extension is one: a page sees a small provider (EIP-1193), which announces itself
 * (EIP-6963) and passes every request on. This part is the extension's background. It runs in the test's process, where
 * no page can read its keys, asks its person, signs, and talks to the node with the origin of an extension.
 *
 * It checks what MetaMask checks of a network that a page asks to add.
 */

import type { BrowserContext } from 'playwright-core';
import { createPublicClient, createWalletClient, defineChain, type Hex, http, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { bundleForPages } from './bundle.js';

/** EIP-1193 and EIP-1474. */
export const REJECTED_BY_USER = 4001;
const UNAUTHORIZED = 4100;
const DISCONNECTED = 4900;
const UNKNOWN_CHAIN = 4902;
const INVALID_PARAMS = -32_602;

const ETHEREUM: Hex = '0x1';

/** What the wallet shows its person before it does it. */
export interface Question {
  readonly method: string;
  readonly origin: string;
  readonly params: readonly never[];
}

interface Network {
  readonly name: string;
  readonly url: string;
}

interface AddedChain {
  readonly chainId: Hex;
  readonly chainName: string;
  readonly rpcUrls: readonly string[];
  readonly nativeCurrency?: { readonly symbol: string; readonly decimals: number };
}

class WalletError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export class TestWallet {
  /** Everything that the person was asked. */
  readonly questions: Question[] = [];
  /** The person's answer to the questions to come. */
  agrees = true;

  readonly #context: BrowserContext;
  readonly #accounts: readonly PrivateKeyAccount[];
  #selected = 0;
  readonly #connected = new Set<string>();
  readonly #networks = new Map<Hex, Network>();
  #chain: Hex = ETHEREUM;

  private constructor(context: BrowserContext, keys: readonly Hex[]) {
    this.#context = context;
    this.#accounts = keys.map((key) => privateKeyToAccount(key));
  }

  /** Gives a wallet with these private keys to all pages that the context opens from now on. */
  static async install(context: BrowserContext, keys: readonly Hex[]): Promise<TestWallet> {
    const wallet = new TestWallet(context, keys);
    await context.exposeBinding('walletRequest', async ({ frame }, method: string, params: readonly never[]) => {
      try {
        return { result: await wallet.#answer(new URL(frame.url()).origin, method, params) };
      } catch (error) {
        const { code = -32_603, message, data } = error as { code?: number; message: string; data?: unknown };
        return { error: { code, message, data } };
      }
    });
    await context.addInitScript(await bundleForPages('injected-provider.ts'));
    return wallet;
  }

  get addresses(): readonly Hex[] {
    return this.#accounts.map(({ address }) => address);
  }

  /** The person chooses another account. */
  async select(index: number): Promise<void> {
    this.#selected = index;
    await this.#tellPages('accountsChanged', (origin) => this.#accountsFor(origin));
  }

  /** The person disconnects all pages. */
  async disconnect(): Promise<void> {
    this.#connected.clear();
    await this.#tellPages('accountsChanged', () => []);
  }

  async #answer(origin: string, method: string, params: readonly never[]): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return this.#chain;
      case 'eth_accounts':
        return this.#accountsFor(origin);
      case 'eth_requestAccounts':
        if (!this.#connected.has(origin)) {
          this.#ask({ origin, method, params });
          this.#connected.add(origin);
        }
        return this.#accountsFor(origin);
      case 'wallet_addEthereumChain':
        return await this.#addChain({ origin, method, params }, ...(params as readonly [never]));
      case 'wallet_switchEthereumChain':
        return await this.#switchChain({ origin, method, params }, ...(params as readonly [never]));
      case 'eth_sendTransaction':
        return await this.#send({ origin, method, params }, ...(params as readonly [never]));
      case 'eth_signTypedData_v4':
        return await this.#signTypedData({ origin, method, params }, ...(params as readonly [never, never]));
      default:
        return await this.#client().request({ method, params } as never);
    }
  }

  #accountsFor(origin: string): readonly Hex[] {
    return this.#connected.has(origin) ? [this.#accounts[this.#selected]!.address] : [];
  }

  #ask(question: Question): void {
    this.questions.push(question);
    if (!this.agrees) throw new WalletError(REJECTED_BY_USER, 'User rejected the request.');
  }

  #signer({ origin, method, params }: Question, from: string): PrivateKeyAccount {
    const [account] = this.#accountsFor(origin);
    if (account?.toLowerCase() !== from.toLowerCase()) {
      throw new WalletError(UNAUTHORIZED, `The page may not use the account ${from}.`);
    }
    this.#ask({ origin, method, params });
    return this.#accounts[this.#selected]!;
  }

  async #addChain(question: Question, { chainId, chainName, rpcUrls, nativeCurrency }: AddedChain): Promise<null> {
    const [url] = rpcUrls;
    if (!/^0x[1-9a-f][0-9a-f]*$/.test(chainId)) {
      throw new WalletError(
        INVALID_PARAMS,
        `Expected 0x-prefixed, unpadded hexadecimal 'chainId'. Received: ${chainId}`,
      );
    }
    if (url === undefined) throw new WalletError(INVALID_PARAMS, 'Expected an RPC URL.');
    if (nativeCurrency?.decimals !== 18) {
      const received = nativeCurrency?.decimals;
      throw new WalletError(
        INVALID_PARAMS,
        `Expected the number 18 for 'nativeCurrency.decimals'. Received: ${received}`,
      );
    }
    if (!/^.{1,6}$/.test(nativeCurrency.symbol)) throw new WalletError(INVALID_PARAMS, 'Expected 1-6 characters.');
    const network = { name: chainName, url };
    const answered = await clientOf(network).request({ method: 'eth_chainId' });
    if (answered !== chainId) {
      throw new WalletError(INVALID_PARAMS, `Chain ID returned by RPC URL ${url} does not match ${chainId}`);
    }
    this.#ask(question);
    this.#networks.set(chainId, network);
    return await this.#enter(chainId);
  }

  async #switchChain(question: Question, { chainId }: { readonly chainId: Hex }): Promise<null> {
    if (!this.#networks.has(chainId)) {
      throw new WalletError(UNKNOWN_CHAIN, `Unrecognized chain ID "${chainId}". Try adding the chain first.`);
    }
    this.#ask(question);
    return await this.#enter(chainId);
  }

  async #enter(chainId: Hex): Promise<null> {
    if (chainId === this.#chain) return null;
    this.#chain = chainId;
    await this.#tellPages('chainChanged', () => chainId);
    return null;
  }

  async #send(
    question: Question,
    { from, to, value, data }: { readonly from: Hex; readonly to?: Hex; readonly value?: Hex; readonly data?: Hex },
  ): Promise<Hex> {
    const { name, url } = this.#network();
    const account = this.#signer(question, from);
    const chain = defineChain({
      id: Number(this.#chain),
      name,
      nativeCurrency: { name: 'TRX', symbol: 'TRX', decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    });
    // Signed here: the node sees a raw transaction of an account whose key it does not have.
    const client = createWalletClient({ account, chain, transport: transportTo(url) });
    return await client.sendTransaction({
      ...(to !== undefined && { to }),
      ...(value !== undefined && { value: BigInt(value) }),
      ...(data !== undefined && { data }),
    });
  }

  async #signTypedData(question: Question, from: Hex, json: string): Promise<Hex> {
    const message = JSON.parse(json);
    if (BigInt(message.domain?.chainId ?? this.#chain) !== BigInt(this.#chain)) {
      throw new WalletError(INVALID_PARAMS, `Provided chainId must match the active chainId "${Number(this.#chain)}"`);
    }
    return await this.#signer(question, from).signTypedData(message);
  }

  #network(): Network {
    const network = this.#networks.get(this.#chain);
    if (network === undefined) throw new WalletError(DISCONNECTED, `The wallet has no network for ${this.#chain}.`);
    return network;
  }

  #client() {
    return clientOf(this.#network());
  }

  async #tellPages(event: string, dataFor: (origin: string) => unknown): Promise<void> {
    for (const page of this.#context.pages()) {
      const told = JSON.stringify([event, dataFor(new URL(page.url()).origin)]);
      await page.evaluate(`walletEvent(...${told})`);
    }
  }
}

function clientOf({ url }: Network) {
  return createPublicClient({ transport: transportTo(url) });
}

/** Requests of an extension's background carry its origin, which is not the page's. */
function transportTo(url: string) {
  const headers = { origin: 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn' };
  return http(url, { retryCount: 0, fetchOptions: { headers } });
}
