/** The list of an account's transactions on `/v1` is what a scan over all blocks finds. */

import { blockAt } from '../../../../src/ledger/blocks/blocks.js';
import { emptyRunEnd } from '../../../../src/ledger/blocks/empty-blocks.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';

export async function historyIsAScan({ world, asker, people }: Host, cold: () => Promise<Cold>): Promise<void> {
  const i = world.choices.below(6);
  const address = people.address(i);
  const { ledger } = await cold();
  const sent = new Set<string>();
  for (let number = 1; number <= ledger.headNumber; number++) {
    const end = emptyRunEnd(ledger, number);
    if (end > number) {
      number = end;
      continue;
    }
    for (const { txId, owner } of blockAt(ledger, number)?.transactions ?? []) if (owner === address) sent.add(txId);
  }
  const listed = new Set<string>();
  let fingerprint = '';
  for (let isDone = false; !isDone; ) {
    const answer = await asker.get(
      `/v1/accounts/${people.text(i)}/transactions?only_from=true&limit=200${fingerprint}`,
    );
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
  for (const { transaction } of world.node.chain.pool.members()) listed.delete(transaction.txId);
  const missing = [...sent].filter((txId) => !listed.has(txId));
  const surplus = [...listed].filter((txId) => !sent.has(txId));
  if (missing.length > 0 || surplus.length > 0)
    throw new Violation(
      'an index is a scan',
      `/v1 of ${address} lacks ${missing.join()} and has too much: ${surplus.join()}`,
    );
}
