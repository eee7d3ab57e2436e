/**
 * Random things that people do with a chain. An operation names accounts and amounts by small numbers that are resolved
 * when it is performed, so that a history stays meaningful while fast-check shrinks it. Many are refused, as in life.
 */

import fc from 'fast-check';
import { JavaException } from '../../src/errors/java-exception.js';
import type { AppliedTransaction } from '../../src/ledger/apply-transaction.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { partnersOf } from '../../src/ledger/stake/delegation-index.js';
import { utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { deployedContractAddress } from '../../src/protocol/address.js';
import { SmartContract } from '../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Permission,
  Permission_PermissionType,
} from '../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import {
  COIN,
  callData,
  fixtureBytecode,
  type SendOptions,
  type SimulatedChain,
  strangerAddress,
  word,
} from './simulated-chain.js';

const ACTIONS = {
  transfer: 4,
  transferToStranger: 2,
  memo: 1,
  freeze: 4,
  unfreeze: 3,
  withdrawExpired: 1,
  cancelUnfreezes: 1,
  delegate: 4,
  undelegate: 3,
  vote: 3,
  becomeWitness: 1,
  brokerage: 1,
  withdrawReward: 1,
  rename: 1,
  permissions: 1,
  issueToken: 2,
  sendToken: 2,
  createExchange: 1,
  useExchange: 2,
  sell: 1,
  cancelOrder: 1,
  propose: 1,
  approve: 2,
  deploy: 3,
  call: 6,
  setContract: 1,
} as const;

export type Action = keyof typeof ACTIONS;

export type Operation =
  | {
      readonly what: Action;
      readonly owner: number;
      readonly other: number;
      readonly amountSun: bigint;
      readonly choice: number;
    }
  | { readonly what: 'mine'; readonly blocks: number }
  | { readonly what: 'advance'; readonly byMs: number };

const amountSun = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 1n, max: 100n }).map((coins) => coins * COIN) },
  { weight: 2, arbitrary: fc.bigInt({ min: 1n, max: 20_000n * COIN }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 1n, 999_999n, COIN, 2_000_000n * COIN) },
);

const sent: fc.Arbitrary<Operation> = fc.record({
  what: fc.constantFrom(
    ...(Object.keys(ACTIONS) as Action[]).flatMap((what) => Array<Action>(ACTIONS[what]).fill(what)),
  ),
  owner: fc.nat(5),
  other: fc.nat(5),
  amountSun,
  choice: fc.nat(11),
});

const mined: fc.Arbitrary<Operation> = fc.record({
  what: fc.constant('mine' as const),
  blocks: fc.oneof(fc.constant(1), fc.constant(1), fc.integer({ min: 1, max: 60 })),
});

const advanced: fc.Arbitrary<Operation> = fc.record({
  what: fc.constant('advance' as const),
  byMs: fc.oneof(
    fc.integer({ min: 1, max: 20_000 }),
    fc.integer({ min: 1, max: 2 * 3_600_000 }),
    // Past a day, at which resources have recovered and, where the chain says so, unstaked coins are free.
    fc.constant(26 * 3_600_000),
  ),
});

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 12, arbitrary: sent },
  { weight: 4, arbitrary: mined },
  { weight: 1, arbitrary: advanced },
);

/** Something sent; blocks and time are the test's own. */
export const sending = sent;

/** Of the fixture contracts, which log, pay and create. */
export const contractCall: fc.Arbitrary<Operation> = fc.record({
  what: fc.constant('call' as const),
  owner: fc.nat(5),
  other: fc.nat(5),
  amountSun: fc.bigInt({ min: 0n, max: 1_000_000n }),
  choice: fc.nat(40),
});

/** Orders, matched and cancelled, of few accounts and tokens. */
export function marketHistory(minLength: number, maxLength: number): fc.Arbitrary<Operation[]> {
  const order = (what: 'sell' | 'cancelOrder' | 'issueToken') =>
    fc.record({
      what: fc.constant(what),
      owner: fc.nat(2),
      other: fc.constant(0),
      amountSun: fc.bigInt({ min: 1n, max: 60n }).map((coins) => coins * COIN),
      choice: fc.nat(7),
    });
  const one: fc.Arbitrary<Operation> = fc.oneof(
    { weight: 5, arbitrary: order('sell') },
    { weight: 3, arbitrary: order('cancelOrder') },
    { weight: 1, arbitrary: order('issueToken') },
    { weight: 1, arbitrary: fc.constant({ what: 'mine', blocks: 1 } as const) },
  );
  return fc.array(one, { minLength, maxLength, size: 'max' });
}

export function history(minLength: number, maxLength: number): fc.Arbitrary<Operation[]> {
  return fc.array(operation, { minLength, maxLength, size: 'max' });
}

/** Epochs of ten minutes, unstaking in a day, so that both end in the middle of things; the market open, unlike mainnet's. */
export const EVENTFUL = {
  MAINTENANCE_TIME_INTERVAL: 600_000,
  UNFREEZE_DELAY_DAYS: 1,
  ALLOW_MARKET_TRANSACTION: 1,
} as const;

/** What makes later operations possible: stakes, votes, a token, contracts. */
export const BEGINNING: readonly Operation[] = [
  ...([0, 1, 2] as const).flatMap((owner) =>
    [0, 1].map((choice): Operation => ({ what: 'freeze', owner, other: 0, amountSun: 20_000n * COIN, choice })),
  ),
  { what: 'vote', owner: 0, other: 0, amountSun: 5_000n * COIN, choice: 0 },
  { what: 'issueToken', owner: 3, other: 0, amountSun: 1_000n * COIN, choice: 1 },
  ...[0, 1].map(
    (other): Operation => ({ what: 'sendToken', owner: 3, other, amountSun: 9_000_000n * COIN, choice: 0 }),
  ),
  { what: 'createExchange', owner: 3, other: 0, amountSun: 1_000n * COIN, choice: 0 },
  { what: 'delegate', owner: 0, other: 1, amountSun: 5_000n * COIN, choice: 1 },
  { what: 'unfreeze', owner: 1, other: 0, amountSun: 5_000n * COIN, choice: 1 },
  { what: 'propose', owner: 0, other: 0, amountSun: 7n * COIN, choice: 1 },
  ...[0, 1, 2, 3].map(
    (choice): Operation => ({ what: 'deploy', owner: choice, other: 0, amountSun: 100n * COIN, choice }),
  ),
  { what: 'mine', blocks: 1 },
];

const CONTRACTS = ['Meter', 'Factory', 'Stake', 'Token'] as const;

/** @returns what was applied, or undefined for a refusal or when time or blocks passed */
export function perform(chain: SimulatedChain, operation: Operation): AppliedTransaction | undefined {
  if (operation.what === 'mine') {
    chain.node.mine(operation.blocks);
    return undefined;
  }
  if (operation.what === 'advance') {
    chain.node.advance(BigInt(operation.byMs));
    return undefined;
  }
  return refusable(() => send(chain, operation));
}

/** What `work` gives, or undefined when it is refused. */
export function refusable<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}

type Sent = Exclude<Operation, { readonly what: 'mine' | 'advance' }>;

/** Whoever sends: what operations need to know of a chain, and a way to send it a transaction. */
export interface Sender<Answer extends { readonly transaction: SignedTransaction }> {
  readonly ledger: Ledger;
  address(i: number): Address;
  witness(i: number): Address;
  send(type: number, fields: Readonly<Record<string, unknown>>, options?: SendOptions): Answer;
}

/** @throws JavaException the refusal, if `chain` throws it */
export function send<Answer extends { readonly transaction: SignedTransaction }>(
  chain: Sender<Answer>,
  { what, owner, other, amountSun, choice }: Sent,
): Answer {
  const { tables } = chain.ledger.state;
  const owner_address = chain.address(owner);
  const other_address = chain.address(other);
  const resource = choice % 2;
  const coins = amountSun / COIN;
  const send = (type: number, fields: object, options = {}) => chain.send(type, { owner_address, ...fields }, options);
  switch (what) {
    case 'transfer':
      return send(ContractType.TransferContract, { to_address: other_address, amount: amountSun });
    case 'transferToStranger':
      return send(ContractType.TransferContract, { to_address: strangerAddress(choice), amount: amountSun });
    case 'memo':
      return send(
        ContractType.TransferContract,
        { to_address: other_address, amount: 1n },
        { memo: 'x'.repeat(choice) },
      );
    case 'freeze':
      return send(ContractType.FreezeBalanceV2Contract, { frozen_balance: amountSun, resource });
    case 'unfreeze':
      return send(ContractType.UnfreezeBalanceV2Contract, { unfreeze_balance: amountSun / 10n, resource });
    case 'withdrawExpired':
      return send(ContractType.WithdrawExpireUnfreezeContract, {});
    case 'cancelUnfreezes':
      return send(ContractType.CancelAllUnfreezeV2Contract, {});
    case 'delegate':
      return send(ContractType.DelegateResourceContract, {
        receiver_address: choice > 9 ? strangerAddress(choice) : other_address,
        balance: amountSun / 10n,
        resource,
        lock: choice % 3 === 0,
        lock_period: choice % 3 === 0 ? BigInt(choice * 1_000) : 0n,
      });
    case 'undelegate': {
      const partners = partnersOf(chain.ledger, 2, 'to', owner_address);
      const receiver_address = partners[choice % Math.max(1, partners.length)]?.address ?? other_address;
      return send(ContractType.UnDelegateResourceContract, { receiver_address, balance: amountSun, resource });
    }
    case 'vote': {
      const witnesses = tables.witnesses.entries().map(([address]) => address);
      const vote_address = witnesses[choice % witnesses.length] as string;
      return send(ContractType.VoteWitnessContract, { votes: [{ vote_address, vote_count: (coins % 30_000n) + 1n }] });
    }
    case 'becomeWitness':
      return send(ContractType.WitnessCreateContract, { url: utf8ToHex(`http://w${owner}`) });
    case 'brokerage':
      return send(ContractType.UpdateBrokerageContract, { brokerage: choice * 10 });
    case 'withdrawReward':
      return chain.send(ContractType.WithdrawBalanceContract, {
        owner_address: choice > 5 ? chain.witness(0) : owner_address,
      });
    case 'rename':
      return send(ContractType.AccountUpdateContract, { account_name: utf8ToHex(`name ${owner} ${choice}`) });
    case 'permissions':
      return send(ContractType.AccountPermissionUpdateContract, {
        owner: Permission.create({
          permission_name: 'owner',
          threshold: 1n,
          keys: [...new Set([owner_address, other_address])].map((address) => ({ address, weight: 1n })),
        }),
        actives: [
          Permission.create({
            type: Permission_PermissionType.Active,
            permission_name: 'active',
            threshold: 1n,
            keys: [{ address: owner_address, weight: 1n }],
            operations: '7fff1fc0033ef30f'.padEnd(64, '0'),
          }),
        ],
      });
    case 'issueToken':
      return send(ContractType.AssetIssueContract, {
        name: utf8ToHex(`Token${owner}x${choice}`),
        abbr: utf8ToHex(`T${owner}`),
        total_supply: 1_000_000_000n,
        trx_num: 1,
        num: 1,
        precision: 2,
        start_time: chain.ledger.headTimeMs + 60_000n,
        end_time: chain.ledger.headTimeMs + 86_400_000n,
        description: utf8ToHex('of the simulation'),
        url: utf8ToHex('http://token'),
        free_asset_net_limit: 1_000n,
        public_free_asset_net_limit: 10_000n,
        frozen_supply:
          choice % 2 === 1
            ? [
                { frozen_amount: 1_000n, frozen_days: 1n },
                { frozen_amount: 2_000n, frozen_days: 9n },
              ]
            : [],
      });
    case 'sendToken':
      return send(ContractType.TransferAssetContract, {
        asset_name: tokenName(chain, choice),
        to_address: choice > 8 ? strangerAddress(choice) : other_address,
        amount: coins,
      });
    case 'createExchange':
      return send(ContractType.ExchangeCreateContract, {
        first_token_id: tokenName(chain, choice),
        first_token_balance: coins,
        second_token_id: utf8ToHex('_'),
        second_token_balance: amountSun,
      });
    case 'useExchange': {
      const exchanges = tables.exchanges.entries();
      const exchange_id = exchanges[choice % Math.max(1, exchanges.length)]?.[1].exchange_id ?? 1n;
      return send(ContractType.ExchangeTransactionContract, {
        exchange_id,
        token_id: choice % 2 ? utf8ToHex('_') : tokenName(chain, choice),
        quant: choice % 2 ? amountSun : coins,
        expected: 1n,
      });
    }
    case 'sell':
      return send(ContractType.MarketSellAssetContract, {
        sell_token_id: choice % 2 ? utf8ToHex('_') : tokenName(chain, choice),
        sell_token_quantity: coins,
        buy_token_id: choice % 2 ? tokenName(chain, choice) : utf8ToHex('_'),
        buy_token_quantity: BigInt(choice + 1) * 10n,
      });
    case 'cancelOrder': {
      const orders = tables.marketAccounts.get(owner_address)?.orders ?? [];
      return send(ContractType.MarketCancelOrderContract, {
        order_id: orders[choice % Math.max(1, orders.length)] ?? '',
      });
    }
    case 'propose': {
      const proposer = chain.witness(0);
      return chain.send(ContractType.ProposalCreateContract, {
        owner_address: proposer,
        parameters: new Map([choice % 2 ? [11n, 100n + coins] : [68n, coins]]),
      });
    }
    case 'approve': {
      const open = tables.proposals.entries().filter(([, { state }]) => state === 0);
      return chain.send(ContractType.ProposalApproveContract, {
        owner_address: chain.witness(0),
        proposal_id: open[choice % Math.max(1, open.length)]?.[1].proposal_id ?? 1n,
        is_add_approval: choice < 10,
      });
    }
    case 'deploy':
      return deploy(chain, owner_address, choice, amountSun);
    case 'call':
      return call(chain, { owner, other, amountSun, choice });
    case 'setContract': {
      const contracts = contractsNow(chain);
      const contract_address = contracts[other % Math.max(1, contracts.length)]?.address ?? owner_address;
      const contract = {
        owner_address: tables.contracts.get(contract_address)?.origin_address ?? owner_address,
        contract_address,
      };
      return choice % 2
        ? chain.send(ContractType.UpdateSettingContract, {
            ...contract,
            consume_user_resource_percent: BigInt(choice * 9),
          })
        : chain.send(ContractType.UpdateEnergyLimitContract, { ...contract, origin_energy_limit: 1_000n * coins + 1n });
    }
  }
}

function tokenName(chain: Chain, choice: number): string {
  const tokens = chain.ledger.state.tables.assets.entries();
  return utf8ToHex(tokens[choice % Math.max(1, tokens.length)]?.[1].id ?? '1000001');
}

type Chain = Pick<Sender<never>, 'ledger' | 'address' | 'witness'>;

interface Deployed {
  readonly address: Address;
  readonly name: (typeof CONTRACTS)[number];
}

/** Every deployment that was ever sent to a chain, in their order. */
const deployed = new WeakMap<Chain, Deployed[]>();

function deploy<Answer extends { readonly transaction: SignedTransaction }>(
  chain: Sender<Answer>,
  owner: Address,
  choice: number,
  amountSun: bigint,
): Answer {
  const name = CONTRACTS[choice % CONTRACTS.length]!;
  const payable = name !== 'Token';
  const fields = {
    owner_address: owner,
    new_contract: {
      ...SmartContract.empty,
      origin_address: owner,
      name,
      bytecode: fixtureBytecode(name) + (payable ? '' : word(1_000_000n)),
      call_value: payable && amountSun <= 1_000n * COIN ? amountSun : 0n,
      consume_user_resource_percent: BigInt((choice * 30) % 101),
      origin_energy_limit: 10_000_000n,
    },
  };
  const applied = chain.send(ContractType.CreateSmartContract, fields, { feeLimitSun: 2_000n * COIN });
  const address = deployedContractAddress(applied.transaction.txId, owner);
  deployed.set(chain, [...(deployed.get(chain) ?? []), { address, name }]);
  return applied;
}

/** A fork begins with its network's contracts. */
export function learnContracts(fork: Chain, network: Chain): void {
  deployed.set(fork, [...contractsNow(network)]);
}

/** Contracts that this chain has now: one that was deployed in a future that was taken back is none. */
function contractsNow(chain: Chain): readonly Deployed[] {
  return (deployed.get(chain) ?? []).filter(({ address }) => chain.ledger.state.tables.contracts.has(address));
}

function call<Answer extends { readonly transaction: SignedTransaction }>(
  chain: Sender<Answer>,
  { owner, other, amountSun, choice }: Omit<Sent, 'what'>,
): Answer {
  const contracts = contractsNow(chain);
  const contract = contracts[(choice + other) % Math.max(1, contracts.length)];
  const calls = contract === undefined ? [] : CALLS[contract.name];
  const { data, payable = false } = calls[choice % Math.max(1, calls.length)]?.(chain, other, amountSun, choice) ?? {
    data: '',
  };
  return chain.send(
    ContractType.TriggerSmartContract,
    {
      owner_address: chain.address(owner),
      contract_address: contract?.address ?? chain.address(other),
      data,
      call_value: payable && amountSun < 10_000n * COIN ? amountSun : 0n,
    },
    { feeLimitSun: BigInt(choice) * 50n * COIN },
  );
}

type Call = (
  chain: Chain,
  other: number,
  amountSun: bigint,
  choice: number,
) => { readonly data: string; readonly payable?: boolean };

const CALLS: Readonly<Record<(typeof CONTRACTS)[number], readonly Call[]>> = {
  Meter: [
    (_, other, amount) => ({ data: callData('set(uint256)', amount + BigInt(other)) }),
    () => ({ data: callData('pay()'), payable: true }),
    (chain, other, amount) => ({ data: callData('send(address,uint256)', chain.address(other), amount / 100n) }),
    (_, __, amount, choice) => ({ data: callData('trySend(address,uint256)', strangerAddress(choice), amount / 100n) }),
    (_, other) => ({ data: callData('fill(uint256,uint256)', BigInt(other), 3n) }),
    (_, other) => ({ data: callData('clear(uint256,uint256)', BigInt(other), 3n) }),
    (_, other) => ({ data: callData('burn(uint256)', BigInt(other * 1_000)) }),
    () => ({ data: callData('panic()') }),
    () => ({ data: callData('failBare()') }),
  ],
  Factory: [
    (_, other) => ({ data: callData('make(uint256)', BigInt(other)), payable: true }),
    (_, __, ___, choice) => ({ data: callData('tryMake(uint256)', choice > 5 ? 13n : 1n) }),
    () => ({ data: callData('bumpAll()') }),
    (chain, other) => ({ data: callData('end(uint256,address)', 0n, chain.address(other)) }),
    (_, __, ___, choice) => ({ data: callData('end(uint256,address)', 0n, strangerAddress(choice)) }),
  ],
  Stake: [
    () => ({ data: '', payable: true }),
    (_, __, amount, choice) => ({ data: callData('freeze(uint256,uint256)', amount / 100n, BigInt(choice % 2)) }),
    (_, __, amount, choice) => ({ data: callData('unfreeze(uint256,uint256)', amount / 200n, BigInt(choice % 2)) }),
    () => ({ data: callData('cancelAll()') }),
    () => ({ data: callData('withdrawExpired()') }),
    (chain, other, amount, choice) => ({
      data: callData('delegate(address,uint256,uint256)', chain.address(other), amount / 200n, BigInt(choice % 2)),
    }),
    (chain, other, amount, choice) => ({
      data: callData('undelegate(address,uint256,uint256)', chain.address(other), amount / 400n, BigInt(choice % 2)),
    }),
    (chain, _, amount) => ({ data: callData('vote(address,uint256)', chain.witness(0), amount / (200n * COIN)) }),
    () => ({ data: callData('withdrawReward()') }),
    (chain, other) => ({ data: callData('die(address)', chain.address(other)) }),
    (chain, other, amount) => ({ data: callData('send(address,uint256)', chain.address(other), amount / 100n) }),
  ],
  Token: [
    (chain, other, amount) => ({ data: callData('transfer(address,uint256)', chain.address(other), amount) }),
    (chain, other, amount) => ({ data: callData('approve(address,uint256)', chain.address(other), amount) }),
    (_, __, amount) => ({ data: callData('burn(uint256)', amount) }),
    (chain, other, amount) => ({ data: callData('mint(address,uint256)', chain.address(other), amount) }),
  ],
};
