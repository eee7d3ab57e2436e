/** Changes a witness's URL (protocol/contract-types.md#witnessupdatecontract-8). Mirrors WitnessUpdateActuator. */

import { contractValidateException } from '../../errors/refusals.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import type { WitnessUpdateContract as Message } from '../../protocol/generated/witness-contract.js';
import type { LedgerContract } from './contract.js';
import { isUrl } from './WitnessCreateContract.js';

export const witnessUpdateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.WitnessUpdateContract,

  validate(ledger, { owner_address: owner, update_url: url }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException('account does not exist');
    if (!isUrl(url)) throw contractValidateException('Invalid url');
    if (!ledger.state.tables.witnesses.has(owner)) throw contractValidateException('Witness does not exist');
  },

  execute(ledger, { owner_address, update_url }) {
    const { witnesses } = ledger.state.tables;
    const witness = witnesses.get(owner_address);
    if (witness === undefined)
      throw new Error(`witness ${owner_address} does not exist: validation should have refused`);
    witnesses.set(owner_address, { ...witness, url: hexToUtf8(update_url) });
  },
};
