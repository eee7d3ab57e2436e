/** A call's transaction is byte for byte the one that TronWeb builds. */

import { TronWeb } from 'tronweb';
import { expect, it } from 'vitest';
import { callTransaction } from '../../../src/contracts/call-transaction.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';

const OWNER = '417e5f4552091a69125d5dfcb7b8c2659029395bdf';
const CONTRACT = '412b5ad5c4795c026514f8317c7a215e218dccd6cf';
const SIGNATURE = '07'.repeat(65);
const REFERENCE = {
  ref_block_bytes: '00ff',
  ref_block_hash: '0102030405060708',
  expiration: 1_700_000_060_000,
  timestamp: 1_700_000_000_123,
};

it.each([
  ['nothing along', {}],
  ['coin', { callValue: 5_000_000_000_000 }],
  ['a token', { tokenId: 1_000_001, tokenValue: 7 }],
  ['coin and a token', { callValue: 1, tokenId: 1_000_001, tokenValue: 2 ** 40 }],
])('is that of TronWeb with %s', async (_, options: { callValue?: number; tokenId?: number; tokenValue?: number }) => {
  const parameter = '5'.padStart(64, '0');
  const { transaction } = await new TronWeb({ fullHost: 'http://127.0.0.1' }).transactionBuilder.triggerSmartContract(
    CONTRACT,
    'set(uint256)',
    { feeLimit: 150_000_000, ...options, rawParameter: parameter, txLocal: true, blockHeader: REFERENCE } as never,
    [],
    OWNER,
  );
  const signed: string[] = [];
  const { txid, hex } = callTransaction(
    {
      ownerHex: OWNER,
      contractHex: CONTRACT,
      data: `60fe47b1${parameter}`,
      feeLimitSun: 150_000_000n,
      callValueSun: BigInt(options.callValue ?? 0),
      tokenId: BigInt(options.tokenId ?? 0),
      tokenValue: BigInt(options.tokenValue ?? 0),
    },
    REFERENCE,
    (id) => {
      signed.push(id);
      return [SIGNATURE];
    },
  );
  expect(txid).toBe(transaction.txID);
  expect(signed).toEqual([txid]);
  const sent = SignedTransaction.decode(Buffer.from(hex, 'hex'));
  expect(sent.rawHex).toBe(transaction.raw_data_hex);
  expect(sent.signatures).toEqual([SIGNATURE]);
});

it('holds amounts exactly that no number does', () => {
  const amount = 2n ** 62n + 1n;
  const { hex } = callTransaction(
    {
      ...{ ownerHex: OWNER, contractHex: CONTRACT, data: '' },
      ...{ feeLimitSun: amount, callValueSun: amount, tokenId: 1_000_001n, tokenValue: amount },
    },
    REFERENCE,
    () => [],
  );
  const sent = SignedTransaction.decode(Buffer.from(hex, 'hex'));
  expect(sent.raw.fee_limit).toBe(amount);
  expect(sent.contract).toMatchObject({ call_value: amount, call_token_value: amount, token_id: 1_000_001n });
});
