/** Users who send transactions: what people do, everything that can be sent, many at once, and Ethereum's form. */

import { Wallet } from 'ethers';
import fc from 'fast-check';
import { OperationError } from '../../../../src/errors/operation-error.js';
import { withRows } from '../../../../src/node/with-rows.js';
import { bytesToHex, utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { contractCodec, contractTypesWithMessage } from '../../../../src/protocol/contract-types.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { DamagedStoreError } from '../../../../src/state/row-checksum.js';
import { TABLES } from '../../../../src/state/tables.js';
import { BEGINNING, type Operation, send, sending } from '../../operations.js';
import { fixtureBytecode, strangerAddress } from '../../simulated-chain.js';
import { WildMessages } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { type Answer, resultOf } from './asker.js';
import { programCall } from './programs.js';
import type { SharedHost, SharedUser, User } from './user.js';

const SLOT_MS = 3_000;

/** Sends signed bytes over `/wallet`. @returns the answer */
export function sendHex({ asker }: Pick<SharedHost, 'asker'>, transaction: SignedTransaction): Promise<Answer> {
  return asker.post('/wallet/broadcasthex', { transaction: bytesToHex(transaction.encode()) });
}

/** Whether an answer of `/wallet` accepts a transaction. */
export function isAccepted(answer: Answer): boolean {
  return /"result":true/.test(answer ?? '');
}

/** Sends signed bytes over one of the interfaces, if there are some. */
export async function broadcast(
  { world, asker, people }: SharedHost,
  transaction: SignedTransaction | undefined,
): Promise<void> {
  if (transaction === undefined || !world.isRunning) return;
  people.sent.push(transaction);
  if (people.sent.length > 50) people.sent.shift();
  const { miningMode } = world;
  const answer = world.choices.chance(0.5)
    ? await sendHex({ asker }, transaction)
    : await asker.grpc('/protocol.Wallet/BroadcastTransaction', transaction.encode());
  // On an instant chain its block is made before the answer.
  if (miningMode !== 'instant' || (answer !== '0801' && !isAccepted(answer))) return;
  // The process may end before it says in which block.
  world.told.transaction(transaction.txId, Number.POSITIVE_INFINITY);
  const head = await world.head();
  if (head !== undefined) world.told.notAbove(transaction.txId, head.number);
}

/**
 * Signs a transaction. On a fork this may need rows of its network.
 *
 * @returns undefined if the network does not give them, or there is nothing to sign
 */
export async function composed(
  { world }: SharedHost,
  compose: () => { readonly transaction: SignedTransaction } | undefined,
): Promise<SignedTransaction | undefined> {
  const outcome = await world.settle(Promise.resolve().then(() => withRows(compose)));
  if ('value' in outcome) return outcome.value?.transaction;
  if ('refusal' in outcome && !isExpected(world, outcome.refusal)) throw outcome.refusal;
  return undefined;
}

/** A fork's network does not give a row, or a disk that fails has damaged the store. */
const isExpected = ({ diskFails }: SharedHost['world'], refusal: Error): boolean =>
  refusal instanceof OperationError || (diskFails && refusal instanceof DamagedStoreError);

type Sent = Exclude<Operation, { readonly what: 'mine' | 'advance' }>;

/** A stake, a vote, a transfer, a deployment, a call: most are accepted. */
export const transact: SharedUser = async (host) => {
  const [operation] = fc.sample(sending, { seed: host.world.choices.below(2 ** 31), numRuns: 1 });
  await broadcast(host, await composed(host, () => send(host.people, operation as Sent)));
};

/** What makes the others' operations possible. */
export const begin: SharedUser = async (host) => {
  for (const operation of BEGINNING) {
    if (operation.what === 'mine') await host.asker.rpc('/tre', 'hardhat_mine', [`0x${operation.blocks}`]);
    else if (operation.what !== 'advance')
      await broadcast(host, await composed(host, () => send(host.people, operation)));
  }
};

const LOAN_SUN = 2_000_000n;
const LOCKED = 'a lock lasts as long as it says';

/** A delegation with a lock lasts as long as it says (protocol/staking.md#delegate). */
export const delegateLocked: SharedUser = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  // Few pairs, so that a loan meets another one.
  const [from, to] = [choices.below(2), 3 + choices.below(2)];
  const periodSlots = 1 + choices.below(2_000);
  // What is free comes back while something is locked.
  if (choices.chance(0.25)) {
    const pair = { owner_address: people.address(from), receiver_address: people.address(to) };
    await takeBack(host, pair, choices.below(2), (free) => (free > 0n && choices.chance(0.7) ? free : LOAN_SUN));
    return;
  }
  const resource = choices.below(2);
  // Besides what is locked, some is free.
  const lock = choices.chance(0.6);
  await lend(host, from, to, { resource, lock, lock_period: lock ? BigInt(periodSlots) : 0n });
  // The locks of both resources end at times of their own.
  if (lock && choices.chance(0.4))
    await lend(host, from, to, { resource: 1 - resource, lock, lock_period: BigInt(1 + choices.below(2_000)) });
  // A later loan prolongs a lock.
  if (lock && choices.chance(0.4))
    await lend(host, from, to, { resource, lock, lock_period: BigInt(periodSlots + 1 + choices.below(2_000)) });
};

interface Pair {
  readonly owner_address: Address;
  readonly receiver_address: Address;
}

/** @param amountSun of what is free */
async function takeBack(
  host: SharedHost,
  pair: Pair,
  resource: number,
  amountSun: (free: bigint) => bigint,
): Promise<Answer> {
  const { people } = host;
  const undelegation = await composed(host, () => {
    const free = people.ledger.state.tables.delegations.get(`01${pair.owner_address}${pair.receiver_address}`);
    const all = resource === 0 ? free?.frozen_balance_for_bandwidth : free?.frozen_balance_for_energy;
    const back = { ...pair, balance: amountSun(all ?? 0n), resource };
    return people.send(ContractType.UnDelegateResourceContract, back);
  });
  return undelegation && sendHex(host, undelegation);
}

interface Loan {
  readonly resource: number;
  readonly lock: boolean;
  /** In slots. */
  readonly lock_period: bigint;
}

type ShownLoan = Readonly<Partial<Record<`${'expire_time' | 'frozen_balance'}_for_${'bandwidth' | 'energy'}`, number>>>;

interface ShownLoans {
  readonly delegatedResource?: readonly ShownLoan[];
}

async function lend(host: SharedHost, from: number, to: number, loan: Loan): Promise<void> {
  const { world, people, asker } = host;
  const before = await world.head();
  if (before === undefined) return;
  const pair = { owner_address: people.address(from), receiver_address: people.address(to) };
  const fields = { ...pair, ...loan, balance: LOAN_SUN };
  const transaction = await composed(host, () => people.send(ContractType.DelegateResourceContract, fields));
  if (transaction === undefined) return;
  const answer = await sendHex(host, transaction);
  if (!loan.lock || !isAccepted(answer) || world.miningMode !== 'instant') return;
  const records = await asker.post('/wallet/getdelegatedresourcev2', {
    fromAddress: pair.owner_address,
    toAddress: pair.receiver_address,
  });
  if (records === undefined) return;
  const name = loan.resource === 0 ? 'bandwidth' : 'energy';
  const { delegatedResource: shown = [] }: ShownLoans = records.startsWith('200 ') ? JSON.parse(records.slice(4)) : {};
  const endOf = (record: ShownLoan) => record[`expire_time_for_${name}`];
  const ends = shown.map(endOf).find((end) => end !== undefined);
  const due = Number(before.timeMs) + Number(loan.lock_period) * SLOT_MS;
  if (ends !== due) throw new Violation(LOCKED, `it ends at ${ends}, ${loan.lock_period} slots are over at ${due}`);
  const now = await world.head();
  // The clock may have been far ahead of the head.
  if (now === undefined || Number(now.timeMs) >= due) return;
  // As the node says it: the rows of a real one are looked at now and then only.
  const free = shown.find((record) => endOf(record) === undefined)?.[`frozen_balance_for_${name}`] ?? 0;
  const back = await takeBack(host, pair, loan.resource, () => BigInt(free) + LOAN_SUN);
  if (isAccepted(back) && world.miningMode === 'instant')
    throw new Violation(LOCKED, `of ${LOAN_SUN} that are locked until ${due}, some were taken back: ${back}`);
  // All that is free: the pair is known by its lock.
  if (world.choices.chance(0.8)) for (const one of [0, 1]) await takeBack(host, pair, one, (free) => free);
}

/** Any message, of which most are refused. */
export const sendAnything: SharedUser = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const type = choices.of(contractTypesWithMessage());
  const codec = contractCodec(type)!;
  const contracts = people.sent.flatMap(({ contract }) => contractOf(contract));
  const feeLimitSun = choices.of([0n, 100_000_000n, 1_000_000_000n]);
  const transaction = await composed(host, () => {
    const { tables } = people.ledger.state;
    const fields = new WildMessages(choices, {
      addresses: [...people.addresses, strangerAddress(0), strangerAddress(choices.below(40)), ...contracts],
      witnesses: tables.witnesses.entries().map(([address]) => address),
      contracts,
      tokens: tables.assets.entries().map(([, { id }]) => utf8ToHex(id)),
      orders: people.addresses.flatMap((address) => tables.marketAccounts.get(address)?.orders ?? []),
      codes: ['Meter', 'Factory', 'Stake'].map(fixtureBytecode),
      headTimeMs: people.ledger.headTimeMs,
      proposals: people.ledger.long('LATEST_PROPOSAL_NUM'),
      exchanges: people.ledger.long('LATEST_EXCHANGE_NUM'),
    }).fields(codec.type);
    if ('owner_address' in fields) fields.owner_address = choices.of(people.addresses);
    return people.send(type, fields, { feeLimitSun });
  });
  await broadcast(host, transaction);
};

function contractOf(contract: unknown): readonly string[] {
  const { contract_address: address } = (contract ?? {}) as { readonly contract_address?: string };
  return address === undefined ? [] : [address];
}

/** Several at once, with questions between them: nobody waits for another's answer. */
export const burst: SharedUser = async (host) => {
  const { world, people, asker } = host;
  const requests: (() => Promise<unknown>)[] = [];
  for (let count = 2 + world.choices.below(5); count > 0; count--) {
    const address = people.address(count % 6);
    const [operation] = fc.sample(sending, { seed: world.choices.below(2 ** 31), numRuns: 1 });
    const transaction = await composed(host, () => send(people, operation as Sent));
    if (world.choices.chance(0.3)) requests.push(() => asker.post('/wallet/getaccount', { address }));
    else requests.push(() => broadcast(host, transaction));
  }
  if (world.isRunning) await Promise.all(requests.map((request) => request()));
};

/** One sun from each of the first people to the next. All name the present head. */
export async function transfersInARing(
  host: SharedHost,
  count: number,
): Promise<readonly (SignedTransaction | undefined)[]> {
  const { people } = host;
  const transfers: (SignedTransaction | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const fields = { owner_address: people.address(i), to_address: people.address((i + 1) % 6), amount: 1n };
    transfers.push(await composed(host, () => people.send(ContractType.TransferContract, fields)));
  }
  return transfers;
}

/** While batches are under way, the store shows what it has been given, and not what it has written. */
export const hurry: User = async (host) => {
  const { world } = host;
  const { chain } = world.node;
  const { longs } = TABLES;
  const transactions = await transfersInARing(host, 6);
  let isDone = world.diskFails || !world.isRunning;
  const all = Promise.all(isDone ? [] : transactions.map((transaction) => broadcast(host, transaction))).finally(() => {
    isDone = true;
  });
  while (!isDone && world.isRunning) {
    const row = chain.store.get(`${longs.prefix}latest_block_header_number`);
    const stored = row && Number(longs.decode(row));
    if (chain.commits.isAccepting && stored !== chain.headNumber)
      throw new Violation(
        'the node knows what its store has',
        `the head is ${chain.headNumber}, its row says ${stored}`,
      );
    await new Promise(setImmediate);
  }
  await all;
};

/** The nonce of an account's next transaction; not a number: there is no answer. */
export async function nextNonce({ asker }: SharedHost, address: string): Promise<number> {
  const count = await asker.rpc('/eth', 'eth_getTransactionCount', [address, 'pending']);
  return Number(resultOf<string>(count));
}

/** Whether the pool is full, of transactions or of work. */
async function isBusy(host: SharedHost): Promise<boolean> {
  const [transfer] = await transfersInARing(host, 1);
  return transfer === undefined || /SERVER_BUSY/.test((await sendHex(host, transfer)) ?? '');
}

/** Whether an account's transaction of a nonce waits for those before it. */
async function isQueued({ asker }: SharedHost, address: string, nonce: number): Promise<boolean> {
  const content = resultOf<Waiting>(await asker.rpc('/eth', 'txpool_contentFrom', [address]));
  return content?.queued[nonce] !== undefined;
}

interface Waiting {
  readonly queued: Readonly<Record<string, unknown>>;
}

/** Three transactions, the last first: those that wait are sent with the first. */
export const sendBackwards: SharedUser = async (host) => {
  const { world, asker, people } = host;
  const { choices } = world;
  const address = people.address(choices.below(6));
  const wallet = new Wallet(`0x${people.keyOf(address)}`);
  const first = await nextNonce(host, wallet.address);
  const account = await asker.post('/wallet/getaccount', { address });
  const isRich = Number(/"balance": ?(\d+)/.exec(account ?? '')?.[1]) > 1e9;
  if (Number.isNaN(first) || !isRich) return;
  for (const nonce of [first + 2, first + 1, first]) {
    const signed = await wallet.signTransaction({
      to: `0x${strangerAddress(nonce % 5).slice(2)}`,
      value: 1n,
      nonce,
      gasLimit: 5_000_000n,
      gasPrice: 420n,
      chainId: BigInt(world.chainId),
    });
    const answer = await asker.rpc('/eth', 'eth_sendRawTransaction', [signed]);
    if (!/"result"/.test(answer ?? '') || !world.isRunning || world.diskFails) return;
  }
  const next = await nextNonce(host, wallet.address);
  // A full pool refuses it, which ends its waiting. Where the network of a fork is out of reach, it waits on.
  const isLost = next < first + 3 && !(await isBusy(host));
  if (isLost && !(world.shape.isFork && (await isQueued(host, wallet.address, next))))
    throw new Violation(
      'a transaction that waits for a nonce is sent when it is due',
      `nonces ${first} to ${first + 2} were sent, the last first; the next nonce is ${next}`,
    );
};

/** A creation that stores 1 in memory, logs it with the topic 7, and leaves no code: MSTORE, LOG1, STOP. */
const LOGGING_CREATION = '6001600052600760206000a100';

/** A signed Ethereum transaction, sometimes ahead of its nonce. */
export const sendAsEthereum: SharedUser = async (host) => {
  const { world, asker, people } = host;
  const { choices } = world;
  const wallet = new Wallet(`0x${people.keyOf(people.address(choices.below(6)))}`);
  const nonce = await nextNonce(host, wallet.address);
  if (Number.isNaN(nonce)) return;
  const chainId = BigInt(world.chainId);
  // The one before, if it is pending, is replaced where this one is dearer.
  const isReplacement = choices.chance(0.15);
  // Programs log, and so do creations.
  const program = choices.chance(0.4) ? people.programs.at(-1) : undefined;
  const plainData = choices.of(['', fixtureBytecode('Meter'), LOGGING_CREATION, LOGGING_CREATION]);
  const signed = await wallet.signTransaction({
    to: choices.chance(0.7) ? `0x${(program ?? people.address(choices.below(6))).slice(2)}` : null,
    data: `0x${program === undefined ? plainData : programCall(choices)}`,
    value: BigInt(choices.below(1_000_000)),
    nonce: isReplacement ? Math.max(0, nonce - 1) : nonce + choices.of([0, 0, 0, 1, 2]),
    gasLimit: 5_000_000n,
    gasPrice: isReplacement ? choices.of([420n, 440n, 500n, 900n]) : 420n,
    chainId,
  });
  await asker.rpc('/eth', 'eth_sendRawTransaction', [signed]);
};
