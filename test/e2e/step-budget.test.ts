/** A loop that energy alone would let run for a long time: it is stopped, at the same place on every machine. */

import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';

/** JUMPDEST PUSH1 0 JUMP, and a constructor that returns it. */
const LOOP = '6004600c60003960046000f35b600056';
const FEE_LIMIT = 1_000_000_000;

async function runLoop(vmSteps: number) {
  await using devnet = await createDevnet({ vmSteps });
  const [{ address, privateKey }] = devnet.accounts as [(typeof devnet.accounts)[0]];
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey });
  const { transactionBuilder, trx } = tronWeb;
  const deployment = await transactionBuilder.createSmartContract(
    { abi: [], bytecode: LOOP, feeLimit: FEE_LIMIT, name: 'Loop' } as never,
    address,
  );
  await trx.sendRawTransaction(await trx.sign(deployment));
  const contract = (deployment as unknown as { contract_address: string }).contract_address;
  const { transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    'run()',
    { feeLimit: FEE_LIMIT },
    [],
    address,
  );
  const sent = await trx.sendRawTransaction(await trx.sign(transaction));
  return { sent, info: await trx.getTransactionInfo(transaction.txID) };
}

test('is out of time after the steps that were set, and all its Energy is gone', async () => {
  const { sent, info } = await runLoop(10_000);
  expect(sent).toMatchObject({ result: true });
  expect(info).toMatchObject({
    result: 'FAILED',
    resMessage: Buffer.from('Already Time Out').toString('hex'),
    receipt: { result: 'OUT_OF_TIME', energy_usage_total: 10_000_000, energy_fee: FEE_LIMIT },
  });
});

test('is out of Energy where the steps suffice for it', async () => {
  const { info } = await runLoop(10_000_000);
  expect(info).toMatchObject({ receipt: { result: 'OUT_OF_ENERGY', energy_usage_total: 10_000_000 } });
});
