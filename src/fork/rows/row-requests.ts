/**
 * The request for a table's rows, the rows in its answer, and related rows: for a contract its account and its
 * creator.
 */

import { delegationKey } from '../../ledger/stake/delegation-records.js';
import { hexToUtf8, utf8ToHex } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { type Account, AccountType, type DelegatedResource } from '../../protocol/generated/tron.js';
import { keccak256OfHex } from '../../protocol/hashes.js';
import { DEFAULT_BROKERAGE } from '../../resources/rewards.js';
import type { WantedRow } from '../../state/remote-rows.js';
import type { TableSpec } from '../../state/table-spec.js';
import { TABLES } from '../../state/tables.js';
import type { storageRowKey } from '../../tvm/storage.js';
import { badAnswer } from '../network/answers.js';
import { requirePlausibleUsages } from '../network/plausible-numbers.js';
import type { RemoteChain } from '../network/remote-chain.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { WALLET, type WalletRequest } from '../network/wallet-requests.js';
import type { TableName } from '../terms/fork-start.js';
import type { NetworkTerms } from '../terms/network-terms.js';
import { rowInWords } from '../terms/row-names.js';
import { dependsOnHead, storedAccount } from './account-row.js';
import { GenesisBalances } from './genesis-balances.js';
import { marketAccountOf } from './market-accounts.js';
import { rewardRows } from './reward-rows.js';
import { fixedUsageBefore } from './usage-before-recovery.js';

type ValueOf<Name extends TableName> = (typeof TABLES)[Name] extends TableSpec<infer Value> ? Value : never;

interface ReadRow {
  readonly table: TableName;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** Result of one request. */
export interface Reading {
  readonly rows: readonly ReadRow[];
  /** Whether the answer can change with the next block. */
  readonly dependsOnHead?: boolean;
  /** Addresses of accounts and contracts that are usually read next. */
  readonly follows?: readonly RowRequest[];
}

/** A request, keyed by a text that all rows of its answer share. */
export interface RowRequest {
  readonly id: string;
  readonly what: string;
  ask(headSlot: bigint): Promise<Reading>;
}

/** Data of the keys of a contract's storage. */
export type StorageOwner = Parameters<typeof storageRowKey>[1];

/** Value of `old_tron_power` for an account without one. */
const NO_TRON_POWER = -1n;

/** Rows that a fork of a busy network would request hundreds of times: answered without a request. */
const NO_ROWS: Reading = { rows: [] };

export class RowRequests {
  readonly #genesis: GenesisBalances;

  constructor(
    private readonly wallet: RemoteWallet,
    private readonly chain: RemoteChain,
    private readonly terms: NetworkTerms,
    /** Called for every contract that is read. */
    private readonly onContract: (contract: Address, owner: StorageOwner) => void,
  ) {
    this.#genesis = new GenesisBalances(wallet, terms);
  }

  /** For a row of any table except `storage`. */
  of(row: WantedRow): RowRequest {
    const { table, key } = row;
    switch (table) {
      case 'accounts':
        return this.#account(key);
      case 'contracts':
      case 'abis':
      case 'codes':
      case 'contractStates':
        return this.#contract(key);
      case 'accountIds':
        return this.#accountId(key);
      case 'delegations':
        return this.#delegations(key);
      case 'delegationPartners':
      case 'delegationLists':
        return this.#partners(table, key);
      case 'voterSettlements':
        return this.#settlement(key);
      case 'rewardHistory':
        return this.#rewardHistory(key);
      case 'witnessRewards':
        return this.#brokerage(key);
      case 'assets':
        return this.#asset(key);
      case 'exchanges':
        return this.#byNumber(table, key, WALLET.exchange);
      case 'proposals':
        return this.#byNumber(table, key, WALLET.proposal);
      case 'marketOrders':
        return this.#marketOrder(key);
      case 'marketAccounts':
        return this.#marketAccount(key);
      case 'earlierBlockIds':
        return this.#blockId(key);
      default:
        // No interface serves it: `ledger/genesis/fork-assumptions.ts`.
        return { id: `${table}:${key}`, what: rowInWords(row), ask: async () => NO_ROWS };
    }
  }

  #account(address: string): RowRequest {
    const what = rowInWords({ table: 'accounts', key: address });
    return {
      id: `account:${address}`,
      what,
      ask: async (headSlot) => {
        if (!isAddress(address)) return NO_ROWS;
        const answered = await this.#answeredAccount(address, what);
        if (answered === undefined) return { rows: [none('accounts', address)] };
        requirePlausibleUsages(answered, headSlot, this.terms, this.wallet.asked(WALLET.account, what));
        const isContract = answered.type === AccountType.Contract;
        return {
          rows: [
            row('accounts', address, storedAccount(answered, headSlot, this.terms)),
            // Rows of a contract that does not exist are known to be missing.
            ...(isContract ? [] : CONTRACT_TABLES.map((table) => none(table, address))),
          ],
          dependsOnHead: dependsOnHead(answered),
          follows: isContract ? [this.#contract(address)] : [],
        };
      },
    };
  }

  async #answeredAccount(address: Address, what: string): Promise<Account | undefined> {
    const account = await this.wallet.find(WALLET.account, address, what);
    if (account !== undefined && account.address !== address)
      throw badAnswer(this.wallet.asked(WALLET.account, what), 'it answers with another account');
    if (account !== undefined && account.old_tron_power < NO_TRON_POWER)
      throw badAnswer(this.wallet.asked(WALLET.account, what), `its old_tron_power is ${account.old_tron_power}`);
    if (account !== undefined && account.balance < 0n && !(await this.#genesis.isNegativeInGenesis(address)))
      throw badAnswer(
        this.wallet.asked(WALLET.account, what),
        `its balance is ${account.balance}, but only an account with a negative genesis balance (Blackhole) can have that`,
      );
    return account;
  }

  #contract(address: string): RowRequest {
    const what = rowInWords({ table: 'contracts', key: address });
    return {
      id: `contract:${address}`,
      what,
      ask: async () => {
        if (!isAddress(address)) return NO_ROWS;
        const { smart_contract, runtimecode, contract_state } = await this.wallet.ask(WALLET.contract, address, what);
        if (smart_contract === undefined) return { rows: CONTRACT_TABLES.map((table) => none(table, address)) };
        if (smart_contract.contract_address !== address)
          throw badAnswer(this.wallet.asked(WALLET.contract, what), 'it answers with another contract');
        const { abi, version, trx_hash, code_hash } = smart_contract;
        if (code_hash !== '' && runtimecode !== '' && keccak256OfHex(runtimecode) !== code_hash)
          throw badAnswer(
            this.wallet.asked(WALLET.contract, what),
            'it answers with code that does not match its code_hash',
          );
        this.onContract(address, { version, trx_hash });
        const used = contract_state !== undefined && contract_state.energy_usage + contract_state.energy_factor > 0n;
        return {
          rows: [
            row('contracts', address, { ...smart_contract, abi: undefined }),
            abi === undefined || abi.entrys.length === 0 ? none('abis', address) : row('abis', address, abi),
            runtimecode === '' ? none('codes', address) : row('codes', address, Buffer.from(runtimecode, 'hex')),
            used
              ? // Recovered to the remote's cycle for the answer, which is the fork's first cycle.
                row('contractStates', address, { ...contract_state, update_cycle: this.terms.cycle })
              : none('contractStates', address),
          ],
          follows: [this.#account(address), this.#account(smart_contract.origin_address)],
        };
      },
    };
  }

  #accountId(key: string): RowRequest {
    const what = `the account with the id "${hexToUtf8(key)}"`;
    return {
      id: `accountId:${key}`,
      what,
      ask: async () => {
        const { address } = await this.wallet.ask(WALLET.accountById, key, what);
        return { rows: [isAddress(address) ? row('accountIds', key, address) : none('accountIds', key)] };
      },
    };
  }

  /** Both delegation records of Stake 2.0 come together: the end of the lock tells which is locked. */
  #delegations(key: string): RowRequest {
    const isV1 = key.length === 84;
    const [from, to] = [key.slice(-84, -42), key.slice(-42)];
    const question = isV1 ? WALLET.delegationsV1 : WALLET.delegationsV2;
    const what = rowInWords({ table: 'delegations', key });
    const keys = isV1
      ? [delegationKey.v1(from, to)]
      : [delegationKey.unlocked(from, to), delegationKey.locked(from, to)];
    return {
      id: `${question.method}:${from}${to}`,
      what,
      ask: async () => {
        const { delegatedResource } = await this.wallet.ask(question, { from, to }, what);
        if (delegatedResource.some((record) => record.from !== from || record.to !== to))
          throw badAnswer(this.wallet.asked(question, what), 'it answers with delegations of other accounts');
        const isLocked = (record: DelegatedResource) =>
          record.expire_time_for_bandwidth !== 0n || record.expire_time_for_energy !== 0n;
        return {
          rows: keys.map((one, i) => {
            const record = delegatedResource.find((found) => isV1 || isLocked(found) === (i === 1));
            return record === undefined ? none('delegations', one) : row('delegations', one, record);
          }),
        };
      },
    };
  }

  #partners(table: 'delegationPartners' | 'delegationLists', key: string): RowRequest {
    const account = table === 'delegationLists' ? key : key.slice(2);
    const isV2 = table === 'delegationPartners' && (key.startsWith('03') || key.startsWith('04'));
    const question = isV2 ? WALLET.partnersV2 : WALLET.partnersV1;
    const what = rowInWords({ table, key });
    const [toKey, fromKey] = isV2 ? [`03${account}`, `04${account}`] : [`01${account}`, `02${account}`];
    return {
      id: `${question.method}:${account}`,
      what,
      ask: async () => {
        const index = await this.wallet.ask(question, account, what);
        if (!isV2 && !this.terms.delegationPairs) {
          const isEmpty = index.fromAccounts.length === 0 && index.toAccounts.length === 0;
          return {
            rows: [
              isEmpty ? none('delegationLists', account) : row('delegationLists', account, index),
              none('delegationPartners', toKey),
              none('delegationPartners', fromKey),
            ],
          };
        }
        // Answers are ordered by the time of the last delegation, which they omit: positions serve as times.
        const partners = (addresses: readonly Address[], at: string) =>
          addresses.length === 0
            ? none('delegationPartners', at)
            : row(
                'delegationPartners',
                at,
                addresses.map((address, i) => ({ address, timestampMs: BigInt(i + 1) })),
              );
        return {
          rows: [
            partners(index.toAccounts, toKey),
            partners(index.fromAccounts, fromKey),
            ...(isV2 ? [] : [none('delegationLists', account)]),
          ],
        };
      },
    };
  }

  #settlement(address: string): RowRequest {
    const what = `the reward of ${rowInWords({ table: 'accounts', key: address })}`;
    return {
      id: `settlement:${address}`,
      what,
      ask: async () => {
        if (!isAddress(address) || !this.terms.paysVoters) return { rows: [none('voterSettlements', address)] };
        const [reward, account] = await Promise.all([
          this.wallet.ask(WALLET.reward, address, what),
          this.#answeredAccount(address, what),
        ]);
        if (account === undefined) return { rows: [none('voterSettlements', address)] };
        const dueSun = reward.num - account.allowance;
        const { settlement, history } = rewardRows(address, account.votes, dueSun, this.terms);
        return {
          rows: [
            settlement === undefined ? none('voterSettlements', address) : row('voterSettlements', address, settlement),
            ...history.map(([key, value]) => row('rewardHistory', key, value)),
          ],
        };
      },
    };
  }

  /** No interface serves past cycles; the amount due has a row of its own. */
  #rewardHistory(key: string): RowRequest {
    const owed = /:ff([0-9a-f]{40})$/.exec(key)?.[1];
    if (owed !== undefined) return this.#settlement(`41${owed}`);
    return { id: `rewardHistory:${key}`, what: key, ask: async () => ({ rows: [none('rewardHistory', key)] }) };
  }

  #brokerage(witness: string): RowRequest {
    const what = `the brokerage of ${rowInWords({ table: 'accounts', key: witness })}`;
    return {
      id: `brokerage:${witness}`,
      what,
      ask: async () => {
        if (!isAddress(witness)) return NO_ROWS;
        const { num: percent } = await this.wallet.ask(WALLET.brokerage, witness, what);
        if (percent < 0n || percent > 100n)
          throw badAnswer(this.wallet.asked(WALLET.brokerage, what), `it says ${percent} percent`);
        const brokerage = percent === DEFAULT_BROKERAGE ? undefined : percent;
        const votes = this.terms.votesOfWitness.get(witness);
        if (brokerage === undefined && votes === undefined) return { rows: [none('witnessRewards', witness)] };
        const rewards = { poolSun: 0n, brokerage, nextBrokerage: brokerage, votes, perVote: 0n, perVoteSoFar: 0n };
        return { rows: [row('witnessRewards', witness, rewards)] };
      },
    };
  }

  #asset(key: string): RowRequest {
    const id = hexToUtf8(key);
    const what = `TRC-10 token ${id}`;
    return {
      id: `asset:${key}`,
      what,
      ask: async (headSlot) => {
        if (!/^\d+$/.test(id)) return { rows: [none('assets', key)] };
        const asset = await this.wallet.find(WALLET.asset, id, what);
        if (asset === undefined) return { rows: [none('assets', key)] };
        if (utf8ToHex(asset.id) !== key)
          throw badAnswer(this.wallet.asked(WALLET.asset, what), 'it answers with another token');
        const { public_free_asset_net_usage: usage, public_latest_free_net_time: lastSlot } = asset;
        const stored = fixedUsageBefore(usage, lastSlot, headSlot, this.terms.rules);
        return {
          rows: [row('assets', key, { ...asset, public_free_asset_net_usage: stored })],
          dependsOnHead: usage > 0n,
        };
      },
    };
  }

  #byNumber<Name extends 'exchanges' | 'proposals'>(
    table: Name,
    key: string,
    question: WalletRequest<number, ValueOf<Name>>,
  ): RowRequest {
    const id = Number.parseInt(key, 16);
    const what = `${table.slice(0, -1)} ${id}`;
    return {
      id: `${table}:${key}`,
      what,
      ask: async () => {
        const found = await this.wallet.find(question, id, what);
        return { rows: [found === undefined ? none(table, key) : row(table, key, found)] };
      },
    };
  }

  /** Orders have the time of the previous block as creation time: an order of a block after the fork does not exist. */
  #marketOrder(key: string): RowRequest {
    const what = `market order ${key}`;
    return {
      id: `marketOrder:${key}`,
      what,
      ask: async () => {
        const order = await this.wallet.ask(WALLET.marketOrder, key, what);
        if (order.order_id !== '' && order.order_id !== key)
          throw badAnswer(this.wallet.asked(WALLET.marketOrder, what), 'it answers with another order');
        const isKnown = order.order_id !== '' && order.create_time < this.terms.forkedMs;
        return { rows: [isKnown ? row('marketOrders', key, order) : none('marketOrders', key)] };
      },
    };
  }

  /** A later request would return other orders than the order book of the fork's start. */
  #marketAccount(address: string): RowRequest {
    const orders = this.terms.ordersOfAccount.get(address);
    return {
      id: `marketAccount:${address}`,
      what: `the market orders of ${rowInWords({ table: 'accounts', key: address })}`,
      ask: async () => ({
        rows: [
          orders === undefined
            ? none('marketAccounts', address)
            : row('marketAccounts', address, marketAccountOf(address as Address, orders)),
        ],
      }),
    };
  }

  #blockId(key: string): RowRequest {
    return {
      id: `blockId:${key}`,
      what: rowInWords({ table: 'earlierBlockIds', key }),
      ask: async () => {
        const { id } = await this.chain.blockAt(Number.parseInt(key, 16));
        return { rows: [row('earlierBlockIds', key, id)] };
      },
    };
  }
}

const CONTRACT_TABLES = ['contracts', 'abis', 'codes', 'contractStates'] as const;

function row<Name extends TableName>(table: Name, key: string, value: ValueOf<Name>): ReadRow {
  return { table, key, value: (TABLES[table] as unknown as TableSpec<ValueOf<Name>>).encode(value) };
}

function none(table: TableName, key: string): ReadRow {
  return { table, key, value: undefined };
}
