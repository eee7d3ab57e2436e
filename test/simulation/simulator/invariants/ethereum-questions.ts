/**
 * Questions of Ethereum's tools whose answers other answers have, too: logs by address and topics, blocks by their tags,
 * prices of past blocks, several questions at once, raw transactions, accounts of a height, signatures.
 */

import { verifyMessage, verifyTypedData } from 'ethers';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import { Violation } from '../run/violation.js';
import { type Answer, DIALECTS, type Dialect, resultOf } from '../users/asker.js';
import type { Host } from '../users/user.js';
import { logsIn, type ScannedLog, transactionsIn } from './scan.js';

const NAME = 'an answer is the same on all interfaces';
const BLOCKS_BACK = 200;

/** @returns what is wrong */
type Question = (host: Host) => Promise<string | undefined>;

const quantity = (number: number): string => `0x${number.toString(16)}`;
const resultAs =
  <Result>() =>
  async (answer: Promise<Answer>): Promise<Result | undefined> =>
    resultOf<Result>(await answer);

/** Of an answer that is not there nothing is said. */
function differ(what: string, found: unknown, expected: unknown): string | undefined {
  if (found === undefined || expected === undefined) return undefined;
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  return one === other ? undefined : `${what} is ${one}, not ${other}`;
}

interface Criteria {
  readonly addresses: readonly string[];
  /** Each place has alternatives; none: anything. */
  readonly topics: readonly (readonly string[])[];
}

function anyCriteria({ world: { choices } }: Host, logs: readonly ScannedLog[]): Criteria {
  const model = choices.of(logs);
  const another = choices.of(logs);
  const addresses = choices.of([[], [model.address], [model.address, another.address], [choices.hex(20)]]);
  const topics = model.topics.slice(0, choices.below(model.topics.length + 1)).map((topic, i) => {
    const other = another.topics[i] ?? choices.hex(32);
    return choices.of([[], [topic], [topic], [topic, other], [other]]);
  });
  return { addresses, topics: choices.chance(0.1) ? [...topics, []].slice(0, 4) : topics };
}

/** As java-tron and Ethereum say: a place without alternatives needs a topic, but any. */
function meets({ addresses, topics }: Criteria, log: ScannedLog): boolean {
  if (addresses.length > 0 && !addresses.includes(log.address)) return false;
  if (log.topics.length < topics.length) return false;
  return topics.every((place, i) => place.length === 0 || place.includes(log.topics[i] as string));
}

const logsByCriteria: Question = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  const { ledger } = world.node.chain;
  const from = Math.max(1, ledger.headNumber - BLOCKS_BACK);
  // Of a fork, its own.
  const all = [...logsIn(ledger, from)].filter(({ of }) => of.block > ledger.config.beginsAt);
  if (all.length === 0) return undefined;
  const criteria = anyCriteria(host, all);
  const dialect = choices.of(DIALECTS);
  const first = choices.of(all).of.block;
  const last = choices.chance(0.5) ? ledger.headNumber : Math.max(first, choices.of(all).of.block);
  const shown = (texts: readonly string[]): unknown =>
    texts.length === 0
      ? null
      : texts.length === 1 && choices.chance(0.5)
        ? `0x${texts[0]}`
        : texts.map((one) => `0x${one}`);
  const address = shown(criteria.addresses);
  const filter = {
    ...{ fromBlock: quantity(first), toBlock: quantity(last), topics: criteria.topics.map(shown) },
    ...(address !== null && { address }),
  };
  const expected = all
    .filter((log) => log.of.block >= first && log.of.block <= last && meets(criteria, log))
    .map(({ of, logIndex }) => `${of.blockId} ${logIndex}`);
  const told = (logs: readonly Readonly<Record<string, string>>[] | undefined) =>
    logs?.map(({ blockHash, logIndex }) => `${blockHash?.slice(2)} ${Number(logIndex)}`);
  const asLogs = resultAs<readonly Readonly<Record<string, string>>[]>();
  const found = told(await asLogs(asker.rpc(dialect, 'eth_getLogs', [filter])));
  const wrong = differ(`eth_getLogs of ${JSON.stringify(filter)} on ${dialect}`, found, expected);
  if (wrong !== undefined || choices.chance(0.7) || !world.isRunning) return wrong;
  const id = resultOf<string>(await asker.rpc(dialect, 'eth_newFilter', [filter]));
  if (id === undefined) return undefined;
  const logs = told(await asLogs(asker.rpc(dialect, 'eth_getFilterLogs', [id])));
  await asker.rpc(dialect, 'eth_uninstallFilter', [id]);
  return differ(`eth_getFilterLogs of ${JSON.stringify(filter)} on ${dialect}`, logs, expected);
};

type Block = Readonly<Record<'hash' | 'number' | 'baseFeePerGas' | 'gasUsed' | 'gasLimit', string>>;
const asBlock = resultAs<Block>();

const blockByTag: Question = async ({ world, asker }) => {
  const dialect = world.choices.of(DIALECTS);
  const { headId, ledger } = world.node.chain;
  const solid = Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
  const solidId = solid < ledger.config.beginsAt ? undefined : world.blockIdAt(solid);
  const tags: readonly (readonly [tag: string, id: string | undefined])[] = [
    ['latest', headId],
    ['finalized', solidId],
    // `/jsonrpc` does not know it; a pending block has no hash.
    ...(dialect === '/jsonrpc' ? [] : [['safe', solidId] as const]),
  ];
  const [tag, id] = world.choices.of(tags);
  const block = await asBlock(asker.rpc(dialect, 'eth_getBlockByNumber', [tag, false]));
  return differ(`the block ${tag} on ${dialect}`, block?.hash, id && `0x${id}`);
};

const feeHistory: Question = async ({ world, asker }) => {
  const { choices } = world;
  const count = choices.of([1, 2, 3, 5]);
  const newest = Math.max(0, world.node.chain.headNumber - choices.below(4));
  const asked = [quantity(count), quantity(newest), choices.of([[], [25, 75]])];
  const first = Math.max(0, newest - count + 1);
  const blocks: Block[] = [];
  for (let number = first; number <= newest; number++) {
    const block = await asBlock(asker.rpc('/eth', 'eth_getBlockByNumber', [quantity(number), false]));
    if (block === undefined || block === null) return undefined;
    blocks.push(block);
  }
  const answer = await resultAs<Readonly<Record<string, unknown>>>()(asker.rpc('/eth', 'eth_feeHistory', asked));
  const fees = answer?.baseFeePerGas as readonly string[] | undefined;
  return differ(
    `eth_feeHistory of ${JSON.stringify(asked)}`,
    answer && [answer.oldestBlock, answer.gasUsedRatio, fees?.slice(0, -1), fees?.length],
    [
      quantity(first),
      blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
      blocks.map(({ baseFeePerGas }) => baseFeePerGas),
      blocks.length + 1,
    ],
  );
};

/** Several questions at once have the answers of each alone, in their order. */
const batch: Question = async ({ world, asker, people }) => {
  const { choices } = world;
  const dialect: Dialect = choices.of(DIALECTS);
  const questions = [
    ['eth_chainId', []],
    ['eth_getBalance', [`0x${people.address(choices.below(6)).slice(2)}`, 'latest']],
    ['eth_getBlockByNumber', [quantity(world.node.chain.headNumber), false]],
    ['eth_noSuchMethod', []],
    ['web3_sha3', [`0x${choices.hex(5)}`]],
  ] as const;
  const asked = Array.from({ length: 2 + choices.below(4) }, (_, id) => [id + 1, ...choices.of(questions)] as const);
  const text = (id: number, method: string, params: readonly unknown[]) => ({ jsonrpc: '2.0', id, method, params });
  const together = await asker.post(
    dialect,
    asked.map(([id, method, params]) => text(id, method, params)),
  );
  const alone: unknown[] = [];
  for (const [id, method, params] of asked) {
    const answer = await asker.post(dialect, text(id, method, params));
    if (!answer?.startsWith('200 ')) return undefined;
    alone.push(JSON.parse(answer.slice(4)));
  }
  const answers = together?.startsWith('200 ') ? JSON.parse(together.slice(4)) : undefined;
  return differ(`a batch of ${JSON.stringify(asked)} on ${dialect}`, answers, alone);
};

const rawTransaction: Question = async ({ world, asker }) => {
  const { ledger } = world.node.chain;
  const sent = [...transactionsIn(ledger, ledger.headNumber - BLOCKS_BACK)];
  if (sent.length === 0) return undefined;
  const { block, blockId, index, txId, transaction } = world.choices.of(sent);
  const asText = resultAs<string>();
  // Ethereum's transactions have their own form.
  const isTrons = ledger.state.tables.ethereumHashes.get(txId) === undefined;
  const raw = await asText(asker.rpc('/eth', 'eth_getRawTransactionByHash', [`0x${txId}`]));
  const at = [`0x${blockId}`, quantity(index)];
  const byHash = await asText(asker.rpc('/eth', 'eth_getRawTransactionByBlockHashAndIndex', at));
  const place = [quantity(block), quantity(index)];
  const byNumber = await asText(asker.rpc('/eth', 'eth_getRawTransactionByBlockNumberAndIndex', place));
  const expected = isTrons ? `0x${bytesToHex(transaction.encode())}` : raw;
  return (
    differ(`the raw transaction ${txId}`, raw, expected) ??
    differ(`the raw transaction ${index} of ${blockId}`, byHash, expected) ??
    differ(`the raw transaction ${index} of ${block}`, byNumber, expected)
  );
};

const accountOfAHeight: Question = async ({ world, asker, people }) => {
  const { choices } = world;
  const { chain } = world.node;
  const contract = people.programs.length > 0 && choices.chance(0.5) ? choices.of(people.programs) : undefined;
  const address = `0x${(contract ?? people.address(choices.below(6))).slice(2)}`;
  const number = Math.max(0, chain.headNumber - choices.below(12));
  const at = choices.chance(0.3) ? 'latest' : quantity(number);
  const asText = resultAs<string>();
  const info = await resultAs<Readonly<Record<string, string>>>()(
    asker.rpc('/eth', 'eth_getAccountInfo', [address, at]),
  );
  const expected = {
    nonce: await asText(asker.rpc('/eth', 'eth_getTransactionCount', [address, at])),
    balance: await asText(asker.rpc('/eth', 'eth_getBalance', [address, at])),
    code: await asText(asker.rpc('/eth', 'eth_getCode', [address, at])),
  };
  if (Object.values(expected).includes(undefined)) return undefined;
  return differ(`${address} at ${at}`, info, expected);
};

const signature: Question = async ({ world, asker, people }) => {
  const { choices } = world;
  const address = `0x${people.address(choices.below(6)).slice(2)}`;
  const message = `0x${choices.hex(choices.of([0, 1, 31, 32, 33, 100]))}`;
  const signer = async (method: string, params: readonly unknown[], recover: (signature: string) => string) => {
    const made = resultOf<string>(await asker.rpc('/eth', method, params));
    return differ(`the signer of ${method} ${JSON.stringify(params)}`, made && recover(made).toLowerCase(), address);
  };
  const bytes = Uint8Array.from(Buffer.from(message.slice(2), 'hex'));
  const types = {
    Note: [
      { name: 'about', type: 'string' },
      { name: 'amount', type: 'uint256' },
    ],
  };
  const domain = { name: 'Simulator', chainId: 7 };
  const note = { about: message, amount: choices.below(1_000) };
  const typed = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      ...types,
    },
    ...{ primaryType: 'Note', domain, message: note },
  };
  return choices.of([
    () => signer('personal_sign', [message, address], (made) => verifyMessage(bytes, made)),
    () => signer('eth_sign', [address, message], (made) => verifyMessage(bytes, made)),
    () => signer('eth_signTypedData_v4', [address, typed], (made) => verifyTypedData(domain, types, note, made)),
  ])();
};

const QUESTIONS: readonly Question[] = [
  ...[logsByCriteria, logsByCriteria, logsByCriteria, blockByTag, feeHistory, batch],
  ...[rawTransaction, accountOfAHeight, signature],
];

export async function ethereumQuestionsAgree(host: Host): Promise<void> {
  const { world } = host;
  for (let left = 3; left > 0 && world.isRunning && !world.diskFails; left--) {
    const moment = () => `${world.node.chain.headId} ${world.node.chain.pool.size}`;
    const before = moment();
    const wrong = await world.choices.of(QUESTIONS)(host);
    // A block of the clock may have come between two questions.
    if (wrong !== undefined && world.isRunning && moment() === before) throw new Violation(NAME, wrong);
  }
}
