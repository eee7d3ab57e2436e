/** Invariants of amounts: nothing appears or vanishes, and what is written in two places is the same in both. */

import { hexToUtf8 } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { TABLES } from '../../../../src/state/tables.js';
import { booksOf, expectSound, totalOf } from '../../books.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import type { SharedHost } from '../users/user.js';

const RECORDS = 'stakes, delegations, votes and tokens agree';
/** Ids of tokens are above it. */
export const NO_TOKENS = 1_000_000;

function addressesOf({ database }: Cold): Address[] {
  const { prefix } = TABLES.accounts;
  return database.keysWith(prefix).map((key) => key.slice(prefix.length) as Address);
}

export async function coinIsConserved({ world }: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  // A fork has rows of some accounts only.
  if (world.shape.isFork) return;
  const chain = await cold();
  const { ledger } = chain;
  const coin = totalOf(booksOf(ledger, addressesOf(chain)));
  const { coin: before, amountsChanged } = world;
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  world.coin = { sun: coin, head: ledger.headNumber, cycle };
  world.amountsChanged = false;
  if (amountsChanged || before === undefined) return;
  const blocks = BigInt(ledger.headNumber - before.head);
  const pay = ledger.long('WITNESS_PAY_PER_BLOCK') + ledger.long('WITNESS_127_PAY_PER_BLOCK');
  const gained = coin - before.sun;
  // At the end of a cycle the share of votes that nobody holds, the genesis's, is gone.
  const isShared = pay > 0n || ledger.on('ALLOW_TRANSACTION_FEE_POOL');
  const mayLose = world.shape.market || (isShared && cycle !== before.cycle);
  if (gained > blocks * pay || (gained < 0n && !mayLose))
    throw new Violation(
      'coin is conserved',
      `there were ${before.sun} sun at block ${before.head}, now there are ${coin} at block ${ledger.headNumber}`,
    );
}

export async function recordsAgree({ world }: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  const { assets } = (await cold()).ledger.state.tables;
  const early = assets.entries().find(([, { id }]) => Number(hexToUtf8(id)) <= NO_TOKENS);
  if (early !== undefined) throw new Violation(RECORDS, `a token has the id ${hexToUtf8(early[1].id)}`);
  if (world.recordsChanged || world.shape.isFork) return;
  const chain = await cold();
  // Contracts that left their stakes to others keep fractions of a coin.
  const ended = Number.MAX_SAFE_INTEGER;
  expectSound(chain.ledger, addressesOf(chain), ended, world.shape.market);
}
