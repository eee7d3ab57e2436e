/** Writes a stored chain as a recording: a chain file with the digest of all its results. */

import { headText, lineText, rowLine, stepLine } from '../../chain-file/lines.js';
import type { AppliedBlock } from '../../ledger/apply-block.js';
import { decodeBeginning } from '../../ledger/genesis/genesis-text.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type StoredStep, StoredSteps } from '../../node/steps/steps.js';
import type { StoredChain } from '../../node/storage/stored-chain.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { RunDigest } from '../results/digest.js';
import { RULES_VERSION } from '../results/rules-version.js';

/** @returns the digest so far */
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
  write(headText(decodeBeginning(begun), { about }));
  for await (const row of store.fetchedRows?.() ?? []) write(lineText(rowLine(row)));
  for (const step of new StoredSteps(chain)) {
    write(lineText(stepLine(step)));
    digestStored(digest, step, ledger);
  }
  return digest;
}

function digestStored({ observer }: RunDigest, { to, id, work }: StoredStep, ledger: Ledger): void {
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

/** The last line: the digest that a replay must reach. */
export function digestText({ value }: RunDigest): string {
  return lineText({ digest: { is: value, rules: RULES_VERSION } });
}
