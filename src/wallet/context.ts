/** What a wallet operation is given: the state it reads, and the node behind it. */

import type { Ledger } from '../ledger/ledger.js';
import type { Node } from '../node/node.js';

export interface WalletContext {
  /** Head with pending transactions for `/wallet`, the solidified state for `/walletsolidity`. */
  readonly ledger: Ledger;
  readonly node: Node;
  /** Whether this is the solidified view. */
  readonly solid: boolean;
}

/** Awaited in the middle of work: others may have to go first. Undefined where nobody has to. */
export type Turn = () => Promise<void> | undefined;

/** The context of a full node's interface at this moment. Made anew for every request. */
export function fullContext(node: Node): WalletContext {
  return { ledger: node.chain.ledger, node, solid: false };
}

/** The same view as it was at an earlier height. @param height not above the view's head */
export function contextAt(context: WalletContext, height: number): WalletContext {
  return { ...context, ledger: context.node.chain.ledgerAt(height) };
}

/** The context of a solidity interface at this moment. */
export function solidContext(node: Node): WalletContext {
  return { ledger: node.chain.solidLedger, node, solid: true };
}
