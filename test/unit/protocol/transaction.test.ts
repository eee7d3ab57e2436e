import { describe, expect, it } from 'vitest';
import { JavaException } from '../../../src/errors/java-exception.js';
import { bytesToHex, hexToBytes } from '../../../src/primitives/hex.js';
import { packAny, unpackAny } from '../../../src/protocol/contract-types.js';
import { TransferContract, UnfreezeBalanceV2Contract } from '../../../src/protocol/generated/balance-contract.js';
import { ShieldedTransferContract } from '../../../src/protocol/generated/shield-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_Result,
  Transaction_raw,
} from '../../../src/protocol/generated/tron.js';
import { recoverAddress, sign } from '../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';

/** protocol/transactions.md#transaction-id, example 3. */
const RAW =
  '0a0230292208cf53f47765aeb93840c8c0b5c9b6305a66080112620a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412310a15413282aad9080d202829c8facad65a2affa26781f0121541c17c2daa0e750051c4c109e01fa54da97a06805d18e807709d83b2c9b630';
const TX_ID = '877db44a4aca5ae71cc5fe7d53a3316ad05ed35cdcc2d7f642061a3900aa5c1d';
const OWNER = '413282aad9080d202829c8facad65a2affa26781f0';
const RAW_FIELD = `0a8401${RAW}`;
const SIGNATURE = 'ab'.repeat(64);
const SIGNATURE_FIELD = `1240${SIGNATURE}`;

const decode = (hex: string) => SignedTransaction.decode(hexToBytes(hex));
const hexOf = (transaction: SignedTransaction) => bytesToHex(transaction.bytes);

describe('a transaction', () => {
  it('has the id of its raw_data (protocol/transactions.md#transaction-id)', () => {
    const transaction = decode(RAW_FIELD + SIGNATURE_FIELD);
    expect(transaction.txId).toBe(TX_ID);
    expect(transaction.rawHex).toBe(RAW);
    expect(transaction.signatures).toEqual([SIGNATURE]);
    expect(transaction.contractType).toBe(ContractType.TransferContract);
    expect(transaction.contract).toEqual({
      owner_address: OWNER,
      to_address: '41c17c2daa0e750051c4c109e01fa54da97a06805d',
      amount: 1000n,
    });
    expect(transaction.owner).toBe(OWNER);
    expect(hexOf(transaction)).toBe(RAW_FIELD + SIGNATURE_FIELD);
  });

  it('weighs what bandwidth is charged for: with a 65-byte signature 266 less the allowance of 64', () => {
    const transaction = decode(`${RAW_FIELD}1241${'ab'.repeat(65)}`);
    expect(transaction.size + 64).toBe(266);
    expect(transaction.sizeWithoutRet).toBe(transaction.size);
  });

  it('has the id of the network whatever form it was sent in', () => {
    const unordered = `${SIGNATURE_FIELD}0a84810070${'9d83b2c9b630'}${RAW.slice(0, -14)}`;
    const transaction = decode(unordered);
    expect(transaction.txId).toBe(TX_ID);
    expect(hexOf(transaction)).toBe(RAW_FIELD + SIGNATURE_FIELD);
    expect(transaction.size).toBe((RAW_FIELD + SIGNATURE_FIELD).length / 2);
  });

  it('keeps what the protocol does not know, in the id and on the way out', () => {
    const extendedRaw = `${RAW}f80701`;
    const extended = `0a8701${extendedRaw}`;
    const unknown = '980107';
    const transaction = decode(`${unknown + extended}2a021801${SIGNATURE_FIELD}`);
    expect(transaction.rawHex).toBe(extendedRaw);
    expect(transaction.txId).not.toBe(TX_ID);
    expect(hexOf(transaction)).toBe(`${extended + SIGNATURE_FIELD}2a021801${unknown}`);
    expect(bytesToHex(transaction.encode([]))).toBe(extended + SIGNATURE_FIELD + unknown);
    expect(transaction.sizeWithoutRet).toBe(transaction.size - 4);
    expect(hexOf(transaction.withSignatures(['cd']))).toBe(`${extended}1201cd2a021801${unknown}`);
  });

  it('takes another ret without changing', () => {
    const transaction = decode(`${RAW_FIELD}${SIGNATURE_FIELD}2a002a021802`);
    expect(transaction.ret).toHaveLength(2);
    expect(transaction.sizeWithoutRet).toBe(transaction.size - 6);
    const success = [Transaction_Result.create({ contractRet: 1 })];
    const included = transaction.withRet(success);
    expect(hexOf(included)).toBe(`${RAW_FIELD}${SIGNATURE_FIELD}2a021801`);
    expect(included.ret).toEqual(success);
    expect(included.txId).toBe(transaction.txId);
    expect(included.leafHash()).toBe(transaction.leafHash(success));
    expect(hexOf(transaction.withRet([]))).toBe(RAW_FIELD + SIGNATURE_FIELD);
    expect(transaction.ret).toHaveLength(2);
    expect(decode(hexOf(included)).message).toEqual(included.message);
  });

  it('is made of parts as it is read', () => {
    const key = '01'.repeat(32);
    const raw = Transaction_raw.decodeHex(RAW);
    const made = SignedTransaction.fromRaw(raw);
    expect(hexOf(made)).toBe(RAW_FIELD);
    const signed = made.withSignatures([...made.signatures, sign(made.txId, key)]);
    expect(signed.raw).toBe(raw);
    expect(hexOf(decode(hexOf(signed)))).toBe(hexOf(signed));
    expect(recoverAddress(signed.txId, signed.signatures[0]!)).toBe(recoverAddress(made.txId, sign(made.txId, key)));
  });

  it('may be empty', () => {
    const transaction = decode('');
    expect(transaction.txId).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(transaction.message.raw_data).toBeUndefined();
    expect(transaction.raw.contract).toEqual([]);
    expect(transaction.contract).toBeUndefined();
    expect(transaction.owner).toBeUndefined();
    expect(hexOf(transaction.withSignatures(['aa']))).toBe('1201aa');
    expect(decode('0a00').message.raw_data).toEqual(Transaction_raw.create());
    expect(hexOf(decode('0a00').withSignatures(['aa']))).toBe('0a001201aa');
  });

  it('is refused when it is none', () => {
    expect(() => decode('0a05aa')).toThrow(JavaException);
  });

  it('does not change with the buffer it was read from', () => {
    const buffer = Buffer.from(RAW_FIELD, 'hex');
    const transaction = SignedTransaction.decode(buffer);
    buffer.fill(0);
    expect(hexOf(transaction)).toBe(RAW_FIELD);
  });
});

describe('the contract of a transaction', () => {
  const transfer = TransferContract.create({ owner_address: OWNER, amount: 5n });
  const withContract = (contract: Partial<Transaction_Contract>) =>
    SignedTransaction.fromRaw(Transaction_raw.create({ contract: [Transaction_Contract.create(contract)] }));
  const value = TransferContract.encodeHex(transfer);

  it.each([
    ['type.googleapis.com/protocol.TransferContract', true],
    ['/protocol.TransferContract', true],
    ['any/thing/protocol.TransferContract', true],
    ['protocol.TransferContract', false],
    ['type.googleapis.com/TransferContract', false],
    ['type.googleapis.com/protocol.TransferContract/', false],
    ['type.googleapis.com/protocol.TransferAssetContract', false],
    ['', false],
  ])('of type_url %j is read: %j', (type_url, read) => {
    const { contract, owner } = withContract({ type: ContractType.TransferContract, parameter: { type_url, value } });
    expect(contract).toEqual(read ? transfer : undefined);
    expect(owner).toBe(read ? OWNER : undefined);
  });

  it.each([
    ['without a parameter', { type: ContractType.TransferContract }],
    [
      'that is malformed',
      { type: ContractType.TransferContract, parameter: { ...packAny(TransferContract, transfer), value: '0a' } },
    ],
    [
      'of another type',
      { type: ContractType.UnfreezeBalanceV2Contract, parameter: packAny(TransferContract, transfer) },
    ],
    [
      'of a type without executor',
      { type: ContractType.VoteAssetContract, parameter: packAny(TransferContract, transfer) },
    ],
    ['of an unknown type', { type: 777, parameter: packAny(TransferContract, transfer) }],
  ])('%s has no owner', (_, contract) => {
    expect(withContract(contract).owner).toBeUndefined();
    expect(withContract(contract).contractType).toBe(contract.type);
  });

  it('has an owner even when that is no address', () => {
    const parameter = packAny(TransferContract, { ...transfer, owner_address: 'abcd' });
    expect(withContract({ type: ContractType.TransferContract, parameter }).owner).toBe('abcd');
  });

  it('of a shielded transfer is owned by its transparent sender', () => {
    const shielded = ShieldedTransferContract.create({ transparent_from_address: OWNER });
    const parameter = packAny(ShieldedTransferContract, shielded);
    expect(withContract({ type: ContractType.ShieldedTransferContract, parameter }).owner).toBe(OWNER);
    const dark = packAny(ShieldedTransferContract, ShieldedTransferContract.create());
    expect(withContract({ type: ContractType.ShieldedTransferContract, parameter: dark }).owner).toBeUndefined();
  });

  it('packs and unpacks', () => {
    const packed = packAny(UnfreezeBalanceV2Contract, UnfreezeBalanceV2Contract.create({ unfreeze_balance: 3n }));
    expect(packed.type_url).toBe('type.googleapis.com/protocol.UnfreezeBalanceV2Contract');
    expect(unpackAny(UnfreezeBalanceV2Contract, packed)?.unfreeze_balance).toBe(3n);
    expect(unpackAny(TransferContract, packed)).toBeUndefined();
    expect(unpackAny(TransferContract, undefined)).toBeUndefined();
  });
});
