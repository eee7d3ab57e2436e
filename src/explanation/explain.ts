/**
 * From a transaction's id to its explanation.
 *
 * What was paid is read from the charges that were stored when it ran. Why it was so much (limits, stakes, factors, what
 * each contract used) is not stored: the transaction is run once more in its place, on the state of that moment, and
 * looked at. So execution pays nothing for explanations, every fact can be asked of transactions that are long in the
 * chain, and a run with other values is the same run (energy-need.ts).
 */

import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { applyTransaction } from '../ledger/apply-transaction.js';
import type { BlockPlace } from '../ledger/blocks/block-place.js';
import { blockOutline } from '../ledger/blocks/blocks.js';
import { coinTotal, decodeCharges, encodeCharges } from '../ledger/charging/charges.js';
import type { Trial } from '../ledger/contracts/contract.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Chain } from '../node/chain.js';
import { type Hex, hexToUtf8 } from '../primitives/hex.js';
import type { Address, TxId } from '../primitives/ids.js';
import type { CreateSmartContract } from '../protocol/generated/smart-contract.js';
import {
  Transaction_Result_contractResult as ContractResult,
  Transaction_Contract_ContractType as ContractType,
} from '../protocol/generated/tron.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { allFrames, type FrameRecord, FrameRecorder } from '../tracing/frames.js';
import { amountOf } from './amount.js';
import { bandwidthCostOf } from './bandwidth-cost.js';
import { chargeReport } from './charges.js';
import { energyByContract } from './energy-by-contract.js';
import { energyCostOf } from './energy-cost.js';
import { callerNeed, type NeededEnergy, neededEnergy } from './energy-need.js';
import type { EnergyNeed, Explanation, Outcome } from './explanation.js';
import { type FailureFacts, failureOf, reasonOf } from './failure.js';
import { NotExplainableError } from './not-explainable.js';
import { resultName, transactionHead } from './summary.js';

/**
 * Explains a transaction of the chain.
 *
 * @param txid 64 hex digits, with or without 0x
 * @throws NotExplainableError for what is no id, is not on the chain, waits for its block, or stands in the genesis
 */
export async function explain(chain: Chain, txid: string): Promise<Explanation> {
  const txId = readTxId(txid);
  const stored = chain.ledger.state.tables.transactions.get(txId);
  if (stored === undefined) {
    throw new NotExplainableError(
      `there is no transaction ${txId} on this chain. A broadcast that was refused is in no block: its answer and the log say why`,
    );
  }
  if (chain.pool.get(txId) !== undefined) {
    throw new NotExplainableError(`transaction ${txId} waits for its block: ask again when there is one (sunup mine)`);
  }
  if (stored.blockNumber === 0) {
    throw new NotExplainableError(`transaction ${txId} is of the genesis block, which gives and takes nothing`);
  }
  const facts = factsOf(chain, stored.blockNumber, stored.index, stored.charges);
  const { explanation, failure, needed } = facts;
  if (failure === undefined) return explanation;
  const outcome: Outcome = { ...explanation.outcome, reason: await reasonOf(failure) };
  if (needed === undefined || explanation.energy === undefined) return { ...explanation, outcome };
  const { failure: laterFailure, ...need } = needed;
  const whole = { ...need, ...(laterFailure !== undefined && { reason: await reasonOf(laterFailure) }) };
  return { ...explanation, outcome, energy: { ...explanation.energy, needed: whole } };
}

function readTxId(text: string): TxId {
  const hex = text.trim().replace(/^0x/i, '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex as TxId;
  throw new NotExplainableError(
    `${text === '' ? 'nothing' : text} is no transaction id: that is 64 hex digits, as every broadcast answers them (txid)`,
  );
}

interface Facts {
  readonly explanation: Explanation;
  readonly failure: FailureFacts | undefined;
  readonly needed: (EnergyNeed & { readonly failure: FailureFacts | undefined }) | undefined;
}

/** Runs the transaction in its place and looks at it; the chain is as before. */
function factsOf(chain: Chain, blockNumber: number, index: number, storedCharges: string): Facts {
  const outline = blockOutline(chain.ledger, blockNumber);
  const raw = outline?.header.raw_data;
  if (outline === undefined || raw === undefined) throw new Error(`block ${blockNumber} is not in the store`);
  const { transactionIds } = outline;
  const place = {
    inBlock: true,
    number: blockNumber,
    timestampMs: raw.timestamp,
    producer: raw.witness_address as Address,
  };
  const transactions = transactionIds
    .slice(0, index + 1)
    .map((txId) => SignedTransaction.decode(bytesOf(chain.ledger, txId)));
  const before = chain.ledgerAt(blockNumber - 1);
  return before.state.dryRun(() => {
    before.setLong('BLOCK_ENERGY_USAGE', 0n);
    for (const [at, earlier] of transactions.slice(0, index).entries()) applyTransaction(before, place, earlier, at);
    const transaction = transactions[index] as SignedTransaction;
    const block = {
      number: blockNumber,
      index,
      transactions: transactionIds.length,
      timestampMs: Number(raw.timestamp),
    };
    return look({ before, place, transaction, index, storedCharges }, block);
  });
}

function bytesOf(ledger: Ledger, txId: TxId): Uint8Array {
  const stored = ledger.state.tables.transactions.get(txId);
  if (stored === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
  return stored.transaction;
}

interface Scene {
  /** The state that the transaction came to. Reads are of that moment, runs are taken back. */
  readonly before: Ledger;
  readonly place: BlockPlace;
  readonly transaction: SignedTransaction;
  readonly index: number;
  /** As they were written when the block was made. */
  readonly storedCharges: string;
}

function run({ before, place, transaction, index }: Scene, trial: Trial): AppliedTransaction {
  return before.state.dryRun(() => applyTransaction(before, place, transaction, index, trial));
}

function look(scene: Scene, block: Explanation['block']): Facts {
  const { before, transaction, storedCharges } = scene;
  const recorder = new FrameRecorder();
  const applied = run(scene, { tracer: recorder });
  const { contractRet, info, budget } = applied;
  if (encodeCharges(applied.charges) !== storedCharges) {
    throw new Error(
      `transaction ${transaction.txId} was charged ${storedCharges} in block ${block.number}, and looked at again ${encodeCharges(applied.charges)}`,
    );
  }
  const charges = decodeCharges(storedCharges);
  const succeeded = contractRet === ContractResult.SUCCESS || budget === undefined;
  const frames = treeOf(recorder, applied);
  const bandwidth = bandwidthCostOf(before, transaction, charges);
  const energy = budget && energyCostOf(before, applied, budget, contractsOf(scene, frames, info.contract_address));
  const explanation: Explanation = {
    ...transactionHead(before, transaction),
    block,
    outcome: {
      succeeded,
      result: resultName(contractRet),
      ...(info.resMessage !== '' && { message: hexToUtf8(info.resMessage) }),
    },
    feeSun: amountOf(coinTotal(charges)),
    charges: charges.map(chargeReport),
    ...(bandwidth !== undefined && { bandwidth }),
    ...(energy !== undefined && { energy }),
  };
  if (succeeded) return { explanation, failure: undefined, needed: undefined };
  const failure = failureOf(before, applied, frames);
  return { explanation, failure, needed: needOf(scene, applied, frames) };
}

function contractsOf({ before, transaction }: Scene, frames: FrameRecord | undefined, address: Hex) {
  if (frames === undefined) return [];
  const names = new Map<Address, string>();
  if (transaction.contractType === ContractType.CreateSmartContract) {
    names.set(address as Address, (transaction.contract as CreateSmartContract).new_contract?.name ?? '');
  }
  return energyByContract(before, frames, names);
}

function failureWith(scene: Scene, energyLimit: number): FailureFacts {
  const recorder = new FrameRecorder();
  const applied = run(scene, { tracer: recorder, energyLimit });
  return failureOf(scene.before, applied, treeOf(recorder, applied));
}

function treeOf(recorder: FrameRecorder, { info }: AppliedTransaction): FrameRecord | undefined {
  return recorder.tree(Number(info.receipt?.energy_usage_total ?? 0n));
}

/** Only where some frame ended for want of Energy. */
function needOf(scene: Scene, { budget }: AppliedTransaction, frames: FrameRecord | undefined): Facts['needed'] {
  if (budget === undefined || frames === undefined) return undefined;
  if (![...allFrames(frames)].some(({ exception }) => exception?.contractResult === ContractResult.OUT_OF_ENERGY)) {
    return undefined;
  }
  const { before } = scene;
  const most = Number(before.long('MAX_FEE_LIMIT') / budget.terms.priceSun);
  const found: NeededEnergy = neededEnergy(most, (energyLimit) => run(scene, { energyLimit }));
  const failure = found.run.contractRet === ContractResult.SUCCESS ? undefined : failureWith(scene, most);
  const result = resultName(found.run.contractRet);
  if (found.energy === undefined) return { result, failure };
  const { callerEnergy, feeLimitSun, missingBalanceSun } = callerNeed(found.energy, budget);
  return {
    result,
    failure,
    energy: amountOf(found.energy),
    callerEnergy: amountOf(callerEnergy),
    feeLimitSun: amountOf(feeLimitSun),
    missingBalanceSun: amountOf(missingBalanceSun),
  };
}
