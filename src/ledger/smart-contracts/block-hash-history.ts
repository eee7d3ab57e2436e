/**
 * The contract with the ids of the last 8,191 blocks, with ALLOW_TVM_PRAGUE (TIP-2935). The approved proposal creates
 * it, and each block writes its parent's id into a ring before its transactions. A call with a height (32 bytes)
 * returns the id, and reverts if the ring does not have it. Mirrors java-tron's HistoryBlockHashUtil (4.8.2).
 */

import { hexToBytes, utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { SmartContract } from '../../protocol/generated/smart-contract.js';
import { Account, AccountType } from '../../protocol/generated/tron.js';
import { asContract } from '../accounts/accounts.js';
import type { Ledger } from '../ledger.js';
import { setSlot } from './storage-slots.js';

const ADDRESS = '410000f90827f1c53a10cb7a02335b175320002935' as Address;
/** Its deployer on Ethereum, by a transaction without a known key. */
const DEPLOYER = '413462413af4609098e1e27a490f554f260213d685' as Address;
const NAME = 'BlockHashHistory';
/** EIP-2935's address, the same on both chains. */
const CODE = hexToBytes(
  '3373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
);
const RING_BLOCKS = 8_191;

/**
 * Effect of an approved ALLOW_TVM_PRAGUE. An existing contract is left unchanged, and nothing is written into it then.
 */
export function deployBlockHashHistory(ledger: Ledger): void {
  const { accounts, codes, contracts } = ledger.state.tables;
  if (codes.has(ADDRESS) || contracts.has(ADDRESS)) return;
  codes.set(ADDRESS, CODE);
  contracts.set(
    ADDRESS,
    SmartContract.create({
      name: NAME,
      contract_address: ADDRESS,
      origin_address: DEPLOYER,
      consume_user_resource_percent: 100n,
    }),
  );
  const account = accounts.get(ADDRESS);
  accounts.set(
    ADDRESS,
    account === undefined
      ? Account.create({ address: ADDRESS, type: AccountType.Contract, account_name: utf8ToHex(NAME) })
      : asContract(account),
  );
}

/** Whether blocks write their parents' ids; a run of empty blocks cannot do that in closed form. */
export function keepsBlockHashes(ledger: Ledger): boolean {
  if (!ledger.on('ALLOW_TVM_PRAGUE')) return false;
  return ledger.state.tables.contracts.get(ADDRESS)?.origin_address === DEPLOYER;
}

/** Before the transactions of the block that follows the head. */
export function writeParentHash(ledger: Ledger): void {
  if (!keepsBlockHashes(ledger)) return;
  const slot = BigInt(ledger.headNumber % RING_BLOCKS);
  setSlot(ledger, ADDRESS, slot, BigInt(`0x${ledger.headId}`));
}
