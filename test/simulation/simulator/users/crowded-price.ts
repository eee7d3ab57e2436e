/**
 * Orders of several people at one price. Somebody takes a part of them; some are cancelled: the first of their level, the
 * last, one between, or one of which a part is gone. And as many as one order may take, or one more.
 */

import { priceLevels } from '../../../../src/ledger/trade/market.js';
import { utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { whileMining } from './promises.js';
import { issueToken } from './token-grants.js';
import { broadcast, composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const MATCHES = 'an order matches as many as it may';
const PRICE = { sun: 1_000_000n, tokens: 50n };

type Amount = readonly [token: string, quantity: bigint];

function ordered({ people }: Host, owner_address: Address, sells: Amount, buys: Amount) {
  return people.send(ContractType.MarketSellAssetContract, {
    owner_address,
    ...{ sell_token_id: utf8ToHex(sells[0]), sell_token_quantity: sells[1] },
    ...{ buy_token_id: utf8ToHex(buys[0]), buy_token_quantity: buys[1] },
  });
}

/** Somebody sells tokens for some less than the price, so amounts are rounded. */
async function takePart(host: Host, token: string, makers: readonly string[]): Promise<void> {
  const { world, people } = host;
  const { choices } = world;
  const tokens = BigInt(1 + choices.below(120));
  const { accounts } = people.ledger.state.tables;
  const owner_address = people.addresses.find(
    (one) => !makers.includes(one) && (accounts.get(one)?.assetV2.get(token) ?? 0n) >= tokens,
  );
  if (owner_address === undefined) return;
  const sun = (tokens * PRICE.sun) / PRICE.tokens - BigInt(choices.of([0, 0, 1, 7_777]));
  await broadcast(host, await composed(host, () => ordered(host, owner_address, [token, tokens], ['_', sun])));
}

/** An order matches so many others, and no more. */
const MOST_MATCHES = 20;

/** Orders that are better for a taker than all others; one takes all of them, or is refused as a whole. */
async function matchMost(host: Host, token: string): Promise<void> {
  const { world, people } = host;
  const { choices } = world;
  const count = MOST_MATCHES + choices.below(2);
  const { accounts, marketAccounts } = people.ledger.state.tables;
  const has = (one: Address) => accounts.get(one)?.assetV2.get(token) ?? 0n;
  const taker = people.addresses.find((one) => has(one) >= BigInt(count));
  const makers = people.addresses.filter((one) => one !== taker).slice(0, 4);
  if (taker === undefined || world.miningMode !== 'instant' || !world.isQuiet) return;
  const order = async (owner: Address, sells: Amount, buys: Amount) => {
    const transaction = await composed(host, () => ordered(host, owner, sells, buys));
    return transaction === undefined ? undefined : sendHex(host, transaction);
  };
  const open = () => makers.reduce((sum, one) => sum + (marketAccounts.get(one)?.orders.length ?? 0), 0);
  const opened = open();
  // What is left of an older order would be one more.
  const [best] = priceLevels(people.ledger, utf8ToHex('_'), utf8ToHex(token), 1);
  const beyond = best === undefined ? 0n : best.sellQuantity / best.buyQuantity + 1n;
  const sun = beyond > COIN ? beyond : COIN;
  for (let made = 0; made < count; made++)
    if (!isAccepted(await order(choices.of(makers), ['_', sun], [token, 1n])) || !world.isQuiet) return;
  if (open() - opened !== count) return;
  const had = has(taker);
  const answer = await order(taker, [token, BigInt(count)], ['_', BigInt(count) * sun]);
  if (answer === undefined || !world.isQuiet) return;
  const sold = had - has(taker);
  const expected = count > MOST_MATCHES ? 0n : BigInt(count);
  // Something else may be missing, such as bandwidth.
  if (sold !== expected && (count > MOST_MATCHES || /Too many matches/.test(answer)))
    throw new Violation(MATCHES, `an order that matches ${count} others sold ${sold}: ${answer}`);
}

export const crowdAPrice: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const [, token] = people.ledger.state.tables.assets.entries()[0] ?? [];
  if (!world.shape.market) return;
  if (token === undefined) return issueToken(host);
  if (choices.chance(0.4)) return whileMining('instant', () => matchMost(host, token.id))(host);
  const owners = Array.from({ length: 1 + choices.below(3) }, () => people.address(choices.below(4)));
  for (const owner_address of owners) {
    const times = BigInt(1 + choices.below(3));
    const sells = ['_', times * PRICE.sun] as const;
    const buys = [token.id, times * PRICE.tokens] as const;
    await broadcast(host, await composed(host, () => ordered(host, owner_address, sells, buys)));
    if (!world.isRunning) return;
  }
  if (choices.chance(0.5)) await takePart(host, token.id, owners);
  if (!world.isRunning) return;
  const owner_address = choices.of(owners);
  const orders = people.ledger.state.tables.marketAccounts.get(owner_address)?.orders ?? [];
  if (orders.length === 0 || choices.chance(0.3)) return;
  const fields = { owner_address, order_id: choices.of(orders) };
  await broadcast(host, await composed(host, () => people.send(ContractType.MarketCancelOrderContract, fields)));
};
