/**
 * Somebody asks a fork for what it has not read. Of an account that is not there, the row is fetched, and then the request
 * is refused as it always is. Rows of loans are compared with the network's (`fetched-rows.ts`).
 */

import { hexToBytes, hexToUtf8 } from '../../../../src/primitives/hex.js';
import { TransactionExtention } from '../../../../src/protocol/generated/api.js';
import { TransferContract } from '../../../../src/protocol/generated/balance-contract.js';
import { strangerAddress } from '../../simulated-chain.js';
import { SAME_ON_ALL } from '../invariants/both-interfaces.js';
import { Violation } from '../run/violation.js';
import { isRefusal } from './developers.js';
import type { User } from './user.js';

/** So many that nobody has read the next one. */
const STRANGERS = 1_000_000;
const AWAY_MS = 1_000;
const NO_ACCOUNT = 'no OwnerAccount';

export const askForAStranger: User = async ({ world, people, asker }) => {
  const { choices } = world;
  if (!world.shape.isFork || !world.isRunning) return;
  const isOutOfReach = () => !world.isWell || world.network.isElsewhere;
  const owner_address = strangerAddress(STRANGERS + choices.below(STRANGERS));
  const fields = { owner_address, to_address: people.address(0), amount: 1n };
  // Six attempts take ten seconds.
  const isBrieflyAway = world.isWell && choices.chance(0.4);
  if (isBrieflyAway) world.network.goAway(AWAY_MS);
  const mayBeRefused = () => !isBrieflyAway || isOutOfReach();
  if (choices.chance(0.3)) {
    const answer = await asker.post('/wallet/createtransaction', { ...fields, amount: 1 });
    if (answer === undefined || isOutOfReach() || answer.includes(NO_ACCOUNT)) return;
    if (isRefusal(answer) && mayBeRefused()) return;
    throw new Violation(SAME_ON_ALL, `createtransaction of ${owner_address}: ${answer}`);
  }
  const answer = await asker.grpc('/protocol.Wallet/CreateTransaction2', TransferContract.encode(fields));
  if (answer === undefined || isOutOfReach() || (isRefusal(answer) && mayBeRefused())) return;
  const { result } = TransactionExtention.decode(hexToBytes(answer));
  if (hexToUtf8(result?.message ?? '').includes(NO_ACCOUNT)) return;
  throw new Violation(SAME_ON_ALL, `CreateTransaction2 of ${owner_address}: ${answer}`);
};

export const askForALoan: User = async ({ world, asker }) => {
  const { town } = world.network;
  if (!world.shape.isFork || !world.isRunning || town === undefined) return;
  const [fromAddress, toAddress] = world.choices.of(town.loans);
  await asker.post('/wallet/getdelegatedresourcev2', { fromAddress, toAddress });
};
