/** Creates an account for a fee (protocol/contract-types.md#accountcreatecontract-0). Mirrors CreateAccountActuator. */

import { illegalArgumentException } from '../../errors/java-exception.js';
import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { AccountCreateContract as Message } from '../../protocol/generated/account-contract.js';
import { AccountType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { newAccount } from '../accounts/accounts.js';
import { putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { LedgerContract } from './contract.js';

/**
 * The type is stored unchecked; Java's protobuf enum has no number for unknown values, and its exception is not
 * caught.
 */
const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(AccountType));

export const accountCreateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.AccountCreateContract,

  validate(ledger, { owner_address: owner, account_address: target }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (account.balance < ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT')) {
      throw contractValidateException('Validate CreateAccountActuator error, insufficient fee.');
    }
    if (!isAddress(target)) throw contractValidateException('Invalid account address');
    if (ledger.state.tables.accounts.has(target)) throw contractValidateException('Account has existed');
  },

  execute(ledger, { owner_address, account_address, type }, { charges }) {
    if (!KNOWN_TYPES.has(type)) throw illegalArgumentException("Can't get the number of an unknown enum value.");
    putAccount(ledger, newAccount(ledger, account_address, type));
    const feeSun = ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    payFee(ledger, charges, owner_address, feeSun, 'account-activation');
  },
};
