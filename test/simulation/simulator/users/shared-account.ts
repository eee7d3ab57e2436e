/**
 * An account of several people: what they sign together is accepted if the keys belong to the permission, each signs
 * once, and their weights reach the threshold (protocol/pipeline.md#signature-and-permission-check).
 */

import { impersonates } from '../../../../src/ledger/accounts/impersonation.js';
import { type Hex, hexToBytes } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../../../src/protocol/address.js';
import {
  TransactionSignWeight,
  TransactionSignWeight_Result_response_code as WeightCode,
} from '../../../../src/protocol/generated/api.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Permission,
  Permission_PermissionType,
} from '../../../../src/protocol/generated/tron.js';
import { sign } from '../../../../src/protocol/signature.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { COIN, strangerAddress } from '../../simulated-chain.js';
import { newestBlockAgrees } from '../invariants/statements.js';
import { Violation } from '../run/violation.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const OWN_KEY = '55'.repeat(32);
const ACCOUNT = addressFromPrivateKey(OWN_KEY);
/** Permission 0 is the owner's, 2 the first active one. */
const ACTIVE = 2;
const PERMISSIONS = [0, ACTIVE] as const;
/** Bit for each contract type: everything that is known, but for the stake of 2.0 (type 54). */
const MOST_OPERATIONS = '7fff1fc0033eb30f000000000000000000000000000000000000000000000000';

const TRANSFER = { owner_address: ACCOUNT, to_address: strangerAddress(0), amount: 1n };
const STAKE = { owner_address: ACCOUNT, frozen_balance: COIN };

interface ShownPermission {
  readonly id?: number;
  readonly threshold?: number;
  readonly keys?: readonly { readonly address: string; readonly weight: number }[];
}

interface Shared {
  readonly balance?: number;
  readonly owner_permission?: ShownPermission;
  readonly active_permission?: readonly ShownPermission[];
}

async function shared({ asker }: Host): Promise<Shared | undefined> {
  const answer = await asker.post('/wallet/getaccount', { address: ACCOUNT });
  return answer?.startsWith('200 {') ? (JSON.parse(answer.slice(4)) as Shared) : undefined;
}

async function sendWith(host: Host, transaction: SignedTransaction | undefined, keys: readonly Hex[]) {
  if (transaction === undefined || !host.world.isRunning) return undefined;
  return sendHex(host, signedBy(transaction, keys));
}

function signedBy(transaction: SignedTransaction, keys: readonly Hex[]): SignedTransaction {
  return transaction.withSignatures(keys.map((key) => sign(transaction.txId, key)));
}

/** Pays the account, and gives it to others. */
async function share(host: Host): Promise<void> {
  const { people } = host;
  const [payer, one, other, third] = [people.address(0), people.address(1), people.address(2), people.address(3)];
  const payment = { owner_address: payer, to_address: ACCOUNT, amount: 300n * COIN };
  const paid = await composed(host, () => people.send(ContractType.TransferContract, payment));
  await sendWith(host, paid, [people.keyOf(payer) as Hex]);
  const keys = (...weights: readonly (readonly [address: Address, weight: bigint])[]) =>
    weights.map(([address, weight]) => ({ address, weight }));
  const owner = Permission.create({
    ...{ type: Permission_PermissionType.Owner, permission_name: 'owner', threshold: 2n },
    keys: keys([one, 1n], [other, 1n], [third, 1n]),
  });
  const active = Permission.create({
    ...{
      type: Permission_PermissionType.Active,
      permission_name: 'active',
      threshold: 5n,
      operations: MOST_OPERATIONS,
    },
    keys: keys([one, 2n], [other, 3n], [third, 4n]),
  });
  const fields = { owner_address: ACCOUNT, owner, actives: [active] };
  const update = await composed(host, () => people.send(ContractType.AccountPermissionUpdateContract, fields));
  await sendWith(host, update, [OWN_KEY]);
}

export const signTogether: User = async (host) => {
  for (let times = 1 + host.world.choices.below(3); times > 0 && host.world.isRunning; times--) await signOnce(host);
};

async function signOnce(host: Host): Promise<void> {
  const { world, people, asker } = host;
  const { choices } = world;
  const before = await shared(host);
  if (before === undefined || !world.isRunning) return;
  // Enough keys, for what the permission does not allow.
  const isForbidden = choices.chance(0.25);
  const permissionId = isForbidden ? ACTIVE : choices.of(PERMISSIONS);
  const { owner_permission: owner, active_permission: actives } = before;
  const permission = permissionId === 0 ? owner : actives?.find(({ id }) => id === permissionId);
  if (owner?.threshold !== 2 || permission === undefined) return share(host);

  const all = [1, 2, 3].map((i) => people.address(i));
  // Not all of the others are enough.
  const signers =
    isForbidden || choices.chance(0.4)
      ? all
      : Array.from({ length: 1 + choices.below(3) }, () => people.address(1 + choices.below(4)));
  const stakes = isForbidden || choices.chance(0.2);
  const unsigned = await composed(host, () =>
    stakes
      ? people.send(ContractType.FreezeBalanceV2Contract, STAKE, { permissionId })
      : people.send(ContractType.TransferContract, TRANSFER, { permissionId }),
  );
  if (unsigned === undefined || !world.isRunning) return;
  const transaction = signedBy(
    unsigned,
    signers.map((address) => people.keyOf(address) as Hex),
  );
  const weighed = await asker.grpc('/protocol.Wallet/GetTransactionSignWeight', transaction.encode());
  const answer = world.isRunning ? await sendHex(host, transaction) : undefined;
  const after = world.isRunning ? await shared(host) : undefined;
  // A block may have dropped a pending change of the permissions.
  const isSame = JSON.stringify(after?.owner_permission) === JSON.stringify(owner);
  if (answer === undefined || after === undefined || !isSame) return;
  // A rollback may have taken back that somebody ended it.
  if (impersonates(world.node.chain.ledger, ACCOUNT)) return;
  const weights = signers.map((address) => permission.keys?.find((key) => key.address === address)?.weight);
  const isAllowed =
    !(stakes && permissionId !== 0) &&
    new Set(signers).size === signers.length &&
    !weights.includes(undefined) &&
    weights.reduce<number>((sum, weight) => sum + (weight ?? 0), 0) >= (permission.threshold ?? 0);
  const isSignedWrongly = /"code":"SIGERROR"/.test(answer);
  if (isAllowed ? isSignedWrongly : isAccepted(answer))
    throw new Violation(
      'several keys sign by their weights',
      `weights ${weights.join(', ')} of ${permission.threshold} for ${signers.join(', ')}: ${answer}`,
    );
  if (weighed !== undefined && /^[0-9a-f]+$/.test(weighed)) {
    const { code, message } = TransactionSignWeight.decode(hexToBytes(weighed)).result ?? {};
    const isEnough = (code ?? WeightCode.ENOUGH_PERMISSION) === WeightCode.ENOUGH_PERMISSION;
    if (isEnough !== isAllowed)
      throw new Violation(
        'several keys sign by their weights',
        `for ${signers.join(', ')} getsignweight says ${code} ${message}; broadcast: ${answer}`,
      );
  }
  if (isAccepted(answer) && world.isQuiet && world.node.chain.pool.size === 0) newestBlockAgrees(host);
}
