/**
 * A block, from its first transaction to the new head: the same steps for blocks we produce and blocks we import
 * (protocol/pipeline.md#applying-a-block). Mirrors Manager.generateBlock, Manager.processBlock and
 * DposService.applyBlock.
 *
 * Leaves the state changed when it throws: the caller holds a mark.
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
import { logFilterOf } from './history/log-index.js';
import type { Ledger } from './ledger.js';
import { isScheduled } from './schedule/schedule.js';
import { writeParentHash } from './smart-contracts/block-hash-history.js';

const MAX_BLOCK_BYTES = 2_000_000;

export interface DroppedTransaction {
  readonly transaction: SignedTransaction;
  /** What java-tron would have refused it with, or why it had no place. java-tron says nothing; we report it. */
  readonly reason:
    | JavaException
    | 'block-full'
    | 'permission-changed-in-block'
    | 'second-shielded-transfer'
    | 'pending-too-long'
    | 'on-request';
  /** How many transactions of the block came before its turn; absent where it had none. */
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
  /** How many epochs ended with this block: after a time without blocks several, with one maintenance for all of them. */
  readonly epochs: number;
}

export interface BlockPlan {
  readonly timestampMs: bigint;
  /** The witness in the header: whose slot it is. */
  readonly producer: Address;
  /** Signs the header's sha256, when somebody looks at the signature: the key is at hand. */
  readonly sign: (headerHash: Hex) => Hex;
}

/**
 * Signed when somebody looks: the block's id does not depend on it, and blocks in memory that a test takes back are never
 * shown or stored. A signature takes as long as a tenth of the block of one token transfer.
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
  /** Where the journal stood when the pool took it; its doing, if it has run, is in the state still. All have one, or none. */
  readonly mark?: Mark | undefined;
  readonly run?: PendingRun | undefined;
}

/** The header of a block above the head: what of it does not depend on its transactions. */
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

/** What happens first in a block. */
export function beginBlock(ledger: Ledger): void {
  ledger.setLong('BLOCK_ENERGY_USAGE', 0n);
  writeParentHash(ledger);
}

/**
 * Applies what fits of `candidates`, in order, and makes the block. What does not get in is reported, not kept.
 *
 * The state is that of the head; where the candidates have marks, that of the pool, where a block has begun and those that
 * have run were applied.
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
 * Applies a block made elsewhere, whole or not at all.
 *
 * @throws JavaException what its first bad transaction is refused with; Error when it does not link to the head
 */
export function importBlock(
  ledger: Ledger,
  header: BlockHeader,
  candidates: readonly SignedTransaction[],
): AppliedBlock {
  const raw = header.raw_data;
  if (raw === undefined) throw new Error('block without raw_data in its header');
  // Any bytes, on a chain that took liberties; on a strict one whoever the schedule names.
  const producer = raw.witness_address as Address;
  const place = placeOf(ledger, raw.timestamp, producer);
  if (raw.number !== BigInt(place.number) || raw.parentHash !== ledger.headId) {
    throw new Error(
      `block ${raw.number} on parent ${raw.parentHash} does not follow head ${ledger.headNumber} ${ledger.headId}`,
    );
  }
  // A chain that took liberties with slots (meta row `relaxed`) has said so before this block came.
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

/** A call has to end as the block says it did (protocol/pipeline.md#order-of-work, step 12). */
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
 * A transaction that has no place in the block is lost from the queue, as java-tron loses it
 * (protocol/pipeline.md#block-production).
 *
 * java-tron runs again what its pool has run. Here what the pool did is kept up to the first transaction that has no
 * place, or could do something else in a block: before that one the state is, row by row, what running them again would
 * make it. From there on the pool's doing is taken back, and everything is run.
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
      // They count as soon as their turn has come, applied or not.
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

/** What a block does after its transactions, then the new head. */
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
    logFilter: logFilterOf(transactions.flatMap(({ info }) => info.log)),
  });
}
