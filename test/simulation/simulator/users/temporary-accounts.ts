/** Tests of TronBox that make accounts for themselves: each of them has what was asked for, also with many at once. */

// Loaded beforehand: how long that takes is the machine's affair.
import '@scure/bip39';
import '@scure/bip39/wordlists/english.js';
import { accountAt } from '../../../../src/ledger/accounts/accounts.js';
import { addressFromPrivateKey } from '../../../../src/protocol/address.js';
import { COIN } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import type { User } from './user.js';

const NAME = 'accounts that are made have what was asked for';

/** The node gives to so many at once. */
const AT_ONCE = 200;

interface Wallets {
  readonly more: readonly { readonly privateKeys: readonly string[] }[];
}

export const makeTemporaryAccounts: User = async ({ world, asker }) => {
  const { choices } = world;
  if (!world.isQuiet) return;
  const count = choices.chance(0.5) ? 1 + choices.below(3) : AT_ONCE - 1 + choices.below(3);
  const trx = 1 + choices.below(1_000);
  world.amountsChanged = true;
  const made = await asker.get(`/admin/temporary-accounts-generation?accounts=${count}&defaultBalance=${trx}`);
  const wallets = await asker.get('/admin/accounts-json');
  if (!made?.startsWith('200 ') || !wallets?.startsWith('200 ') || !world.isQuiet) return;
  const keys = (JSON.parse(wallets.slice(4)) as Wallets).more.at(-1)?.privateKeys ?? [];
  const other = keys.find(
    (key) => accountAt(world.ledger, addressFromPrivateKey(key as never))?.balance !== BigInt(trx) * COIN,
  );
  if (keys.length !== count || other !== undefined)
    throw new Violation(NAME, `${keys.length} of ${count} accounts were made; that of key ${other} has no ${trx} TRX`);
};
