/**
 * A user who sends what a node must refuse: late, foreign, unsigned or repeated transactions, sales out of their time, and
 * what is forbidden (`forbidden.ts`).
 */

import { impersonates } from '../../../../src/ledger/accounts/impersonation.js';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { MAX_LONG } from '../../../../src/primitives/java-math.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Transaction_raw,
} from '../../../../src/protocol/generated/tron.js';
import { sign } from '../../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { FORBIDDEN, forbidden } from './forbidden.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const STRANGERS_KEY = '77'.repeat(32);
const TWO_DAYS_MS = 172_800_000n;

type Attempt = (host: Host) => Promise<SignedTransaction | undefined>;

/** A transfer with other fields or other keys. @param keys of its signatures; absent: the sender's */
function transferWith(
  change: (raw: Transaction_raw, headTimeMs: bigint) => Partial<Transaction_raw>,
  keys?: (own: string) => readonly string[],
): Attempt {
  return async (host) => {
    const { world, people } = host;
    const owner_address = people.address(world.choices.below(6));
    const own = people.keyOf(owner_address);
    const fields = { owner_address, to_address: strangerAddress(0), amount: 1n };
    const transfer = await composed(host, () => people.send(ContractType.TransferContract, fields));
    if (transfer === undefined || own === undefined || !world.isRunning) return undefined;
    const { raw } = transfer;
    const changed = SignedTransaction.fromRaw({ ...raw, ...change(raw, world.node.chain.headTimeMs) });
    return changed.withSignatures((keys?.(own) ?? [own]).map((key) => sign(changed.txId, key)));
  };
}

/** One that is in a block (protocol/pipeline.md#broadcast). */
const repeated: Attempt = async ({ world, people }) => {
  const { transactions } = world.node.chain.ledger.state.tables;
  const stored = people.sent.filter(({ txId }) => transactions.has(txId));
  return stored.length === 0 ? undefined : world.choices.of(stored);
};

/** A token whose sale has not begun, or is over. */
const outOfTime: Attempt = async (host) => {
  const { world, people } = host;
  const { ledger } = world.node.chain;
  const closed = ledger.state.tables.assets
    .entries()
    .map(([, asset]) => asset)
    // Times of the head and of pending work are apart by a slot at most.
    .filter(({ start_time, end_time }) => ledger.headTimeMs < start_time - 60_000n || ledger.headTimeMs >= end_time);
  if (closed.length === 0) return undefined;
  const { owner_address: to_address, id, trx_num } = world.choices.of(closed);
  const buyer = people.addresses.find((address) => address !== to_address);
  const asset_name = bytesToHex(new TextEncoder().encode(id));
  const fields = { owner_address: buyer, to_address, asset_name, amount: BigInt(trx_num) };
  return composed(host, () => people.send(ContractType.ParticipateAssetIssueContract, fields));
};

/** The signature of another transaction, which the node has just checked. */
const signedElsewhere: Attempt = async (host) => {
  const one = await transferWith(() => ({}))(host);
  if (one === undefined || !isAccepted(await sendHex(host, one))) return undefined;
  const other = SignedTransaction.fromRaw({ ...one.raw, timestamp: one.raw.timestamp + 1n });
  return other.withSignatures(one.message.signature);
};

function attempted(what: string): Attempt {
  return (host) => {
    const { people, world } = host;
    return composed(host, () => {
      const attempt = forbidden(people, world.choices, what);
      // More than somebody has who has the largest amount cannot be said.
      if (
        attempt === undefined ||
        Object.values(attempt.fields).some((one) => typeof one === 'bigint' && one > MAX_LONG)
      )
        return undefined;
      return people.send(attempt.type, attempt.fields, { permissionId: attempt.permissionId ?? 0 });
    });
  };
}

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'expires with the head': transferWith((_, headTimeMs) => ({ expiration: headTimeMs })),
  'expires in more than a day': transferWith((_, headTimeMs) => ({ expiration: headTimeMs + TWO_DAYS_MS })),
  'of another chain': transferWith(({ ref_block_hash: hash }) => ({ ref_block_hash: [...hash].reverse().join('') })),
  "with a stranger's signature": transferWith(
    () => ({}),
    () => [STRANGERS_KEY],
  ),
  'without a signature': transferWith(
    () => ({}),
    () => [],
  ),
  'signed twice': transferWith(
    () => ({}),
    (own) => [own, own],
  ),
  repeated,
  "with another transaction's signature": signedElsewhere,
  'a sale out of its time': outOfTime,
  ...Object.fromEntries(Object.keys(FORBIDDEN).map((what) => [what, attempted(what)])),
};

/** What a node must refuse changes nothing. */
export const sendRefused: User = async (host) => {
  const { world } = host;
  const what = world.choices.of(Object.keys(ATTEMPTS));
  if (!world.isRunning) return;
  const transaction = await (ATTEMPTS[what] as Attempt)(host);
  if (transaction === undefined || !world.isRunning) return;
  // Whoever impersonates may have been cut off before ending it.
  if (impersonates(world.node.chain.ledger, transaction.owner as Address)) return;
  if (isAccepted(await sendHex(host, transaction)))
    throw new Violation('what must be refused is refused', `${what}: ${transaction.txId} was accepted`);
};
