/**
 * Holders and balances of a token (protocol/v1.md#get-v1contractsaddresstokens, #token-data): holders from the
 * transfers, balances from the token itself, because sums of logs are wrong for tokens with fees or other balance
 * changes. Genesis balances have no transfer: for a genesis token, all genesis accounts are included. Both take time,
 * so an answer has a budget, results are cached for the next one, and the answer has the block of its figures.
 */

import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { logsOfEvent } from '../../ledger/history/lists.js';
import { TRANSFER_TOPIC, tokenEventOf } from '../../ledger/history/token-events.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import { RecentMap } from '../../primitives/recent-map.js';
import type { ContentVersion } from '../../state/journal.js';
import type { Turn, WalletContext } from '../context.js';
import { placesIn } from './pages.js';
import { balanceOf } from './token-calls.js';
import { TransactionLoader } from './transactions.js';

export interface Holder {
  readonly address: Address;
  readonly balance: bigint;
}

export interface Holders {
  /** Accounts named by its transfers, with a balance or without. */
  readonly named: ReadonlySet<Address>;
  /** With a balance, unordered. */
  readonly holders: readonly Holder[];
  /** The oldest block of the balances; the head if all are current. */
  readonly balancesFromBlock: number;
  /** Whether all transfers were read. */
  readonly complete: boolean;
}

/** Budget of one answer: about a tenth of a second for an ordinary token. */
const TRANSFERS_PER_ANSWER = 5_000;
const CALLS_PER_ANSWER = 500;
const KEPT_TOKENS = 16;
const MAX_HOLDERS = 200_000;

interface Reading {
  readonly balance: bigint;
  readonly height: number;
  /** Of the rows then: also an operation or a pending transaction changes balances, at the same height. */
  readonly content: ContentVersion;
}

/** Cached data of a token. */
interface Known {
  /** Chain of the data: if the chain has another block there, everything is read again. */
  height: number;
  id: BlockId;
  /** Transfers up to this block were read. */
  scannedTo: number;
  readonly readings: Map<Address, Reading | undefined>;
}

export class TokenHolders {
  readonly #known = new RecentMap<Address, Known>(KEPT_TOKENS);

  /** @param turn awaited before each call */
  async of(context: WalletContext, token: Address, turn: Turn): Promise<Holders> {
    const known = this.#take(context, token);
    const complete = await findHolders(context, token, known);
    await readBalances(context, token, known, turn);
    const { headNumber } = context.ledger;
    const readings = [...known.readings].flatMap(([address, reading]) => (reading ? [{ address, ...reading }] : []));
    return {
      named: new Set(known.readings.keys()),
      holders: readings.filter(({ balance }) => balance > 0n).map(({ address, balance }) => ({ address, balance })),
      balancesFromBlock: readings.reduce((oldest, { height }) => Math.min(oldest, height), headNumber),
      complete: complete && readings.length === known.readings.size,
    };
  }

  #take({ ledger }: WalletContext, token: Address): Known {
    let known = this.#known.get(token);
    if (known === undefined || blockIdAt(ledger, known.height) !== known.id) {
      const readings = new Map(heldSinceGenesis(ledger, token).map((holder) => [holder, undefined]));
      known = { height: 0, id: blockIdAt(ledger, 0) as BlockId, scannedTo: -1, readings };
    }
    // Least recently used tokens are dropped first.
    this.#known.set(token, known);
    known.height = ledger.headNumber;
    known.id = ledger.headId;
    return known;
  }
}

/** Possible holders without a transfer. */
function heldSinceGenesis({ config }: Ledger, token: Address): readonly Address[] {
  return config.genesisContracts.has(token) ? [...config.genesisAccounts] : [];
}

/** Adds holders of transfers that were not read yet. @returns whether all were read */
async function findHolders(context: WalletContext, token: Address, known: Known): Promise<boolean> {
  const to = context.ledger.headNumber;
  const query = { lists: [logsOfEvent(token, TRANSFER_TOPIC)], from: known.scannedTo + 1, to, descending: false };
  let loader = new TransactionLoader(context);
  let transfers = 0;
  for await (const place of placesIn(context.node.chain.store, query)) {
    // Blocks are read completely: the next answer starts with the following one.
    if (transfers >= TRANSFERS_PER_ANSWER && place.block > known.scannedTo + 1) return false;
    if (place.block - 1 > known.scannedTo) {
      known.scannedTo = place.block - 1;
      loader = new TransactionLoader(context);
    }
    transfers++;
    const log = loader.at(place)?.info.log[place.entry];
    const event = log && tokenEventOf(log);
    if (event?.standard !== 'trc20') continue;
    for (const holder of [event.from, event.to]) {
      if (known.readings.size >= MAX_HOLDERS) return false;
      if (!known.readings.has(holder)) known.readings.set(holder, undefined);
    }
  }
  known.scannedTo = to;
  return true;
}

/** Reads unknown balances, then the oldest ones. */
async function readBalances(context: WalletContext, token: Address, known: Known, turn: Turn): Promise<void> {
  const { ledger } = context;
  const { journal } = ledger.state;
  const stale = [...known.readings].filter(
    ([, reading]) => reading?.height !== ledger.headNumber || reading.content !== journal.version,
  );
  stale.sort(([, a], [, b]) => (a?.height ?? -1) - (b?.height ?? -1) || (a?.content ?? -1) - (b?.content ?? -1));
  for (const [holder] of stale.slice(0, CALLS_PER_ANSWER)) {
    const others = turn();
    if (others !== undefined) {
      await others;
      // During other work blocks may have been rolled back: their data must not be cached.
      if (blockIdAt(ledger, known.height) !== known.id) return;
      known.height = ledger.headNumber;
      known.id = ledger.headId;
    }
    const balance = balanceOf(context, token, holder) ?? 0n;
    known.readings.set(holder, { balance, height: known.height, content: journal.version });
  }
}
