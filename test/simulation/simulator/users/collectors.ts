/** Somebody who comes to have some of more and more tokens, and of part of them nothing again. */

import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN, callData } from '../../simulated-chain.js';
import { pagedBalancesDiffer } from '../invariants/reported-lists.js';
import { Violation } from '../run/violation.js';
import { openedBazaar } from './bazaar.js';
import { sentAlone } from './promises.js';
import type { User } from './user.js';

const FEE_LIMIT_SUN = 1_000n * COIN;

export const collectTokens: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  if (world.node.producer.mode !== 'instant' || world.diskFails || world.withoutHistory) return;
  const owner_address = people.address(0);
  const bazaars = [await openedBazaar(host), await openedBazaar(host)];
  for (const contract_address of bazaars.flatMap((bazaar) => bazaar?.coins ?? [])) {
    const call = (data: string) => {
      const fields = { owner_address, contract_address, data };
      return sentAlone(host, ContractType.TriggerSmartContract, fields, FEE_LIMIT_SUN);
    };
    await call(callData('mint(uint256)', 5n));
    if (choices.chance(0.5)) await call(callData('transfer(address,uint256)', people.address(5), 5n));
  }
  const { headId } = world.node.chain;
  const wrong = world.isQuiet ? await pagedBalancesDiffer(host, owner_address) : undefined;
  if (wrong !== undefined && world.isQuiet && world.node.chain.headId === headId)
    throw new Violation('a report lists the rows', wrong);
};
