/**
 * Reads databases of older formats, as far as applying their blocks again requires: raw rows and initial settings.
 * Other differences between formats disappear when the blocks are applied again.
 *
 * Format 2 had no checksums and did not store the initial settings: they follow from the genesis block and from the
 * pre-images, which lead back to the state after it.
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

/** The oldest readable format. */
export const OLDEST_FORMAT = 2;

/** The raw rows of a database, read only. */
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

  writeWithNext(): void {
    throw new Error('a database of an older format is only read');
  }

  deleteWithNext(): void {
    throw new Error('a database of an older format is only read');
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}

/**
 * A chain of format 2 with its initial settings.
 *
 * @param settings the settings of the chain, which this format did not store
 */
export async function openFormat2(
  store: Store,
  settings: NodeSettings = NETWORK_SETTINGS,
): Promise<{ readonly chain: StoredChain; readonly beginning: Beginning }> {
  const nothing = { genesisTimestampMs: 0n, genesisId: '', blackhole: '', genesisWitnesses: new Map() };
  const config = { ...nothing, ...settings, signFor: signNothing } as unknown as ChainConfig;
  const { ledger, commits } = await openStoredChain(store, config);
  // Collected first: each commit is found by the head's height, which changes with the rows.
  for (const { images } of [...commits.down(0, 0)]) restorePreImages(ledger.state, images);
  const genesis = genesisOf(ledger);
  const beginning: Beginning = { genesis, settings };
  const known = { ...config, ...configOfGenesis(genesis, blockIdAt(ledger, 0) as BlockId) };
  return { chain: await openStoredChain(store, known), beginning };
}

/** Derives the genesis from the state after it. The caller verifies that it leads to the same state. */
function genesisOf(ledger: Ledger): Genesis {
  const block = blockAt(ledger, 0);
  const raw = block?.block_header?.raw_data;
  if (block === undefined || raw === undefined) throw new Error('the database has no genesis block');
  const { tables } = ledger.state;
  const accounts = block.transactions.map((transaction): GenesisAccount => {
    const { to_address: address, amount: balanceSun } = transaction.contract as TransferContract;
    const account = tables.accounts.get(address as Address);
    const name = hexToUtf8(account?.account_name ?? '');
    // The genesis gives Blackhole its own permission; for all other accounts, a permission marks an activated account.
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

/** Properties that applying the genesis block sets: their initial values are the defaults. */
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
