/** Steps that stake, delegate, undelegate and unstake (Stake 2.0). */

import * as v from 'valibot';
import {
  CancelAllUnfreezeV2Contract,
  DelegateResourceContract,
  FreezeBalanceContract,
  FreezeBalanceV2Contract,
  UnDelegateResourceContract,
  UnfreezeBalanceContract,
  UnfreezeBalanceV2Contract,
  WithdrawExpireUnfreezeContract,
} from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { account, count, type ResourceWord, resource, span, sun } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

/** `ResourceCode`. */
const RESOURCE_CODE: Readonly<Record<ResourceWord, number>> = { bandwidth: 0, energy: 1, tronPower: 2 };

export const stakeSteps: readonly StepKind[] = [
  transaction({
    name: 'stake',
    about: 'stakes TRX for Energy, Bandwidth or Tron Power (FreezeBalanceV2)',
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
    about: 'unstakes TRX, which can be withdrawn after getUnfreezeDelayDays (UnfreezeBalanceV2)',
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
    about: 'withdraws expired unstaked TRX (WithdrawExpireUnfreeze)',
    example: { from: 'leaver' },
    contractType: Type.WithdrawExpireUnfreezeContract,
    fields: {},
    call: ({ from }, run) => ({
      message: WithdrawExpireUnfreezeContract.create({ owner_address: run.addressOf(from) }),
    }),
  }),
  transaction({
    name: 'cancelUnstakes',
    about: 'cancels all unstakings: the TRX are staked again (CancelAllUnfreezeV2)',
    example: { from: 'leaver' },
    contractType: Type.CancelAllUnfreezeV2Contract,
    fields: {},
    call: ({ from }, run) => ({
      message: CancelAllUnfreezeV2Contract.create({ owner_address: run.addressOf(from) }),
    }),
  }),
  transaction({
    name: 'delegate',
    about: 'delegates the resources of a stake; a lock prevents the undelegation until it expires (DelegateResource)',
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
          lock_period: BigInt(Math.ceil((lock ?? 0) / Number(run.ledger.config.slotMs))),
        }),
        to: receiver,
      };
    },
  }),
  transaction({
    name: 'undelegate',
    about: 'ends a delegation; a part of the usage comes back with it (UnDelegateResource)',
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
  transaction({
    name: 'stakeV1',
    about: 'stakes TRX under Stake 1.0, for the sender or another account; the main network refuses it (FreezeBalance)',
    example: { from: 'alice', amount: '10 TRX', for: 'energy' },
    contractType: Type.FreezeBalanceContract,
    fields: { amount: sun, for: resource, to: v.optional(account), days: v.optional(count(3, 3), 3) },
    call: ({ from, amount, for: what, to, days }, run) => ({
      message: FreezeBalanceContract.create({
        owner_address: run.addressOf(from),
        frozen_balance: amount,
        frozen_duration: BigInt(days),
        resource: RESOURCE_CODE[what],
        receiver_address: to === undefined ? '' : run.addressOf(to),
      }),
      ...(to !== undefined && { to: run.addressOf(to) }),
    }),
  }),
  transaction({
    name: 'unstakeV1',
    about: 'unstakes TRX of Stake 1.0 (UnfreezeBalance)',
    example: { from: 'alice', for: 'energy' },
    contractType: Type.UnfreezeBalanceContract,
    fields: { for: resource, to: v.optional(account) },
    call: ({ from, for: what, to }, run) => ({
      message: UnfreezeBalanceContract.create({
        owner_address: run.addressOf(from),
        resource: RESOURCE_CODE[what],
        receiver_address: to === undefined ? '' : run.addressOf(to),
      }),
      ...(to !== undefined && { to: run.addressOf(to) }),
    }),
  }),
];
