/** Users who ask: about accounts, blocks, transactions, contracts, on all interfaces, of now and of the past. */

import { Violation } from '../run/violation.js';
import { DIALECTS, resultOf } from './asker.js';
import type { SharedHost, SharedUser, User } from './user.js';

const QUESTIONS: readonly ((host: SharedHost) => Promise<unknown>)[] = [
  ({ asker, people, world }) => asker.post('/wallet/getaccount', { address: people.address(world.choices.below(6)) }),
  ({ asker, people, world }) =>
    asker.post('/walletsolidity/getaccount', { address: people.address(world.choices.below(6)) }),
  ({ asker, people, world }) =>
    asker.post('/wallet/getaccountresource', { address: people.address(world.choices.below(6)) }),
  ({ asker }) => asker.post('/wallet/getnowblock', {}),
  ({ asker, world }) => asker.post('/wallet/getblockbynum', { num: anyHeight(world) }),
  ({ asker, world }) => asker.post('/wallet/getblockbylatestnum', { num: 1 + world.choices.below(20) }),
  ({ asker }) => asker.post('/wallet/listwitnesses', {}),
  ({ asker }) => asker.post('/wallet/listproposals', {}),
  ({ asker }) => asker.post('/wallet/getpendingsize', {}),
  ({ asker }) => asker.post('/wallet/getassetissuelist', {}),
  ({ asker, people, world }) =>
    asker.post('/wallet/getdelegatedresourceaccountindexv2', { value: people.address(world.choices.below(6)) }),
  ({ asker, people, world }) =>
    asker.post('/wallet/gettransactioninfobyid', { value: anyTransaction({ people, world }) }),
  ({ asker, people, world }) => asker.post('/wallet/gettransactionbyid', { value: anyTransaction({ people, world }) }),
  ({ asker, people, world }) =>
    asker.get(`/v1/accounts/${people.text(world.choices.below(6))}/transactions?limit=${1 + world.choices.below(20)}`),
  ({ asker, people, world }) => asker.get(`/v1/accounts/${people.text(world.choices.below(6))}`),
  ({ asker, world }) => asker.get(`/v1/blocks/${anyHeight(world)}/events`),
  ({ asker, people, world }) =>
    asker.rpc(world.choices.of(DIALECTS), 'eth_getBalance', [
      `0x${people.address(world.choices.below(6)).slice(2)}`,
      'latest',
    ]),
  ({ asker, people, world }) =>
    asker.rpc('/eth', 'eth_getBalance', [
      `0x${people.address(world.choices.below(6)).slice(2)}`,
      `0x${anyHeight(world).toString(16)}`,
    ]),
  ({ asker, world }) =>
    asker.rpc(world.choices.of(DIALECTS), 'eth_getBlockByNumber', [
      `0x${anyHeight(world).toString(16)}`,
      world.choices.chance(0.5),
    ]),
  ({ asker, people, world }) =>
    asker.rpc(world.choices.of(DIALECTS), 'eth_getTransactionReceipt', [`0x${anyTransaction({ people, world })}`]),
  ({ asker, world }) => {
    const from = anyHeight(world);
    return asker.rpc(world.choices.of(DIALECTS), 'eth_getLogs', [
      { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${(from + 200).toString(16)}` },
    ]);
  },
  ({ asker, people, world }) => {
    const contract = anyContract(people.sent.map(({ contract: sent }) => sent));
    return contract === undefined
      ? asker.post('/wallet/getchainparameters', {})
      : asker.post('/wallet/triggerconstantcontract', {
          owner_address: people.address(world.choices.below(6)),
          contract_address: contract,
          data: world.choices.hex(4),
        });
  },
  ({ asker, people, world }) => {
    const txId = anyTransaction({ people, world });
    return asker.get(`/sunup/explain?txid=${txId}`);
  },
];

function anyHeight({ headNumber, choices }: SharedHost['world']): number {
  return choices.chance(0.5) ? Math.max(0, headNumber - choices.below(6)) : choices.below(headNumber + 2);
}

function anyTransaction({ people, world }: Pick<SharedHost, 'people' | 'world'>): string {
  return people.sent.length === 0 || world.choices.chance(0.1)
    ? world.choices.hex(32)
    : world.choices.of(people.sent).txId;
}

function anyContract(sent: readonly unknown[]): string | undefined {
  for (const contract of sent) {
    const { contract_address: address } = (contract ?? {}) as { readonly contract_address?: string };
    if (address !== undefined) return address;
  }
  return undefined;
}

export const ask: SharedUser = async (host) => {
  await host.world.choices.of(QUESTIONS)(host);
};

/** A filter of new blocks, polled now and then. */
export const followByFilter: SharedUser = async ({ world, asker }) => {
  const dialect = world.choices.of(DIALECTS);
  const start = await world.head();
  const answer = await asker.rpc(dialect, 'eth_newBlockFilter', []);
  const id = resultOf<string>(answer);
  if (id === undefined) return;
  const before = await world.head();
  const mined = await asker.rpc('/tre', 'hardhat_mine', [`0x${1 + world.choices.below(3)}`]);
  const after = await world.head();
  if (mined === undefined || world.diskFails || before === undefined || after === undefined) return;
  const first = await asker.rpc(dialect, 'eth_getFilterChanges', [id]);
  const second = await asker.rpc(dialect, 'eth_getFilterChanges', [id]);
  const last = await world.head();
  // Blocks of the clock may come between two questions.
  if (second === undefined || start?.number !== before.number || last?.number !== after.number) return;
  const told = [...(first ?? '').matchAll(/"0x([0-9a-f]{64})"/g)].map(([, hash]) => hash);
  const made: (string | undefined)[] = [];
  for (let number = before.number + 1; number <= after.number; number++) {
    const block = await asker.post('/wallet/getblockbynum', { num: number });
    made.push(/"blockID": ?"([0-9a-f]{64})"/.exec(block ?? '')?.[1]);
  }
  if (!world.isRunning) return;
  if (told.join() !== made.join() || !/"result":\[\]/.test(second))
    throw new Violation(
      'listeners are told what happened, in order, once',
      `a filter gave ${told.join()} and then ${second}; blocks ${made.join()} were made`,
    );
  if (world.choices.chance(0.8)) await asker.rpc(dialect, 'eth_uninstallFilter', [id]);
};

/** A listener leaves and comes back: a stream goes on where it was, subscriptions begin anew. */
export const reconnect: User = ({ world }) => world.audience.reconnect();

/** All pages of an account's history, one after another. */
export const readHistory: SharedUser = async ({ world, asker, people }) => {
  const address = people.text(world.choices.below(6));
  let fingerprint = '';
  for (let page = 0; page < 5; page++) {
    const answer = await asker.get(`/v1/accounts/${address}/transactions?limit=7${fingerprint}`);
    const next = /"fingerprint":"([^"]+)"/.exec(answer ?? '')?.[1];
    if (next === undefined) return;
    fingerprint = `&fingerprint=${encodeURIComponent(next)}`;
  }
};
