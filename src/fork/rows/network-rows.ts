import pLimit from 'p-limit';
import type { Address } from '../../primitives/ids.js';
import type { FetchedRow, WantedRow } from '../../state/remote-rows.js';
import { TABLES } from '../../state/tables.js';
import { storageRowKey } from '../../tvm/storage.js';
import { JsonRpc, type Word } from '../network/json-rpc.js';
import type { RemoteChain } from '../network/remote-chain.js';
import type { RemoteClient } from '../network/remote-client.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { type NetworkTerms, slotOf } from '../terms/network-terms.js';
import { rowInWords } from '../terms/row-names.js';
import type { LiveRow, LiveRows } from './live-rows.js';
import { type Reading, type RowRequest, RowRequests, type StorageOwner } from './row-requests.js';

/** Number of retries for a row while the head moves; then the last answer is used. */
const MAX_READINGS = 4;

/** A batch of this size takes as long as one word. */
const FIRST_SLOTS = 16;
const MAX_UNREAD_CONTRACTS = 10_000;

const FIRST_AT_ONCE = 16;
const MIN_AT_ONCE = 8;
const MAX_AT_ONCE = 512;
/** Limit of one round, so that other requests get their turn. */
const BATCH_SIZE = 8;

export class NetworkRows implements LiveRows {
  readonly #rpc: JsonRpc;
  readonly #questions: RowRequests;
  /** Contracts whose first slots were not read yet, with the data of their row keys. */
  readonly #unreadContracts = new Map<Address, StorageOwner>();
  /** Number of requests between two reads of the head. */
  #atOnce = FIRST_AT_ONCE;

  constructor(
    wallet: RemoteWallet,
    client: RemoteClient,
    private readonly chain: RemoteChain,
    private readonly terms: NetworkTerms,
    /** The forked block. Storage is read of it if the node serves older blocks. */
    private readonly forkedBlock: number,
  ) {
    this.#rpc = new JsonRpc(client, chain);
    this.#questions = new RowRequests(wallet, chain, terms, (contract, owner) => {
      if (this.#unreadContracts.size < MAX_UNREAD_CONTRACTS) this.#unreadContracts.set(contract, owner);
    });
  }

  async fetch(wanted: readonly WantedRow[]): Promise<readonly LiveRow[]> {
    const slots = wanted.filter(({ table }) => table === 'storage');
    const questions = new Map(
      wanted
        .filter(({ table }) => table !== 'storage')
        .map((row) => this.#questions.of(row))
        .map((one) => [one.id, one]),
    );
    const [words, read] = await Promise.all([this.#storage(slots), this.#readAll([...questions.values()])]);
    const rows = new Map<string, LiveRow>([...words, ...read].map((row) => [`${row.table}:${row.key}`, row]));
    const known = this.chain.recentHead(this.terms.slotMs)?.number ?? this.forkedBlock;
    // Objects that an answer does not mention do not exist.
    for (const { table, key } of wanted) {
      if (!rows.has(`${table}:${key}`))
        rows.set(`${table}:${key}`, { table, key, value: undefined, readAtBlock: known });
    }
    return [...rows.values()];
  }

  async #storage(asked: readonly WantedRow[]): Promise<readonly LiveRow[]> {
    if (asked.length === 0) return [];
    const further = asked.flatMap(({ slot }) => (slot === undefined ? [] : this.#firstSlots(slot.contract)));
    const wanted = [...new Map([...further, ...asked].map((row) => [row.key, row])).values()];
    const slots = wanted.map((row) => {
      if (row.slot === undefined) throw new Error(`${rowInWords(row)} was requested without its slot`);
      return row.slot;
    });
    const what = rowInWords(asked[0] as WantedRow) + (wanted.length > 1 ? ` and ${wanted.length - 1} more` : '');
    const words = await this.#rpc.storage(slots, this.forkedBlock, what);
    return wanted.map(({ key, slot }, i) => {
      const { word, block } = words[i] as Word;
      return {
        table: 'storage',
        key,
        value: word === 0n ? undefined : TABLES.storage.encode(word),
        readAtBlock: block,
        slot,
      };
    });
  }

  /** A contract's first slots, which calls read one after another: fetched once, with the first wanted slot. */
  #firstSlots(contract: Address): WantedRow[] {
    const owner = this.#unreadContracts.get(contract);
    if (owner === undefined) return [];
    this.#unreadContracts.delete(contract);
    return Array.from({ length: FIRST_SLOTS }, (_, i): WantedRow => {
      const slot = BigInt(i);
      return { table: 'storage', key: storageRowKey(contract, owner, slot), slot: { contract, slot } };
    });
  }

  /** As many at once as the node answers while its head stays: 127 witness accounts take TronGrid 10 s. */
  async #readAll(questions: readonly RowRequest[]): Promise<readonly FetchedRow[]> {
    const rows: FetchedRow[] = [];
    for (let from = 0; from < questions.length; ) {
      const some = questions.slice(from, from + this.#atOnce);
      const sinceMs = this.chain.nowMs();
      rows.push(...(await this.#readAtOneHead(some)));
      const tookMs = Math.max(1, this.chain.nowMs() - sinceMs);
      const inHalfASlot = Math.floor((some.length * Number(this.terms.slotMs)) / 2 / tookMs);
      if (some.length === this.#atOnce) this.#atOnce = Math.min(Math.max(inHalfASlot, MIN_AT_ONCE), MAX_AT_ONCE);
      from += some.length;
    }
    return rows;
  }

  async #readAtOneHead(questions: readonly RowRequest[]): Promise<readonly FetchedRow[]> {
    let before = this.chain.recentHead(this.terms.slotMs) ?? (await this.chain.head());
    const readings = new Map<string, Reading>();
    const limit = pLimit(BATCH_SIZE);
    let open = questions;
    for (let round = 1; ; round++) {
      const slot = slotOf(this.terms, before.timestampMs);
      const asked = new Map(open.map((question) => [question.id, question]));
      for (let next = [...asked.values()]; next.length > 0; ) {
        const answers = await Promise.all(next.map((question) => limit(() => question.ask(slot))));
        next.forEach(({ id }, i) => void readings.set(id, answers[i] as Reading));
        const following = answers.flatMap(({ follows = [] }) => follows);
        next = [...new Map(following.map((one) => [one.id, one])).values()].filter(({ id }) => !readings.has(id));
        for (const one of next) asked.set(one.id, one);
      }
      const after = await this.chain.head();
      open = [...asked.values()].filter(({ id }) => readings.get(id)?.dependsOnHead);
      if (after.id === before.id || open.length === 0 || round === MAX_READINGS) {
        return [...readings.values()].flatMap(({ rows }) => rows.map((row) => ({ ...row, readAtBlock: after.number })));
      }
      before = after;
    }
  }
}
