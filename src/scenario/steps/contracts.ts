/** Steps that deploy, call and configure contracts. */

import * as v from 'valibot';
import type { Address } from '../../primitives/ids.js';
import {
  ClearABIContract,
  TriggerSmartContract,
  UpdateEnergyLimitContract,
  UpdateSettingContract,
} from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { fullContext } from '../../wallet/context.js';
import { highestFeeLimitSun } from '../../wallet/transactions.js';
import type { StepRun } from '../actions/step-run.js';
import { bytes, contract, count, definition, integer, sun, text, token } from '../format/fields.js';
import { ARTIFACT_FIELDS } from '../format/party-fields.js';
import { type StepKind, transaction } from './step-kind.js';

const feeLimit = v.optional(
  v.pipe(sun, v.description('fee_limit, the highest cost of Energy; default: the maximum of the chain')),
);

function feeLimitOr(given: bigint | undefined, run: StepRun): bigint {
  return given ?? highestFeeLimitSun(fullContext(run.node));
}

const METHOD = 'a method of the contract by its name, or by its whole signature: transfer(address,uint256)';

export const contractSteps: readonly StepKind[] = [
  transaction({
    name: 'deploy',
    about: 'deploys a contract; later steps call it by its name (CreateSmartContract)',
    example: { from: 'alice', as: 'coin', fixture: 'Dollar', args: ['1_000_000', 'Dollar', 'USD', 6] },
    contractType: Type.CreateSmartContract,
    fields: { as: definition('contract'), ...ARTIFACT_FIELDS, feeLimit },
    call: ({ from, as, feeLimit: given, ...terms }, run) => ({
      message: run.contracts.deployment(as, run.addressOf(from), terms),
      feeLimitSun: feeLimitOr(given, run),
    }),
    made: ({ as, ...terms }, run, info) => {
      const address = info.contract_address as Address;
      run.parties.addAddress(as, address);
      run.contracts.deployed(address, terms);
    },
  }),
  transaction({
    name: 'call',
    about: 'calls a contract; names of the scenario can replace addresses in the arguments (TriggerSmartContract)',
    example: { from: 'issuer', contract: 'dollar', method: 'transfer', args: ['bob', '5_000_000'], feeLimit: '30 TRX' },
    contractType: Type.TriggerSmartContract,
    fields: {
      contract,
      method: v.optional(v.pipe(text, v.description(METHOD))),
      args: v.optional(v.pipe(v.array(v.unknown()), v.description('arguments of the method'))),
      data: v.optional(v.pipe(bytes, v.description('call data as hex, instead of method and args'))),
      value: v.optional(v.pipe(sun, v.description('call value'))),
      token: v.optional(token),
      tokenValue: v.optional(integer),
      feeLimit,
    },
    call: ({ from, contract: name, method, args = [], data = '', value = 0n, feeLimit: given, ...sent }, run) => {
      const address = run.addressOf(name);
      const called = method === undefined ? { method: undefined, data } : run.contracts.callData(address, method, args);
      return {
        message: TriggerSmartContract.create({
          owner_address: run.addressOf(from),
          contract_address: address,
          data: called.data,
          call_value: value,
          ...(sent.token !== undefined && { token_id: BigInt(run.objects.id('token', sent.token)) }),
          call_token_value: sent.tokenValue ?? 0n,
        }),
        to: address,
        method: called.method,
        feeLimitSun: feeLimitOr(given, run),
      };
    },
  }),
  transaction({
    name: 'updateSetting',
    about: 'sets the percent of the Energy that callers pay, as the deployer (UpdateSetting)',
    example: { from: 'issuer', contract: 'dollar', userPercent: 50 },
    contractType: Type.UpdateSettingContract,
    fields: { contract, userPercent: count(100) },
    call: ({ from, contract: name, userPercent }, run) => ({
      message: UpdateSettingContract.create({
        owner_address: run.addressOf(from),
        contract_address: run.addressOf(name),
        consume_user_resource_percent: BigInt(userPercent),
      }),
    }),
  }),
  transaction({
    name: 'updateEnergyLimit',
    about: 'sets the most Energy that the deployer pays for one call, as the deployer (UpdateEnergyLimit)',
    example: { from: 'issuer', contract: 'dollar', originEnergyLimit: 20_000 },
    contractType: Type.UpdateEnergyLimitContract,
    fields: { contract, originEnergyLimit: integer },
    call: ({ from, contract: name, originEnergyLimit }, run) => ({
      message: UpdateEnergyLimitContract.create({
        owner_address: run.addressOf(from),
        contract_address: run.addressOf(name),
        origin_energy_limit: originEnergyLimit,
      }),
    }),
  }),
  transaction({
    name: 'clearAbi',
    about: 'removes the ABI of a contract from the chain, as the deployer (ClearABI)',
    example: { from: 'issuer', contract: 'dollar' },
    contractType: Type.ClearABIContract,
    fields: { contract },
    call: ({ from, contract: name }, run) => ({
      message: ClearABIContract.create({
        owner_address: run.addressOf(from),
        contract_address: run.addressOf(name),
      }),
    }),
  }),
];
