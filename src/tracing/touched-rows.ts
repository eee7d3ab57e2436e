/** Accounts and storage slots that an execution has read or changed, in order. */

import type { Address } from '../primitives/ids.js';
import type { InternalTransaction } from '../tvm/internal-transactions.js';
import type { TracedFrame, Tracer } from '../tvm/trace.js';
import { addressOfWord, wordAt } from '../tvm/words.js';
import { operandsOf } from './operands.js';

/** Position of the address operand on the stack. */
const ADDRESS_AT: ReadonlyMap<number, number> = new Map([
  [0x31, 0], // BALANCE
  [0x3b, 0], // EXTCODESIZE
  [0x3c, 0], // EXTCODECOPY
  [0x3f, 0], // EXTCODEHASH
  [0xd1, 1], // TOKENBALANCE
  [0xd4, 0], // ISCONTRACT
  [0xff, 0], // SUICIDE
]);
const SLOAD = 0x54;
const SSTORE = 0x55;
/** ReceivedVoteCount: the total of votes for a witness. */
const VOTES_OF_WITNESS = 0x1000009n;
const WORD_BYTES = 32;

export class TouchedRows implements Tracer {
  readonly accounts = new Map<Address, Set<bigint>>();
  /** Witnesses whose vote total a contract has read. */
  readonly votesRead = new Set<Address>();
  readonly #created = new Set<Address>();
  #top: Address | undefined;

  /**
   * Contracts that were created, or whose creation failed.
   *
   * @param isDeployment whether the top frame ran init code
   */
  created(isDeployment: boolean): ReadonlySet<Address> {
    return isDeployment && this.#top !== undefined ? new Set([...this.#created, this.#top]) : this.#created;
  }

  /** Marks an account as touched independent of the program, for example the caller. */
  touch(address: Address): Set<bigint> {
    let slots = this.accounts.get(address);
    if (slots === undefined) {
      slots = new Set();
      this.accounts.set(address, slots);
    }
    return slots;
  }

  enter(frame: TracedFrame): void {
    this.touch(frame.context);
    this.#top ??= frame.context;
  }

  step(frame: TracedFrame, opcode: number): void {
    if (opcode === SLOAD || opcode === SSTORE) {
      this.touch(frame.context).add(frame.peek(0));
      return;
    }
    const at = ADDRESS_AT.get(opcode);
    if (at !== undefined) this.touch(addressOfWord(frame.peek(at)));
    const to = operandsOf(frame, opcode)?.to;
    if (to !== undefined) this.touch(to);
  }

  precompile(_frame: TracedFrame, address: bigint, input: Uint8Array): void {
    if (address === VOTES_OF_WITNESS && input.length === WORD_BYTES)
      this.votesRead.add(addressOfWord(wordAt(input, 0)));
  }

  internal(_frame: TracedFrame, { note, transferToAddress }: InternalTransaction): void {
    if (transferToAddress === '') return;
    this.touch(transferToAddress);
    if (note === 'create') this.#created.add(transferToAddress);
  }
}
