/**
 * Somebody who reads a list page by page while the chain goes on: all pages together are the list of the moment at which
 * the first one was read, also where it is about the newest block.
 */

import { logsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { trade } from './bazaar.js';
import { callProgram } from './contracts.js';
import { idOf, type ListedItem } from './paged-lists.js';
import { transact } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'a list is that of its first page';
const MOST = 200;

interface Item extends ListedItem {
  readonly _fingerprint?: string;
}

interface Page {
  readonly items: readonly string[];
  readonly next: string | undefined;
}

/** The paths of the first event server give a list whose last item has the fingerprint. */
async function page({ asker }: Host, path: string, limit: number, fingerprint: string): Promise<Page | undefined> {
  const size = path.startsWith('/event/') ? 'size' : 'limit';
  const answer = await asker.get(`${path}${size}=${limit}${fingerprint && `&fingerprint=${fingerprint}`}`);
  if (!answer?.startsWith('200 ')) return undefined;
  const said = JSON.parse(answer.slice(4)) as
    | readonly Item[]
    | { readonly data: readonly Item[]; readonly meta: { readonly fingerprint?: string } };
  const [items, next] = 'data' in said ? [said.data, said.meta.fingerprint] : [said, said.at(-1)?._fingerprint];
  return { items: items.map(idOf), next: next && encodeURIComponent(next) };
}

function eventsOfHead({ world: { ledger, headNumber } }: Host): number {
  return [...logsIn(ledger, headNumber)].length;
}

function lists(host: Host): readonly string[] {
  const { people, world } = host;
  const { choices } = world;
  const account = people.text(choices.below(6));
  const contract = choices.of([people.notebook, ...people.programs.slice(-3), ...(people.bazaar?.coins ?? [])]);
  const order = choices.chance(0.6) ? 'order_by=block_timestamp,asc&' : '';
  // Seldom has the newest block more than one.
  if (eventsOfHead(host) > 1 && choices.chance(0.7)) return ['/v1/blocks/latest/events?'];
  return [
    `/v1/accounts/${account}/transactions?${order}`,
    `/v1/accounts/${account}/transactions/trc20?${order}`,
    `/v1/accounts/${account}/internal-transactions?${order}`,
    ...(contract === undefined
      ? []
      : [
          `/v1/contracts/${contract}/events?${order}`,
          `/v1/contracts/${contract}/transactions?${order}`,
          `/event/contract/${contract}?`,
          `/event/contract/${contract}?sort=block_timestamp&`,
        ]),
  ];
}

export const readOn: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  // Pending transactions are among some lists, and lists of a fork are those of its network as well.
  const isAlone = () => world.isRunning && world.miningMode === 'instant' && world.node.chain.pool.size === 0;
  if (world.shape.isFork || !isAlone()) return;
  for (let tries = choices.below(4); tries > 0 && isAlone() && eventsOfHead(host) < 2; tries--)
    await choices.of([trade, trade, callProgram])(host);
  if (!isAlone()) return;
  const path = choices.of(lists(host));
  const whole = await page(host, path, MOST, '');
  if (whole === undefined || whole.next !== undefined || whole.items.length < 2 || !isAlone()) return;
  const limit = 1 + choices.below(whole.items.length - 1);
  const { revision } = world.node.chain.back;
  const read: string[] = [];
  for (let fingerprint = ''; ; ) {
    const one = await page(host, path, limit, fingerprint);
    if (one === undefined || !isAlone() || world.node.chain.back.revision !== revision) return;
    read.push(...one.items);
    if (one.next === undefined) break;
    // It belongs to the question with all of its terms.
    if (fingerprint === '' && (await page(host, path, limit + 1, one.next)) !== undefined)
      throw new Violation(NAME, `${path}: a fingerprint of pages of ${limit} is accepted for pages of ${limit + 1}`);
    // On the way to the second page, so much that the list itself should grow.
    for (let times = fingerprint === '' ? 3 : 1; times > 0 && isAlone(); times--) {
      const goesOn = choices.of([trade, callProgram, transact, undefined]);
      if (goesOn !== undefined) await goesOn(host);
      else await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
    }
    fingerprint = one.next;
    if (!isAlone()) return;
  }
  if (read.join() !== whole.items.join())
    throw new Violation(
      NAME,
      `${path} by ${limit} has ${read.length} items, at once it had ${whole.items.length}: ${read.join(', ')}; ${whole.items.join(', ')}`,
    );
};
