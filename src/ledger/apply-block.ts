/**
 * A block, from its first transaction to the new head: the same steps for produced and imported blocks
 * (protocol/pipeline.md#applying-a-block). Mirrors Manager.generateBlock, Manager.processBlock and
 * DposService.applyBlock. The state may be changed when it throws; the caller holds a mark.
 */

import { JavaException } from '../errors/java-exception.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId } from '../primitives/ids.js';
import { headerVersionOf } from '../primitives/release.js';
import { blockHash, blockIdOf } from '../protocol/block.js';
import { isSmartContractType } from '../protocol/contract-types.js';
import {
  type BlockHeader,
  BlockHeader_raw,
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult_type,
} from '../protocol/generated/tron.js';
import { merkleRoot } from '../protocol/merkle.js';
import { recoverUncached } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { Mark } from '../state/state.js';
import { numberKey } from '../state/tables.js';
import { usedUp } from './accounts/impersonation.js';
import { witnessSigner } from './accounts/permissions.js';
import {
  type AppliedTransaction,
  applyTransaction,
  asInBlock,
  type PendingRun,
  retOf,
  writeTransaction,
} from './apply-transaction.js';
import type { BlockPlace } from './blocks/block-place.js';
import { afterTransactions } from './epoch/maintenance.js';
import { logIndexOf } from './history/log-index.js';
import type { Ledger } from './ledger.js';
import { isScheduled } from './schedule/schedule.js';
import { writeParentHash } from './smart-contracts/block-hash-history.js';

const MAX_BLOCK_BYTES = 2_000_000;

export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  /**
   * java-tron's refusal, or the reason for leaving the transaction out. java-tron drops it silently; Sunup reports it.
   */
  readonly reason:
    | JavaException
    | 'block-full'
    | 'permission-changed-in-block'
    | 'second-shielded-transfer'
    | 'pending-too-long'
    | 'on-request';
  /** Number of transactions of the block before it; absent if it was not tried. */
  readonly after?: number;
}

export interface AppliedBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly timestampMs: bigint;
  readonly producer: Address;
  readonly header: BlockHeader;
  readonly transactions: readonly AppliedTransaction[];
  readonly dropped: readonly DroppedTransaction[];
  /** Number of epochs that ended with this block: after time without blocks, one maintenance can end several epochs. */
  readonly epochs: number;
}

export interface BlockPlan {
  readonly timestampMs: bigint;
  /** The witness of the header: the owner of the slot. */
  readonly producer: Address;
  /** Signs the header's sha256 lazily: the key is known. */
  readonly sign: (headerHash: Hex) => Hex;
}

/**
 * Signed lazily: the block's id does not depend on the signature, and many blocks in tests are rolled back before
 * anybody reads it. A signature takes as long as a tenth of a block with one token transfer.
 */
class OwnHeader implements BlockHeader {
  #signature: Hex | undefined;

  constructor(
    readonly raw_data: BlockHeader_raw,
    private readonly sign: () => Hex,
  ) {}

  get witness_signature(): Hex {
    this.#signature ??= this.sign();
    return this.#signature;
  }
}

function placeOf(ledger: Ledger, timestampMs: bigint, producer: Address): BlockPlace {
  return { inBlock: true, number: ledger.headNumber + 1, timestampMs, producer };
}

export interface Candidate {
  readonly transaction: SignedTransaction;
  /**
   * The journal's mark when the pool accepted it; the effects of its run are still in the state. Either all candidates
   * have one, or none.
   */
  readonly mark?: Mark | undefined;
  readonly run?: PendingRun | undefined;
}

/** The next block's header without the fields that depend on its transactions. */
export function nextHeader(
  { headId, headNumber, config }: Ledger,
  { timestampMs, producer }: Omit<BlockPlan, 'sign'>,
): BlockHeader_raw {
  return {
    ...BlockHeader_raw.empty,
    timestamp: timestampMs,
    parentHash: headId,
    number: BigInt(headNumber + 1),
    witness_address: producer,
    version: headerVersionOf(config.release),
  };
}

/** First steps of a block. */
export function beginBlock(ledger: Ledger): void {
  ledger.setLong('BLOCK_ENERGY_USAGE', 0n);
  writeParentHash(ledger);
}

/**
 * Applies the fitting ones of `candidates` in order, and makes the block. Transactions that are left out are reported
 * and dropped. The state is that of the head; if the candidates have marks, it is that of the pool, in which a block
 * has begun and the candidates have run.
 */
export function produceBlock(ledger: Ledger, plan: BlockPlan, candidates: readonly Candidate[]): AppliedBlock {
  const place = placeOf(ledger, plan.timestampMs, plan.producer);
  if (candidates[0]?.mark === undefined) beginBlock(ledger);
  const raw = nextHeader(ledger, plan);
  const { transactions, dropped } = applyCandidates(ledger, place, candidates, BlockHeader_raw.encodedSize(raw));
  const leaves = transactions.map(({ transaction, contractRet }) => transaction.leafHash(retOf(ledger, contractRet)));
  const sealed = { ...raw, txTrieRoot: merkleRoot(leaves) };
  const hash = blockHash(sealed);
  const header = new OwnHeader(sealed, () => plan.sign(hash));
  const epochs = finishBlock(ledger, place, blockIdOf(place.number, hash), header, transactions);
  return {
    number: place.number,
    id: blockIdOf(place.number, hash),
    timestampMs: plan.timestampMs,
    producer: plan.producer,
    header,
    transactions,
    dropped,
    epochs,
  };
}

/**
 * Applies a foreign block completely or not at all. @throws JavaException the refusal of its first invalid
 * transaction; Error if it does not follow the head
 */
export function importBlock(
  ledger: Ledger,
  header: BlockHeader,
  candidates: readonly SignedTransaction[],
): AppliedBlock {
  const raw = header.raw_data;
  if (raw === undefined) throw new Error('block without raw_data in its header');
  // Any bytes on a relaxed chain; on a strict one, the scheduled witness.
  const producer = raw.witness_address as Address;
  const place = placeOf(ledger, raw.timestamp, producer);
  if (raw.number !== BigInt(place.number) || raw.parentHash !== ledger.headId) {
    throw new Error(
      `block ${raw.number} on parent ${raw.parentHash} does not follow head ${ledger.headNumber} ${ledger.headId}`,
    );
  }
  // A chain with irregular slots has set its meta row `relaxed` before this block.
  const strict = ledger.state.tables.meta.get('relaxed') === undefined;
  if (strict && !isScheduled(ledger, raw.timestamp, producer)) {
    throw new JavaException('org.tron.core.exception.ValidateScheduleException', 'validateWitnessSchedule error');
  }
  const hash = blockHash(raw);
  if (strict) checkWitnessSignature(ledger, header, hash);
  if (merkleRoot(candidates.map((transaction) => transaction.leafHash())) !== raw.txTrieRoot) {
    throw new JavaException(
      'org.tron.core.exception.BadBlockException',
      `The merkle hash is not validated for ${raw.number}`,
    );
  }
  beginBlock(ledger);
  const transactions = candidates.map((transaction, index) => applyTransaction(ledger, place, transaction, index));
  transactions.forEach(checkOutcome);
  const epochs = finishBlock(ledger, place, blockIdOf(place.number, hash), header, transactions);
  return {
    number: place.number,
    id: blockIdOf(place.number, hash),
    timestampMs: raw.timestamp,
    producer,
    header,
    transactions,
    dropped: [],
    epochs,
  };
}

function checkWitnessSignature(ledger: Ledger, header: BlockHeader, hash: Hex): void {
  const witness = ledger.state.tables.accounts.get(header.raw_data?.witness_address ?? '');
  if (witness !== undefined && recoverUncached(hash, header.witness_signature) === witnessSigner(witness)) return;
  throw new JavaException(
    'org.tron.core.exception.BadBlockException',
    `The signature is not validated, number: ${header.raw_data?.number}`,
  );
}

/** A call must have the result that the block states (protocol/pipeline.md#order-of-work, step 12). */
function checkOutcome({ transaction, contractRet }: AppliedTransaction): void {
  if (!isSmartContractType(transaction.contractType)) return;
  const expected = transaction.ret[0]?.contractRet ?? 0;
  if (expected === contractRet) return;
  const nameOf = (outcome: number) => Transaction_Result_contractResult_type.nameOf(outcome);
  throw new JavaException(
    'org.tron.core.exception.ReceiptCheckErrException',
    `different resultCode txId: ${transaction.txId}, expect: ${nameOf(expected)}, actual: ${nameOf(contractRet)}`,
  );
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/**
 * A transaction that does not fit into the block is dropped, as in java-tron (protocol/pipeline.md#block-production).
 * java-tron runs pending transactions again in the block. Here the pool's effects are kept up to the first transaction
 * that does not fit, or that could have other effects in a block: up to there, the state is row by row the same as
 * after a second run. From there on, the pool's effects are reverted and everything runs again.
 */
function applyCandidates(
  ledger: Ledger,
  place: BlockPlace,
  candidates: readonly Candidate[],
  headerBytes: number,
): { transactions: AppliedTransaction[]; dropped: DroppedTransaction[] } {
  const transactions: AppliedTransaction[] = [];
  const dropped: DroppedTransaction[] = [];
  const permissionsChanged = new Set<string>();
  let blockBytes = headerBytes + 2 + varintBytes(headerBytes);
  let shielded = false;
  let keeping = true;
  const keepUpTo = (mark: Mark | undefined): void => {
    keeping = false;
    if (mark !== undefined) ledger.state.revert(mark);
    for (const [index, kept] of transactions.entries()) writeTransaction(ledger, place, kept, index);
  };
  for (const { transaction, mark: markBefore, run } of candidates) {
    const { contractType, owner } = transaction;
    const bytes = transaction.size + 1 + varintBytes(transaction.size);
    let reason: DroppedTransaction['reason'] | undefined;
    if (blockBytes + bytes > MAX_BLOCK_BYTES) reason = 'block-full';
    else if (contractType === ContractType.ShieldedTransferContract && shielded) reason = 'second-shielded-transfer';
    else if (owner !== undefined && permissionsChanged.has(owner)) reason = 'permission-changed-in-block';
    const kept = keeping && reason === undefined && run !== undefined ? asInBlock(ledger, place, run) : undefined;
    if (keeping && kept === undefined) keepUpTo(markBefore);
    if (reason === undefined) {
      const mark = ledger.state.mark();
      // They count when their turn comes, applied or not.
      shielded ||= contractType === ContractType.ShieldedTransferContract;
      if (contractType === ContractType.AccountPermissionUpdateContract && owner) permissionsChanged.add(owner);
      try {
        transactions.push(kept ?? applyTransaction(ledger, place, transaction, transactions.length));
        blockBytes += bytes;
      } catch (error) {
        if (!(error instanceof JavaException)) throw error;
        ledger.state.revert(mark);
        reason = error;
      }
    }
    if (reason !== undefined) dropped.push({ transaction, reason, after: transactions.length });
  }
  if (keeping) keepUpTo(undefined);
  return { transactions, dropped };
}

/** The steps after the transactions, then the new head. */
function finishBlock(
  ledger: Ledger,
  place: BlockPlace,
  id: BlockId,
  header: BlockHeader,
  transactions: readonly AppliedTransaction[],
): number {
  const { number, timestampMs } = place;
  const epochs = afterTransactions(ledger, { number, timestampMs, producer: place.producer as Address });
  ledger.setLong('latest_block_header_number', BigInt(number));
  ledger.setLong('latest_block_header_timestamp', timestampMs);
  ledger.setText('latest_block_header_hash', id);
  storeBlock(ledger, number, id, header, transactions);
  // After all of them: those that ran in the pool were not in a block at their turn, and pre-images have an order.
  for (const { transaction } of transactions) usedUp(ledger, transaction.txId);
  return epochs;
}

function storeBlock(
  ledger: Ledger,
  number: number,
  id: BlockId,
  header: BlockHeader,
  transactions: readonly AppliedTransaction[],
): void {
  ledger.state.tables.blocks.add(numberKey(number), {
    id,
    header,
    transactionIds: transactions.map(({ transaction }) => transaction.txId),
    logIndex: logIndexOf(transactions.map(({ info }) => info.log)),
  });
}
