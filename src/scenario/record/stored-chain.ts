/** A chain that is in a store, or in a dump, as a recording. Which transactions its blocks left out is not known any more. */

import type { AppliedBlock } from '../../ledger/apply-block.js';
import { decodeBeginning } from '../../ledger/genesis/genesis-text.js';
import type { Ledger } from '../../ledger/ledger.js';
import type { Dump } from '../../node/steps/dump.js';
import { type Step, StoredSteps } from '../../node/steps/steps.js';
import type { StoredChain } from '../../node/storage/stored-chain.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { RunDigest } from '../results/digest.js';
import { headLines, networkRowLine, recordedStep, stepLine } from './lines.js';

/** @returns the digest of what was written, to go on with */
export async function recordStored(
  chain: Pick<StoredChain, 'ledger' | 'commits' | 'store'>,
  about: string,
  write: (lines: string) => void,
): Promise<RunDigest> {
  const { ledger, store } = chain;
  const begun = ledger.state.tables.meta.get('begun');
  if (begun === undefined) throw new Error('the initial settings of the chain are missing');
  const digest = new RunDigest(() => ledger);
  digest.begun();
  write(headLines(decodeBeginning(begun), about));
  for await (const row of store.fetchedRows?.() ?? []) write(networkRowLine(row));
  for (const step of new StoredSteps(chain)) {
    write(stepLine(recordedStep(step)));
    digestStored(digest, step, ledger);
  }
  return digest;
}

function digestStored({ observer }: RunDigest, { to, id, work }: Step, ledger: Ledger): void {
  if ('operation' in work) observer.operated?.(work.operation);
  else if ('emptyBlocks' in work) observer.emptyBlocksApplied?.(to - work.emptyBlocks + 1, to);
  else {
    const { transactions: rows } = ledger.state.tables;
    const transactions = work.transactions.map(({ txId }) => {
      const stored = rows.get(txId);
      if (stored === undefined) throw new Error(`transaction ${txId} of block ${to} is not in the store`);
      return { info: TransactionInfo.decode(stored.info) };
    });
    observer.blockApplied?.({ id, transactions, dropped: [] } as unknown as AppliedBlock);
  }
}

/** The scenario of a dump, which has no receipts and so no digest; each block says which id it comes to. */
export function* dumpedLines({ beginning, fetched, steps }: Dump, about: string): Iterable<string> {
  yield headLines(beginning, about);
  for (const row of fetched) yield networkRowLine(row);
  for (const step of steps) yield stepLine(recordedStep(step));
}
