/** The same question on several interfaces has the same answer. */

import { hexToBytes } from '../../../../src/primitives/hex.js';
import { blockHash, blockIdOf } from '../../../../src/protocol/block.js';
import { NumberMessage } from '../../../../src/protocol/generated/api.js';
import { Account, Block } from '../../../../src/protocol/generated/tron.js';
import { Violation } from '../run/violation.js';
import { DIALECTS } from '../users/asker.js';
import type { Host, SharedHost } from '../users/user.js';

const NAME = 'an answer is the same on all interfaces';

export async function interfacesAgree(host: SharedHost): Promise<void> {
  await balancesAgree(host);
  await blocksAgree(host);
}

/** By its number, the newest block is without what is pending. */
export async function numberedBalanceAgrees({ world, asker, people }: Host): Promise<void> {
  const { chain } = world.node;
  if (chain.pool.size > 0) return;
  const address = `0x${people.address(world.choices.below(6)).slice(2)}`;
  const head = `0x${chain.headNumber.toString(16)}`;
  const [byNumber, latest] = [
    await asker.rpc('/eth', 'eth_getBalance', [address, head]),
    await asker.rpc('/eth', 'eth_getBalance', [address, 'pending']),
  ];
  if (!world.isRunning || `0x${chain.headNumber.toString(16)}` !== head) return;
  if (byNumber !== latest) throw new Violation(NAME, `the balance of ${address}: block ${head} ${byNumber}, ${latest}`);
}

async function balancesAgree({ world, asker, people }: SharedHost): Promise<void> {
  const i = world.choices.below(6);
  const address = people.address(i);
  const found = new Map<string, string>();
  const add = (where: string, answer: string | undefined, pattern: RegExp, read: (text: string) => bigint) => {
    // The network of a fork did not answer: no balance was told.
    if (answer === undefined || answer.startsWith('502 ')) return;
    found.set(where, String(read(pattern.exec(answer)?.[1] ?? '0')));
  };
  add('/wallet', await asker.post('/wallet/getaccount', { address }), /"balance": ?(\d+)/, BigInt);
  add('/v1', await asker.get(`/v1/accounts/${people.text(i)}`), /"balance":(\d+)/, BigInt);
  const bytes = await asker.grpc('/protocol.Wallet/GetAccount', Account.encode(Account.create({ address })));
  if (bytes !== undefined) found.set('gRPC', String(Account.decode(hexToBytes(bytes)).balance));
  for (const dialect of DIALECTS) {
    // TRON's interfaces show pending transactions; on /eth these have a tag of their own.
    const tag = dialect === '/eth' ? 'pending' : 'latest';
    const answer = await asker.rpc(dialect, 'eth_getBalance', [`0x${address.slice(2)}`, tag]);
    add(dialect, answer, /"result":"(0x[0-9a-f]+)"/, BigInt);
  }
  if (new Set(found.values()).size > 1)
    throw new Violation(NAME, `the balance of ${address}: ${[...found].map((one) => one.join(' ')).join(', ')}`);
}

async function blocksAgree({ world, asker }: SharedHost): Promise<void> {
  const number = Math.max(0, world.headNumber - world.choices.below(10));
  const found = new Map<string, string>();
  const json = await asker.post('/wallet/getblockbynum', { num: number });
  const id = /"blockID": ?"([0-9a-f]+)"/.exec(json ?? '')?.[1];
  if (id !== undefined) found.set('/wallet', id);
  for (const dialect of DIALECTS) {
    const answer = await asker.rpc(dialect, 'eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    const hash = /"hash":"0x([0-9a-f]+)"/.exec(answer ?? '')?.[1];
    if (hash !== undefined) found.set(dialect, hash);
  }
  const bytes = await asker.grpc('/protocol.Wallet/GetBlockByNum', NumberMessage.encode({ num: BigInt(number) }));
  if (bytes !== undefined && json !== undefined) {
    const raw = Block.decode(hexToBytes(bytes)).block_header?.raw_data;
    found.set('gRPC', raw === undefined ? 'none' : blockIdOf(number, blockHash(raw)));
  }
  if (new Set(found.values()).size > 1)
    throw new Violation(NAME, `block ${number}: ${[...found].map((one) => one.join(' ')).join(', ')}`);
}
