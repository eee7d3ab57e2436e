/**
 * A small web application, as a project on Ethereum has one: it finds wallets (EIP-6963), asks one to add the network by
 * the chain id that the node names, deploys a token, sends it, shows balances and events, and signs a message
 * (EIP-712). `ethers-dapp.ts` and `viem-dapp.ts` do it with their library.
 */

export interface Eip1193Provider {
  request(request: { readonly method: string; readonly params?: readonly unknown[] }): Promise<never>;
  on(event: string, listener: (data: never) => void): unknown;
  removeListener(event: string, listener: (data: never) => void): unknown;
}

export interface Token {
  readonly abi: readonly never[];
  readonly bytecode: `0x${string}`;
}

export type Address = `0x${string}`;

/** What the application does with its library. */
export interface Connection {
  /** Asks the wallet for its accounts. */
  connect(): Promise<Address>;
  balanceOf(account: Address): Promise<bigint>;
  /** @returns the address of the contract, once it is there */
  deploy(token: Token, supply: bigint): Promise<Address>;
  /** @returns the status of the receipt */
  transfer(token: Token, contract: Address, to: Address, amount: bigint): Promise<string>;
  watch(token: Token, contract: Address, told: (to: string, amount: bigint) => void): Promise<void>;
  /** @returns who signed, as the library works it out of the signature */
  sign(chainId: number): Promise<string>;
}

interface Announcement {
  readonly info: { readonly name: string };
  readonly provider: Eip1193Provider;
}

export const TYPED_DATA = {
  primaryType: 'Order',
  types: {
    Order: [
      { name: 'amount', type: 'uint256' },
      { name: 'note', type: 'string' },
    ],
  },
  message: { amount: 1_000_000n, note: 'one TRX' },
} as const;

export const typedDomain = (chainId: number) => ({ name: 'Orders', version: '1', chainId }) as const;

const query = new URLSearchParams(location.search);

/** The node, which the page asks directly for its chain id. */
export const RPC_URL = query.get('rpc') as string;

/** What the page takes for the id of the chain: the node's, unless its author was wrong. */
async function chainIdOfNode(): Promise<string> {
  const wrong = query.get('chainId');
  if (wrong !== null) return wrong;
  const answer = await fetch(RPC_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
  return ((await answer.json()) as { result: string }).result;
}

function show(id: string, text: string): void {
  document.getElementById(id)!.textContent = text;
}

/** The error as the library gives it to the application. */
function describe(error: unknown): string {
  const { code, name, shortMessage, message, details } = error as Record<string, string | undefined>;
  return [code, name, shortMessage ?? message, details].filter((part) => part !== undefined).join(' | ');
}

function onClick(id: string, work: () => Promise<void>): void {
  document.getElementById(id)!.addEventListener('click', () => {
    show('error', '');
    work().catch((error) => show('error', describe(error)));
  });
}

export function startDapp(open: (provider: Eip1193Provider) => Connection): void {
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail;
    show('wallet', info.name);
    serve(provider, open(provider));
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
}

function serve(provider: Eip1193Provider, connection: Connection): void {
  let account: Address | undefined;
  let contract: Address | undefined;

  const refresh = async () => {
    show('account', account ?? 'none');
    const chainId: string = await provider.request({ method: 'eth_chainId' });
    show('chain', chainId);
    const isOurs = account !== undefined && chainId === (await chainIdOfNode());
    show('balance', isOurs ? String(await connection.balanceOf(account as Address)) : '');
  };
  provider.on('accountsChanged', ([selected]: readonly Address[]) => {
    account = selected;
    void refresh();
  });
  provider.on('chainChanged', () => void refresh());

  onClick('connect', async () => {
    account = await connection.connect();
    await refresh();
  });
  onClick('use-network', async () => {
    const chainId = await chainIdOfNode();
    try {
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
    } catch (error) {
      if ((error as { code?: number }).code !== 4902) throw error;
      const nativeCurrency = { name: 'TRX', symbol: 'TRX', decimals: Number(query.get('decimals') ?? 18) };
      const added = { chainId, chainName: 'Sunup', nativeCurrency, rpcUrls: [RPC_URL] };
      await provider.request({ method: 'wallet_addEthereumChain', params: [added] });
    }
    await refresh();
  });
  const token = async () => (await (await fetch('token.json')).json()) as Token;
  onClick('deploy', async () => {
    contract = await connection.deploy(await token(), 1_000n);
    await connection.watch(await token(), contract, (to, amount) => show('event', `${to} got ${amount}`));
    show('contract', contract);
  });
  onClick('transfer', async () => {
    const to = (document.getElementById('to') as HTMLInputElement).value as Address;
    show('receipt', await connection.transfer(await token(), contract as Address, to, 5n));
    await refresh();
  });
  onClick('sign', async () => {
    const chainId: string = await provider.request({ method: 'eth_chainId' });
    show('signer', await connection.sign(Number(chainId)));
  });
}
