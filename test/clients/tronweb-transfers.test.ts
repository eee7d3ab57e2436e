/** TronWeb: accounts, transfers, memos, blocks and receipts. */

import { TronWeb } from 'tronweb';
import { expect, it } from 'vitest';
import { bandwidthOf, refusalOf, TRX, TronWebDevnet } from './tronweb-devnet.js';

it('accepts the node', async () => {
  await using chain = await TronWebDevnet.start();
  const tronWeb = chain.client(0);
  expect(await tronWeb.isConnected()).toEqual({ fullNode: true, solidityNode: true, eventServer: true });
  expect(await tronWeb.trx.getNodeInfo()).toMatchObject({ configNodeInfo: { codeVersion: expect.any(String) } });
  expect(await tronWeb.trx.listNodes()).toEqual([]);
  const parameters = (await tronWeb.trx.getChainParameters()) as { key: string; value?: number }[];
  const named = (name: string) => parameters.find(({ key }) => key === name)?.value;
  expect([named('getEnergyFee'), named('getTransactionFee'), named('getFreeNetLimit')]).toEqual([100, 1_000, 600]);
  expect(await tronWeb.trx.getEnergyPrices()).toMatch(/:100$/);
  expect(await tronWeb.trx.getBandwidthPrices()).toMatch(/:1000$/);
  const genesis = await tronWeb.trx.getBlockByNumber(0);
  expect(genesis.blockID.slice(-8)).toBe(chain.devnet.chainId.slice(2));
});

it('sends TRX within the free bandwidth, then for the price of every byte', async () => {
  // No slot passes, in which bandwidth would recover.
  await using chain = await TronWebDevnet.start({ blockStepMs: 1 });
  const tronWeb = chain.client(0);
  const sent = [];
  for (const amount of [3, 4, 5]) {
    const built = await tronWeb.transactionBuilder.sendTrx(chain.address(1), amount * TRX, chain.address(0));
    sent.push({ bytes: bandwidthOf(built), info: await chain.send(0, built) });
  }
  const [first, second, third] = sent;
  const bytes = first!.bytes;
  expect([first!.info.receipt, second!.info.receipt]).toEqual([{ net_usage: bytes }, { net_usage: bytes }]);
  expect([first!.info.fee, second!.info.fee]).toEqual([undefined, undefined]);
  // 600 free bytes a day do not suffice for three transfers.
  expect(third!.info).toMatchObject({ fee: bytes * 1_000, receipt: { net_fee: bytes * 1_000 } });
  expect(await chain.balance(1)).toBe(10_000 * TRX + 12 * TRX);
  expect(await chain.balance(0)).toBe(10_000 * TRX - 12 * TRX - bytes * 1_000);
  expect(await tronWeb.trx.getBandwidth(chain.address(0))).toBe(600 - 2 * bytes);
  expect(await tronWeb.trx.getAccountResources(chain.address(0))).toMatchObject({
    freeNetUsed: 2 * bytes,
    freeNetLimit: 600,
  });
  // After a day, the whole free bandwidth is available again.
  await chain.devnet.mine({ advanceMs: 86_400_000 });
  expect(await tronWeb.trx.getBandwidth(chain.address(0))).toBe(600);
  const answer = await tronWeb.trx.sendTransaction(chain.address(1), 3 * TRX);
  expect((await chain.info(answer.txid)).receipt).toEqual({ net_usage: bytes });
  const { charges } = await chain.devnet.explain(third!.info.id);
  expect(charges.map(({ amount }) => amount)).toEqual([BigInt(bytes) * 1_000n]);
});

it('activates accounts, for the activation fee', async () => {
  await using chain = await TronWebDevnet.start();
  const tronWeb = chain.client(0);
  const { address, privateKey } = TronWeb.fromMnemonic(
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  );
  expect(await tronWeb.trx.getAccount(address)).toEqual({});
  const info = await chain.send(0, tronWeb.transactionBuilder.sendTrx(address, 5 * TRX, chain.address(0)));
  // 1 TRX for the account, 0.1 TRX instead of bandwidth.
  expect(info).toMatchObject({ fee: 1_100_000, receipt: { net_fee: 100_000 } });
  expect(await tronWeb.trx.getBalance(address)).toBe(5 * TRX);
  const newcomer = new TronWeb({ fullHost: chain.devnet.http.url, privateKey: privateKey.replace(/^0x/, '') });
  expect(await newcomer.trx.sendTransaction(chain.address(0), TRX)).toMatchObject({ result: true });

  const other = tronWeb.utils.accounts.generateAccount().address.base58;
  const created = await chain.send(0, tronWeb.transactionBuilder.createAccount(other, chain.address(0)));
  expect(created).toMatchObject({ fee: 1_100_000 });
  expect(await tronWeb.trx.getAccount(other)).toMatchObject({
    address: tronWeb.address.toHex(other),
    create_time: expect.any(Number),
  });

  await chain.send(0, tronWeb.transactionBuilder.updateAccount('alice', chain.address(0)));
  await chain.send(0, tronWeb.transactionBuilder.setAccountId(tronWeb.toHex('alice-account'), chain.address(0)));
  expect(await tronWeb.trx.getAccount(chain.address(0))).toMatchObject({
    account_name: tronWeb.fromUtf8('alice').slice(2),
  });
  expect(await tronWeb.trx.getAccountById(tronWeb.toHex('alice-account'))).toMatchObject({
    address: tronWeb.address.toHex(chain.address(0)),
  });
});

it('adds a memo, which costs 1 TRX and its bytes', async () => {
  await using chain = await TronWebDevnet.start();
  const tronWeb = chain.client(0);
  const plain = await tronWeb.transactionBuilder.sendTrx(chain.address(1), 1, chain.address(0));
  const built = await tronWeb.transactionBuilder.addUpdateData(plain, 'for the coffee', 'utf8');
  const info = await chain.send(0, built);
  expect(info).toMatchObject({ fee: TRX, receipt: { net_usage: bandwidthOf(built) } });
  const read = await tronWeb.trx.getTransaction(info.id);
  expect(tronWeb.toUtf8((read.raw_data as { data?: string }).data!)).toBe('for the coffee');
});

it('is refused as on the network', async () => {
  // By the wall clock, because TronWeb extends expirations with its own.
  await using chain = await TronWebDevnet.start({ clock: 'wall' });
  const tronWeb = chain.client(0);
  const { transactionBuilder: builder, trx } = tronWeb;
  expect(await chain.refusal(0, builder.sendTrx(chain.address(1), 20_000 * TRX, chain.address(0)))).toEqual({
    code: 'CONTRACT_VALIDATE_ERROR',
    message: 'Contract validate error : Validate TransferContract error, balance is not sufficient.',
  });
  const built = await builder.sendTrx(chain.address(1), TRX, chain.address(0));
  const forged = { ...built, signature: [`${'5a'.repeat(64)}1b`] };
  expect(refusalOf(await trx.sendRawTransaction(forged as never)).code).toBe('SIGERROR');
  const signed = await trx.sign(built);
  expect(await trx.sendRawTransaction(signed)).toMatchObject({ result: true });
  expect(refusalOf(await trx.sendRawTransaction(signed))).toEqual({
    code: 'DUP_TRANSACTION_ERROR',
    message: 'Dup transaction.',
  });
  const late = await builder.sendTrx(chain.address(1), 2, chain.address(0));
  await chain.devnet.mine({ advanceMs: 61_000 });
  expect((await chain.refusal(0, late)).code).toBe('TRANSACTION_EXPIRATION_ERROR');
  const extended = await builder.extendExpiration(late, 3_600);
  expect(await chain.send(0, extended)).toMatchObject({ receipt: { net_usage: bandwidthOf(extended) } });
  const foreign = await builder.sendTrx(chain.address(1), 3, chain.address(0), {
    blockHeader: { ...(await trx.getCurrentRefBlockParams()), ref_block_hash: '00'.repeat(8) },
  } as never);
  expect((await chain.refusal(0, foreign)).code).toBe('TAPOS_ERROR');
});

it('reads a history of many blocks', async () => {
  await using chain = await TronWebDevnet.start({ mining: 'manual' });
  const tronWeb = chain.client(0);
  const txids: string[][] = [];
  for (let block = 0; block < 5; block++) {
    const ids: string[] = [];
    for (let i = 0; i <= block; i++) {
      ids.push((await tronWeb.trx.sendTransaction(chain.address(1 + i), 1 + block * 10 + i)).txid);
    }
    // Visible in balances while pending, in the solid state only when it is in a block.
    const before = await tronWeb.trx.getBalance(chain.address(1));
    expect((await tronWeb.trx.getUnconfirmedBalance(chain.address(1))) - before).toBe(1 + block * 10);
    await chain.devnet.mine();
    txids.push(ids);
  }
  const blocks = await tronWeb.trx.getBlockRange(3, 7);
  expect(blocks.map(({ transactions }) => transactions?.map(({ txID }) => txID))).toEqual(txids);
  for (const [i, block] of blocks.entries()) {
    const { number, parentHash } = block.block_header.raw_data;
    expect(number).toBe(3 + i);
    expect(await tronWeb.trx.getBlockTransactionCount(number)).toBe(i + 1);
    expect((await tronWeb.trx.getBlockByHash(block.blockID)).blockID).toBe(block.blockID);
    if (i > 0) expect(parentHash).toBe(blocks[i - 1]!.blockID);
    expect((await tronWeb.trx.getTransactionFromBlock(number, i)).txID).toBe(txids[i]![i]);
    expect((await chain.info(txids[i]![0]!)).blockNumber).toBe(number);
  }
  expect((await tronWeb.trx.getCurrentBlock()).blockID).toBe(blocks.at(-1)!.blockID);
  expect((await tronWeb.trx.getConfirmedTransaction(txids[4]![4]!)).ret).toEqual([{ contractRet: 'SUCCESS' }]);
  await expect(tronWeb.trx.getTransaction('00'.repeat(32))).rejects.toThrow('Transaction not found');
});
