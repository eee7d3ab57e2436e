/** Snapshots of everything. Ids count from `0x1`, as in Hardhat, ganache and TRE. */

import * as v from 'valibot';
import { OperationError } from '../../errors/operation-error.js';
import { UnknownSnapshotError } from '../../node/control.js';
import { integer } from '../kinds.js';
import { alias, type DevContext, type DevMethod, method, parameter } from '../table.js';

/** Some clients return the id as a number. */
const id = v.pipe(
  integer,
  v.transform((number) => `0x${number.toString(16)}`),
  v.description('the id of a snapshot (0x1)'),
);
const parameters = [parameter('id', id)];

/** @returns whether the snapshot existed */
async function revert({ node, requester }: DevContext, snapshot: string): Promise<boolean> {
  try {
    await node.rollBackTo(snapshot, requester);
    return true;
  } catch (error) {
    if (error instanceof UnknownSnapshotError) return false;
    throw error;
  }
}

export const snapshotMethods: readonly DevMethod[] = [
  method({
    name: 'tron_snapshot',
    about: 'saves the chain, including time and pending transactions; returns an id for tron_revert',
    parameters: [],
    example: [],
    aliases: ['evm_snapshot', 'anvil_snapshot', 'hardhat_snapshot', 'tre_snapshot'],
    answer: ({ node, requester }) => node.mining.inTurn({ name: 'snapshot', requester }, () => node.snapshot()),
  }),
  method({
    name: 'tron_revert',
    about: 'restores a snapshot and deletes it and all later ones; returns whether it existed',
    parameters,
    example: ['0x0'],
    aliases: ['evm_revert', 'anvil_revert', 'hardhat_revert'],
    otherAliases: [
      alias('tre_revert', parameters, async (context, snapshot) => {
        if (await revert(context, snapshot)) return true;
        throw new OperationError(`unknown snapshot id: ${snapshot}`);
      }),
    ],
    answer: (context, snapshot) => revert(context, snapshot),
  }),
  method({
    name: 'tron_dropSnapshot',
    about: 'deletes a snapshot; returns whether it existed',
    parameters,
    example: ['0x0'],
    aliases: ['tre_dropSnapshot'],
    answer: ({ node }, snapshot) => node.dropSnapshot(snapshot),
  }),
];
