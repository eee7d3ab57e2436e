/** The costs of accounts of a live network: sums, what the accounts have as of now, and findings. */

import { functionOf } from '../../abi/items.js';
import { networkFrom } from '../../fees/network.js';
import { WALLET } from '../../fork/network/wallet-requests.js';
import type { Connection } from '../../fork/start/connect.js';
import type { Address } from '../../primitives/ids.js';
import { fromBase58, toBase58 } from '../../protocol/address.js';
import { NetworkContracts } from '../network-contracts.js';
import { CostSums, type CostTotals, type MethodSum } from './cost-sums.js';
import { type DeployerCosts, type DeployerMethodSum, deployedContracts, deployerSums } from './deployer-costs.js';
import { type AccountToday, type CostFindings, findingsOf } from './findings.js';
import { type CostRange, type CostReading, NetworkCosts } from './read-costs.js';

/** Contracts of the most expensive methods that are asked for their names. */
const NAMED_METHODS = 20;
const PROGRESS_STEPS = 200;

export interface CostsRequest extends CostReading {
  readonly accounts: readonly Address[];
  /** From the time of the network's head to the range. */
  readonly range: (headMs: number) => CostRange;
  /** Percent a year of TRX that are not staked for resources. */
  readonly yieldPercent?: number | undefined;
  /** Whether calls of the accounts' contracts are read, and of which. Absent: they are not. */
  readonly asDeployer?: { readonly named: readonly Address[]; readonly findsOthers: boolean } | undefined;
  /** @param done milliseconds of the range, of all accounts or contracts together */
  readonly progress?: ((what: 'costs' | 'calls', done: number, total: number) => unknown) | undefined;
}

export interface NamedDeployerMethod extends DeployerMethodSum {
  readonly contractName?: string;
  readonly method?: string;
}

export interface NamedMethod extends MethodSum {
  readonly contractName?: string;
  /** `transfer(address,uint256)`, by the contract's ABI or the token standards. */
  readonly method?: string;
}

export interface AccountCosts {
  /** URL of the network's node. */
  readonly network: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** base58check */
  readonly accounts: readonly { readonly account: string; readonly transactions: number; readonly feeSun: bigint }[];
  readonly totals: Omit<CostTotals, 'methods'> & { readonly methods: readonly NamedMethod[] };
  /** Energy for calls of the accounts' own contracts by others. Absent: not read. */
  readonly asDeployer?: Omit<DeployerCosts, 'methods'> & { readonly methods: readonly NamedDeployerMethod[] };
  readonly findings: CostFindings;
  /** What can only be read as of now. */
  readonly today: {
    readonly blockNumber: number;
    readonly timestampMs: number;
    readonly energyPriceSun: bigint;
    readonly bytePriceSun: bigint;
    readonly accounts: readonly AccountToday[];
  };
}

/** @throws RemoteError, CostsError */
export async function costsOf(connection: Connection, request: CostsRequest): Promise<AccountCosts> {
  const { accounts, yieldPercent, progress } = request;
  const costs = await NetworkCosts.open(connection, request);
  const range = request.range(costs.head.timestampMs);
  const { fromMs } = range;
  const toMs = Math.min(range.toMs, costs.head.timestampMs);
  const spanMs = Math.max(0, toMs - fromMs);
  const all = new CostSums();
  const sumsOf = new Map<Address, CostTotals>();
  let firstMs = toMs;
  const shown = everySo(progress);
  for (const [at, account] of accounts.entries()) {
    const sums = new CostSums();
    for await (const paid of costs.of(account, { ...range, toMs })) {
      all.add(paid);
      sums.add(paid);
      firstMs = Math.min(firstMs, paid.timestampMs);
      await shown('costs', at * spanMs + (paid.timestampMs - fromMs), accounts.length * spanMs);
    }
    sumsOf.set(account, sums.get());
  }
  const totals = all.get();
  const { wallet } = connection;
  const deployed = request.asDeployer && (await deployedContracts(connection, costs, accounts, request.asDeployer));
  const asDeployer =
    deployed &&
    (await deployerSums(costs, deployed, accounts, { fromMs, toMs }, (done, total) => shown('calls', done, total)));
  const deployerCosts = asDeployer?.get();
  const [parameters, today, methods, deployerMethods] = await Promise.all([
    wallet.ask(WALLET.parameters, undefined, 'the chain parameters'),
    Promise.all(
      accounts.map(async (account) => ({
        account,
        resources: await wallet.ask(WALLET.accountResource, account, `the resources of ${toBase58(account)}`),
      })),
    ),
    named(connection, totals.methods),
    named(connection, deployerCosts?.methods ?? []),
  ]);
  const network = networkFrom(parameters, today[0]?.resources);
  const accountsToday = today.map(
    ({ account, resources }): AccountToday => ({
      account: toBase58(account),
      energyLimit: resources.EnergyLimit,
      energyLeft: atLeast0(resources.EnergyLimit - resources.EnergyUsed),
      bandwidthLimit: resources.NetLimit,
      bandwidthLeft: atLeast0(resources.NetLimit - resources.NetUsed),
    }),
  );
  // Without a start, the range is as long as its transactions.
  const measuredFromMs = range.limit !== undefined || fromMs === 0 ? Math.max(fromMs, firstMs) : fromMs;
  const findings = findingsOf(
    totals,
    accounts.map((account, at) => ({
      today: accountsToday[at] as AccountToday,
      hours: sumsOf.get(account)?.hours ?? [],
      forOthers: asDeployer?.hoursOf(account),
    })),
    { network, spanMs: toMs - measuredFromMs, yieldPercent },
  );
  return {
    network: connection.wallet.address,
    fromMs: measuredFromMs,
    toMs,
    accounts: accounts.map((account) => {
      const { transactions = 0, feeSun = 0n } = sumsOf.get(account) ?? {};
      return { account: toBase58(account), transactions, feeSun };
    }),
    totals: { ...totals, methods },
    ...(deployerCosts && { asDeployer: { ...deployerCosts, methods: deployerMethods } }),
    findings,
    today: {
      blockNumber: costs.head.number,
      timestampMs: costs.head.timestampMs,
      energyPriceSun: network.energyPriceSun,
      bytePriceSun: network.bytePriceSun,
      accounts: accountsToday,
    },
  };
}

/** Calls it about {@link PROGRESS_STEPS} times. */
function everySo(progress: CostsRequest['progress']): NonNullable<CostsRequest['progress']> {
  let shown = { what: '', done: 0 };
  return async (what, done, total) => {
    const last = shown.what === what ? shown.done : 0;
    if (done - last < total / PROGRESS_STEPS) return;
    shown = { what, done };
    await progress?.(what, done, total);
  };
}

interface MethodName {
  readonly contractName?: string;
  readonly method?: string;
}

async function named<Sum extends { readonly contract?: string; readonly selector?: string }>(
  connection: Connection,
  methods: readonly Sum[],
): Promise<readonly (Sum & MethodName)[]> {
  const contracts = new NetworkContracts(connection);
  const dearest = methods.slice(0, NAMED_METHODS);
  const addresses = dearest.flatMap(({ contract }) =>
    contract === undefined ? [] : [fromBase58(contract) as Address],
  );
  await contracts.learn(addresses);
  for (const { contract, selector = '' } of dearest)
    if (contract !== undefined) await contracts.learnImplementation(fromBase58(contract) as Address, selector as never);
  return methods.map((sum) => {
    if (sum.contract === undefined) return sum;
    const address = fromBase58(sum.contract) as Address;
    const selector = (sum.selector ?? '') as never;
    const name = contracts.nameOf(address);
    const method = (functionOf(contracts.abiOf(address), selector) ?? functionOf(undefined, selector))?.signature;
    return { ...sum, ...(name !== '' && { contractName: name }), ...(method !== undefined && { method }) };
  });
}

function atLeast0(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
