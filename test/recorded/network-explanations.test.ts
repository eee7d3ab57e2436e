/**
 * Transactions of chains recorded from a real java-tron, explained over a socket from what a node serves of the past: the
 * charges are those that Sunup recorded when it applied them, to the unit, as far as a receipt separates them.
 *
 * SUNUP_EXPLAINED=all explains each transaction of each recording.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecording } from '../../scripts/verify/recording.js';
import { replay } from '../../scripts/verify/replay.js';
import { traceOf } from '../../src/explanation/calls/trace.js';
import { chargeReport } from '../../src/explanation/costs/charges.js';
import type { ChargeReport } from '../../src/explanation/model/explanation.js';
import type { RecordedBalanceChange } from '../../src/explanation/model/recorded-explanation.js';
import { connect } from '../../src/fork/start/connect.js';
import { blockOutline } from '../../src/ledger/blocks/blocks.js';
import { decodeCharges } from '../../src/ledger/charging/charges.js';
import type { Node } from '../../src/node/node.js';
import { wallClock } from '../../src/platform/clock.js';
import { systemRandom } from '../../src/platform/random.js';
import type { TxId } from '../../src/primitives/ids.js';
import { toBase58 } from '../../src/protocol/address.js';
import { TransactionInfo } from '../../src/protocol/generated/tron.js';
import { NetworkTransactions } from '../../src/traffic/network-transactions.js';
import { serveChain, serveChainByGrpc } from '../simulation/served-chain.js';

const RECORDINGS = new URL('../../fixtures/recorded/', import.meta.url).pathname;
const ALL = process.env.SUNUP_EXPLAINED === 'all';
/** Addresses with 19 leading zero bytes. */
const PRECOMPILED = 'T9yD14Nj9j7xAB4dbGeiX9h8unkK';
/** Explained transactions of each recording. */
const MOST = ALL ? Number.POSITIVE_INFINITY : 20;

const names = readdirSync(RECORDINGS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A charge as far as a receipt has it. */
function recorded(charges: readonly ChargeReport[], owner: string, isDestinationKnown: boolean): readonly object[] {
  const figures = charges
    .filter(({ amount }) => amount !== 0n)
    .map(({ payer, resource, source, amount, reason, units, unitPriceSun }) => ({
      payer: resource === 'bandwidth' ? owner : payer,
      source: resource === 'bandwidth' ? 'free-or-staked' : resource === 'coin' && !isDestinationKnown ? '' : source,
      resource,
      amount,
      reason,
      units,
      unitPriceSun,
    }));
  return figures.sort((a, b) =>
    `${a.resource} ${a.reason} ${a.source}` < `${b.resource} ${b.reason} ${b.source}` ? -1 : 1,
  );
}

/** Gains in TRX. */
function gained(changes: readonly RecordedBalanceChange[]): readonly string[] {
  return changes.flatMap(({ address, token, change }) => (token === undefined ? [`${address} ${change}`] : [])).sort();
}

function sentIn({ chain: { ledger } }: Node): readonly TxId[] {
  const ids: TxId[] = [];
  for (let number = 1; number <= ledger.headNumber; number++)
    ids.push(...(blockOutline(ledger, number)?.transactionIds ?? []));
  return ids;
}

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
  const { ledger } = node.chain;
  // Fees may go there.
  const blackhole = toBase58(ledger.config.blackhole);
  await node.chain.durable();
  const server = await serveChain(node, '4.8.2');
  const connection = await connect({ url: server.url }, { fetch, clock: wallClock, random: systemRandom });
  try {
    const network = new NetworkTransactions(connection);
    const ids = sentIn(node);
    const step = Math.max(1, Math.ceil(ids.length / MOST));
    const chosen = ids.filter((_, at) => at % step === 0);
    for (const txid of chosen) {
      const stored = ledger.state.tables.transactions.get(txid)!;
      const info = TransactionInfo.decode(stored.info);
      const explanation = await network.explain(txid);
      const own = decodeCharges(stored.charges).map(chargeReport);
      // A private chain may be configured to burn before anybody votes on it; nodes do not say so.
      const isKnown = !explanation.assumedParameters.includes('getAllowOptimizeBlackHole');
      const figures = (charges: readonly ChargeReport[]) => recorded(charges, explanation.owner, isKnown);
      expect(figures(explanation.charges), txid).toEqual(figures(own));
      expect(explanation.mismatches, txid).toEqual([]);
      if (explanation.notRecorded.some(({ section }) => section === 'balanceChanges')) continue;
      const { changes } = await traceOf(node, txid, { changes: true });
      // A transfer to a precompiled contract is no internal transaction.
      if (changes?.accounts.some(({ address }) => address.startsWith(PRECOMPILED))) continue;
      expect(gained(explanation.balanceChanges.filter(({ address }) => address !== blackhole)), txid).toEqual(
        (changes?.accounts ?? [])
          .flatMap(({ address, values }) =>
            values.flatMap(({ name, before, after }) =>
              name === 'balance' && address !== blackhole ? [`${address} ${after - before}`] : [],
            ),
          )
          .sort(),
      );
      expect(explanation.feeSun, txid).toBe(info.fee);
      expect(explanation.outcome.succeeded, txid).toBe(info.resMessage === '');
    }
    await expectSameByGrpc(node, server.url, network, chosen.slice(0, 3));
  } finally {
    connection.wallet.close();
    await server.close();
  }
});

async function expectSameByGrpc(
  node: Node,
  url: string,
  overHttp: NetworkTransactions,
  ids: readonly TxId[],
): Promise<void> {
  const server = await serveChainByGrpc(node);
  const { wallet, ...rest } = await connect(
    { url, grpc: server.url },
    { fetch, clock: wallClock, random: systemRandom },
  );
  try {
    const overGrpc = new NetworkTransactions({ wallet, ...rest });
    for (const txid of ids) expect(await overGrpc.explain(txid)).toEqual(await overHttp.explain(txid));
  } finally {
    wallet.close();
    await server.close();
  }
}
