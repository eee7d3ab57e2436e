/** What must hold for a real node, beside what holds in both modes. */

import { rmSync } from 'node:fs';
import { type Cold, differingChainRows } from '../disk/stored-rows.js';
import { SHARED } from '../invariants/invariants.js';
import { Violation } from '../run/violation.js';
import { DIALECTS } from '../users/asker.js';
import { diskOf } from './machine-folder.js';
import type { RealHost } from './real-host.js';

/** A devnet with all of its parts in use has some 250 MB. */
const MOST_RESIDENT_BYTES = 900 * 2 ** 20;

export const REAL_INVARIANTS = {
  ...SHARED,
  'no error without a name': { when: 'step', check: ({ world }: RealHost) => world.checkProcess() },
  'listeners are told what happened, in order, once': {
    when: 'step',
    check: ({ world }: RealHost) => world.audience.check(),
  },
  'what listeners were told is the chain': { when: 'rest', check: newsAreTheChain },
  'memory stays bounded': { when: 'rest', check: memoryIsBounded },
  'an answer is the same over all transports': { when: 'rest', check: transportsAgree },
  'sunup check agrees with the node': { when: 'end', check: checkAgrees },
  'a loaded dump is the chain of then': { when: 'end', check: dumpIsTheChain },
} as const;

async function newsAreTheChain({ world }: RealHost, cold: () => Promise<Cold>): Promise<void> {
  await cold();
  await world.audience.compare(world.headNumber, (number) => world.blockIdAt(number));
}

function memoryIsBounded({ world }: RealHost): void {
  const { residentBytes } = world.process;
  if (residentBytes > MOST_RESIDENT_BYTES)
    throw new Violation('memory stays bounded', `the node has ${Math.round(residentBytes / 2 ** 20)} MB`);
}

/** JSON-RPC by POST, in a batch, and over a WebSocket; HTTP and gRPC are compared by another invariant. */
async function transportsAgree({ world, asker, people }: RealHost): Promise<void> {
  const { choices, headNumber } = world;
  const dialect = choices.of(DIALECTS);
  const number = `0x${Math.max(0, headNumber - choices.below(5)).toString(16)}`;
  const address = `0x${people.address(choices.below(6)).slice(2)}`;
  const txId = `0x${people.sent.length === 0 ? '00'.repeat(32) : choices.of(people.sent).txId}`;
  const [method, params] = choices.of<readonly [string, readonly unknown[]]>([
    ['eth_getBlockByNumber', [number, true]],
    ['eth_getBalance', [address, 'latest']],
    ['eth_getTransactionReceipt', [txId]],
    ['eth_getTransactionByHash', [txId]],
    ['eth_getLogs', [{ fromBlock: number, toBlock: 'latest' }]],
  ]);
  const request = { jsonrpc: '2.0', id: 1, method, params };
  const found = new Map<string, string>();
  const add = (where: string, answer: string | undefined) => {
    const [, member] = /("(?:result|error)":.*)\}\]?$/s.exec(answer?.trimEnd() ?? '') ?? [];
    if (member !== undefined) found.set(where, JSON.stringify(JSON.parse(`{${member}}`)));
  };
  add('POST', await asker.post(dialect, request));
  add('WebSocket', await asker.rpcOverSocket(dialect, method, params));
  add('batch', await asker.post(dialect, [request]));
  if (new Set(found.values()).size > 1)
    throw new Violation(
      'an answer is the same over all transports',
      `${dialect} ${method} ${JSON.stringify(params)}: ${[...found].map((one) => one.join(' ')).join('\n')}`,
    );
}

/** What a crash would leave now is a whole chain, with the node's head. */
async function checkAgrees({ world }: RealHost): Promise<void> {
  const copy = await world.image();
  const { code, output, errors } = await world.run('check', copy, '--replay', '--json');
  rmSync(copy, { recursive: true });
  const report = output === '' ? {} : JSON.parse(output);
  const head = await world.head();
  if (code !== 0 || report.whole !== true || (world.miningMode !== 'interval' && report.headId !== head?.id))
    throw new Violation('sunup check agrees with the node', `head ${head?.id}; check: ${code} ${output}${errors}`);
}

/** Another process that loads the dump of this one has the same rows. Ends the node. */
async function dumpIsTheChain({ world }: RealHost): Promise<void> {
  const url = world.connections.ready.http.url;
  const file = world.folder.beside('end.chain');
  const { code, errors } = await world.run('dump', file, '--url', url);
  if (code !== 0) throw new Violation('a loaded dump is the chain of then', `sunup dump: ${errors}`);
  const other = world.folder.beside('loaded');
  await world.close();
  const stored = (await diskOf(world.folder.data)).image();
  // Creations are counted from the start of a process on; the dump says from where.
  const words = world
    .words('manual')
    .filter((word) => word !== '--create-nonces')
    .map((word) => (word === world.folder.data ? other : word));
  const process = world.launch([...words, '--load-state', file]);
  if ((await process.ready) === undefined)
    throw new Violation('a loaded dump is the chain of then', `it cannot be loaded: ${process.errors}`);
  process.terminate('SIGTERM');
  await process.ended;
  const loaded = (await diskOf(other)).image();
  const differing = differingChainRows(stored, loaded, world.shape);
  if (differing.length > 0)
    throw new Violation(
      'a loaded dump is the chain of then',
      `${differing.length} rows differ: ${differing.slice(0, 5).join(', ')}`,
    );
}
