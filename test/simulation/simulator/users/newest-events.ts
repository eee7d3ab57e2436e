/** Somebody who opens a stream of events with the newest transactions of the past, as a dashboard does: so many, not one less. */

import { blockOutline } from '../../../../src/ledger/blocks/blocks.js';
import { Violation } from '../run/violation.js';
import type { Host, User } from './user.js';

const NAME = 'a stream begins with the newest transactions';
const MOST_BLOCKS = 8;

/** Reads up to the last transaction of a block. @returns ids of all transactions that are told */
async function toldUpTo(head: number, last: string | undefined, response: Response): Promise<readonly string[]> {
  const decoder = new TextDecoder();
  let text = '';
  const isComplete = () =>
    last === undefined ? text.includes(`"number":${head},`) : text.includes(`"txid":"${last}"`);
  for await (const part of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (isComplete()) break;
  }
  return Array.from(text.matchAll(/event: transaction\n(?:id: \w+\n)?data: \{"txid":"(\w+)"/g), ([, id]) => id!);
}

export const openTheNewest: User = async (host: Host) => {
  const { world, asker } = host;
  const { choices, ledger, headNumber: head } = world;
  const below = world.node.chain.networkBlocks?.last ?? 0;
  if (!world.isQuiet || head <= below) return;
  const idsAt = (number: number) => blockOutline(ledger, number)?.transactionIds ?? [];
  const from = choices.chance(0.7) ? 0 : head - choices.below(Math.min(MOST_BLOCKS, head - below));
  let most = choices.of([0, 0, 0, 1, -1]);
  for (let left = 1 + choices.below(MOST_BLOCKS), number = head; left > 0 && number > below; left--, number--)
    most += idsAt(number).length;
  most = Math.max(0, most);

  // The newest block is told, however many it has.
  let first = head;
  for (let left = most - idsAt(head).length; left >= 0 && first - 1 >= Math.max(from, below + 1); first--) {
    left -= idsAt(first - 1).length;
    if (left < 0) break;
  }
  const expected = Array.from({ length: head - first + 1 }, (_, i) => idsAt(first + i)).flat();
  const path = `/sunup/events?events=block,transaction&from=${from}&transactions=${most}`;
  let told: readonly string[] | undefined;
  await asker.library(path, async () => {
    told = await toldUpTo(head, idsAt(head).at(-1), (await world.devnet.fetch(`http://localhost${path}`)) as Response);
    return told;
  });
  if (told === undefined || told.join() === expected.join()) return;
  throw new Violation(
    NAME,
    `${path} tells ${told.join() || 'nothing'} up to block ${head}; the newest are ${expected.join()}`,
  );
};
