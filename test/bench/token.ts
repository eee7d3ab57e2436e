/** The recorded ERC-20 token, deployed and called by signed transactions. */

import { readFileSync } from 'node:fs';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import {
  CreateSmartContract,
  SmartContract,
  TriggerSmartContract,
} from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { type Nonce, signed } from './signed-transactions.js';

const FEE_LIMIT_SUN = 1_000_000_000n;

/** With the constructor's argument, the supply, which goes to the deployer. */
export function tokenInitCode(): Hex {
  const { bytecode } = JSON.parse(readFileSync('fixtures/contracts/Token.json', 'utf8')) as { readonly bytecode: Hex };
  return bytecode + word('ffffffffffffffff');
}

export function word(digits: string): Hex {
  return digits.padStart(64, '0');
}

export function transferData(to: Address, amount = 1): Hex {
  return `a9059cbb${word(to.slice(2))}${word(amount.toString(16))}`;
}

export function balanceOfData(holder: Address): Hex {
  return `70a08231${word(holder.slice(2))}`;
}

export function signedDeployment(privateKey: Hex, nonce: Nonce): SignedTransaction {
  const owner = addressFromPrivateKey(privateKey);
  const contract = CreateSmartContract.create({
    owner_address: owner,
    new_contract: SmartContract.create({
      origin_address: owner,
      bytecode: tokenInitCode(),
      name: 'Token',
      consume_user_resource_percent: 100n,
      origin_energy_limit: 10_000_000n,
    }),
  });
  return signed(privateKey, ContractType.CreateSmartContract, contract, nonce, FEE_LIMIT_SUN);
}

export function signedTokenTransfer(
  privateKey: Hex,
  token: Address,
  to: Address,
  amount: number,
  nonce: Nonce,
): SignedTransaction {
  const contract = TriggerSmartContract.create({
    owner_address: addressFromPrivateKey(privateKey),
    contract_address: token,
    data: transferData(to, amount),
  });
  return signed(privateKey, ContractType.TriggerSmartContract, contract, nonce, FEE_LIMIT_SUN);
}
