/**
 * A transaction that was fine while it was pending, and is not in its block: the call before it costs more there, so that
 * its sender has too little left. Of the dropped one nothing may be left, neither its fee nor its bytes.
 */

import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { bytesIn, OP, pushPlace } from './assembler.js';
import { asked } from './instruments.js';
import { placed, WASTER } from './places.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { User } from './user.js';

const NAME = 'what is dropped from a block has done nothing';
const FEE_LIMIT_SUN = 50n * COIN;
const KEPT_SUN = 20n * COIN;
/** More than is free of bandwidth: its bytes are paid in coin. */
const MEMO = 'm'.repeat(700);

/** A pending call has no block yet: its number is 0. In a block, all its Energy is spent. */
const ending = (place: number) => OP.NUMBER + OP.ISZERO + pushPlace(place) + OP.JUMPI + OP.INVALID;
const CODE = ending(bytesIn(ending(0))) + OP.JUMPDEST + OP.STOP;

export const dropInABlock: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  if (!world.isQuiet || world.shape.isFork || world.miningMode !== 'manual') return;
  await asked(host, 'tron_dropAllTransactions');
  if (!(await placed(host, { [WASTER]: CODE }))) return;
  const owner_address = people.address(choices.below(6));
  const { accounts } = world.ledger.state.tables;
  const balance = () => accounts.get(owner_address)?.balance ?? 0n;
  const before = balance();
  if (before < 2n * FEE_LIMIT_SUN) return;
  const call = await composed(host, () =>
    people.send(
      ContractType.TriggerSmartContract,
      { owner_address, contract_address: WASTER },
      { feeLimitSun: FEE_LIMIT_SUN },
    ),
  );
  if (call === undefined || !isAccepted(await sendHex(host, call))) return;
  const fields = { owner_address, to_address: people.address(0), amount: balance() - KEPT_SUN };
  if (owner_address === fields.to_address) return;
  const transfer = await composed(host, () => people.send(ContractType.TransferContract, fields, { memo: MEMO }));
  if (transfer === undefined || !isAccepted(await sendHex(host, transfer))) return;
  const height = world.headNumber;
  await asked(host, 'hardhat_mine', '0x1');
  if (!world.isQuiet || world.headNumber !== height + 1) return;
  const infos = (await host.asker.post('/wallet/gettransactioninfobyblocknum', { num: height + 1 })) ?? '';
  // Who has Energy of a stake pays nothing for the call.
  if (infos.includes(transfer.txId) || !infos.includes(call.txId)) return;
  const fee = BigInt(/"fee": ?(\d+)/.exec(infos)?.[1] ?? 0);
  if (balance() !== before - fee)
    throw new Violation(NAME, `${transfer.txId}: ${owner_address} had ${before}, paid ${fee} and has ${balance()}`);
};
