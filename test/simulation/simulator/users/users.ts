/** All users of a simulated world, one entry for each, and how often each is chosen. Those of a real node as well come first. */

import { workAtOnce } from './at-once.js';
import { trade } from './bazaar.js';
import { calculate } from './calculations.js';
import { callAsAnybody } from './callers.js';
import { collectTokens } from './collectors.js';
import { queryFromAContract } from './contract-queries.js';
import { callProgram, callTogether, deployProgram } from './contracts.js';
import { crowdAPrice } from './crowded-price.js';
import { callAtTheDeployersExpense } from './deployers-expense.js';
import {
  decree,
  dropSnapshot,
  mine,
  replaceBlocks,
  reset,
  restart,
  restartWithoutHistory,
  revert,
  rollBackToASnapshot,
  setMining,
  takeSnapshot,
  wait,
} from './developers.js';
import { dropInABlock } from './dropped-in-block.js';
import { runTheDump } from './dump-as-scenario.js';
import { dump, dumpAndLoad, dumpBehindBlocks, load, loadCutOff, loadInVain } from './dumps.js';
import { passTwice } from './empty-time.js';
import { askBeforehand } from './estimates.js';
import { explainFromReceipts } from './explained-receipts.js';
import { workOutFees } from './fee-forecasts.js';
import { readListsOfAFork } from './fork-lists.js';
import { readAgain } from './fresh-node.js';
import { mineOnAFullDisk, replaceOnAFullDisk } from './full-disk.js';
import { fillThePool, fillThePoolWithWork } from './full-pool.js';
import { useHandles } from './handles.js';
import { leaveAChainAlone } from './idle-chain.js';
import { visitFork } from './lasting-fork.js';
import { callTooOften } from './limited-callers.js';
import { loadElsewhere } from './loaded-elsewhere.js';
import { tryRulesOfTheMachine } from './machine-rules.js';
import { keepAChainInMemory } from './memory-chain.js';
import { watchMeters } from './meters.js';
import { lookIntoAMirror } from './mirror.js';
import { askWhatWasNeeded } from './needed-energy.js';
import { forkTheNode, goOnElsewhere, openFurtherChain, runAScenario } from './neighbours.js';
import { openTheNewest } from './newest-events.js';
import { askForOlderBlocks } from './older-blocks.js';
import { actWithinRights, unstakeOften } from './permitted.js';
import { keepNotebook, queueInOrder, unstake, whileMining, withdrawDue, writeInPencil } from './promises.js';
import { voteThrough } from './proposals.js';
import { ask, followByFilter, readHistory, reconnect } from './questions.js';
import { readOn } from './reading-on.js';
import { recordASession } from './recorded-session.js';
import { followARecording } from './recordings.js';
import { workOutRecovery } from './recoveries.js';
import { sendRefused } from './refused.js';
import { renameAToken } from './renamed-token.js';
import { replaceAndLook } from './replacements.js';
import { takeReward } from './rewards.js';
import { signTogether } from './shared-account.js';
import { priceSlots } from './slot-prices.js';
import { stakeByAContract } from './steward.js';
import { makeTemporaryAccounts } from './temporary-accounts.js';
import { useAGrant } from './token-grants.js';
import { burst, delegateLocked, hurry, sendAnything, sendAsEthereum, sendBackwards, transact } from './transactions.js';
import { hurryTheClock, stopAndRevert, tryAndRevert, useInstruments } from './try-instruments.js';
import { lendWithTwoLocks } from './two-locks.js';
import { readTypedStorage } from './typed-storage.js';
import { askForALoan, askForAStranger } from './unread-accounts.js';
import type { SharedUser, User } from './user.js';
import { varyAScenario } from './varied-scenario.js';
import { askWildly } from './wild-requests.js';

interface Row<Act> {
  readonly name: string;
  /** How often it is chosen, beside the others. */
  readonly weight: number;
  readonly act: Act;
}

/** In both modes. */
export const SHARED_USERS: readonly Row<SharedUser>[] = [
  { name: 'send a transaction', weight: 300, act: transact },
  { name: 'delegate with a lock', weight: 25, act: delegateLocked },
  { name: 'send anything', weight: 60, act: sendAnything },
  { name: 'send several at once', weight: 40, act: burst },
  { name: 'send as on Ethereum', weight: 30, act: sendAsEthereum },
  { name: 'send backwards', weight: 8, act: sendBackwards },
  { name: 'deploy a program', weight: 25, act: deployProgram },
  { name: 'call a program', weight: 70, act: callProgram },
  { name: 'ask', weight: 150, act: ask },
  { name: 'read a history', weight: 10, act: readHistory },
  { name: 'follow by a filter', weight: 10, act: followByFilter },
  { name: 'wait', weight: 30, act: wait },
  { name: 'decree', weight: 20, act: decree },
  { name: 'replace blocks', weight: 8, act: replaceBlocks },
  { name: 'reset', weight: 1, act: reset },
  { name: 'restart', weight: 4, act: restart },
];

export const USERS: readonly Row<User>[] = [
  ...SHARED_USERS,
  { name: 'restart without the history index', weight: 2, act: restartWithoutHistory },
  { name: 'keep a notebook', weight: 30, act: keepNotebook },
  { name: 'ask beforehand', weight: 25, act: whileMining('instant', askBeforehand) },
  { name: 'work out recovery', weight: 8, act: workOutRecovery },
  { name: 'work out fees', weight: 20, act: whileMining('instant', workOutFees) },
  { name: 'write in pencil', weight: 12, act: writeInPencil },
  { name: 'crowd a price', weight: 20, act: crowdAPrice },
  { name: 'withdraw what is due', weight: 12, act: withdrawDue },
  { name: 'trade on a bazaar', weight: 25, act: trade },
  { name: 'call one program together', weight: 10, act: whileMining('manual', callTogether) },
  { name: 'collect tokens', weight: 4, act: whileMining('instant', collectTokens) },
  { name: 'calculate', weight: 30, act: calculate },
  { name: 'query from a contract', weight: 25, act: queryFromAContract },
  { name: 'stake by a contract', weight: 15, act: stakeByAContract },
  { name: 'send what is refused', weight: 50, act: sendRefused },
  { name: 'act within its rights', weight: 40, act: whileMining('instant', actWithinRights) },
  { name: 'unstake often', weight: 3, act: whileMining('instant', unstakeOften) },
  { name: 'lend with two locks', weight: 8, act: whileMining('instant', lendWithTwoLocks) },
  { name: 'use a grant', weight: 10, act: whileMining('instant', useAGrant) },
  { name: "call at the deployer's expense", weight: 15, act: callAtTheDeployersExpense },
  { name: 'read on', weight: 20, act: readOn },
  { name: 'price slots', weight: 10, act: priceSlots },
  { name: 'try rules of the machine', weight: 20, act: tryRulesOfTheMachine },
  { name: 'rename a token', weight: 6, act: renameAToken },
  { name: 'ask what was needed', weight: 6, act: askWhatWasNeeded },
  { name: 'look into a mirror', weight: 12, act: lookIntoAMirror },
  { name: 'use handles', weight: 40, act: useHandles },
  { name: 'sign together', weight: 12, act: signTogether },
  { name: 'take a reward', weight: 10, act: takeReward },
  { name: 'unstake', weight: 10, act: unstake },
  { name: 'queue in order', weight: 15, act: queueInOrder },
  { name: 'ask wildly', weight: 40, act: askWildly },
  { name: 'watch the meters', weight: 25, act: watchMeters },
  { name: 'call as anybody', weight: 20, act: callAsAnybody },
  { name: 'come back to listen', weight: 8, act: reconnect },
  { name: 'mine', weight: 60, act: mine },
  { name: 'mine on a full disk', weight: 8, act: whileMining('manual', mineOnAFullDisk) },
  { name: 'replace blocks on a full disk', weight: 8, act: replaceOnAFullDisk },
  { name: 'send what its block drops', weight: 8, act: whileMining('manual', dropInABlock) },
  { name: 'send in a hurry', weight: 15, act: hurry },
  { name: 'set the mining mode', weight: 4, act: setMining },
  { name: 'take a snapshot', weight: 15, act: takeSnapshot },
  { name: 'revert', weight: 18, act: revert },
  { name: 'roll back to a snapshot', weight: 8, act: rollBackToASnapshot },
  { name: 'drop a snapshot', weight: 3, act: dropSnapshot },
  { name: 'replace blocks and look', weight: 30, act: replaceAndLook },
  { name: 'use instruments', weight: 50, act: useInstruments },
  { name: 'try and revert', weight: 20, act: tryAndRevert },
  { name: 'stop and revert', weight: 6, act: stopAndRevert },
  { name: 'hurry the clock', weight: 6, act: hurryTheClock },
  { name: 'vote a proposal through', weight: 20, act: voteThrough },
  { name: 'let empty time pass twice', weight: 14, act: whileMining('manual', passTwice) },
  { name: 'read again', weight: 10, act: readAgain },
  { name: 'dump', weight: 4, act: dump },
  { name: 'dump behind blocks', weight: 4, act: dumpBehindBlocks },
  { name: 'load', weight: 2, act: load },
  { name: 'dump and load', weight: 3, act: dumpAndLoad },
  { name: 'load in vain', weight: 6, act: loadInVain },
  { name: 'load, cut off', weight: 6, act: loadCutOff },
  { name: 'fork the node', weight: 5, act: forkTheNode },
  { name: 'read lists of a fork', weight: 10, act: readListsOfAFork },
  { name: 'explain from receipts', weight: 12, act: explainFromReceipts },
  { name: 'visit a fork', weight: 20, act: visitFork },
  { name: 'ask a fork for a stranger', weight: 4, act: askForAStranger },
  { name: 'ask a fork for older blocks', weight: 16, act: askForOlderBlocks },
  { name: 'ask a fork for a loan', weight: 12, act: askForALoan },
  { name: 'go on elsewhere', weight: 15, act: goOnElsewhere },
  { name: 'load elsewhere', weight: 4, act: loadElsewhere },
  { name: 'open a further chain', weight: 3, act: openFurtherChain },
  { name: 'call too often', weight: 2, act: callTooOften },
  { name: 'open a stream with the newest', weight: 12, act: openTheNewest },
  { name: 'keep a chain in memory', weight: 6, act: keepAChainInMemory },
  { name: 'record a session', weight: 20, act: recordASession },
  { name: 'leave a further chain alone', weight: 4, act: leaveAChainAlone },
  { name: 'work at once', weight: 8, act: workAtOnce },
  { name: 'fill the pool', weight: 4, act: whileMining('manual', fillThePool) },
  { name: 'fill the pool with work', weight: 3, act: whileMining('manual', fillThePoolWithWork) },
  { name: 'make temporary accounts', weight: 2, act: makeTemporaryAccounts },
  { name: 'run a scenario', weight: 3, act: runAScenario },
  { name: 'read typed storage', weight: 6, act: readTypedStorage },
  { name: 'vary a scenario', weight: 4, act: varyAScenario },
  { name: 'run the dump', weight: 2, act: runTheDump },
  { name: 'follow a recording', weight: 3, act: followARecording },
];
