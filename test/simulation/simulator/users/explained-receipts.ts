/**
 * Somebody explains a transaction of the node as one of a live network, from what its node serves: receipt, block, prices
 * of that moment (`sunup explain TXID --fork URL`); or on a fork of the node, from what the fork passes on. The node has
 * the state of then, so it says the same of what a receipt can tell.
 */

import { connect } from '../../../../src/fork/start/connect.js';
import { proposalById } from '../../../../src/ledger/governance/proposals.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import { OptionError } from '../../../../src/options/option-error.js';
import { writeJson } from '../../../../src/primitives/amount-json.js';
import { fromBase58 } from '../../../../src/protocol/address.js';
import { NetworkTransactions } from '../../../../src/traffic/network-transactions.js';
import { isStored } from '../disk/stored-rows.js';
import { balanceAt } from '../invariants/explanations.js';
import { type ScannedTransaction, transactionsIn } from '../invariants/scan.js';
import { Violation } from '../run/violation.js';
import { isForkable, machineBeside, NODE_URL, withNode } from './neighbours.js';
import type { Host, User } from './user.js';

const NAME = 'a receipt tells of a cost what the node does';
const BLOCKS_BACK = 60;

type Amount = number | string;
type Members = Readonly<Record<string, unknown>>;

interface Explanation extends Members {
  readonly owner: string;
  readonly charges: readonly (Members & {
    readonly payer: string;
    readonly resource: 'bandwidth' | 'energy' | 'coin';
    readonly source: string;
    readonly amount: Amount;
  })[];
  readonly action: {
    readonly contract?: { readonly address: string; readonly name: string };
    readonly method?: { readonly selector: string; readonly signature?: string };
  };
  readonly outcome: Members & { readonly reason?: Members };
  readonly bandwidth: Members;
  readonly energy?: Members & { readonly caller: Members; readonly origin?: Members };
}

interface OfReceipt extends Explanation {
  readonly mismatches: readonly unknown[];
  readonly balanceChanges: readonly { readonly address: string; readonly token?: string; readonly change: Amount }[];
  readonly notRecorded: readonly { readonly section: string }[];
  readonly today?: Today;
}

interface Today {
  readonly blockNumber: number;
  readonly callerEnergyLimit: Amount;
  readonly callerEnergyLeft: Amount;
  readonly stakeForEnergySun?: Amount;
}

function some(members: Members | undefined, ...names: readonly string[]): readonly unknown[] {
  return names.map((name) => members?.[name]);
}

/**
 * What an explanation says that a receipt can tell, too.
 *
 * @param isGone the contract has ended since, or its ABI is cleared: nobody knows names or the deployer any more
 */
function told(
  { action, outcome, charges, bandwidth, energy, ...said }: Explanation,
  isGone: boolean,
): readonly (readonly [what: string, value: unknown])[] {
  const bytes = charges.filter(({ resource }) => resource === 'bandwidth').map(({ amount }) => Number(amount));
  const { contract, method, ...rest } = action;
  return [
    ...['block', 'type', 'owner', 'feeSun'].map((name) => [name, said[name]] as const),
    ['action', isGone ? [rest, contract?.address, method?.selector] : action],
    ['outcome', some(outcome, 'succeeded', 'result', 'message')],
    // Which contract raised it is not in a receipt.
    ['reason', some(outcome.reason, 'data', ...(isGone ? [] : ['error', 'arguments']))],
    // A receipt has one figure for all of it.
    ['bandwidth that was not bought', bytes.reduce((sum, amount) => sum + amount, 0)],
    [
      'charges',
      charges
        .filter(({ resource }) => resource !== 'bandwidth')
        .map((charge) => [
          ...some(charge, 'resource', 'source', 'amount', 'reason', 'units', 'unitPriceSun'),
          isGone && charge.source === 'origin' ? '' : charge.payer,
        ])
        .map(String)
        .sort(),
    ],
    ['bandwidth', some(bandwidth, 'bytes', 'createsAccount', 'bytePriceSun')],
    ['Energy', some(energy, 'total', 'penalty', 'priceSun')],
    ["the caller's Energy", some(energy?.caller, 'address', 'owed', 'staked', 'bought', 'feeSun')],
    ["the deployer's Energy", energy?.origin?.paid ?? 0],
  ];
}

function differing(own: Explanation, other: OfReceipt): string | undefined {
  if (other.mismatches.length > 0) return `does not add up: ${JSON.stringify(other.mismatches)}`;
  const isLost = (then: string | undefined, now: string | undefined) => then !== now && (now ?? '') === '';
  const isGone =
    isLost(own.action.contract?.name, other.action.contract?.name) ||
    isLost(own.action.method?.signature, other.action.method?.signature);
  const [here, there] = [told(own, isGone), told(other, isGone)];
  for (const [at, [what, value]] of here.entries()) {
    const [one, another] = [value, there[at]?.[1]].map((said) => JSON.stringify(said));
    if (one !== another) return `${what}: the node says ${one}, its receipt tells ${another}`;
  }
  return undefined;
}

/** From the outside, as the command does. */
async function fromOutside({ world }: Host, { txId }: ScannedTransaction): Promise<string> {
  const connection = await connect({ url: NODE_URL }, machineBeside(world));
  try {
    return writeJson(await new NetworkTransactions(connection).explain(txId));
  } finally {
    connection.wallet.close();
  }
}

/** @returns undefined where the node cannot be forked */
async function onAFork(host: Host, { txId }: ScannedTransaction): Promise<string | undefined> {
  try {
    return await withNode(host, { fork: NODE_URL, accounts: 1, mining: 'manual' }, async (devnet) => {
      const answer = await devnet.fetch(`http://localhost/sunup/explain?txid=${txId}`);
      return await answer.text();
    });
  } catch (error) {
    if (error instanceof OptionError) return undefined;
    throw error;
  }
}

/** What an account has more than before the block of a transaction that is alone in it. */
async function changesDiffer(host: Host, { block }: ScannedTransaction, of: OfReceipt): Promise<string | undefined> {
  if (of.notRecorded.some(({ section }) => section === 'balanceChanges')) return undefined;
  // What is not among them has not changed.
  const owners = of.balanceChanges.some(({ address, token }) => address === of.owner && token === undefined)
    ? []
    : [{ address: of.owner, token: undefined, change: 0 }];
  for (const { address, token, change } of [...owners, ...of.balanceChanges.slice(0, 4)]) {
    const hex = token === undefined ? fromBase58(address) : undefined;
    if (hex === undefined) continue;
    const [before, after] = [await balanceAt(host, hex, block - 1), await balanceAt(host, hex, block)];
    if (before === undefined || after === undefined || after - before === BigInt(change)) continue;
    return `${address} had ${before} and has ${after}; its receipt tells a change by ${change}`;
  }
  return undefined;
}

async function todayDiffers(host: Host, { owner, energy, today }: OfReceipt): Promise<string | undefined> {
  if (today === undefined) return undefined;
  const { world, asker } = host;
  const { headNumber } = world;
  const answer = await asker.post('/wallet/getaccountresource', { address: owner, visible: true });
  if (!answer?.startsWith('200 ') || world.headNumber !== headNumber) return undefined;
  const {
    EnergyLimit = 0,
    EnergyUsed = 0,
    TotalEnergyLimit = 0,
    TotalEnergyWeight = 0,
  } = JSON.parse(answer.slice(4)) as Readonly<Record<string, number>>;
  const { blockNumber, callerEnergyLimit: limit, callerEnergyLeft: left, stakeForEnergySun: stake } = today;
  const told = [blockNumber, Number(limit), Number(left)].join();
  const now = [headNumber, EnergyLimit, Math.max(0, EnergyLimit - EnergyUsed)].join();
  if (told !== now) return `block, limit and Energy left of today are ${told}, the node says ${now}`;
  if (stake === undefined) return undefined;
  const owed = BigInt(energy?.caller.owed as Amount);
  const yieldOf = (coins: bigint) => (coins * BigInt(TotalEnergyLimit)) / (BigInt(TotalEnergyWeight) + coins);
  const coins = BigInt(stake) / 1_000_000n;
  return yieldOf(coins) >= owed && (coins === 1n || yieldOf(coins - 1n) < owed)
    ? undefined
    : `a stake of ${coins} TRX is said to yield ${owed} Energy, it yields ${yieldOf(coins)}`;
}

/**
 * A vote counts from its expiration on. Where time has jumped over several maintenances, it waits for a later one, and
 * nothing that a node serves tells that.
 */
function awaitsMaintenance(ledger: Ledger, then: Ledger): boolean {
  for (let id = then.long('LATEST_PROPOSAL_NUM'); id > 0n; id--) {
    const [past, now] = [proposalById(then, id), proposalById(ledger, id)];
    if (past !== undefined && past.state !== now?.state && past.expiration_time <= then.headTimeMs) return true;
  }
  return false;
}

export const explainFromReceipts: User = async (host) => {
  const { world, asker } = host;
  const { choices } = world;
  if (!world.isQuiet || world.shape.isFork || !(await isStored(world)) || !world.isRunning) return;
  const { chain } = world.node;
  const recent = [...transactionsIn(chain.ledger, chain.headNumber - BLOCKS_BACK)];
  if (recent.length === 0 || !isForkable(world)) return;
  const withdrawals = recent.filter(({ info }) => info.withdraw_amount + info.withdraw_expire_amount > 0n);
  const chosen = choices.of([choices.of(recent), recent.at(-1)!, ...withdrawals.slice(-1)]);
  // From the next block on.
  if (chosen.block === chain.headNumber && choices.chance(0.5))
    await asker.rpc('/tre', 'tron_setChainParameters', [{ getEnergyFee: 100 + choices.below(400) }]);
  if (!world.isRunning) return;
  const { headId } = chain;
  const own = await asker.get(`/sunup/explain?txid=${chosen.txId}`);
  // Its state may not be kept any more.
  if (!own?.startsWith('200 ') || !world.isRunning) return;
  if (awaitsMaintenance(chain.ledger, chain.ledgerAt(chosen.block - 1))) return;
  const explain = choices.chance(0.2) ? onAFork : fromOutside;
  let text: string | undefined;
  const answer = await asker.library(`${explain.name} ${chosen.txId}`, async () => {
    text = await explain(host, chosen);
    return text;
  });
  if (answer === undefined || !world.isQuiet || chain.headId !== headId) return;
  if (text === undefined) {
    if (explain === fromOutside) throw new Violation(NAME, `${chosen.txId}: ${answer}`);
    return;
  }
  const of = JSON.parse(text) as OfReceipt;
  const isAlone =
    recent.filter(({ block }) => block === chosen.block).length === 1 &&
    operationsAfter(chain.ledger, chosen.block) === 0;
  const wrong =
    differing(JSON.parse(own.slice(4)) as Explanation, of) ??
    (isAlone ? await changesDiffer(host, chosen, of) : undefined) ??
    (await todayDiffers(host, of));
  if (wrong !== undefined && world.isQuiet && chain.headId === headId)
    throw new Violation(NAME, `${chosen.txId} in block ${chosen.block} (${explain.name}): ${wrong}`);
};
