/** What the test's wallet injects into every page: an EIP-1193 provider, announced as EIP-6963 says. */

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

declare global {
  /** Of the wallet's background: `wallet.ts`. */
  function walletRequest(method: string, params: unknown): Promise<Answer>;
  var walletEvent: (event: string, data: unknown) => void;
}

type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

const provider = {
  async request({ method, params = [] }: { readonly method: string; readonly params?: unknown }): Promise<unknown> {
    const { result, error } = await walletRequest(method, params);
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
  },
  on(event: string, listener: Listener) {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    return provider;
  },
  removeListener(event: string, listener: Listener) {
    listeners.get(event)?.delete(listener);
    return provider;
  },
};

globalThis.walletEvent = (event, data) => {
  for (const listener of listeners.get(event) ?? []) listener(data);
};

const info = {
  uuid: '350670db-19fa-4704-a166-e52e178b59d2',
  name: 'Test Wallet',
  icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
  rdns: 'test.wallet',
};
const announce = () =>
  dispatchEvent(
    new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
  );
addEventListener('eip6963:requestProvider', announce);
announce();

export {};
