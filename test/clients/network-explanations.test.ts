/** `sunup explain TXID --fork URL`, against a devnet as the network: proxies, memos, failures, and what a node lacks. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TronWeb } from 'tronweb';
import { expect, onTestFinished, test } from 'vitest';
import { runRemote } from '../../src/cli/remote.js';
import type { RunAgain } from '../../src/cli/run-again.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { writeJson } from '../../src/primitives/amount-json.js';
import type { RecordedExplanationInWords } from '../../src/prose/recorded-explanation.js';
import { said } from '../unit/cli/said.js';

const FEE_LIMIT = 1_000_000_000;

/** EIP-1167: delegates every call to an address. */
const minimalProxy = (target: string) =>
  `3d602d80600a3d3981f3363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`;

const IMPLEMENTATION_SLOT = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Keeps an address in the slot of EIP-1967 and delegates every call to it. */
function storedProxy(target: string): string {
  const runtime = `365f5f375f5f365f7f${IMPLEMENTATION_SLOT}545af43d5f5f3e5f3d91603d57fd5bf3`;
  const size = runtime.length / 2;
  // The destination of the jump is the last JUMPDEST.
  const jumpTo = (size - 3).toString(16).padStart(2, '0');
  const code = runtime.replace('60' + '3d57', `60${jumpTo}57`);
  const store = `73${target}7f${IMPLEMENTATION_SLOT}55`;
  const head = `60${size.toString(16).padStart(2, '0')}80`;
  const init = `${store}${head}60XX5f395ff3`;
  return init.replace('XX', (init.length / 2).toString(16).padStart(2, '0')) + code;
}

async function openChain() {
  const devnet = await createDevnet({ predeploy: ['usdt'], grpcPort: 0 });
  const [first, second] = devnet.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: first.privateKey });
  const send = async (transaction: unknown): Promise<string> => {
    const { result, txid, code } = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(transaction as never));
    if (result !== true) throw new Error(String(code));
    return txid;
  };
  const deploy = async (bytecode: string) => {
    const options = { abi: [], bytecode, feeLimit: FEE_LIMIT, name: 'Proxy' } as never;
    const deployment = await tronWeb.transactionBuilder.createSmartContract(options, first.address);
    await send(deployment);
    return (deployment as unknown as { readonly contract_address: string }).contract_address;
  };
  const transfer = async (contract: string, amount: number, feeLimit = FEE_LIMIT, to = second.address) => {
    const parameters = [
      { type: 'address', value: to },
      { type: 'uint256', value: amount },
    ];
    const { transaction } = await tronWeb.transactionBuilder.triggerSmartContract(
      contract,
      'transfer(address,uint256)',
      { feeLimit },
      parameters,
      first.address,
    );
    return send(transaction);
  };
  const explained = async (txid: string): Promise<RecordedExplanationInWords> => {
    const { code, out, err } = await said((say) =>
      runRemote(['explain', txid, '--fork', devnet.http.url, '--json'], say),
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out);
  };
  const usdt = devnet.predeployed[0]!;
  return { devnet, tronWeb, first, second, send, deploy, transfer, explained, usdt };
}

test('a proxy has the methods of its implementation', async () => {
  const { devnet, deploy, transfer, explained, usdt } = await openChain();
  await using _ = devnet;
  for (const code of [minimalProxy, storedProxy]) {
    const proxy = await deploy(code(usdt.addressHex.slice(2)));
    const { action, implementation, arguments: values, outcome } = await explained(await transfer(proxy, 7));
    expect(action).toMatchObject({ kind: 'call', method: { signature: 'transfer(address,uint256)' } });
    expect(implementation?.address).toBe(usdt.address);
    expect(values?.map(({ value }) => value)).toEqual([devnet.accounts[1]!.address, '7']);
    // The storage of the proxy has no balances.
    expect(outcome.succeeded).toBe(false);
  }
});

test('a transfer of tokens: arguments, events, balances, the prices of its block', async () => {
  const { devnet, transfer, explained, usdt, first, second } = await openChain();
  await using _ = devnet;
  const before = await transfer(usdt.address, 5);
  await devnet.setChainParameters({ getEnergyFee: 420 });
  const own = await devnet.explain(before);
  const explanation = await explained(before);
  expect(explanation).toMatchObject({
    feeSun: Number(own.feeSun),
    outcome: { succeeded: true },
    tokenTransfers: [{ standard: 'trc20', from: first.address, to: second.address, value: 5 }],
    events: [{ event: 'Transfer' }],
    mismatches: [],
    today: { contract: { factor: 0 } },
  });
  expect(explanation.balanceChanges).toContainEqual({ address: second.address, token: usdt.address, change: 5 });
});

// Found by the simulator with seed 350033.
test('fees went where the receipt says, whatever the parameters have become', async () => {
  const { devnet, transfer, explained, usdt } = await openChain();
  await using _ = devnet;
  await devnet.setChainParameters({ getAllowTransactionFeePool: 1 });
  const pooled = await transfer(usdt.address, 5);
  await devnet.setChainParameters({ getAllowTransactionFeePool: 0 });
  const burned = await transfer(usdt.address, 5);
  const bought = async (txid: string) =>
    (await explained(txid)).charges.filter(({ resource }) => resource === 'coin').map(({ source }) => source);
  expect(await bought(pooled)).toContain('fee-pool');
  expect(await bought(burned)).toContain('burned');
  await devnet.setChainParameters({ getAllowTransactionFeePool: 1 });
  expect(await bought(burned)).not.toContain('fee-pool');
});

test('failures: the error by its ABI, and which limit ended a call', async () => {
  const { devnet, transfer, explained, usdt } = await openChain();
  await using _ = devnet;
  const reverted = await explained(await transfer(usdt.address, Number.MAX_SAFE_INTEGER));
  expect(reverted.outcome).toMatchObject({ succeeded: false, result: 'REVERT' });
  expect(reverted.text.join('\n')).toMatch(/FAILED with REVERT/);
  const starved = await explained(await transfer(usdt.address, 1, 100_000));
  expect(starved).toMatchObject({ outcome: { result: 'OUT_OF_ENERGY' }, energy: { ranOutBy: 'feeLimit' } });
  expect(starved.text.join('\n')).toContain('a higher feeLimit was needed');
});

test('a memo with control characters is text', async () => {
  const { devnet, tronWeb, send, explained, first, second } = await openChain();
  await using _ = devnet;
  const plain = await tronWeb.transactionBuilder.sendTrx(second.address, 5, first.address);
  const memo = 'rent\u001b[2J <b>';
  const txid = await send(await tronWeb.transactionBuilder.addUpdateData(plain, memo, 'utf8'));
  const explanation = await explained(txid);
  expect(explanation.memo).toBe(memo);
  const { out } = await said((say) => runRemote(['explain', txid, '--fork', devnet.http.url], say));
  expect(out).not.toContain('\u001b');
});

test('a fork explains transactions of its network from their receipts', async () => {
  const { devnet, deploy, transfer, explained, usdt } = await openChain();
  await using _ = devnet;
  const proxy = await deploy(minimalProxy(usdt.addressHex.slice(2)));
  const ids = [await transfer(usdt.address, 5), await transfer(proxy, 1), await transfer(usdt.address, 1, 100_000)];
  await using fork = await createDevnet({ fork: devnet.http.url });
  for (const txid of ids) {
    const { today, ...remote } = await explained(txid);
    const own = await fork.explainReceipt(txid);
    const { today: _today, text: _text, ...plain } = JSON.parse(writeJson(own));
    const { text: _lines, ...expected } = remote;
    expect(plain).toEqual(expected);
    expect(today).toBeDefined();
    const answer = await fetch(`${fork.http.url}/sunup/explain?txid=${txid}`);
    expect(await answer.json()).toMatchObject({ source: 'receipt', feeSun: remote.feeSun });
    const { out } = await said((say) => runRemote(['explain', txid, '--url', fork.http.url], say));
    expect(out).toContain('Not in the receipt:');
    await expect(fork.explain(txid)).rejects.toThrow('devnet.explainReceipt');
  }
  await expect(fork.explainReceipt('cd'.repeat(32))).rejects.toThrow('is not on this chain');
});

test('--run executes it on the present state and names what differs', async () => {
  const { devnet, transfer, usdt } = await openChain();
  await using _ = devnet;
  // It has none of the token yet.
  const newcomer = TronWeb.address.fromHex(`41${'77'.repeat(20)}`);
  const first = await transfer(usdt.address, 5, FEE_LIMIT, newcomer);
  const words = [first, '--fork', devnet.http.url, '--what-if', 'getEnergyFee=100,210'];
  const { code, out } = await said((say) => runRemote(['explain', ...words], say));
  expect(code).toBe(0);
  expect(out).toMatch(/Energy at the base price │ 28,688 +│ 13,688/);
  expect(out.replaceAll(/\n +/g, ' ')).toMatch(
    /storage of TR7N\w+, slot [0-9a-f]{64}, the entry of TLrt\w+ in the mapping at slot \d+: then empty; now 0x5/,
  );
  expect(out).toMatch(/getEnergyFee │ result/);
  const second = await transfer(usdt.address, 5, FEE_LIMIT, newcomer);
  const again = await said((say) => runRemote(['explain', second, '--fork', devnet.http.url, '--run'], say));
  expect(again.out).toContain('Same result, Energy and fee as in the receipt.');
  const svg = path.join(mkdtempSync(path.join(tmpdir(), 'sunup-explain-')), 'flame.svg');
  onTestFinished(() => rmSync(path.dirname(svg), { recursive: true }));
  const traced = ['explain', second, '--fork', devnet.http.url, '--svg', svg, '--lines'];
  const withTrace = await said((say) => runRemote(traced, say));
  expect(withTrace).toMatchObject({ code: 0, err: `${svg}\n` });
  expect(withTrace.out).toMatch(/USDT.*transfer\(to: /);
  expect(readFileSync(svg, 'utf8')).toContain('<svg');
  const ofNode = await said((say) => runRemote(['explain', second, '--lines', '--url', devnet.http.url], say));
  expect(ofNode).toMatchObject({ code: 2, err: expect.stringContaining('sunup trace') });
  const here = await said((say) => runRemote(['explain', second, '--run', '--url', devnet.http.url], say));
  expect(here).toMatchObject({ code: 2, err: expect.stringContaining('sunup estimate') });
});

test('--run names the rows behind each difference, or why none is known', async () => {
  await using devnet = await createDevnet({ balance: 100_000 });
  const [deployer, caller] = devnet.accounts as [Devnet['accounts'][0], Devnet['accounts'][0]];
  const terms = { args: [10n ** 12n, 'Dollar', 'USD', 6], userFeePercent: 40, originEnergyLimit: 10_000_000 };
  const dollar = await devnet.deploy('fixtures/contracts/Dollar.json', terms);
  await devnet.setStake(deployer.address, { energy: 60_000_000_000n });
  await dollar.write.transfer!([caller.address, 20n]);
  const again = async (txid: string) => {
    const { code, out } = await said((say) =>
      runRemote(['explain', txid, '--fork', devnet.http.url, '--run', '--json'], say),
    );
    expect(code).toBe(0);
    return (JSON.parse(out) as { readonly again: Pick<RunAgain, 'differs' | 'rows'> }).again;
  };
  const pay = (amount: bigint) => dollar.write.transfer!([devnet.accounts[2]!.address, amount], { from: caller });
  const first = await pay(5n);
  const last = await pay(15n);
  await devnet.setContractEnergy(dollar.address, { energyFactor: 5_000 });
  await devnet.setChainParameters({ getEnergyFee: 420 });
  await devnet.setStake(caller.address, { energy: 1_000_000_000n });
  await devnet.setStake(deployer.address, { energy: 1_000_000n });
  const { differs, rows } = await again(first.txid);
  expect(differs.map(({ figure }) => figure)).toContain('result');
  expect(rows).toContainEqual({ figure: 'result', why: expect.stringContaining('not known') });
  await dollar.write.transfer!([caller.address, 20n]);
  const repaid = await again(last.txid);
  const tables = Object.fromEntries(
    repaid.rows.map(({ figure, table, of, field }) => [`${figure} ${field}`, [table, of]]),
  );
  expect(tables).toMatchObject({
    'penalty energy_factor': ['contractStates', dollar.address],
    'deployer stake, delegations and usage of Energy': ['accounts', deployer.address],
    'bought stake, delegations and usage of Energy': ['accounts', caller.address],
    'energyPrice undefined': ['parameters', 'getEnergyFee'],
  });
});

test('--run names the account that was new', async () => {
  const { devnet, tronWeb, send, first } = await openChain();
  await using _ = devnet;
  const newcomer = TronWeb.address.fromHex(`41${'66'.repeat(20)}`);
  const txid = await send(await tronWeb.transactionBuilder.sendTrx(newcomer, 5, first.address));
  const { out } = await said((say) => runRemote(['explain', txid, '--fork', devnet.http.url, '--run', '--json'], say));
  expect(JSON.parse(out).again.rows).toContainEqual({
    figure: 'fixedFees',
    table: 'accounts',
    of: newcomer,
    recorded: 'did not exist',
    now: 'exists',
    why: expect.any(String),
  });
});

test.each(['HTTP', 'gRPC'])(
  '--fork-cache keeps answers over %s, and --fork-offline repeats the explanation',
  async (over) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sunup-explain-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { devnet, transfer, deploy, usdt } = await openChain();
    const proxy = await deploy(storedProxy(usdt.addressHex.slice(2)));
    const grpc = over === 'gRPC' ? ['--fork-grpc', devnet.grpc!.url] : [];
    const network = ['--fork', devnet.http.url, ...grpc, '--fork-cache', folder];
    const words = ['explain', await transfer(proxy, 7), ...network];
    const online = await said((say) => runRemote(words, say));
    expect(online).toMatchObject({ code: 0, err: '' });
    const again = await said((say) => runRemote([...words, '--run'], say));
    expect(again.code).toBe(0);
    await devnet.close();
    const offline = await said((say) => runRemote([...words, '--fork-offline'], say));
    expect(offline).toEqual(online);
    expect((await said((say) => runRemote([...words, '--run', '--fork-offline'], say))).out).toBe(again.out);
    const elsewhere = words.map((word) => (word === devnet.http.url ? 'https://node.example/key' : word));
    expect(await said((say) => runRemote([...elsewhere, '--fork-offline'], say))).toEqual(online);
    const unknown = ['explain', 'ab'.repeat(32), ...network, '--fork-offline'];
    expect((await said((say) => runRemote(unknown, say))).err).toContain('--fork-offline asks no network');
  },
);

test('what the network does not have is named with its address', async () => {
  const { devnet } = await openChain();
  await using _ = devnet;
  const unknown = await said((say) => runRemote(['explain', 'ab'.repeat(32), '--fork', devnet.http.url], say));
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain(devnet.http.url);
  const noUrl = await said((say) => runRemote(['explain', 'ab'.repeat(32), '--fork', 'nile'], say));
  expect(noUrl).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^error: option '--fork' is not an HTTP URL: nile\n/),
  });
  const offline = ['explain', 'ab'.repeat(32), '--fork', devnet.http.url, '--fork-offline'];
  expect(await said((say) => runRemote(offline, say))).toMatchObject({
    code: 2,
    err: expect.stringContaining("option '--fork-offline' needs --fork-cache"),
  });
  await devnet.close();
  const gone = await said((say) => runRemote(['explain', 'ab'.repeat(32), '--fork', devnet.http.url], say));
  expect(gone.code).toBe(1);
  expect(gone.err).toMatch(
    /^error: cannot explain transaction (ab){32}: http:\S+ does not give .+: ECONNREFUSED\n\(Check the address/,
  );
});
