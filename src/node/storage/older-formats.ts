/**
 * Databases of older formats, as far as they have to be read to apply their blocks again: rows as they lie there, and
 * what the chain was begun with. Never more: what else has changed between formats comes from applying the blocks.
 *
 * Format 2 had rows without checksums and did not say what its chain was begun with; that follows from the genesis block
 * and from the pre-images, which lead back to the state that it left.
 */

import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockAt } from '../../ledger/blocks/blocks.js';
import { type ChainConfig, NETWORK_SETTINGS, type NodeSettings } from '../../ledger/config.js';
import { configOfGenesis, type Genesis, type GenesisAccount } from '../../ledger/genesis/genesis.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { GenesisProperties } from '../../parameters/presets.js';
import { BYTES_PROPERTIES, LONG_PROPERTIES, TEXT_PROPERTIES } from '../../parameters/properties.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import { restorePreImages } from '../../state/pre-images.js';
import type { Store, StoreRow } from '../../state/store.js';
import type { LevelDatabase } from './level-store.js';
import { openStoredChain, type StoredChain, signNothing } from './stored-chain.js';

/** The oldest format that can be read. */
export const OLDEST_FORMAT = 2;

/** The rows of a database as they lie there, to be read only. */
export class PlainRows implements Store {
  constructor(private readonly database: LevelDatabase) {}

  get(key: string): Uint8Array | undefined {
    return this.database.getSync(key);
  }

  async *rows(prefix: string): AsyncIterable<StoreRow> {
    for await (const [key, value] of this.database.iterator({ gte: prefix })) {
      if (!key.startsWith(prefix)) return;
      yield { key, value };
    }
  }

  write(): Promise<void> {
    return Promise.reject(new Error('a database of an older format is only read'));
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}

/**
 * A chain of format 2, with what it was begun with.
 *
 * @param settings what it was run with, which that format did not keep
 */
export async function openFormat2(
  store: Store,
  settings: NodeSettings = NETWORK_SETTINGS,
): Promise<{ readonly chain: StoredChain; readonly beginning: Beginning }> {
  const nothing = { genesisTimestampMs: 0n, genesisId: '', blackhole: '', genesisWitnesses: new Map() };
  const config = { ...nothing, ...settings, signFor: signNothing } as unknown as ChainConfig;
  const { ledger, commits } = await openStoredChain(store, config);
  // Collected first: each is found from the head's height, which goes back with the rows.
  for (const { images } of [...commits.down(0, 0)]) restorePreImages(ledger.state, images);
  const genesis = genesisOf(ledger);
  const beginning: Beginning = { genesis, settings };
  const known = { ...config, ...configOfGenesis(genesis, blockIdAt(ledger, 0) as BlockId) };
  return { chain: await openStoredChain(store, known), beginning };
}

/** From the state that it left back to the genesis. That it leads to the same state again is for the caller to see. */
function genesisOf(ledger: Ledger): Genesis {
  const block = blockAt(ledger, 0);
  const raw = block?.block_header?.raw_data;
  if (block === undefined || raw === undefined) throw new Error('the database has no genesis block');
  const { tables } = ledger.state;
  const accounts = block.transactions.map((transaction): GenesisAccount => {
    const { to_address: address, amount: balanceSun } = transaction.contract as TransferContract;
    const account = tables.accounts.get(address as Address);
    const name = hexToUtf8(account?.account_name ?? '');
    // The genesis gives Blackhole a permission of its own, for everybody else it is the mark of an activated account.
    const activated = account?.owner_permission !== undefined && name !== 'Blackhole';
    return { name, address: address as Address, balanceSun, ...(activated && { activated }) };
  });
  return {
    timestampMs: raw.timestamp,
    parentHash: raw.parentHash,
    accounts,
    witnesses: tables.witnesses.entries().map(([, { address, url, voteCount }]) => ({
      address: address as Address,
      url,
      voteCount,
    })),
    properties: propertiesOf(ledger),
  };
}

/** What the genesis block itself has set is as on a fresh chain. */
const SET_BY_GENESIS: ReadonlySet<string> = new Set([
  'NEXT_MAINTENANCE_TIME',
  'latest_block_header_number',
  'latest_block_header_timestamp',
  'latest_block_header_hash',
]);

function propertiesOf({ state: { tables } }: Ledger): GenesisProperties {
  const longs = LONG_PROPERTIES.map(({ name, initial }) => {
    const value = SET_BY_GENESIS.has(name) ? undefined : tables.longs.get(name);
    return [name, value ?? initial] as const;
  });
  const texts = Object.entries({ ...TEXT_PROPERTIES, ...BYTES_PROPERTIES }).map(([name, initial]) => {
    const value = SET_BY_GENESIS.has(name) ? undefined : tables.texts.get(name);
    return [name, value ?? initial] as const;
  });
  return { longs: new Map(longs), texts: new Map(texts) as GenesisProperties['texts'] };
}
