/** The log of the command for TronWeb's transactions, as lines and as data. */

import { expect, it } from 'vitest';
import { outputFor } from '../../src/cli/output.js';
import type { CommandSettings } from '../../src/options/declarations.js';
import { call, deploy, NOBODY } from './cost-scenarios.js';
import { TRX, TronWebDevnet } from './tronweb-devnet.js';

/** The lines of both formats. */
function listenedTo({ devnet }: TronWebDevnet): { readonly lines: string[]; readonly events: object[] } {
  const lines: string[] = [];
  const events: object[] = [];
  const text = outputFor({ json: false } as CommandSettings, (line) => lines.push(line));
  const json = outputFor({ json: true } as CommandSettings, (line) => events.push(JSON.parse(line)));
  for (const output of [text, json]) {
    devnet.on('block', (block) => output.events.block(block));
    devnet.on('refused', (refused) => output.events.refused(refused));
    devnet.on('callFailed', (failed) => output.events.callFailed(failed));
  }
  return { lines, events };
}

/** The output during `work`, without lines of blocks; the transaction's id is replaced by `TXID`. */
async function said(chain: TronWebDevnet, lines: string[], work: Promise<unknown>): Promise<string[]> {
  lines.length = 0;
  const { id } = ((await work) ?? {}) as { id?: string };
  await chain.devnet.mine(0);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(120);
  return lines.filter((line) => !line.startsWith('block ')).map((line) => line.replace(id ?? 'no id', 'TXID'));
}

it('has action, outcome, reason, and cost', async () => {
  await using chain = await TronWebDevnet.start({ networkStake: 'none' });
  const { lines, events } = listenedTo(chain);
  const [a, b, c] = [chain.address(0), chain.address(1), chain.address(2)];
  const { transactionBuilder: builder } = chain.client(0);
  const send = (built: unknown) => chain.send(0, built as never);

  const token = await deploy(chain, 'Token');
  expect(await said(chain, lines, Promise.resolve())).toEqual([]);
  const shop = await deploy(chain, 'Shop', { parameters: [token.address] });
  expect(lines.slice(1, 4)).toEqual([
    `  ${shop.info.id}  SUCCESS`,
    `    ${a} deployed Shop (${shop.address})`,
    expect.stringMatching(/^ {4}paid 1\.758 TRX for 1,758 bandwidth \(burned\), \S+ TRX for \S+ Energy \(burned\)$/),
  ]);
  expect(await said(chain, lines, send(builder.sendTrx(NOBODY, 25 * TRX, a)))).toEqual([
    '  TXID  SUCCESS',
    `    ${a} sent 25 TRX to ${NOBODY}`,
    '    paid 0.1 TRX for account-creation-bandwidth (burned), 1 TRX for account-activation (burned)',
  ]);
  expect(await said(chain, lines, send(builder.freezeBalanceV2(100 * TRX, 'ENERGY', a)))).toEqual([
    '  TXID  SUCCESS',
    `    ${a} staked 100 TRX for Energy`,
    '    paid 253 bandwidth (free)',
  ]);
  const transfer = (i: number, to: string, amount: number) =>
    call(chain, i, token.address, 'transfer(address,uint256)', [
      ['address', to],
      ['uint256', amount],
    ]);
  expect(await said(chain, lines, transfer(0, b, 5))).toEqual([
    '  TXID  SUCCESS',
    `    ${a} called transfer(address,uint256) of Token (${token.address})`,
    '    paid 346 bandwidth (free), 27,760 Energy (staked)',
  ]);
  expect(await said(chain, lines, transfer(1, c, 500))).toEqual([
    '  TXID  REVERT',
    `    ${b} called transfer(address,uint256) of Token (${token.address})`,
    `    failed: InsufficientBalance(owner: ${b}, balance: 5, needed: 500)`,
    '    paid 346 bandwidth (free), 0.057 TRX for 570 Energy (burned)',
  ]);
  expect(events.at(-1)).toMatchObject({
    event: 'block',
    transactions: [
      {
        type: 'TriggerSmartContract',
        owner: b,
        result: 'REVERT',
        action: {
          kind: 'call',
          contract: { address: token.address, name: 'Token' },
          method: { selector: 'a9059cbb', signature: 'transfer(address,uint256)' },
        },
        outcome: { succeeded: false, reason: { error: 'InsufficientBalance' } },
        charges: [
          { payer: b, resource: 'bandwidth', amount: 346 },
          { payer: b, resource: 'coin', amount: 57_000 },
        ],
      },
    ],
  });
  // In a long line, addresses are shortened, the first ones first.
  const [, long] = await said(
    chain,
    lines,
    call(
      chain,
      1,
      shop.address,
      'buy(address,uint256)',
      [
        ['address', b],
        ['uint256', 40],
      ],
      { callValue: 40 },
    ),
  );
  expect(long).toBe(`    TPjjvM…BZ6C called buy(address,uint256) of Shop (${shop.address}) with 0.00004 TRX`);
});

it("has the reason of a refused broadcast, and the answer's text", async () => {
  await using chain = await TronWebDevnet.start();
  const { lines, events } = listenedTo(chain);
  const [a, b] = [chain.address(0), chain.address(1)];
  const { transactionBuilder: builder, trx } = chain.client(0);
  const built = await builder.sendTrx(b, 9_000 * TRX, a);
  await chain.send(0, builder.sendTrx(b, 5_000 * TRX, a));
  const text = await said(chain, lines, chain.refusal(0, built));
  expect(text).toEqual([
    `refused  ${built.txID}  CONTRACT_VALIDATE_ERROR`,
    `    ${a} tried to send 9,000 TRX to ${b}`,
    '    Contract validate error : Validate TransferContract error, balance is not sufficient.',
  ]);
  expect(events.at(-1)).toMatchObject({
    event: 'refused',
    txid: built.txID,
    code: 'CONTRACT_VALIDATE_ERROR',
    owner: a,
  });

  // The network does not report the missing amount.
  const all = (await trx.getBalance(a)) - 1_000;
  await chain.send(0, builder.sendTrx(b, all, a));
  const renamed = await builder.updateAccount('x'.repeat(32), a);
  const [head, , reason] = await said(chain, lines, chain.refusal(0, renamed));
  expect(head).toBe(`refused  ${renamed.txID}  BANDWITH_ERROR`);
  expect(reason).toContain(`Account resource insufficient error. account [${a}] has insufficient bandwidth[`);
});

it('has the reason of a failed call without a transaction, once while nothing changes', async () => {
  await using chain = await TronWebDevnet.start();
  const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
  const { lines, events } = listenedTo(chain);
  const b = chain.address(1);
  const ask = (signature: string) =>
    chain
      .client(1)
      .transactionBuilder.triggerConstantContract(address, signature, {}, [], b)
      .catch(() => undefined);
  expect(await said(chain, lines, ask('average()'))).toEqual([
    `call of average() of Shop (${address}) by ${b}`,
    '    failed with REVERT: Panic(0x12): a division or modulo by zero',
  ]);
  expect(events.at(-1)).toMatchObject({
    event: 'callFailed',
    caller: b,
    contract: { address, name: 'Shop' },
    outcome: { result: 'REVERT', reason: { error: 'Panic', arguments: [{ value: '18' }] } },
  });
  expect(await said(chain, lines, ask('average()'))).toEqual([]);
  expect(await said(chain, lines, ask('missing()'))).toEqual([
    `call of 0x${chain.client(1).sha3('missing()').slice(2, 10)} of Shop (${address}) by ${b}`,
    '    failed with REVERT: the contract has no such function and no fallback',
  ]);
});

it('--trace shows the call tree of a failed call without a transaction', async () => {
  await using chain = await TronWebDevnet.start({ trace: true });
  const { address } = await deploy(chain, 'Shop', { parameters: [NOBODY] });
  const { lines, events } = listenedTo(chain);
  const b = chain.address(1);
  const asked = chain.client(1).transactionBuilder.triggerConstantContract(address, 'average()', {}, [], b);
  const [head, reason, call, failure, ...more] = await said(
    chain,
    lines,
    asked.catch(() => undefined),
  );
  expect([head, reason]).toEqual([
    `call of average() of Shop (${address}) by ${b}`,
    '    failed with REVERT: Panic(0x12): a division or modulo by zero',
  ]);
  expect(call).toMatch(/^ {4}Shop\.average\(\) {2}\[[\d,]+ Energy\]$/);
  expect(failure).toBe('    └ reverts: Panic(0x12): a division or modulo by zero');
  expect(more).toEqual([]);
  expect(events.at(-1)).toMatchObject({ trace: { method: { signature: 'average()' }, result: { kind: 'reverted' } } });
});
