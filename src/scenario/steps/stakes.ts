/** Steps that stake, lend and take back (stake 2.0). */

import * as v from 'valibot';
import {
  CancelAllUnfreezeV2Contract,
  DelegateResourceContract,
  FreezeBalanceV2Contract,
  UnDelegateResourceContract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { account, type ResourceWord, resource, span, sun } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

/** `ResourceCode`. */
export const RESOURCE_CODE: Readonly<Record<ResourceWord, number>> = { bandwidth: 0, energy: 1, tronPower: 2 };

const SLOT_MS = 3_000;

export const stakeSteps: readonly StepKind[] = [
  transaction({
    name: 'stake',
    about: 'stakes coin for Energy, bandwidth or votes (FreezeBalanceV2)',
    example: { from: 'alice', amount: '100 TRX', for: 'energy' },
    contractType: Type.FreezeBalanceV2Contract,
    fields: { amount: sun, for: resource },
    call: ({ from, amount, for: what }, run) => ({
      message: FreezeBalanceV2Contract.create({
        owner_address: run.addressOf(from),
        frozen_balance: amount,
        resource: RESOURCE_CODE[what],
      }),
    }),
  }),
  transaction({
    name: 'unstake',
    about: 'begins to take stake back, which may be withdrawn after getUnfreezeDelayDays',
    example: { from: 'staker', amount: '50 TRX', for: 'energy' },
    contractType: Type.UnfreezeBalanceV2Contract,
    fields: { amount: sun, for: resource },
    call: ({ from, amount, for: what }, run) => ({
      message: UnfreezeBalanceV2Contract.create({
        owner_address: run.addressOf(from),
        unfreeze_balance: amount,
        resource: RESOURCE_CODE[what],
      }),
    }),
  }),
  transaction({
    name: 'withdrawUnstaked',
    about: 'takes unstaked coin whose time has come (WithdrawExpireUnfreeze)',
    example: { from: 'leaver' },
    contractType: Type.WithdrawExpireUnfreezeContract,
    fields: {},
    call: ({ from }, run) => ({
      message: WithdrawExpireUnfreezeContract.create({ owner_address: run.addressOf(from) }),
    }),
  }),
  transaction({
    name: 'cancelUnstakes',
    about: 'stakes again what was on its way back (CancelAllUnfreezeV2)',
    example: { from: 'leaver' },
    contractType: Type.CancelAllUnfreezeV2Contract,
    fields: {},
    call: ({ from }, run) => ({
      message: CancelAllUnfreezeV2Contract.create({ owner_address: run.addressOf(from) }),
    }),
  }),
  transaction({
    name: 'delegate',
    about: 'lends what stake yields; with a lock it cannot be taken back before that has passed',
    example: { from: 'staker', to: 'bob', amount: '50 TRX', for: 'energy', lock: '1d' },
    contractType: Type.DelegateResourceContract,
    fields: { to: account, amount: sun, for: resource, lock: v.optional(span) },
    call: ({ from, to, amount, for: what, lock }, run) => {
      const receiver = run.addressOf(to);
      return {
        message: DelegateResourceContract.create({
          owner_address: run.addressOf(from),
          receiver_address: receiver,
          balance: amount,
          resource: RESOURCE_CODE[what],
          lock: lock !== undefined,
          lock_period: BigInt(Math.ceil((lock ?? 0) / SLOT_MS)),
        }),
        to: receiver,
      };
    },
  }),
  transaction({
    name: 'undelegate',
    about: 'takes back what was lent, with the part of the usage that belongs to it',
    example: { from: 'lender', to: 'borrower', amount: '50 TRX', for: 'energy' },
    contractType: Type.UnDelegateResourceContract,
    fields: { to: account, amount: sun, for: resource },
    call: ({ from, to, amount, for: what }, run) => {
      const receiver = run.addressOf(to);
      return {
        message: UnDelegateResourceContract.create({
          owner_address: run.addressOf(from),
          receiver_address: receiver,
          balance: amount,
          resource: RESOURCE_CODE[what],
        }),
        to: receiver,
      };
    },
  }),
];
