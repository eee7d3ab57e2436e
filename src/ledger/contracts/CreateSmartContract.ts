/**
 * 30, CreateSmartContract: deploys a contract (protocol/contract-types.md#smart-contracts,
 * protocol/contract-runs.md#deployment, #checks-before-the-code-runs).
 * Mirrors VMActuator.create.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { byteLength, hexToBytes, utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { deployedBy } from '../../protocol/ethereum-form.js';
import type { CreateSmartContract } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { ExecutionContext } from '../../tvm/execution.js';
import { runCreate } from '../../tvm/run.js';
import { budgetForCreation } from '../charging/energy.js';
import type { Execution } from '../charging/execution.js';
import type { Ledger } from '../ledger.js';
import { checkFeeLimit, checkToken, checkTransfers, checkValues, tokenOf } from '../smart-contracts/call-checks.js';
import { checkPercent, placeContract } from '../smart-contracts/deployment.js';
import { energyLimitOf, executeInMachine, type Run } from '../smart-contracts/execute.js';
import { LedgerHost } from '../smart-contracts/host.js';
import type { LedgerContract } from './contract.js';

export const createSmartContract: LedgerContract<CreateSmartContract> = {
  type: ContractType.CreateSmartContract,

  validate() {
    // All checks are part of the run, which java-tron does in the same actuator; a node builds such a transaction
    // unchecked.
  },

  execute: (ledger, message, execution) =>
    executeInMachine(ledger, execution, (context) => create(ledger, context, execution, message)),
};

function create(
  ledger: Ledger,
  context: ExecutionContext,
  execution: Execution,
  message: Sent<CreateSmartContract>,
): Run {
  const { raw } = execution.transaction;
  // Its signatures were checked, so the account exists.
  const owner = message.owner_address as Address;
  const contract = message.new_contract;
  if (!ledger.vmOn) throw contractValidateException('vm work is off, need to be opened by the committee');
  if (contract === undefined || contract.origin_address !== owner) {
    throw contractValidateException('OwnerAddress is not equals OriginAddress');
  }
  checkDeployable(contract);
  const address = deployedBy(execution.transaction, owner);
  if (isTaken(ledger, address, execution)) {
    throw contractValidateException(`Trying to create a contract with existing contract address: ${toBase58(address)}`);
  }
  checkFeeLimit(ledger, raw.fee_limit);
  const token = tokenOf(ledger, message);
  checkValues(contract.call_value, token.tokenValue);
  if (contract.origin_energy_limit <= 0n) throw contractValidateException('The originEnergyLimit must be > 0');

  const terms = { caller: owner, callValueSun: contract.call_value, feeLimitSun: raw.fee_limit };
  const budget = refuseOverflow(() => budgetForCreation(ledger, terms));
  checkToken(ledger, token.tokenId, token.tokenValue);
  placeContract(ledger, address, owner, contract);
  const host = new LedgerHost(ledger, execution.place);
  const initCode = hexToBytes(contract.bytecode);
  if (!ledger.on('ALLOW_TVM_CONSTANTINOPLE')) host.setCode(address, codeBehindReturn(initCode));
  checkTransfers(host, owner, address, contract.call_value, token.tokenId, token.tokenValue);
  const result = runCreate(host, context, {
    owner,
    contract: address,
    initCode,
    callValueSun: contract.call_value,
    ...token,
    energyLimit: energyLimitOf(budget, execution),
  });
  return { host, result, budget, contractAddress: address };
}

/** The address of an Ethereum deployment is known beforehand and may hold TRX: only an existing contract occupies it. */
function isTaken({ state: { tables } }: Ledger, address: Address, { transaction }: Execution): boolean {
  return transaction.ethereum === undefined ? tables.accounts.has(address) : tables.contracts.has(address);
}

/** Checks of a deployment's record; a node also checks the percentage when it builds the transaction. */
function checkDeployable(contract: Sent<NonNullable<CreateSmartContract['new_contract']>>): void {
  if (byteLength(utf8ToHex(contract.name)) > 32) {
    throw contractValidateException("contractName's length cannot be greater than 32");
  }
  checkPercent(contract.consume_user_resource_percent);
}

const RETURN = 0xf3;
const STOP = 0x00;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/**
 * The runtime code of a deployment before Constantinople, if it was not the constructor's return value but the code
 * after the first RETURN STOP of the init code; a word of zeros if there is no such place.
 */
function codeBehindReturn(initCode: Uint8Array): Uint8Array {
  for (let at = 0; at < initCode.length; at++) {
    const opcode = initCode[at] as number;
    if (opcode === RETURN && initCode[at + 1] === STOP) return initCode.slice(at + 2);
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return new Uint8Array(32);
}
