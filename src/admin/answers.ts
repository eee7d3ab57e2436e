/** The paths below `/admin` and their answers. Loaded on the first request. */

import { withRows } from '../node/with-rows.js';
import { nextTurn } from '../platform/turns.js';
import type { Address, Sun } from '../primitives/ids.js';
import { addressFromPrivateKey } from '../protocol/address.js';
import { getBalance } from '../wallet/accounts.js';
import { fullContext } from '../wallet/context.js';
import { accountsText, type Format } from './accounts-text.js';
import type { Admin, AdminWallet } from './table.js';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Larger numbers would block other callers: each account costs an elliptic-curve multiplication and a row. */
const MAX_ACCOUNTS = 10_000;
/** Limit of remembered temporary wallets: `/admin/accounts-json` lists all in one answer. Clients use the last one. */
const REMEMBERED_ACCOUNTS = 10_000;
const MAX_VARIABLES = 1_000;
/** Accounts for each change of the chain, so that they share a commit; about 20 ms. */
const ACCOUNTS_AT_ONCE = 200;

export class AdminAnswers {
  /** The newest wallets, oldest first. */
  #more: readonly AdminWallet[] = [];
  readonly #variables = new Map<string, string>();

  constructor(private readonly admin: Admin) {}

  /** @returns undefined for an unknown path */
  answer(path: string, query: URLSearchParams): Answer | undefined | Promise<Answer> {
    switch (path.replace(/\/$/, '')) {
      case '/admin':
        return text(`Welcome to Sunup ${this.admin.version}, which stands in for the TronBox Runtime Environment\n`);
      case '/admin/accounts':
        return this.#accounts(this.admin.wallet, query);
      case '/admin/accounts-json':
        return json({ ...this.admin.wallet, more: this.#more });
      // They are funded from the start of the chain.
      case '/admin/accounts-generation':
        return text('');
      case '/admin/temporary-accounts-generation':
        return this.#makeAccounts(query);
      case '/admin/set-env':
        return this.#setVariables(query);
      default:
        return undefined;
    }
  }

  async #makeAccounts(query: URLSearchParams): Promise<Answer> {
    const { defaults, node } = this.admin;
    const count = wholeNumber(this.#variable(query, 'accounts')) ?? defaults.accounts;
    if (count < 1 || count > MAX_ACCOUNTS)
      return refusal(`accounts: expected a whole number from 1 to ${MAX_ACCOUNTS}`);
    const trx = this.#variable(query, 'defaultBalance');
    const balanceSun = trx === undefined ? defaults.balanceSun : sunOf(trx);
    if (balanceSun === undefined) return refusal(`defaultBalance: expected an amount of TRX, got ${trx}`);
    const wallet = await this.admin.newWallet(count);
    for (let first = 0; first < count; first += ACCOUNTS_AT_ONCE) {
      const addresses = wallet.privateKeys.slice(first, first + ACCOUNTS_AT_ONCE).map(addressFromPrivateKey);
      await withRows(() => node.operations.apply('setBalances', { addresses, balanceSun }));
      // Thousands of accounts take a while; other requests are answered in between.
      await nextTurn();
    }
    this.#remember(wallet);
    return this.#accounts(wallet, query);
  }

  #remember(wallet: AdminWallet): void {
    const wallets = [...this.#more, wallet];
    let accounts = wallets.reduce((sum, { privateKeys }) => sum + privateKeys.length, 0);
    while (wallets.length > 1 && accounts > REMEMBERED_ACCOUNTS) accounts -= wallets.shift()!.privateKeys.length;
    this.#more = wallets;
  }

  #setVariables(query: URLSearchParams): Answer {
    for (const [name, value] of query) {
      if (this.#variables.size >= MAX_VARIABLES && !this.#variables.has(name))
        return refusal(`${MAX_VARIABLES} variables are set, the maximum`);
      this.#variables.set(name, value);
      if (name === 'instamine') this.admin.node.operations.setMining(value === 'false' ? 'interval' : 'instant');
    }
    return text('Environment variable updated');
  }

  #variable(query: URLSearchParams, name: string): string | undefined {
    return query.get(name) ?? this.#variables.get(name);
  }

  async #accounts(wallet: AdminWallet, query: URLSearchParams): Promise<Answer> {
    const context = fullContext(this.admin.node);
    const balanceOf = (address: Address) => getBalance(context, address);
    return text(await withRows(() => accountsText(wallet, formatOf(query), balanceOf)));
  }
}

function formatOf(query: URLSearchParams): Format {
  const format = query.get('format');
  return format === 'hex' || format === 'all' ? format : 'base58';
}

/** An invalid number counts as missing, as in TRE. */
function wholeNumber(given: string | undefined): number | undefined {
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

/** From an amount in TRX; undefined if it is invalid or above the limit of a balance. */
function sunOf(trx: string): Sun | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec(trx) ?? [];
  const sun = whole === undefined ? undefined : BigInt(whole + fraction.padEnd(6, '0'));
  return sun !== undefined && sun < 1n << 63n ? sun : undefined;
}

function text(body: string): Answer {
  return { status: 200, type: 'text/plain; charset=utf-8', body };
}

function json(value: object): Answer {
  return { status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

function refusal(why: string): Answer {
  return { status: 400, type: 'text/plain; charset=utf-8', body: `${why}\n` };
}
