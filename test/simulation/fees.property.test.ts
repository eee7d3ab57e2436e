/**
 * `sunup/fees` says of a transaction, from the answers that a node gives before it, what the ledger then does: over random
 * histories of everything that people and contracts do, every byte, limit, share and burned sun.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountFrom,
  callCost,
  contractFrom,
  type FeeAccount,
  type FeeContract,
  type FeeNetwork,
  grantedBytes,
  mostBurned,
  networkFrom,
  transactionBytes,
  transactionCost,
} from '../../src/fees.js';
import type { AppliedTransaction } from '../../src/ledger/apply-transaction.js';
import { bandwidthTerms } from '../../src/ledger/charging/bandwidth.js';
import { coinTotal } from '../../src/ledger/charging/charges.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import { AccountResourceMessage, EmptyMessage } from '../../src/protocol/generated/api.js';
import { AssetIssueContract, type TransferAssetContract } from '../../src/protocol/generated/asset-issue-contract.js';
import { SmartContractDataWrapper, type TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import {
  Account,
  ChainParameters,
  Transaction_Contract_ContractType as ContractType,
  Transaction_raw,
} from '../../src/protocol/generated/tron.js';
import { printMessage } from '../../src/protocol/json/message-printer.js';
import type { MessageCodec } from '../../src/protocol/message-type.js';
import { dayUsage } from '../../src/resources/recovery.js';
import { getAccount } from '../../src/wallet/accounts.js';
import { getAssetIssueList } from '../../src/wallet/assets.js';
import { getChainParameters } from '../../src/wallet/chain.js';
import { fullContext } from '../../src/wallet/context.js';
import { getContractInfo } from '../../src/wallet/contracts.js';
import { getAccountResource } from '../../src/wallet/resources.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform } from './operations.js';
import { allAddresses } from './portrait.js';
import { COIN, SimulatedChain, type SimulationOptions } from './simulated-chain.js';

/** An answer as a client reads it that keeps numbers beyond 2^53 as digits. */
function answer<M>(codec: MessageCodec<M>, message: M) {
  return JSON.parse(printMessage(codec, message, true).replaceAll(/:\s*(-?\d{16,})/g, ':"$1"'));
}

/** What a wallet has asked for before it sends. */
interface Known {
  readonly network: FeeNetwork;
  readonly accounts: ReadonlyMap<string, FeeAccount>;
  readonly contracts: ReadonlyMap<string, { readonly fees: FeeContract; readonly deployer: string }>;
  readonly granted: (transfer: TransferAssetContract) => number;
}

/** No answer tells, and the histories do not come to its end by themselves. */
function publicLeft({ node }: SimulatedChain): bigint {
  const { ledger } = node.chain;
  const { publicLimit, publicUsage, rules } = bandwidthTerms(ledger);
  return publicLimit - dayUsage(publicUsage.usage, 0n, publicUsage.lastSlot, ledger.headSlot, rules);
}

async function ask(chain: SimulatedChain): Promise<Known> {
  const context = fullContext(chain.node);
  const addresses = await allAddresses(chain);
  const resource = getAccountResource(context, Account.create({ address: chain.address(0) }))!;
  const network = networkFrom(
    answer(ChainParameters, getChainParameters(context, EmptyMessage.empty)),
    answer(AccountResourceMessage, resource),
  );
  const accounts = new Map<string, FeeAccount>();
  const contracts = new Map<string, { readonly fees: FeeContract; readonly deployer: string }>();
  for (const address of addresses) {
    const account = getAccount(context, Account.create({ address }));
    if (account !== undefined) accounts.set(address, accountFrom({ account: answer(Account, account) }, network));
    const info = getContractInfo(context, { value: address });
    if (info?.smart_contract === undefined) continue;
    const fees = contractFrom(answer(SmartContractDataWrapper, info));
    contracts.set(address, { fees, deployer: info.smart_contract.origin_address });
  }
  const holders = new Map(addresses.map((address) => [address, getAccount(context, Account.create({ address }))]));
  const tokens = getAssetIssueList(context, EmptyMessage.empty).assetIssue;
  const granted = ({ asset_name, owner_address }: TransferAssetContract): number => {
    const token = tokens.find(({ id }) => utf8ToHex(id) === asset_name)!;
    return grantedBytes({
      token: answer(AssetIssueContract, token),
      holder: answer(Account, holders.get(owner_address)!),
      issuer: accounts.get(token.owner_address)!,
    });
  };
  return { network: { ...network, publicFreeBandwidth: publicLeft(chain) }, accounts, contracts, granted };
}

class Wallet {
  readonly seen = new Set<string>();
  readonly #bandwidth: string[] = [];

  times(source: string): number {
    return this.#bandwidth.filter((one) => one === source).length;
  }

  /** Holds what was said before against what happened. */
  compare({ network, accounts, contracts, granted }: Known, applied: AppliedTransaction): void {
    const { transaction, charges, info, budget } = applied;
    const sender = accounts.get(transaction.owner!)!;
    const signatures = transaction.signatures.length;
    const rawHex = Buffer.from(Transaction_raw.encode(transaction.raw)).toString('hex');
    const bytes = transactionBytes(rawHex, signatures);
    const charged = charges.find(({ reason }) => /bandwidth/.test(reason))!;
    const terms = {
      bytes,
      signatures,
      memo: transaction.raw.data !== '',
      createsAccount: charges.some(
        ({ reason }) => reason === 'account-creation-bandwidth' || reason === 'account-activation',
      ),
      grantedBytes:
        transaction.contractType === ContractType.TransferAssetContract
          ? granted(transaction.contract as TransferAssetContract)
          : undefined,
    };
    const cost = transactionCost(terms, sender, network);
    const fixed = coinTotal(
      charges,
      'bandwidth',
      'account-creation-bandwidth',
      'memo',
      'multi-signature',
      'account-activation',
    );
    expect(cost).toMatchObject({ burnedSun: fixed, missingSun: 0n });
    expect(cost.bandwidth.source).toBe(
      charged.resource === 'bandwidth'
        ? charged.source
        : charged.reason === 'bandwidth'
          ? 'burned'
          : 'account-creation',
    );
    expect(BigInt(cost.bandwidth.bytes || bytes)).toBe(
      charged.resource === 'bandwidth' ? charged.amount : BigInt(bytes),
    );
    this.seen.add(cost.bandwidth.source);
    this.#bandwidth.push(cost.bandwidth.source);
    if (cost.multiSignSun > 0n) this.seen.add('signed twice');

    if (budget === undefined) return;
    const called = (transaction.contract as TriggerSmartContract).contract_address;
    const { fees: contract, deployer } = contracts.get(called) ?? {};
    const { terms: caller, origin } = budget;
    const call = {
      ...terms,
      feeLimitSun: caller.feeLimitSun,
      callValueSun: caller.callValueSun,
      contract: deployer === transaction.owner ? undefined : contract,
      originEnergy: deployer === undefined ? 0 : (accounts.get(deployer)?.energy ?? 0),
    };
    const receipt = info.receipt!;
    const told = callCost(Number(receipt.energy_usage_total), call, sender, network);
    expect(told.limit).toEqual({
      energy: Number(budget.total),
      caller: Number(budget.total - budget.originShare),
      origin: Number(budget.originShare),
    });
    expect(told.energy).toMatchObject({
      origin: Number(receipt.origin_energy_usage),
      caller: Number(receipt.energy_usage),
      burnedSun: receipt.energy_fee,
    });
    expect(told.burnedSun).toBe(info.fee);
    const most = mostBurned(call, sender, network);
    expect(most.burnedSun >= info.fee).toBe(true);
    if (receipt.energy_usage_total === budget.total) expect(most.burnedSun).toBe(info.fee);
    this.seen.add(contract === undefined ? 'deployment' : 'call');
    if (origin !== undefined && receipt.origin_energy_usage > 0n) this.seen.add('deployer pays');
    if (receipt.energy_fee > 0n) this.seen.add('Energy is bought');
    if (receipt.energy_usage > 0n) this.seen.add('Energy is staked');
  }
}

async function compared(options: SimulationOptions, operations: readonly Operation[]): Promise<Wallet> {
  const chain = await SimulatedChain.open(options);
  const wallet = new Wallet();
  const step = async (what: () => AppliedTransaction | undefined) => {
    const known = await ask(chain);
    const applied = what();
    if (applied !== undefined) wallet.compare(known, applied);
  };
  const [owner_address, second] = [chain.address(5), chain.address(4)];
  const beginning: readonly Operation[] = [
    { what: 'mine', blocks: 2 },
    ...BEGINNING,
    { what: 'transferToStranger', owner: 4, other: 0, amountSun: 1n, choice: 11 },
    // Somebody whose fees decide what is left for Energy.
    { what: 'transfer', owner: 4, other: 0, amountSun: 999_990n * COIN, choice: 0 },
    ...[0, 1, 2, 3].map(
      (choice): Operation => ({ what: 'call', owner: 4, other: choice, amountSun: 1n, choice: 2 * choice }),
    ),
    { what: 'permissions', owner: 5, other: 4, amountSun: 0n, choice: 0 },
  ];
  for (const operation of beginning) await step(() => perform(chain, operation));
  const twice = { keys: [chain.keyOf(owner_address), chain.keyOf(second)], memo: 'signed twice' };
  await step(() => chain.send(ContractType.TransferContract, { owner_address, to_address: second, amount: 1n }, twice));
  // A holder sends until the issuer pays no more, then until nobody's free bandwidth is left.
  const apply = chain.node.operations.apply.bind(chain.node.operations);
  apply('setStake', { address: chain.address(3), stakes: { bandwidth: 1_000_000n * COIN }, keepTotals: false });
  const token: Operation = { what: 'sendToken', owner: 0, other: 1, amountSun: COIN, choice: 0 };
  for (let sent = 0; sent < 5; sent++) await step(() => perform(chain, token));
  apply('setNetworkTotals', { publicNetUsage: 14_400_000_000n - 100n });
  const free = wallet.times('free');
  await step(() => perform(chain, { what: 'transfer', owner: 2, other: 1, amountSun: 1n, choice: 0 }));
  expect(wallet.times('free')).toBe(free);
  apply('setNetworkTotals', { publicNetUsage: 0n });
  for (const operation of operations) await step(() => perform(chain, operation));
  await chain.close();
  return wallet;
}

describe('what a wallet is told before is what the ledger does', () => {
  it.each<[string, SimulationOptions]>([
    ['under the rules of mainnet', { parameters: EVENTFUL }],
    ['on a busy network', { parameters: EVENTFUL, networkStake: 'mainnet' }],
    [
      'with exact limits, dear Energy and a higher rate',
      {
        release: '4.8.2',
        parameters: {
          ...EVENTFUL,
          ALLOW_HARDEN_RESOURCE_CALCULATION: 1,
          ENERGY_FEE: 421,
          CREATE_NEW_ACCOUNT_BANDWIDTH_RATE: 3,
        },
      },
    ],
  ])('%s', async (_, options) => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(history(30, 50), async (operations) => {
        for (const one of (await compared(options, operations)).seen) seen.add(one);
      }),
      { numRuns: 5 },
    );
    expect([...seen]).toEqual(
      expect.arrayContaining(['issuer', 'staked', 'free', 'burned', 'account-creation', 'signed twice']),
    );
    expect([...seen]).toEqual(expect.arrayContaining(['call', 'deployment', 'Energy is bought', 'Energy is staked']));
  });
});
