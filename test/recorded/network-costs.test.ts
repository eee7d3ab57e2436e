/**
 * What accounts of recorded chains paid, read over a socket by `/v1` and by blocks: to the sun and the unit the sum of
 * the charges that Sunup recorded when it applied their transactions. The same for what they paid as deployers, by contract.
 *
 * SUNUP_COSTS=all reads all recordings.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../scripts/verify/recording.js';
import { replay } from '../../scripts/verify/replay.js';
import { connect } from '../../src/fork/start/connect.js';
import { blockOutline } from '../../src/ledger/blocks/blocks.js';
import { type Charge, decodeCharges } from '../../src/ledger/charging/charges.js';
import type { Node } from '../../src/node/node.js';
import { wallClock } from '../../src/platform/clock.js';
import { systemRandom } from '../../src/platform/random.js';
import type { Address } from '../../src/primitives/ids.js';
import { fromBase58, toBase58 } from '../../src/protocol/address.js';
import type { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { TransactionInfo } from '../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { CostSums } from '../../src/traffic/costs/cost-sums.js';
import { deployedContracts, deployerSums } from '../../src/traffic/costs/deployer-costs.js';
import { NetworkCosts } from '../../src/traffic/costs/read-costs.js';
import { serveChain } from '../simulation/served-chain.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;

const SOME = [
  'contracts-energy',
  'delegation',
  'dynamic-energy',
  'exchange',
  'gaps-token-names',
  'market',
  'permissions-multisig',
  'proposals',
  'trc20-costs',
  'voting-and-rewards',
];

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && (process.env.SUNUP_COSTS === 'all' || SOME.includes(entry.name)))
  .map(({ name }) => name);

interface Expected {
  transactions: number;
  feeSun: bigint;
  energy: bigint;
  penalty: bigint;
  readonly charges: Map<string, bigint>;
}

/** A charge as far as a receipt has it. The destination of TRX is compared in `network-explanations.test.ts`. */
function keyOf({ resource, reason, source }: Pick<Charge, 'resource' | 'reason' | 'source'>): string {
  const from = resource === 'energy' ? (source === 'origin' ? 'origin' : 'staked') : '';
  return `${resource} ${reason} ${from}`;
}

/** By deployer and contract: Energy of charges from `origin` in blocks up to `last`. */
function paidByDeployers({ chain: { ledger } }: Node, last: number): ReadonlyMap<Address, ReadonlyMap<string, bigint>> {
  const deployers = new Map<Address, Map<string, bigint>>();
  for (let number = 1; number <= last; number++) {
    for (const txid of blockOutline(ledger, number)?.transactionIds ?? []) {
      const stored = ledger.state.tables.transactions.get(txid)!;
      for (const { source, payer, amount } of decodeCharges(stored.charges)) {
        if (source !== 'origin') continue;
        const { contract_address } = SignedTransaction.decode(stored.transaction)
          .contract as unknown as TriggerSmartContract;
        const contracts = deployers.get(payer) ?? new Map<string, bigint>();
        deployers.set(payer, contracts);
        const contract = toBase58(contract_address);
        contracts.set(contract, (contracts.get(contract) ?? 0n) + BigInt(amount));
      }
    }
  }
  return deployers;
}

/** By account: the sums over blocks up to `last`. */
function paidIn({ chain: { ledger } }: Node, last: number): ReadonlyMap<Address, Expected> {
  const accounts = new Map<Address, Expected>();
  for (let number = 1; number <= last; number++) {
    for (const txid of blockOutline(ledger, number)?.transactionIds ?? []) {
      const stored = ledger.state.tables.transactions.get(txid)!;
      const owner = SignedTransaction.decode(stored.transaction).owner as Address;
      const info = TransactionInfo.decode(stored.info);
      const sum: Expected = accounts.get(owner) ?? {
        transactions: 0,
        feeSun: 0n,
        energy: 0n,
        penalty: 0n,
        charges: new Map(),
      };
      accounts.set(owner, sum);
      sum.transactions++;
      sum.feeSun += info.fee;
      sum.energy += info.receipt?.energy_usage_total ?? 0n;
      sum.penalty += info.receipt?.energy_penalty_total ?? 0n;
      for (const charge of decodeCharges(stored.charges))
        if (charge.amount !== 0n)
          sum.charges.set(keyOf(charge), (sum.charges.get(keyOf(charge)) ?? 0n) + BigInt(charge.amount));
    }
  }
  return accounts;
}

let deployersWithCharges = 0;

test.each(names)('%s', { timeout: 600_000 }, async (name) => {
  let node: Node | undefined;
  const report = await replay(readRecording(join(RECORDINGS, name)), 'import', {
    maxFindings: 1,
    leavesOutStates: true,
    atHead: async (at) => {
      node = at;
    },
  });
  expect(report.findings).toEqual([]);
  if (node === undefined) return;
  await node.chain.durable();
  // By blocks: all of them, solidified or not. That takes a question for each block, so only short chains.
  const { headNumber } = node.chain.ledger;
  const solidifiedNumber = node.chain.confirmedHeight;
  for (const [hasHistory, last] of [
    [true, solidifiedNumber],
    ...(headNumber <= 300 ? [[false, headNumber] as const] : []),
  ] as const) {
    const server = await serveChain(node, '4.8.2', hasHistory);
    const connection = await connect({ url: server.url }, { fetch, clock: wallClock, random: systemRandom });
    try {
      const network = await NetworkCosts.open(connection, { maxBlocks: 300 });
      for (const [account, expected] of paidIn(node, last)) {
        const sums = new CostSums();
        for await (const paid of network.of(account, { fromMs: 0, toMs: network.head.timestampMs })) sums.add(paid);
        const { transactions, feeSun, energy, penalty, sources } = sums.get();
        const charges = new Map<string, bigint>();
        for (const { resource, reason, source, units, sun } of sources)
          charges.set(
            keyOf({ resource, reason, source } as never),
            (charges.get(keyOf({ resource, reason, source } as never)) ?? 0n) + (resource === 'coin' ? sun : units),
          );
        expect({ transactions, feeSun, energy, penalty, charges }, account).toEqual(expected);
      }
      const range = { fromMs: 0, toMs: network.head.timestampMs };
      for (const [deployer, expected] of paidByDeployers(node, last)) {
        // Without the history, contracts are named by the user.
        const named = hasHistory ? [] : [...expected.keys()].map((contract) => fromBase58(contract) as Address);
        const search = { named, findsOthers: hasHistory };
        const contracts = await deployedContracts(connection, network, [deployer], search);
        const sums = await deployerSums(network, contracts, [deployer], range, () => {});
        const found = new Map<string, bigint>();
        for (const { contract, energy } of sums.get().methods)
          if (energy > 0n) found.set(contract, (found.get(contract) ?? 0n) + energy);
        expect(found, deployer).toEqual(expected);
        deployersWithCharges++;
      }
    } finally {
      connection.wallet.close();
      await server.close();
    }
  }
});

test('deployers were among them', () => {
  expect(deployersWithCharges).toBeGreaterThan(2);
});
