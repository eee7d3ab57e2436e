/** Opcodes that call, create or destroy contracts: 0xd0, 0xf0–0xf5, 0xfa, 0xff. */

import { create, create2 } from '../creation.js';
import { CREATE_BASE, hashCost, memoryGrowth, NEW_ACCOUNT, rangeEnd } from '../energy-cost.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import type { CallKind } from '../message.js';
import { call, chargeCall } from '../message-call.js';
import { selfDestruct } from '../self-destruct.js';
import { addressOfWord } from '../words.js';
import { type Operation, operation } from './operation.js';

/** Added to SUICIDE by the self-destruct restriction (TIP-6780). */
const RESTRICTED_SELF_DESTRUCT = 5_000;

const PLAIN: CallKind = {
  name: 'CALL',
  hasValue: true,
  isToken: false,
  inOwnContext: false,
  isDelegate: false,
  isStatic: false,
};

function callOperation(opcode: number, kind: CallKind): Operation {
  const inputs = 6 + (kind.hasValue ? 1 : 0) + (kind.isToken ? 1 : 0);
  return {
    opcode,
    name: kind.name,
    inputs,
    outputs: 1,
    cost: (frame) => {
      chargeCall(frame, kind);
      return 0;
    },
    base: 0,
    spendsItself: true,
    act: (frame) => call(frame, kind),
  };
}

const creationCost = (name: string) => (frame: Frame) =>
  CREATE_BASE + memoryGrowth(frame.memory, rangeEnd(frame.peek(1), frame.peek(2)), name);

function selfDestructCost(flags: TvmFlags) {
  const base = flags.selfdestructRestriction ? RESTRICTED_SELF_DESTRUCT : 0;
  if (!flags.energyAdjustment) return base;
  return (frame: Frame): number => {
    const { execution } = frame;
    const heir = addressOfWord(frame.peek(0));
    execution.spendAccount(heir, 'SUICIDE');
    return execution.host.accountExists(heir) ? base : base + NEW_ACCOUNT;
  };
}

export function calls(flags: TvmFlags): Operation[] {
  const create2Cost = creationCost('CREATE2');
  const rows = [
    operation(0xf0, 'CREATE', 3, 1, creationCost('CREATE'), create),
    callOperation(0xf1, PLAIN),
    callOperation(0xf2, { ...PLAIN, name: 'CALLCODE', inOwnContext: true }),
    callOperation(0xf4, {
      ...PLAIN,
      name: 'DELEGATECALL',
      hasValue: false,
      inOwnContext: true,
      isDelegate: true,
    }),
    callOperation(0xfa, { ...PLAIN, name: 'STATICCALL', hasValue: false, isStatic: true }),
    operation(0xff, 'SUICIDE', 1, 0, selfDestructCost(flags), selfDestruct),
  ];
  if (flags.constantinople) {
    rows.push(operation(0xf5, 'CREATE2', 4, 1, (f) => create2Cost(f) + hashCost(f.peek(2)), create2));
  }
  if (flags.transferTrc10) rows.push(callOperation(0xd0, { ...PLAIN, name: 'CALLTOKEN', isToken: true }));
  return rows;
}
