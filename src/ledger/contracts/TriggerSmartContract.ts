/**
 * 31, TriggerSmartContract: calls a contract (protocol/contract-types.md#smart-contracts,
 * protocol/contract-runs.md#call, #checks-before-the-code-runs). Mirrors
 * VMActuator.call.
 */

import { nullPointerException } from '../../errors/java-exception.js';
import { contractValidateException } from '../../errors/refusals.js';
import { hexToBytes } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { ExecutionContext } from '../../tvm/execution.js';
import { runCall } from '../../tvm/run.js';
import { budgetForCall } from '../charging/energy.js';
import type { Execution } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';
import { checkFeeLimit, checkToken, checkTransfers, checkValues, tokenOf } from '../smart-contracts/call-checks.js';
import { energyLimitOf, executeInMachine, type Run } from '../smart-contracts/execute.js';
import { LedgerHost } from '../smart-contracts/host.js';
import type { LedgerContract } from './contract.js';

export const triggerSmartContract: LedgerContract<TriggerSmartContract> = {
  type: ContractType.TriggerSmartContract,

  validate() {
    // All checks are part of the run, which java-tron does in the same actuator; a node builds such a transaction
    // unchecked.
  },

  execute: (ledger, message, execution) =>
    executeInMachine(ledger, execution, (context) => trigger(ledger, context, execution, message)),
};

function trigger(
  ledger: Ledger,
  context: ExecutionContext,
  execution: Execution,
  message: Sent<TriggerSmartContract>,
): Run {
  const { raw } = execution.transaction;
  // Its signatures were checked, so the account exists.
  const owner = message.owner_address as Address;
  const { contract_address: address } = message;
  const contract = isAddress(address) ? ledger.state.tables.contracts.get(address) : undefined;
  // Before Constantinople java-tron first checks whether the called function is constant. It finds none: ABIs are
  // stored apart from the records since then.
  if (contract === undefined && !ledger.on('ALLOW_TVM_CONSTANTINOPLE')) {
    throw contractValidateException(`contract: ${toBase58(address)} is not in contract store`);
  }
  if (!ledger.vmOn) throw contractValidateException('VM work is off, need to be opened by the committee');
  if (!isAddress(address) || contract === undefined) {
    throw contractValidateException('No contract or not a smart contract');
  }
  const token = tokenOf(ledger, message);
  checkValues(message.call_value, token.tokenValue);
  checkToken(ledger, token.tokenId, token.tokenValue);
  const host = new LedgerHost(ledger, execution.place);
  // java-tron builds no program for a contract without code, and fails on the null reference.
  if (host.code(address).length === 0) throw nullPointerException();
  checkFeeLimit(ledger, raw.fee_limit);
  const terms = { caller: owner, callValueSun: message.call_value, feeLimitSun: raw.fee_limit };
  const budget = budgetForCall(ledger, terms, contract);
  checkTransfers(host, owner, address, message.call_value, token.tokenId, token.tokenValue);
  const result = runCall(host, context, {
    owner,
    contract: address,
    data: hexToBytes(message.data),
    callValueSun: message.call_value,
    ...token,
    energyLimit: energyLimitOf(budget, execution),
  });
  return { host, result, budget, contractAddress: address };
}
