/**
 * Makes an account a witness candidate (protocol/contract-types.md#witnesscreatecontract-5). Mirrors
 * WitnessCreateActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { byteLength, type Hex, hexToUtf8 } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import { Transaction_Contract_ContractType, Witness } from '../../protocol/generated/tron.js';
import type { WitnessCreateContract as Message } from '../../protocol/generated/witness-contract.js';
import { withWitnessPermission } from '../accounts/accounts.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { LedgerContract } from './contract.js';

const MAX_URL_BYTES = 256;

export function isUrl(url: Hex): boolean {
  return url.length > 0 && byteLength(url) <= MAX_URL_BYTES;
}

export const witnessCreateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.WitnessCreateContract,

  validate(ledger, { owner_address: owner, url }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!isUrl(url)) throw contractValidateException('Invalid url');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`account[${owner}] not exists`);
    if (ledger.state.tables.witnesses.has(owner)) throw contractValidateException(`Witness[${owner}] has existed`);
    if (account.balance < ledger.long('ACCOUNT_UPGRADE_COST')) {
      throw contractValidateException('balance < AccountUpgradeCost');
    }
  },

  execute(ledger, { owner_address: owner, url }, { charges }) {
    ledger.state.tables.witnesses.set(owner, Witness.create({ address: owner, url: hexToUtf8(url) }));
    const account = { ...existingAccount(ledger, owner), is_witness: true };
    putAccount(ledger, ledger.on('ALLOW_MULTI_SIGN') ? withWitnessPermission(ledger, account) : account);
    const costSun = ledger.long('ACCOUNT_UPGRADE_COST');
    payFee(ledger, charges, owner, costSun, 'witness-creation');
    ledger.addToLong('TOTAL_CREATE_WITNESS_FEE', costSun);
  },
};
