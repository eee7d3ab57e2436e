/**
 * Somebody who is owed a reward: a withdrawal pays what was owed, to the sun, and leaves nothing; what an epoch later is
 * owed again has to wait for a day (protocol/contract-types.md).
 */

import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { Violation } from '../run/violation.js';
import { sentAlone } from './promises.js';
import type { Host, User } from './user.js';

const NAME = 'a reward is paid once, as it was told';
/** Longer than an epoch of a simulated chain. */
const EPOCH_MS = 700_000;

/** Undefined: nobody says. */
export async function owedTo({ asker, world }: Host, address: string): Promise<bigint | undefined> {
  const answer = await asker.post('/wallet/getReward', { address });
  const reward = /"reward": ?(\d+)/.exec(answer ?? '')?.[1];
  return reward === undefined || !world.isRunning || world.diskFails ? undefined : BigInt(reward);
}

export const takeReward: User = async (host) => {
  const { world, people, asker } = host;
  if (world.miningMode !== 'instant' || !world.isRunning || world.node.chain.pool.size > 0) return;
  const owner_address = world.choices.of(people.addresses);
  const owed = await owedTo(host, owner_address);
  if (owed === undefined) return;
  const sent = await sentAlone(host, ContractType.WithdrawBalanceContract, { owner_address });
  if (sent === undefined) return;
  const info = await asker.post('/wallet/gettransactioninfobyid', { value: sent.txId });
  const paid = BigInt(/"withdraw_amount": ?(\d+)/.exec(info ?? '')?.[1] ?? 0);
  if (!info?.startsWith('200 {') || !world.isRunning) return;
  if (paid !== owed) throw new Violation(NAME, `${owner_address} was owed ${owed} sun, and ${sent.txId} paid ${paid}`);
  await asker.library('mine', () => world.devnet.mine({ advanceMs: EPOCH_MS }));
  const again = await owedTo(host, owner_address);
  if (again === undefined || again === 0n) return;
  const second = await sentAlone(host, ContractType.WithdrawBalanceContract, { owner_address });
  if (second !== undefined)
    throw new Violation(NAME, `${owner_address} withdrew twice within a day, ${paid} and ${again} sun: ${second.txId}`);
};
