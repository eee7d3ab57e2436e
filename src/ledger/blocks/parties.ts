/** Whose history a transaction belongs to: its owner and whoever its contract names. Feeds the index by account. */

import { type Address, isAddress } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

const PARTY_FIELDS = ['to_address', 'account_address', 'receiver_address', 'contract_address'] as const;

export function partiesOf(transaction: SignedTransaction): ReadonlySet<Address> {
  const parties = new Set<Address>();
  if (transaction.owner !== undefined) parties.add(transaction.owner);
  const contract = transaction.contract as Readonly<Record<string, unknown>> | undefined;
  for (const field of PARTY_FIELDS) {
    const address = contract?.[field];
    if (typeof address === 'string' && isAddress(address)) parties.add(address);
  }
  return parties;
}
