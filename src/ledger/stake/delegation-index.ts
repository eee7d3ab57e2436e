/**
 * Delegators and receivers of an account with the time of the last delegation, for both stake versions
 * (protocol/storage-forms.md#stores). Mirrors DelegatedResourceAccountIndexStore. Stake 1.0 had lists without times;
 * with ALLOW_DELEGATE_OPTIMIZATION an account's lists are converted at its next delegation or undelegation. No rule
 * depends on this index; queries show it.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { DelegatedResourceAccountIndex } from '../../protocol/generated/tron.js';
import type { DelegationPartner } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';

export type StakeVersion = 1 | 2;

/** java-tron's key prefixes: `to` for an account's receivers, `from` for its delegators. */
const PREFIXES = { 1: { to: '01', from: '02' }, 2: { to: '03', from: '04' } } as const;

export type PartnerSide = 'to' | 'from';

/** Row of `delegationPartners`; followed by a partner's address it is java-tron's key of the pair. */
export function partnersKey(version: StakeVersion, side: PartnerSide, address: Hex): string {
  return `${PREFIXES[version][side]}${address}`;
}

export function partnersOf(
  ledger: Ledger,
  version: StakeVersion,
  side: PartnerSide,
  address: Hex,
): readonly DelegationPartner[] {
  return ledger.state.tables.delegationPartners.get(partnersKey(version, side, address)) ?? [];
}

function changePartner(ledger: Ledger, key: string, address: Address, timestampMs: bigint | undefined): void {
  const { delegationPartners } = ledger.state.tables;
  const others = (delegationPartners.get(key) ?? []).filter((partner) => partner.address !== address);
  if (timestampMs !== undefined) others.push({ address, timestampMs });
  if (others.length > 0) delegationPartners.set(key, others);
  else delegationPartners.delete(key);
}

function changePair(
  ledger: Ledger,
  version: StakeVersion,
  from: Address,
  to: Address,
  timestampMs: bigint | undefined,
): void {
  changePartner(ledger, partnersKey(version, 'to', from), to, timestampMs);
  changePartner(ledger, partnersKey(version, 'from', to), from, timestampMs);
}

/**
 * Converts the account's old lists into pairs. Positions in the list serve as times. A pair is written from both ends:
 * the conversion of the other account overwrites the time.
 */
function convertLists(ledger: Ledger, address: Address): void {
  const lists = ledger.state.tables.delegationLists.get(address);
  if (lists === undefined) return;
  lists.toAccounts.forEach((to, i) => {
    changePair(ledger, 1, address, to, BigInt(i + 1));
  });
  lists.fromAccounts.forEach((from, i) => {
    changePair(ledger, 1, from, address, BigInt(i + 1));
  });
  ledger.state.tables.delegationLists.delete(address);
}

type ListName = 'toAccounts' | 'fromAccounts';

function addToList(ledger: Ledger, account: Address, list: ListName, partner: Address): void {
  const lists = ledger.state.tables.delegationLists.get(account) ?? DelegatedResourceAccountIndex.create({ account });
  const known = lists[list].includes(partner);
  ledger.state.tables.delegationLists.set(account, known ? lists : { ...lists, [list]: [...lists[list], partner] });
}

function removeFromList(ledger: Ledger, account: Address, list: ListName, partner: Address): void {
  const lists = ledger.state.tables.delegationLists.get(account);
  if (lists === undefined) return;
  const others = lists[list].filter((address) => address !== partner);
  ledger.state.tables.delegationLists.set(account, { ...lists, [list]: others });
}

/** Adds a delegation with the present time. */
export function indexDelegation(ledger: Ledger, version: StakeVersion, from: Address, to: Address): void {
  if (version === 1) {
    if (!ledger.on('ALLOW_DELEGATE_OPTIMIZATION')) {
      addToList(ledger, from, 'toAccounts', to);
      addToList(ledger, to, 'fromAccounts', from);
      return;
    }
    convertLists(ledger, from);
    convertLists(ledger, to);
  }
  changePair(ledger, version, from, to, ledger.headTimeMs);
}

/** Removes a pair without remaining delegations. */
export function unindexDelegation(ledger: Ledger, version: StakeVersion, from: Address, to: Address): void {
  if (version === 1) {
    if (!ledger.on('ALLOW_DELEGATE_OPTIMIZATION')) {
      removeFromList(ledger, from, 'toAccounts', to);
      removeFromList(ledger, to, 'fromAccounts', from);
      return;
    }
    convertLists(ledger, from);
    convertLists(ledger, to);
  }
  changePair(ledger, version, from, to, undefined);
}
