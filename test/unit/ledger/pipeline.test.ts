/**
 * The way of a transaction through checks, bandwidth and block, where it is easily taken for another one
 * (protocol/pipeline.md#broadcast, #signature-and-permission-check, #block-production,
 * protocol/contract-types.md#shielded-transfer-51).
 */

import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../src/errors/java-exception.js';
import { refusalOf } from '../../../src/ledger/admission/refusal-answer.js';
import { type Hex, hexToBytes, utf8ToHex } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { blockHash, decodeBlock } from '../../../src/protocol/block.js';
import { contractCodec, packAny } from '../../../src/protocol/contract-types.js';
import { Return_response_code_type } from '../../../src/protocol/generated/api.js';
import { ShieldedTransferContract } from '../../../src/protocol/generated/shield-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Permission,
  Permission_PermissionType,
  Transaction_Contract,
  Transaction_Result,
} from '../../../src/protocol/generated/tron.js';
import { recoverAddress, sign } from '../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';
import { fullContext } from '../../../src/wallet/context.js';
import { broadcastTransaction, createTransaction } from '../../../src/wallet/transactions.js';
import { SimulatedChain, type SimulationOptions, strangerAddress } from '../../simulation/simulated-chain.js';

const COIN = 1_000_000n;

/** `CODE text` of the refusal, as a broadcast answers it. */
function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
    const { code, message } = refusalOf(error);
    return `${Return_response_code_type.nameOf(code)} ${message}`;
  }
  throw new Error('was accepted');
}

async function chainOf(options: SimulationOptions = {}): Promise<SimulatedChain> {
  const chain = await SimulatedChain.open(options);
  chain.node.mine(1);
  return chain;
}

/** A transaction around a contract of any kind, signed by account 0. */
function around(chain: SimulatedChain, contract: Partial<Transaction_Contract>, signed = true): SignedTransaction {
  const template = chain.transaction(ContractType.TransferContract, {
    owner_address: chain.address(0),
    to_address: chain.address(1),
    amount: 1n,
  });
  const unsigned = SignedTransaction.fromRaw({ ...template.raw, contract: [Transaction_Contract.create(contract)] });
  return signed ? unsigned.withSignatures([sign(unsigned.txId, chain.keyOf(chain.address(0)))]) : unsigned;
}

describe('a shielded transfer', () => {
  const type = ContractType.ShieldedTransferContract;

  it.each([
    [1, 'Not support Shielded Transaction, need to be opened by the committee'],
    [0, 'shielded transaction is not allowed before ALLOW_SAME_TOKEN_NAME is opened by the committee'],
  ])('is closed, with ALLOW_SAME_TOKEN_NAME at %i', async (flag, text) => {
    const chain = await chainOf({ parameters: { ALLOW_SAME_TOKEN_NAME: flag, ALLOW_TVM_TRANSFER_TRC10: flag } });
    const transparent = ShieldedTransferContract.create({
      transparent_from_address: chain.address(0),
      from_amount: COIN,
    });
    const broadcast = (transaction: SignedTransaction) => refusal(() => chain.node.broadcast(transaction));
    expect(broadcast(around(chain, { type, parameter: packAny(ShieldedTransferContract, transparent) }))).toBe(
      `CONTRACT_VALIDATE_ERROR Contract validate error : ${text}`,
    );
    const hidden = { type, parameter: packAny(ShieldedTransferContract, ShieldedTransferContract.create()) };
    expect(broadcast(around(chain, hidden, false))).toBe(`CONTRACT_VALIDATE_ERROR Contract validate error : ${text}`);
    expect(broadcast(around(chain, hidden))).toBe(
      'SIGERROR Validate signature error: there should be no signatures signed by transparent address when transfer from shielded address',
    );
  });

  it('is accepted in words and ignored where the node is told to, after what any transaction is refused for', async () => {
    const chain = await chainOf({ ignoresShielded: true, mining: 'instant' });
    const height = chain.ledger.headNumber;
    const hidden = { type, parameter: packAny(ShieldedTransferContract, ShieldedTransferContract.create()) };
    const { node } = chain;
    expect(broadcastTransaction(fullContext(node), around(chain, hidden))).toMatchObject({ result: true, code: 0 });
    expect([node.chain.pool.size, chain.ledger.headNumber]).toEqual([0, height]);
    const { raw } = around(chain, hidden);
    const late = SignedTransaction.fromRaw({ ...raw, expiration: 1n });
    expect(refusal(() => node.broadcast(late))).toBe('TRANSACTION_EXPIRATION_ERROR Transaction expired');
  });
});

describe('a price of 0', () => {
  it('takes nothing and leaves no time of operation', async () => {
    const chain = await chainOf({ parameters: { TRANSACTION_FEE: 0, FREE_NET_LIMIT: 0, CREATE_ACCOUNT_FEE: 0 } });
    const { info } = chain.transfer(0, chain.address(1), COIN);
    expect(info.receipt).toMatchObject({ net_usage: 0n, net_fee: 0n });
    chain.transfer(0, strangerAddress(0), COIN);
    expect(chain.ledger.state.tables.accounts.get(chain.address(0))?.latest_opration_time).toBe(0n);
  });
});

describe('results that a client sends along', () => {
  const withFee = [Transaction_Result.create({ fee: 1n, contractRet: 1 })];

  it('are thrown away while the VM is on', async () => {
    const chain = await chainOf();
    const bytes = chain.transaction(ContractType.TransferContract, {
      owner_address: chain.address(0),
      to_address: chain.address(1),
      amount: 1n,
    });
    expect(chain.node.broadcast(bytes.withRet(withFee))!.transaction.ret).toEqual([]);
  });

  it('are kept, paid for and limited while it is off', async () => {
    const chain = await chainOf({ parameters: { ALLOW_CREATION_OF_CONTRACTS: 0 } });
    const transfer = () =>
      chain.transaction(ContractType.TransferContract, {
        owner_address: chain.address(0),
        to_address: chain.address(1),
        amount: 1n,
      });
    const kept = transfer().withRet(withFee);
    // VM off: the whole transaction and no room for a result (protocol/bandwidth.md#bytes-charged).
    expect(chain.node.broadcast(kept)!.info.receipt?.net_usage).toBe(BigInt(kept.size));
    const id = '1'.repeat(61);
    const fits = transfer().withRet([Transaction_Result.create({ assetIssueID: '1'.repeat(60) })]);
    expect(chain.node.broadcast(fits)!.contractRet).toBe(1);
    const large = transfer().withRet([Transaction_Result.create({ assetIssueID: id, contractRet: 1 })]);
    expect(refusal(() => chain.node.broadcast(large))).toBe(
      `OTHER_ERROR Error: Too big transaction result, TxId ${large.txId}, the result size is 65 bytes, maxResultSize 64`,
    );
  });
});

describe('contract types that do not exist', () => {
  it('have no owner, and no bit among the operations of a permission', async () => {
    const chain = await chainOf();
    const signedBy0 = (contract: Partial<Transaction_Contract>) =>
      refusal(() => chain.node.broadcast(around(chain, contract)));
    for (const type of [3, 20, 32, 61, 300, -5]) {
      expect(signedBy0({ type })).toMatch(
        /^SIGERROR Validate signature error: \w+ is signed by \w+ but it is not contained of permission\.$/,
      );
    }
    expect(signedBy0({ type: 61, Permission_id: 2 })).toBe('SIGERROR Validate signature error: Permission denied');
    expect(signedBy0({ type: 300, Permission_id: 2 })).toBe('OTHER_ERROR Error: Index 37 out of bounds for length 32');
  });
});

describe('AccountCreate', () => {
  it('takes the three types of accounts and no other', async () => {
    const chain = await chainOf();
    const create = (type: number) =>
      chain.send(ContractType.AccountCreateContract, {
        owner_address: chain.address(0),
        account_address: strangerAddress(type),
        type,
      });
    for (const type of [0, 1, 2]) {
      create(type);
      expect(chain.ledger.state.tables.accounts.get(strangerAddress(type))?.type).toBe(type);
    }
    expect(refusal(() => create(3))).toBe("OTHER_ERROR Error: Can't get the number of an unknown enum value.");
  });
});

describe('an overflow that no contract makes a refusal of', () => {
  it('is an exception of Java to a broadcast and to a node that builds the transaction', async () => {
    const chain = await chainOf();
    const owner_address = chain.address(0);
    const end_time = chain.ledger.headTimeMs + 86_400_000n;
    chain.send(ContractType.AssetIssueContract, {
      owner_address,
      name: utf8ToHex('Token'),
      url: utf8ToHex('http://token'),
      total_supply: 10n ** 15n,
      trx_num: 1,
      num: 1,
      start_time: end_time - 1n,
      end_time,
    });
    chain.send(ContractType.ExchangeCreateContract, {
      owner_address,
      first_token_id: utf8ToHex('1000001'),
      first_token_balance: 10n ** 15n,
      second_token_id: utf8ToHex('_'),
      second_token_balance: 1n,
    });
    const inject = { owner_address, exchange_id: 1n, token_id: utf8ToHex('_'), quant: 1_000n };
    expect(refusal(() => chain.send(ContractType.ExchangeInjectContract, inject))).toBe(
      'CONTRACT_VALIDATE_ERROR Contract validate error : token balance must less than 1000000000000000',
    );
    const beyond = { ...inject, quant: 10n ** 6n };
    const text = 'OTHER_ERROR Error: BigInteger out of long range';
    expect(refusal(() => chain.send(ContractType.ExchangeInjectContract, beyond))).toBe(text);
    const codec = contractCodec(ContractType.ExchangeInjectContract)!;
    const build = () =>
      createTransaction(fullContext(chain.node), ContractType.ExchangeInjectContract, codec.create(beyond as never));
    expect(refusal(build)).toBe(text);
  });
});

describe('a witness that changes its witness permission', () => {
  it('signs the block that takes the change in with the old key, and the next with the new one', async () => {
    const chain = await chainOf();
    const witness = chain.witness(0);
    const signer = (number: number) => {
      const header = decodeBlock(hexToBytes(chain.blocks(number)[0] as string)).header;
      return recoverAddress(blockHash(header.raw_data!), header.witness_signature);
    };
    const key = (address: string) => [{ address, weight: 1n }];
    chain.transfer(0, witness, 1_000n * COIN);
    chain.node.mine(1);
    chain.send(ContractType.AccountPermissionUpdateContract, {
      owner_address: witness,
      owner: Permission.create({ threshold: 1n, keys: key(witness) }),
      witness: Permission.create({
        type: Permission_PermissionType.Witness,
        threshold: 1n,
        keys: key(chain.address(3)),
      }),
      actives: [
        Permission.create({
          type: Permission_PermissionType.Active,
          threshold: 1n,
          operations: '02'.padEnd(64, '0'),
          keys: key(witness),
        }),
      ],
    });
    (chain.witnessKeys as Map<Address, Hex>).set(chain.address(3), chain.keyOf(chain.address(3)));
    const { headNumber } = chain.node.chain;
    chain.node.mine(1);
    expect(signer(headNumber + 1)).toBe(witness);
    chain.node.mine(3);
    for (let number = headNumber + 2; number <= headNumber + 4; number++) {
      expect(signer(number)).toBe(chain.address(3));
    }
  });
});
