/** Somebody calls a contract whose deployer pays a part, and has little or no Energy left for it. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { newestBlockAgrees } from '../invariants/statements.js';
import { programCall } from './programs.js';
import { sentAlone } from './promises.js';
import type { Host, User } from './user.js';

const FEE_LIMIT_SUN = 1_000n * COIN;

/** A contract of somebody who has Energy. */
function shared({ world, people }: Host): { readonly contract: Address; readonly deployer: Address } | undefined {
  const { contracts } = world.ledger.state.tables;
  const some = people.programs.flatMap((contract) => {
    const record = contracts.get(contract as Address);
    const isShared = record !== undefined && record.consume_user_resource_percent < 100n;
    return isShared ? [{ contract: contract as Address, deployer: record.origin_address as Address }] : [];
  });
  return some.length === 0 ? undefined : world.choices.of(some);
}

export const callAtTheDeployersExpense: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (world.shape.isFork || world.diskFails || world.miningMode !== 'instant' || world.node.chain.pool.size > 0) return;
  const { contract, deployer } = shared(host) ?? {};
  if (contract === undefined || deployer === undefined) return;
  const owner_address = choices.of(people.addresses.filter((one) => one !== deployer));
  const resources = await asker.post('/wallet/getaccountresource', { address: deployer });
  const limit = Number(/"EnergyLimit": ?(\d+)/.exec(resources ?? '')?.[1] ?? 0);
  if (limit > 0) {
    const left = choices.of([0, 1, 10, 100, 1_000, 10_000]);
    const energyUsage = Math.max(0, limit - left);
    await asker.rpc('/tre', 'tron_setAccountResources', [toBase58(deployer), { energyUsage }]);
  }
  if (!world.isRunning) return;
  const fields = { owner_address, contract_address: contract, data: programCall(choices) };
  const sent = await sentAlone(host, ContractType.TriggerSmartContract, fields, FEE_LIMIT_SUN);
  if (sent === undefined || !world.isRunning) return;
  newestBlockAgrees(host);
};
