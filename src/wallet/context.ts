/** Input of a wallet operation: the state to read, and the node. */

import type { Ledger } from '../ledger/ledger.js';
import type { Node } from '../node/node.js';

export interface WalletContext {
  /** Head with pending transactions for `/wallet`, the solidified state for `/walletsolidity`. */
  readonly ledger: Ledger;
  readonly node: Node;
  /** Whether this is the solidified view. */
  readonly solid: boolean;
}

/** Awaited within long work, for other requests' turns. Undefined if none wait. */
export type Turn = () => Promise<void> | undefined;

/** The context of a full node's interface at present; made for every request. */
export function fullContext(node: Node): WalletContext {
  return { ledger: node.chain.ledger, node, solid: false };
}

/** The same view at an earlier height. @param height at most the view's head */
export function contextAt(context: WalletContext, height: number): WalletContext {
  return { ...context, ledger: context.node.chain.ledgerAt(height) };
}

/** The context of a solidity interface at present. */
export function solidContext(node: Node): WalletContext {
  return { ledger: node.chain.solidLedger, node, solid: true };
}
