/**
 * Orders of several people at one price. Somebody takes a part of them; some are cancelled: the first of their level, the
 * last, one between, or one of which a part is gone.
 */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { broadcast, composed } from './transactions.js';
import type { Host, User } from './user.js';

const PRICE = { sun: 1_000_000n, tokens: 50n };

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
  const fields = {
    owner_address,
    ...{ sell_token_id: utf8ToHex(token), sell_token_quantity: tokens },
    ...{ buy_token_id: utf8ToHex('_'), buy_token_quantity: sun },
  };
  await broadcast(host, await composed(host, () => people.send(ContractType.MarketSellAssetContract, fields)));
}

export const crowdAPrice: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const [, token] = people.ledger.state.tables.assets.entries()[0] ?? [];
  if (!world.shape.market || token === undefined) return;
  const owners = Array.from({ length: 1 + choices.below(3) }, () => people.address(choices.below(4)));
  for (const owner_address of owners) {
    const times = BigInt(1 + choices.below(3));
    const fields = {
      owner_address,
      ...{ sell_token_id: utf8ToHex('_'), sell_token_quantity: times * PRICE.sun },
      ...{ buy_token_id: utf8ToHex(token.id), buy_token_quantity: times * PRICE.tokens },
    };
    await broadcast(host, await composed(host, () => people.send(ContractType.MarketSellAssetContract, fields)));
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
