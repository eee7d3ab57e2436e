/** Data of examples from the present chain. */

import type { Node } from '../node/node.js';
import { bytesToHex } from '../primitives/hex.js';
import type { Address, TxId } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import { printTransaction } from '../protocol/json/transaction-json.js';
import { getBlockOutline, headNumber } from '../wallet/blocks.js';
import { fullContext, type WalletContext } from '../wallet/context.js';
import { listWitnesses } from '../wallet/governance.js';
import { getTransactionById } from '../wallet/transactions.js';
import type { Facts } from './examples.js';

/** How many blocks back a transaction is searched. */
const BLOCKS_BACK = 100;

/** @param accounts the funded ones; without any, examples use a witness */
export function factsOf(node: Node, accounts: readonly Address[]): Facts {
  const context = fullContext(node);
  const head = headNumber(context);
  const witness = listWitnesses(context, {}).witnesses[0]?.address ?? '';
  const [owner = witness, other = owner] = accounts;
  // The first predeployed contract that is not a token.
  const contract = [...node.chain.config.genesisContracts].at(-1) ?? other;
  const shown = { owner, other, witness, contract };
  return {
    ...(Object.fromEntries(Object.entries(shown).map(([name, address]) => [name, toBase58(address)])) as typeof shown),
    block: { number: head, id: getBlockOutline(context, head)?.id ?? '' },
    ...transactionFacts(context, newestTransaction(node, head)),
  };
}

function transactionFacts(context: WalletContext, txid: TxId = '0'.repeat(64) as TxId) {
  const found = getTransactionById(context, { value: txid });
  if (found === undefined) return { txid, transaction: {}, transactionHex: '' };
  const transaction = JSON.parse(printTransaction(found, false)) as Facts['transaction'];
  return { txid, transaction, transactionHex: bytesToHex(found.bytes) };
}

function newestTransaction(node: Node, head: number): TxId | undefined {
  const context = fullContext(node);
  for (let number = head; number >= 0 && number > head - BLOCKS_BACK; number--) {
    const txId = getBlockOutline(context, number)?.transactionIds.at(-1);
    if (txId !== undefined) return txId;
  }
  return undefined;
}
