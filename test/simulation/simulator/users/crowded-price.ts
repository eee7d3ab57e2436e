/** Orders of several people at one price, of which some are cancelled: the first of their level, the last, one between. */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { broadcast, composed } from './transactions.js';
import type { User } from './user.js';

const PRICE = { sun: 1_000_000n, tokens: 50n };

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
  const owner_address = choices.of(owners);
  const orders = people.ledger.state.tables.marketAccounts.get(owner_address)?.orders ?? [];
  if (orders.length === 0 || choices.chance(0.3)) return;
  const fields = { owner_address, order_id: choices.of(orders) };
  await broadcast(host, await composed(host, () => people.send(ContractType.MarketCancelOrderContract, fields)));
};
