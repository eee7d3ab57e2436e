/**
 * Messages decoded and encoded by the code that was generated for them, beside the same by their table, which is how all
 * other messages are read and written: what that code is worth.
 */

import { packAny } from '../../src/protocol/contract-types.js';
import { TransferContract } from '../../src/protocol/generated/balance-contract.js';
import { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Account, Transaction, Transaction_Contract, Transaction_raw } from '../../src/protocol/generated/tron.js';
import { readFields, type Values, writeFields } from '../../src/protocol/message-table.js';
import type { MessageCodec } from '../../src/protocol/message-type.js';
import { WireReader } from '../../src/protocol/wire-reader.js';
import { WireWriter } from '../../src/protocol/wire-writer.js';
import type { Bench } from './bench.js';

const ROUNDS = 7;
const TIMES = 20_000;

const address = (digit: string) => `41${digit.repeat(40)}`;
const transfer = TransferContract.create({ owner_address: address('a'), to_address: address('b'), amount: 1_000_000n });
const call = TriggerSmartContract.create({
  owner_address: address('a'),
  contract_address: address('c'),
  data: `a9059cbb${'0'.repeat(24)}${'b'.repeat(40)}${'0'.repeat(56)}000f4240`,
});

function transactionOf(contract: Transaction_Contract): Transaction {
  const raw_data = Transaction_raw.create({
    ref_block_bytes: '04d2',
    ref_block_hash: '0123456789abcdef',
    expiration: 1_700_000_060_000n,
    timestamp: 1_700_000_000_000n,
    contract: [contract],
  });
  return Transaction.create({ raw_data, signature: ['5'.repeat(130)] });
}

const account = Account.create({
  address: address('a'),
  balance: 99_000_000n,
  create_time: 1_700_000_000_000n,
  assetV2: new Map([['1000001', 5n]]),
  net_window_size: 28_800n,
});

export const bench: Bench = {
  about: 'messages by the code generated for them, against the same by their table',

  async *measure(progress) {
    const contract = (type: number, parameter: Transaction_Contract['parameter']) =>
      transactionOf(Transaction_Contract.create({ type, parameter }));
    progress('decoding and encoding');
    yield* figures('transfer', Transaction, contract(1, packAny(TransferContract, transfer)));
    yield* figures('token transfer', Transaction, contract(31, packAny(TriggerSmartContract, call)));
    yield* figures('account', Account, account);
  },
};

function* figures<M>(name: string, codec: MessageCodec<M>, message: M) {
  const bytes = codec.encode(message);
  const writer = new WireWriter();
  const table = {
    // What a message does not know is kept by its table only, at every level.
    decode: () => readFields(codec.type, new WireReader(bytes), codec.empty as Values, 'keep'),
    encode: () => {
      writer.reset();
      writeFields(codec.type, writer, message as Values, 'keep');
      return writer.toBytes();
    },
  };
  const reference = (value: number) => ({ name: 'by its table', value });
  const decode = fastest([() => codec.decode(bytes), table.decode]);
  yield { name: `${name}, decoded`, value: decode[0]!, unit: 'µs' as const, reference: reference(decode[1]!) };
  const encode = fastest([() => codec.encode(message), table.encode]);
  yield { name: `${name}, encoded`, value: encode[0]!, unit: 'µs' as const, reference: reference(encode[1]!) };
}

/** Microseconds of each in its best round; the rounds alternate, so that a busy moment meets all alike. */
function fastest(works: readonly (() => unknown)[]): number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    works.forEach((work, i) => {
      const from = performance.now();
      for (let time = 0; time < TIMES; time++) work();
      best[i] = Math.min(best[i]!, (1000 * (performance.now() - from)) / TIMES);
    });
  }
  return best;
}
