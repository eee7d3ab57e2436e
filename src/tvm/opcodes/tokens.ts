/** TRC-10 and contract queries: 0xd1–0xd4. */

import { executionFailed, outOfLongRange, transferFailed } from '../errors.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import { MIN_TOKEN_ID } from '../transfers.js';
import { addressOfWord, MAX_LONG, toSigned } from '../words.js';
import { type Operation, operation } from './operation.js';

const INVALID_TOKEN_ID = 'validateForSmartContract failure:not valid token id';

/** A signed token id. More than a long is a failed transfer; an id below the first one is another exception. */
function checkedTokenId(word: bigint, flags: TvmFlags): bigint {
  if (flags.multiSign) {
    const id = toSigned(word);
    if (id > MAX_LONG || id < -MAX_LONG - 1n) {
      throw flags.constantinople ? transferFailed(INVALID_TOKEN_ID) : outOfLongRange();
    }
    if (id <= MIN_TOKEN_ID) throw executionFailed(INVALID_TOKEN_ID);
  }
  return BigInt.asIntN(64, word);
}

function tokenBalance(frame: Frame): void {
  const { host, flags } = frame.execution;
  const id = checkedTokenId(frame.pop(), flags);
  const address = addressOfWord(frame.peek(0));
  frame.execution.spendAccount(address, 'TOKENBALANCE');
  frame.poke(0, BigInt.asUintN(64, host.tokenBalance(address, id)));
}

export function tokens(flags: TvmFlags): Operation[] {
  const rows: Operation[] = [];
  if (flags.transferTrc10) {
    rows.push(
      operation(0xd1, 'TOKENBALANCE', 2, 1, 20, tokenBalance),
      operation(0xd2, 'CALLTOKENVALUE', 0, 1, 2, (frame) => frame.push(frame.tokenValue)),
      operation(0xd3, 'CALLTOKENID', 0, 1, 2, (frame) => frame.push(frame.tokenId)),
    );
  }
  if (flags.solidity059) {
    rows.push(
      operation(0xd4, 'ISCONTRACT', 1, 1, 20, (frame) => {
        const address = addressOfWord(frame.peek(0));
        frame.execution.spendAccount(address, 'ISCONTRACT');
        frame.poke(0, frame.execution.host.contract(address) === undefined ? 0n : 1n);
      }),
    );
  }
  return rows;
}
