/** Storage and transient storage: SLOAD, SSTORE, TLOAD, TSTORE. Rows and their keys are in `../storage.ts`. */

import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import type { Slot } from '../storage.js';
import { NEW_ROW } from '../work.js';
import { type Operation, operation } from './operation.js';

const SLOAD = 50;
const SSTORE_NEW = 20_000;
const SSTORE_SET = 5_000;
const TRANSIENT = 100;

/** A slot. Its row is read the first time. */
function slotOf(frame: Frame, key: bigint, operation: string): Slot {
  const slot = frame.storage.slot(key);
  if (slot.isNew) {
    slot.isNew = false;
    frame.execution.spend(NEW_ROW, operation);
  }
  return slot;
}

/**
 * The price of SSTORE: 20,000 for a row that does not exist and gets a nonzero value, otherwise 5,000, independent of
 * the old and new values (protocol/opcodes.md#storage). A row exists if it had a value before the transaction, or after
 * any SSTORE in the transaction, also of 0. There are no refunds.
 *
 * @example 0→1→0→2 in one transaction: 20,000 + 5,000 + 5,000
 */
function sstoreEnergy(frame: Frame): number {
  return frame.peek(1) !== 0n && !slotOf(frame, frame.peek(0), 'SSTORE').exists ? SSTORE_NEW : SSTORE_SET;
}

function sstore(frame: Frame): void {
  frame.refuseInStaticCall();
  const slot = slotOf(frame, frame.pop(), 'SSTORE');
  frame.execution.substate.write(slot, frame.pop());
}

export function storage(flags: TvmFlags): Operation[] {
  const rows = [
    operation(0x54, 'SLOAD', 1, 1, SLOAD, (frame) => frame.poke(0, slotOf(frame, frame.peek(0), 'SLOAD').value)),
    operation(0x55, 'SSTORE', 2, 0, sstoreEnergy, sstore),
  ];
  if (flags.cancun) {
    rows.push(
      operation(0x5c, 'TLOAD', 1, 1, TRANSIENT, (frame) =>
        frame.poke(0, frame.execution.substate.transientValue(frame.context, frame.peek(0))),
      ),
      operation(0x5d, 'TSTORE', 2, 0, TRANSIENT, (frame) => {
        frame.refuseInStaticCall();
        frame.execution.substate.writeTransient(frame.context, frame.pop(), frame.pop());
      }),
    );
  }
  return rows;
}
