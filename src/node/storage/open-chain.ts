/**
 * Opens the state of a store's chain, or creates a new chain in an empty store. Refuses a database of another format,
 * of another chain, or with other initial options.
 */

import type { ChainConfig, NodeSettings } from '../../ledger/config.js';
import {
  applyGenesis,
  configOfGenesis,
  type Genesis,
  type GenesisBlock,
  genesisBlock,
} from '../../ledger/genesis/genesis.js';
import { decodeBeginning, encodeBeginning } from '../../ledger/genesis/genesis-text.js';
import { Ledger } from '../../ledger/ledger.js';
import { State } from '../../state/state.js';
import type { Store } from '../../state/store.js';
import { StoreSource } from '../../state/store-source.js';
import type { Table } from '../../state/table.js';
import type { TableSpec } from '../../state/table-spec.js';
import { FORMAT_VERSION, TABLES } from '../../state/tables.js';
import { counted, EMPTY_TALLY } from '../../state/tallies.js';
import { WORK_VERSION } from '../../tvm/work.js';
import { UNTALLIED_KEY } from './history-index.js';

type TableName = keyof typeof TABLES;

/** The initial options of a chain as text, by the name of the option. */
export type InitialOptions = Readonly<Record<string, string>>;

export interface Opening {
  readonly genesis: Genesis;
  readonly store: Store;
  readonly settings: NodeSettings & Pick<ChainConfig, 'signFor'>;
  /**
   * The options behind genesis and settings, stored with the chain and compared with the stored ones; absent: not
   * compared.
   */
  readonly stated?: InitialOptions;
  /**
   * Alternatives for a stored chain: earlier versions derived another genesis or other texts from the same options. The
   * first one is the default. Absent: no alternatives.
   */
  readonly earlier?: (kept: InitialOptions) => readonly Pick<Opening, 'genesis' | 'stated'>[];
}

export interface OpenState {
  readonly state: State;
  readonly config: ChainConfig;
  /** `protocol.BlockHeader` of the genesis block. */
  readonly header: Uint8Array;
  /** The genesis was just applied, and is not in the store yet. */
  readonly isNew: boolean;
}

/** A database of another chain or of another version of Sunup. */
export class IncompatibleDatabaseError extends Error {
  override readonly name = 'IncompatibleDatabaseError';
  constructor(
    message: string,
    /** What the user can do. */
    readonly hint: string,
    /** The options that differ from the stored ones. */
    readonly differing: readonly { readonly option: string; readonly stated: string; readonly kept: string }[] = [],
  ) {
    super(message);
  }
}

/** A table that a start reads lacks rows, or has some that nobody wrote: each row has its checksum, a missing one none. */
export class IncompleteTableError extends Error {
  override readonly name = 'IncompleteTableError';
  constructor(table: string, what: string) {
    super(`table ${table} ${what}`);
  }
}

/** @throws IncompatibleDatabaseError, IncompleteTableError */
export async function openState(opening: Opening): Promise<OpenState> {
  const { store, settings, earlier } = opening;
  const state = new State(await StoreSource.open(store));
  const { meta } = state.tables;
  const format = meta.get('format');
  if (format !== undefined && format !== String(FORMAT_VERSION)) throw otherFormat(format);
  // First of all: without a row of its own a chain would look new, or like another one.
  await requireAllRows(state, store);
  const kept = meta.get('stated');
  const keptOptions = kept === undefined ? {} : (JSON.parse(kept) as InitialOptions);
  const possible = (format !== undefined && earlier?.(keptOptions)) || [opening];
  const isOwn = ({ genesis }: Pick<Opening, 'genesis'>) => meta.get('begun') === encodeBeginning({ genesis, settings });
  const { genesis, stated } = possible.find(isOwn) ?? possible[0]!;
  const block = genesisBlock(genesis);
  const { header } = block;
  const config: ChainConfig = { ...configOfGenesis(genesis, block.id), ...settings };
  const begun = encodeBeginning({ genesis, settings });
  if (format === undefined) {
    beginChain(state, config, { genesis, settings, ...(stated && { stated }) }, block);
    return { state, config, header, isNew: true };
  }
  if (kept !== undefined) compareInitialOptions(stated, keptOptions);
  const genesisId = meta.get('genesis');
  if (genesisId !== block.id) {
    throw new IncompatibleDatabaseError(
      `the database has the chain with genesis ${genesisId}, but the options give ${block.id}`,
      'Start with the options that the chain was created with (genesis file, time, accounts, parameters), or use another --db directory.',
    );
  }
  refuseOtherWeights(decodeBeginning(meta.get('begun') ?? begun).settings);
  if (meta.get('begun') !== begun) {
    throw new IncompatibleDatabaseError(
      'the chain in the database was created with other witnesses, chain parameters or settings',
      'Start with the options that the chain was created with, or use another --db directory.',
    );
  }
  return { state, config, header, isNew: false };
}

/** Tables without which no chain is known and no block can be made; those that are resident are read at the start anyway. */
const NEEDED: ReadonlySet<TableName> = new Set(['longs', 'texts', 'meta']);

/** @throws IncompleteTableError if a table is not what its tally says */
async function requireAllRows({ tables }: State, store: Store): Promise<void> {
  for (const [name, { prefix, resident }] of Object.entries(TABLES) as [TableName, TableSpec<unknown>][]) {
    const written = tables.tallies.get(prefix);
    if (written === undefined || store.elsewhere?.has(prefix)) continue;
    let found = EMPTY_TALLY;
    if (resident) {
      for (const [key] of (tables[name] as Table<string, unknown>).entries()) found = counted(found, key, 1);
    } else if (NEEDED.has(name)) {
      for await (const { key } of store.rows(prefix))
        if (key !== UNTALLIED_KEY) found = counted(found, key.slice(prefix.length), 1);
    } else continue;
    if (found.rows === written.rows && found.keySum === written.keySum) continue;
    const other =
      found.rows === written.rows ? 'other rows than were written' : `${found.rows} rows of ${written.rows}`;
    throw new IncompleteTableError(name, `has ${other}`);
  }
}

/** Writes the genesis into an empty state. */
export function beginChain(
  state: State,
  config: ChainConfig,
  { genesis, settings, stated }: Pick<Opening, 'genesis' | 'settings' | 'stated'>,
  block: GenesisBlock = genesisBlock(genesis),
): void {
  const { meta } = state.tables;
  applyGenesis(new Ledger(state, config), genesis, block);
  meta.set('begun', encodeBeginning({ genesis, settings }));
  if (stated !== undefined) meta.set('stated', JSON.stringify(stated));
  // Slots count from the genesis, and a network's genesis time is a multiple of a slot. With another genesis time, no
  // block would be valid on a network.
  // block is valid there.
  if (genesis.timestampMs % settings.slotMs !== 0n) meta.set('relaxed', 'yes');
}

export function otherFormat(format: string | number): IncompatibleDatabaseError {
  return new IncompatibleDatabaseError(
    `the database has format ${format}, this Sunup reads format ${FORMAT_VERSION}`,
    Number(format) < FORMAT_VERSION
      ? 'Convert it with sunup upgrade DIR, or use another --db directory.'
      : 'Use the Sunup version that wrote it, or another --db directory.',
  );
}

/** With another table of weights, other transactions would end with OUT_OF_TIME. */
function refuseOtherWeights({ vmLimit }: NodeSettings): void {
  if (vmLimit === undefined || vmLimit.weights === WORK_VERSION) return;
  throw new IncompatibleDatabaseError(
    `the chain in the database was created with version ${vmLimit.weights} of the table of execution weights (--vm-limit); this Sunup has version ${WORK_VERSION}`,
    'Use the Sunup version that created it, or another --db directory.',
  );
}

/** Former names of options in older databases. */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['networkStake', 'networkLoad']]);

function compareInitialOptions(stated: InitialOptions | undefined, kept: InitialOptions): void {
  const differing = Object.entries(stated ?? {})
    .map(([option, value]) => ({
      option,
      stated: value,
      kept: kept[option] ?? kept[FORMER_NAMES.get(option) ?? ''] ?? '',
    }))
    .filter((one) => one.stated !== one.kept);
  if (differing.length === 0) return;
  throw new IncompatibleDatabaseError(
    `the chain in the database was created with other options: ${differing.map(({ option }) => option).join(', ')}`,
    'Start with the options that the chain was created with, or use another --db directory.',
    differing,
  );
}
