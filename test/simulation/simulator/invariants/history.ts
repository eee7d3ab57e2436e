/** The list of an account's transactions on `/v1` is what a scan over all blocks finds. */

import { emptyRunEnd } from '../../../../src/ledger/blocks/empty-blocks.js';
import { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { numberKey } from '../../../../src/state/tables.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import type { SharedHost } from '../users/user.js';

/** Transactions of an owner, from the rows of all blocks. */
function sentBy(owner: string, { ledger }: Cold): ReadonlySet<string> {
  const { blocks, transactions } = ledger.state.tables;
  const sent = new Set<string>();
  for (let number = 1; number <= ledger.headNumber; number++) {
    const block = blocks.get(numberKey(number));
    if (block === undefined) number = emptyRunEnd(ledger, number);
    for (const txId of block?.transactionIds ?? []) {
      const stored = transactions.get(txId);
      if (stored !== undefined && SignedTransaction.decode(stored.transaction).owner === owner) sent.add(txId);
    }
  }
  return sent;
}

export async function historyIsAScan({ world, asker, people }: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  // A fork also lists what its network has.
  if (world.shape.isFork) return;
  const i = world.choices.below(6);
  const address = people.address(i);
  const sent = sentBy(address, await cold());
  // Small pages, so that their borders are among what is compared.
  const limit = Math.max(3, Math.ceil(sent.size / 4));
  const listed = new Set<string>();
  let fingerprint = '';
  for (let isDone = false; !isDone; ) {
    const path = `/v1/accounts/${people.text(i)}/transactions?only_from=true&limit=${limit}${fingerprint}`;
    const answer = await asker.get(path);
    if (answer === undefined) return;
    for (const [, txId] of answer.matchAll(/"txID":"([0-9a-f]{64})"/g)) {
      if (listed.has(txId as string))
        throw new Violation('an index is a scan', `/v1 lists ${txId} of ${address} twice`);
      listed.add(txId as string);
    }
    const next = /"fingerprint":"([^"]+)"/.exec(answer)?.[1];
    isDone = next === undefined;
    fingerprint = `&fingerprint=${encodeURIComponent(next ?? '')}`;
  }
  // Pending transactions are in no block.
  const pending = await asker.post('/wallet/gettransactionlistfrompending', {});
  for (const [txId] of (pending ?? '').matchAll(/[0-9a-f]{64}/g)) listed.delete(txId);
  const missing = [...sent].filter((txId) => !listed.has(txId));
  const surplus = [...listed].filter((txId) => !sent.has(txId));
  if (missing.length > 0 || surplus.length > 0)
    throw new Violation(
      'an index is a scan',
      `/v1 of ${address} lacks ${missing.join()} and has too much: ${surplus.join()}`,
    );
}
