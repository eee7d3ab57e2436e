/** Invariants of the store: told blocks, memory and disk, the stored chain as `sunup check --replay` sees it. */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import { blockOutline } from '../../../../src/ledger/blocks/blocks.js';
import { emptyBlockId } from '../../../../src/ledger/blocks/empty-blocks.js';
import { checkDatabase } from '../../../../src/node/steps/check.js';
import { LevelStore } from '../../../../src/node/storage/level-store.js';
import type { TxId } from '../../../../src/primitives/ids.js';
import { blockHash, blockIdOf } from '../../../../src/protocol/block.js';
import type { Cold } from '../disk/stored-rows.js';
import { PLACE } from '../disk/virtual-database.js';
import { Violation } from '../run/violation.js';
import type { Host, SharedHost } from '../users/user.js';
import { rowsThatDiffer } from './warm-rows.js';

interface ToldHost {
  readonly world: Pick<SharedHost['world'], 'told'>;
}

export async function toldBlocksAreThere({ world }: ToldHost, cold: () => Promise<Cold>): Promise<void> {
  const { ledger } = await cold();
  const { leastHeight } = world.told;
  if (ledger.headNumber < leastHeight)
    throw new Violation(
      'a told block is there with the same bytes',
      `the chain had ${leastHeight} blocks, the disk has ${ledger.headNumber}`,
    );
  for (const [number, id] of world.told.blocks()) {
    // Blocks up to the beginning of a fork are its network's.
    if (number <= ledger.config.beginsAt) continue;
    const stored = blockIdAt(ledger, number);
    if (stored !== id)
      throw new Violation(
        'a told block is there with the same bytes',
        `block ${number} was ${id}, the disk has ${stored}`,
      );
    // A block of an empty run is made when somebody reads it, and only a node can sign it.
    if (emptyBlockId(ledger, number) !== undefined) continue;
    const raw = blockOutline(ledger, number)?.header.raw_data;
    if (raw === undefined || blockIdOf(number, blockHash(raw)) !== id)
      throw new Violation(
        'a told block is there with the same bytes',
        `the bytes of block ${number} are not those of ${id}`,
      );
  }
}

/** A transaction that was said to be in a block is in one. */
export async function toldTransactionsAreThere({ world }: ToldHost, cold: () => Promise<Cold>): Promise<void> {
  const { transactions } = (await cold()).ledger.state.tables;
  for (const txId of world.told.transactions())
    if (!transactions.has(txId as TxId))
      throw new Violation('a told transaction is there', `${txId} was accepted, and is not on the disk`);
}

/** What a node reads of its state is what another process reads from the disk. */
export async function coldIsWarm({ world }: Host, cold: () => Promise<Cold>): Promise<void> {
  const { database } = await cold();
  const differing = rowsThatDiffer(world.node.chain.ledger.state, database.rows);
  if (differing.length > 0)
    throw new Violation('the node knows what its store has', `rows ${differing.slice(0, 5).join(', ')} differ`);
}

export async function storedChainIsWhole(_: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  const { database } = await cold();
  const report = await checkDatabase(database, new LevelStore(database, { place: PLACE }), { replay: true });
  const [first] = report.findings;
  if (first !== undefined)
    throw new Violation('replay of the history gives the same rows', `${first.table} ${first.key} ${first.what}`);
}
