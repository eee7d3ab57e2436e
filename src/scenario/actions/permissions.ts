/** Permissions of a scenario as the chain has them. */

import type { PermissionPatch } from '../../ledger/operations/set-account.js';
import type { Hex } from '../../primitives/hex.js';
import {
  Permission_PermissionType as PermissionType,
  Transaction_Contract_ContractType as Type,
} from '../../protocol/generated/tron.js';
import type { PermissionFields } from '../format/permission-fields.js';
import type { StepRun } from './step-run.js';

/** @param name default, if the scenario gives none */
export function permissionPatch(
  run: StepRun,
  { threshold, keys, operations, name }: PermissionFields,
  type: PermissionType,
  defaultName: string,
): PermissionPatch {
  return {
    permission_name: name ?? defaultName,
    threshold,
    keys: Object.entries(keys).map(([account, weight]) => ({ address: run.addressOf(account), weight })),
    ...(type === PermissionType.Active && {
      operations: operations === undefined ? run.ledger.text('ACTIVE_DEFAULT_OPERATIONS') : operationBits(operations),
    }),
  };
}

/** One bit for each contract type, least significant bit of a byte first. */
function operationBits(names: readonly string[]): Hex {
  const bits = Buffer.alloc(32);
  for (const name of names) {
    const type = Type[name as keyof typeof Type];
    bits[type >> 3] = (bits[type >> 3] as number) | (1 << (type & 7));
  }
  return bits.toString('hex');
}
