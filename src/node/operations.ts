/**
 * Everything that may change a chain other than a transaction (design.md section 12). The library, the command's
 * subcommands and the rows of `devtools/` all come through here.
 *
 * What changes the state is one function each in `ledger/operations/`, which keeps every invariant, and becomes a step of
 * the chain's history. What changes how the chain goes on (time, mining, what is pending) is the node's own and goes back
 * with a snapshot.
 */

import type { ArgumentsOf, OperationName, ResultOf } from '../ledger/operations/registry.js';
import type { Chain } from './chain.js';

export class Operations {
  constructor(private readonly chain: Chain) {}

  /**
   * Changes the state, at once and without a block.
   *
   * @throws OperationError for what would break a rule; the chain is as before
   * @example node.operations.apply('setBalance', { address, balanceSun: 5_000_000n })
   */
  apply<Name extends OperationName>(name: Name, given: ArgumentsOf<Name>): ResultOf<Name> {
    return this.chain.operate({ name, arguments: given });
  }
}
