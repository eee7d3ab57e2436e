/** Steps that transfer TRX and TRC-10 tokens. */

import { utf8ToHex } from '../../primitives/hex.js';
import { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { account, integer, sun, token } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

export const transferSteps: readonly StepKind[] = [
  transaction({
    name: 'transfer',
    about: 'sends TRX; a receiver that does not exist is created, and the sender pays for it (Transfer)',
    example: { from: 'alice', to: 'bob', amount: '10 TRX' },
    contractType: Type.TransferContract,
    fields: { to: account, amount: sun },
    call: ({ from, to, amount }, run) => {
      const address = run.addressOf(to);
      return {
        message: TransferContract.create({ owner_address: run.addressOf(from), to_address: address, amount }),
        to: address,
      };
    },
  }),
  transaction({
    name: 'trc10',
    about: 'sends TRC-10 tokens (TransferAsset)',
    example: { from: 'alice', to: 'bob', token: 'coupon', amount: 5 },
    contractType: Type.TransferAssetContract,
    fields: { to: account, token, amount: integer },
    call: ({ from, to, token: name, amount }, run) => {
      const address = run.addressOf(to);
      return {
        message: TransferAssetContract.create({
          owner_address: run.addressOf(from),
          to_address: address,
          asset_name: utf8ToHex(run.objects.id('token', name)),
          amount,
        }),
        to: address,
      };
    },
  }),
];
