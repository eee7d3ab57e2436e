/**
 * Replaces all permissions of an account (protocol/contract-types.md#accountpermissionupdatecontract-46). Mirrors
 * AccountPermissionUpdateActuator and AccountCapsule.updatePermissions.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { AccountPermissionUpdateContract as Message } from '../../protocol/generated/account-contract.js';
import { Permission_PermissionType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { validatePermission } from '../accounts/permissions.js';
import { payFee } from '../charging/fees.js';
import type { LedgerContract } from './contract.js';

export const MAX_ACTIVES = 8;
export const FIRST_ACTIVE_ID = 2;

export const accountPermissionUpdateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.AccountPermissionUpdateContract,

  validate(ledger, { owner_address, owner, witness, actives }) {
    if (!ledger.on('ALLOW_MULTI_SIGN')) {
      throw contractValidateException('multi sign is not allowed, need to be opened by the committee');
    }
    if (!isAddress(owner_address)) throw contractValidateException('invalidate ownerAddress');
    const account = ledger.state.tables.accounts.get(owner_address);
    if (account === undefined) throw contractValidateException('ownerAddress account does not exist');
    if (owner === undefined) throw contractValidateException('owner permission is missed');
    if (account.is_witness && witness === undefined) throw contractValidateException('witness permission is missed');
    if (!account.is_witness && witness !== undefined) {
      throw contractValidateException("account isn't witness can't set witness permission");
    }
    if (actives.length === 0) throw contractValidateException('active permission is missed');
    if (actives.length > MAX_ACTIVES) throw contractValidateException('active permission is too many');

    const types = Permission_PermissionType;
    refuseOverflow(() => {
      if (owner.type !== types.Owner) throw contractValidateException('owner permission type is error');
      validatePermission(ledger, owner);
      if (witness !== undefined) {
        if (witness.type !== types.Witness) throw contractValidateException('witness permission type is error');
        validatePermission(ledger, witness);
      }
      for (const active of actives) {
        if (active.type !== types.Active) throw contractValidateException('active permission type is error');
        validatePermission(ledger, active);
      }
    });
  },

  execute(ledger, { owner_address, owner, witness, actives }, { charges }) {
    const account = existingAccount(ledger, owner_address);
    putAccount(ledger, {
      ...account,
      // The ledger assigns the ids and ignores those of the message.
      owner_permission: owner && { ...owner, id: 0 },
      witness_permission: account.is_witness ? witness && { ...witness, id: 1 } : account.witness_permission,
      active_permission: actives.map((active, index) => ({ ...active, id: FIRST_ACTIVE_ID + index })),
    });
    const feeSun = ledger.long('UPDATE_ACCOUNT_PERMISSION_FEE');
    payFee(ledger, charges, owner_address, feeSun, 'permission-update');
  },
};
