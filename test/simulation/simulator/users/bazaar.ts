/**
 * Users who trade in compiled contracts: tokens (one of them behind a proxy), deeds and an exchange, all made by one
 * factory. `bazaar-books.ts` knows what must come of each call: values, storage, events, and whether it is refused.
 */

import type { Hex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { keccak256OfHex } from '../../../../src/protocol/hashes.js';
import { COIN, callData, eventTopic, fixtureBytecode, strangerAddress, word } from '../../simulated-chain.js';
import { wrongConfirmed } from '../invariants/reported-lists.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { type Bazaar, Books, balanceOf, type Log, Refused, totalSupply, type Value } from './bazaar-books.js';
import { listedHoldersDiffer } from './listed-holders.js';
import { sentAlone } from './promises.js';
import { standardEventsAgree } from './shown-events.js';
import type { Host, User } from './user.js';

const INVARIANT = 'contracts do what their model does';
const FEE_LIMIT_SUN = 5_000n * COIN;
const DEEDS = 8;
/** An allowance that lasts. */
const PLENTY = 10n ** 15n;

/** There is no answer: the process has ended, or the disk or the network fails. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Empty: no contract is there. @throws Unanswered */
async function called({ asker }: Host, { contract, data }: Value): Promise<Hex> {
  const call = { owner_address: contract, contract_address: contract, data };
  const answer = await asker.post('/wallet/triggerconstantcontract', call);
  const result = /"constant_result": ?\["([0-9a-f]*)"\]/.exec(answer ?? '')?.[1];
  if (result === undefined) throw new Unanswered();
  return result;
}

async function read(host: Host, value: Value): Promise<bigint> {
  const result = await called(host, value);
  // Somebody has taken the chain back to before the contract.
  if (result === '') throw new Unanswered();
  return BigInt(`0x${result}`);
}

/** A new one. @returns undefined: somebody was too poor, or there is no answer */
export async function openedBazaar(host: Host): Promise<Bazaar | undefined> {
  try {
    return await opened(host);
  } catch (error) {
    if (error instanceof Unanswered) return undefined;
    throw error;
  }
}

async function opened(host: Host): Promise<Bazaar | undefined> {
  const { world, people } = host;
  const owner_address = people.address(world.choices.below(6));
  const bytecode = fixtureBytecode('simulator/Bazaar');
  const new_contract = {
    ...SmartContract.empty,
    origin_address: owner_address,
    name: 'Bazaar',
    bytecode,
    origin_energy_limit: 10_000_000n,
  };
  const made = await sentAlone(host, ContractType.CreateSmartContract, { owner_address, new_contract }, FEE_LIMIT_SUN);
  if (made === undefined) return undefined;
  const bazaar = deployedContractAddress(made.txId as never, owner_address);
  const parts: Address[] = [];
  for (const name of ['plain', 'proxied', 'deeds', 'exchange']) {
    const part = await called(host, { contract: bazaar, data: callData(`${name}()`) });
    // The deployment has failed: too poor.
    if (part === '') return undefined;
    parts.push(`41${part.slice(24)}` as Address);
  }
  const [plain, proxied, deeds, exchange] = parts as [Address, Address, Address, Address];
  return { coins: [plain, proxied], deeds, exchange };
}

interface Deed {
  readonly contract: Address;
  readonly data: Hex;
  readonly inBooks: (books: Books) => Promise<void>;
}

/** One call that `by` makes. */
function chosen({ world, people }: Host, bazaar: Bazaar, by: Address): Deed {
  const { choices } = world;
  const { coins, deeds, exchange } = bazaar;
  const coin = choices.of(coins);
  const [someone, another] = [people.address(choices.below(6)), people.address(choices.below(6))];
  const to = choices.of([someone, someone, strangerAddress(choices.below(40)), exchange]);
  const amount = BigInt(choices.of([0, 1, choices.below(1_000), choices.below(100_000)]));
  const other = BigInt(choices.below(1_000));
  const id = BigInt(choices.below(DEEDS));
  const isFirst = choices.chance(0.5);
  const call = (contract: Address, data: Hex, inBooks: Deed['inBooks']): Deed => ({ contract, data, inBooks });
  const mint = () => call(coin, callData('mint(uint256)', amount), (books) => books.mint(coin, by, amount));
  const ways: readonly (() => Deed)[] = [
    ...[mint, mint, mint],
    () => call(coin, callData('burn(uint256)', other), (books) => books.burn(coin, by, other)),
    () =>
      call(coin, callData('transfer(address,uint256)', to, amount), (books) => books.transfer(coin, by, to, amount)),
    () =>
      call(coin, callData('approve(address,uint256)', exchange, PLENTY), (books) =>
        books.approve(coin, by, exchange, PLENTY),
      ),
    () =>
      call(coin, callData('approve(address,uint256)', someone, amount), (books) =>
        books.approve(coin, by, someone, amount),
      ),
    () =>
      call(coin, callData('transferFrom(address,address,uint256)', another, to, other), (books) =>
        books.transferFrom(coin, by, another, to, other),
      ),
    () => call(deeds, callData('mint(uint256)', id), (books) => books.mintDeed(bazaar, by, id)),
    () =>
      call(deeds, callData('approve(address,uint256)', someone, id), (books) =>
        books.approveDeed(bazaar, by, someone, id),
      ),
    () =>
      call(deeds, callData('transferFrom(address,address,uint256)', another, to, id), (books) =>
        books.transferDeed(bazaar, by, another, to, id),
      ),
    () =>
      call(exchange, callData('give(uint256,uint256)', amount, other), (books) =>
        books.give(bazaar, by, amount, other),
      ),
    () =>
      call(exchange, callData('swap(bool,uint256)', isFirst ? 1n : 0n, other), (books) =>
        books.swap(bazaar, by, isFirst, other),
      ),
  ];
  return choices.of(ways)();
}

interface Info {
  readonly receipt?: { readonly result?: string; readonly energy_usage_total?: number };
  readonly log?: readonly Partial<Log>[];
}

/** Behind a proxy the call fails that lacks Energy, and the proxy reverts: with enough, it uses more and ends well. */
async function lackedEnergy({ asker }: Host, call: object, { receipt }: Info): Promise<boolean> {
  const answer = await asker.post('/wallet/triggerconstantcontract', call);
  const energy = /"energy_used": ?(\d+)/.exec(answer ?? '')?.[1];
  if (energy === undefined) throw new Unanswered();
  return !/REVERT|"code"/.test(answer ?? '') && Number(energy) > (receipt?.energy_usage_total ?? 0);
}

async function tradeOnce(host: Host, bazaar: Bazaar): Promise<void> {
  const { world, people, asker } = host;
  const by = people.address(world.choices.below(6));
  const deed = chosen(host, bazaar, by);
  const books = new Books((value) => read(host, value));
  let isRefused = false;
  try {
    await deed.inBooks(books);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    isRefused = true;
  }
  const fields = { owner_address: by, contract_address: deed.contract, data: deed.data };
  const sent = await sentAlone(host, ContractType.TriggerSmartContract, fields, FEE_LIMIT_SUN);
  if (sent === undefined) return;
  const answer = await asker.post('/wallet/gettransactioninfobyid', { value: sent.txId });
  if (answer?.startsWith('200 {') !== true) return;
  const info = JSON.parse(answer.slice(4)) as Info;
  const result = info.receipt?.result;
  // Others end where the caller's Energy does.
  if (result !== 'SUCCESS' && result !== 'REVERT') return;
  if (result === 'REVERT' && !isRefused && (await lackedEnergy(host, fields, info))) return;
  const what = `${sent.txId} calls ${deed.contract} with ${deed.data} by ${by}`;
  if ((result === 'REVERT') !== isRefused)
    throw new Violation(INVARIANT, `${what}: it ended with ${result}, and should ${isRefused ? '' : 'not '}be refused`);
  const logs = (info.log ?? []).map(({ address, topics = [], data = '' }) => ({ address, topics, data }));
  const expected = isRefused ? [] : books.logs;
  if (JSON.stringify(logs) !== JSON.stringify(expected))
    throw new Violation(INVARIANT, `${what}: its logs are ${JSON.stringify(logs)}, not ${JSON.stringify(expected)}`);
  if (logs.length > 0 && world.choices.chance(0.3)) await standardEventsAgree(host, sent.txId, logs);
  if (bazaar.coins.includes(deed.contract) && logs.length > 0 && world.choices.chance(0.2)) {
    const wrong = await wrongConfirmed(host, deed.contract, by);
    if (wrong !== undefined) throw new Violation(INVARIANT, `${what}: ${wrong}`);
  }
  for (const { value, before, now } of books.values()) {
    const told = await read(host, value);
    if (told === (isRefused ? before : now)) continue;
    throw new Violation(
      INVARIANT,
      `${what}: ${value.data} of ${value.contract} was ${before}, should be ${isRefused ? before : now}, and is ${told}`,
    );
  }
}

/** Of all that was ever moved, read from logs: balances as the contract tells them, and as its storage has them. */
async function compareWithLogs(host: Host, { coins }: Bazaar): Promise<void> {
  const { world, asker } = host;
  const coin = world.choices.of(coins);
  const address = `0x${coin.slice(2)}`;
  const answer = await asker.rpc('/eth', 'eth_getLogs', [
    {
      address,
      fromBlock: 'earliest',
      toBlock: 'latest',
      topics: [`0x${eventTopic('Transfer(address,address,uint256)')}`],
    },
  ]);
  if (answer === undefined || !/"result":\[/.test(answer)) throw new Unanswered();
  const { result } = JSON.parse(answer.slice(4)) as {
    readonly result: readonly { readonly topics: readonly string[]; readonly data: string }[];
  };
  const moved = new Map<string, bigint>();
  for (const { topics, data } of result)
    for (const [topic, sign] of [[topics[1], -1n] as const, [topics[2], 1n] as const]) {
      const holder = (topic as string).slice(26);
      moved.set(holder, (moved.get(holder) ?? 0n) + sign * BigInt(data));
    }
  const nobody = '0'.repeat(40);
  const supply = await read(host, totalSupply(coin));
  if (supply !== -(moved.get(nobody) ?? 0n))
    throw new Violation(INVARIANT, `the supply of ${coin} is ${supply}, its logs say ${-(moved.get(nobody) ?? 0n)}`);
  moved.delete(nobody);
  const amounts = new Map(Array.from(moved, ([holder, amount]) => [`41${holder}` as Address, amount]));
  for (const [who, amount] of amounts) {
    const told = await read(host, balanceOf(coin, who));
    // The first variable is the map of balances.
    const slot = keccak256OfHex(word(who) + word(0n));
    const storage = await asker.rpc('/eth', 'eth_getStorageAt', [address, `0x${slot}`, 'latest']);
    const stored = resultOf<string>(storage);
    if (stored === undefined) throw new Unanswered();
    if (told !== amount || BigInt(stored) !== amount)
      throw new Violation(
        INVARIANT,
        `${coin}: by its logs ${who} has ${amount}, balanceOf says ${told}, its storage ${BigInt(stored)}`,
      );
  }
  const wrong = amounts.size === 0 ? undefined : await listedHoldersDiffer(host, coin, amounts);
  if (wrong !== undefined) throw new Violation(INVARIANT, wrong);
}

export const trade: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (world.node.producer.mode !== 'instant' || world.diskFails) return;
  // What is confirmed is not yet what is.
  if (choices.chance(0.1)) await asker.rpc('/tre', 'tron_setSolidityLag', [choices.of([0, 1, 2, 3])]);
  if (!world.isRunning) return;
  if (world.tokenBalances === 'unknown') {
    people.bazaar = undefined;
    world.tokenBalances = 'transferred';
  }
  try {
    if (people.bazaar === undefined || choices.chance(0.01)) people.bazaar = await openedBazaar(host);
    if (people.bazaar === undefined) return;
    for (let count = choices.of([1, 1, 2]); count > 0 && world.isRunning; count--) await tradeOnce(host, people.bazaar);
    if (choices.chance(0.25)) await compareWithLogs(host, people.bazaar);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    people.bazaar = undefined;
  }
};
