/**
 * SUICIDE: its conditions, the inheritance, and its internal transactions (protocol/calls.md#selfdestruct,
 * protocol/virtual-machine.md#later-releases; java-tron Program.suicide, suicide2).
 *
 * TRX and tokens are moved here; the host has the rules for votes and stakes.
 */

import type { Address } from '../primitives/ids.js';
import { executionFailed, javaFailure, transferFailed } from './errors.js';
import { type Frame, NO_BYTES } from './frame.js';
import type { InternalTransaction } from './internal-transactions.js';
import { transferRefusal } from './transfers.js';
import { addressOfWord } from './words.js';
import { HELD_TOKEN } from './work.js';

export function selfDestruct(frame: Frame): void {
  frame.refuseInStaticCall();
  const { host, flags, substate } = frame.execution;
  const owner = frame.context;
  const heir = addressOfWord(frame.pop());
  if (!host.mayDestroy(owner)) {
    frame.revert(NO_BYTES);
    return;
  }
  if (flags.selfdestructRestriction && !substate.created.has(owner)) transferAll(frame, owner, heir);
  else destroy(frame, owner, heir);
  frame.stop();
}

function record(frame: Frame, owner: Address, heir: Address): InternalTransaction {
  const { execution } = frame;
  const { host } = execution;
  const tokens = host.tokenBalances(owner);
  execution.spend(HELD_TOKEN * (tokens.length + host.tokenBalances(heir).length), 'SUICIDE');
  return frame.record('suicide', heir, host.balance(owner), tokens);
}

/**
 * The contract is deleted after the transaction succeeds. A contract that names itself as heir leaves all to the black
 * hole.
 */
function destroy(frame: Frame, owner: Address, heir: Address): void {
  const { host, flags, substate } = frame.execution;
  if (flags.vote) host.settleVotes(owner);
  const transaction = record(frame, owner, heir);
  if (owner === heir) {
    // Before calls could move tokens, the TRX disappeared with the account.
    if (flags.transferTrc10) {
      host.transfer(owner, host.blackHole, host.balance(owner));
      host.transferAllTokens(owner, host.blackHole);
    }
  } else {
    moveEverything(frame, owner, heir);
  }
  handOverStakes(frame, transaction, owner, owner === heir ? host.blackHole : heir);
  substate.destroy(owner);
}

/** TIP-6780: an older contract only transfers everything, and nothing if it names itself. */
function transferAll(frame: Frame, owner: Address, heir: Address): void {
  const { host, flags } = frame.execution;
  const transaction = record(frame, owner, heir);
  if (owner === heir) return;
  if (flags.vote) {
    host.settleVotes(owner);
    transaction.callValueSun = host.balance(owner);
  }
  moveEverything(frame, owner, heir);
  handOverStakes(frame, transaction, owner, heir);
}

function moveEverything(frame: Frame, owner: Address, heir: Address): void {
  const { host, flags } = frame.execution;
  if (flags.solidity059 && !host.accountExists(heir)) host.createAccount(heir);
  const balance = host.balance(owner);
  const reason = balance === 0n ? undefined : transferRefusal(host, owner, heir, balance);
  if (reason !== undefined) {
    if (!flags.constantinople) throw executionFailed('transfer failure');
    throw transferFailed(`transfer all token or transfer all trx failed in suicide: ${reason}`);
  }
  if (balance !== 0n) host.transfer(owner, heir, balance);
  const inheritsMore = flags.transferTrc10 || flags.freezeV1 || flags.freezeV2;
  // Without TRX, java-tron does not check the heir before it fails because the heir is missing.
  if (inheritsMore && !host.accountExists(heir)) throw javaFailure('java.lang.RuntimeException', 'Unknown Exception');
  if (flags.transferTrc10) host.transferAllTokens(owner, heir);
}

function handOverStakes(frame: Frame, transaction: InternalTransaction, owner: Address, heir: Address): void {
  const { host, flags } = frame.execution;
  if (!flags.freezeV1 && !flags.freezeV2) return;
  const { withdrawnSun } = host.inheritStakes(owner, heir);
  if (withdrawnSun === 0n) return;
  frame.record('withdrawExpireUnfreezeWhileSuiciding', heir, withdrawnSun);
  transaction.callValueSun += withdrawnSun;
}
