/**
 * Everything that can be broadcast, at chains of every kind: nothing but a refusal ever comes back, the books balance,
 * and what was produced can be imported, to the same bytes and the same state.
 *
 * Longer: `LEDGER_FUZZ_CHAINS=300 LEDGER_FUZZ_SEED=7 npx vitest run test/simulation/ledger-fuzz.test.ts`.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JavaException } from '../../src/errors/java-exception.js';
import type { AppliedTransaction } from '../../src/ledger/apply-transaction.js';
import { activeWitnesses } from '../../src/ledger/schedule/schedule.js';
import type { Hex } from '../../src/primitives/hex.js';
import { hexToBytes, utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { deployedContractAddress } from '../../src/protocol/address.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { contractCodec, contractTypesWithMessage, packAny } from '../../src/protocol/contract-types.js';
import type { DelegateResourceContract } from '../../src/protocol/generated/balance-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Contract,
  Transaction_Result,
} from '../../src/protocol/generated/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { booksOf, totalOf } from './books.js';
import { BEGINNING, type Operation, perform, sending } from './operations.js';
import { allAddresses } from './portrait.js';
import { COIN, fixtureBytecode, SimulatedChain, type SimulationOptions, strangerAddress } from './simulated-chain.js';
import { Choices, type Known, WildMessages } from './wild-messages.js';

const CHAINS = Number(process.env.LEDGER_FUZZ_CHAINS ?? 12);
const FIRST_SEED = Number(process.env.LEDGER_FUZZ_SEED ?? 3);
const RUN_BLOCKS = 60;
/** Transactions between blocks. */
const MAX_PER_STEP = 12;
const STEPS = Number(process.env.LEDGER_FUZZ_STEPS ?? 40);

/** Each is tossed for every chain; the first value is mainnet's. */
const FLAGS: readonly (readonly [string, readonly (readonly [string, number][])[]])[] = [
  [
    'stake 2.0',
    [
      [],
      [
        ['UNFREEZE_DELAY_DAYS', 0],
        ['ALLOW_CANCEL_ALL_UNFREEZE_V2', 0],
      ],
      [['UNFREEZE_DELAY_DAYS', 1]],
    ],
  ],
  ['precise windows', [[], [], [['ALLOW_CANCEL_ALL_UNFREEZE_V2', 0]]]],
  ['lock period', [[], [['MAX_DELEGATE_LOCK_PERIOD', 86_400]]]],
  ['tron power', [[], [['ALLOW_NEW_RESOURCE_MODEL', 1]]]],
  ['cycles', [[], [], [['CHANGE_DELEGATION', 0]]]],
  [
    'new reward',
    [
      [],
      [['ALLOW_NEW_REWARD', 0]],
      [
        ['ALLOW_NEW_REWARD', 0],
        ['ALLOW_TVM_VOTE', 0],
      ],
    ],
  ],
  ['old reward', [[], [['ALLOW_OLD_REWARD_OPT', 0]]]],
  [
    'tokens',
    [
      [],
      [],
      [
        ['ALLOW_SAME_TOKEN_NAME', 0],
        ['ALLOW_TVM_TRANSFER_TRC10', 0],
        ['ALLOW_ASSET_OPTIMIZATION', 0],
      ],
    ],
  ],
  ['black hole', [[], [['ALLOW_BLACKHOLE_OPTIMIZATION', 0]]]],
  ['fee pool', [[], [['ALLOW_TRANSACTION_FEE_POOL', 1]]]],
  ['adaptive', [[], [['ALLOW_ADAPTIVE_ENERGY', 1]]]],
  ['permissions', [[], [], [['ALLOW_MULTI_SIGN', 0]]]],
  ['contracts', [[], [], [], [['ALLOW_CREATION_OF_CONTRACTS', 0]]]],
  ['consensus', [[], [['CONSENSUS_LOGIC_OPTIMIZATION', 0]]]],
  ['market', [[['ALLOW_MARKET_TRANSACTION', 1]], []]],
  ['forbid', [[], [['FORBID_TRANSFER_TO_CONTRACT', 1]]]],
  ['names', [[], [['ALLOW_UPDATE_ACCOUNT_NAME', 1]]]],
  ['lending', [[], [], [['ALLOW_DELEGATE_RESOURCE', 0]]]],
  ['index', [[], [['ALLOW_DELEGATE_OPTIMIZATION', 0]]]],
  ['math', [[], [['ALLOW_STRICT_MATH', 0]]]],
  ['EVM', [[], [['ALLOW_TVM_COMPATIBLE_EVM', 1]]]],
  ['prices', [[], [['TRANSACTION_FEE', 0]], [['FREE_NET_LIMIT', 0]], [['MEMO_FEE', 0]], [['ENERGY_FEE', 0]]]],
  ['epochs', [[['MAINTENANCE_TIME_INTERVAL', 600_000]], [['MAINTENANCE_TIME_INTERVAL', 81_000]], []]],
];

/** What a proposal can switch on, off and on again. */
const SWITCHES = [
  [30n, 'CHANGE_DELEGATION'],
  [39n, 'ALLOW_SHIELDED_TRC20_TRANSACTION'],
  [48n, 'ALLOW_TRANSACTION_FEE_POOL'],
  [49n, 'ALLOW_BLACKHOLE_OPTIMIZATION'],
  [72n, 'ALLOW_DYNAMIC_ENERGY'],
] as const;

function chainOptions(choices: Choices): SimulationOptions {
  const parameters: Record<string, number> = {};
  // A chain in three is mainnet but for its epochs, as a preset of `none` would be refused nearly everything.
  const tossed = choices.chance(0.3) ? FLAGS.slice(-1) : FLAGS;
  for (const [, variants] of tossed) Object.assign(parameters, Object.fromEntries(choices.of(variants)));
  const votes = () => choices.of([0, 100, 100, 1 + choices.below(1_000_000)]);
  // A few chains have more than can be active, or more than are paid for standing by.
  const witnesses = choices.chance(0.08) ? choices.of([29, 131]) : 1 + choices.below(7);
  return {
    parameters,
    accounts: 8,
    witnessVotes: Array.from({ length: witnesses }, votes),
    proposalExpireTimeMs: choices.of([1_000n, 300_000n, 3_600_000n]),
    solidityLag: 'none',
  };
}

async function open(options: SimulationOptions): Promise<SimulatedChain> {
  const chain = await SimulatedChain.open(options);
  // Accounts that become witnesses produce too: a slot that another key fills marks the chain.
  for (const { addressHex, privateKey } of chain.accounts) {
    (chain.witnessKeys as Map<Address, Hex>).set(addressHex, privateKey);
  }
  return chain;
}

function allKeys(chain: SimulatedChain): readonly (readonly [Address, Hex])[] {
  return [...chain.witnessKeys];
}

const LENDING: ReadonlySet<number> = new Set([
  ContractType.DelegateResourceContract,
  ContractType.FreezeBalanceContract,
]);

class Fuzzer {
  accepted = 0;
  refused = 0;
  readonly acceptedTypes = new Set<number>();
  readonly #contracts = new Set<string>();
  readonly #operations: Operation[];
  readonly #lent: Pick<DelegateResourceContract, 'owner_address' | 'receiver_address' | 'resource'>[] = [];

  constructor(
    private readonly chain: SimulatedChain,
    private readonly choices: Choices,
    steps: number,
  ) {
    this.#operations = fc.sample(sending, { seed: choices.below(1_000_000), numRuns: steps * MAX_PER_STEP });
  }

  #known(): Known {
    const { chain } = this;
    const { ledger } = chain;
    const { tables } = ledger.state;
    const keyed = allKeys(chain).map(([address]) => address);
    const tokens = ledger.on('ALLOW_SAME_TOKEN_NAME') ? tables.assets : tables.assetsByName;
    return {
      addresses: [...keyed, ...keyed, strangerAddress(0), strangerAddress(this.choices.below(40)), ...this.#contracts],
      witnesses: tables.witnesses.entries().map(([address]) => address),
      contracts: [...this.#contracts],
      tokens: tokens.entries().map(([key]) => key),
      orders: keyed.flatMap((address) => tables.marketAccounts.get(address)?.orders ?? []),
      codes: ['Meter', 'Factory', 'Stake'].map(fixtureBytecode),
      headTimeMs: ledger.headTimeMs,
      proposals: ledger.long('LATEST_PROPOSAL_NUM'),
      exchanges: ledger.long('LATEST_EXCHANGE_NUM'),
    };
  }

  #transaction(): SignedTransaction {
    const { chain, choices } = this;
    const known = this.#known();
    const type = choices.of(contractTypesWithMessage());
    const codec = contractCodec(type)!;
    const fields = new WildMessages(choices, known).fields(codec.type);
    if (choices.chance(0.7)) Object.assign(fields, this.#fitting(type));
    // Most are sent by somebody whose key we hold, and most of those by somebody who may.
    const keyed = allKeys(chain);
    const entitled = choices.chance(0.8) ? this.#entitled(type, fields) : undefined;
    const [owner, key] = keyed.find(([address]) => address === entitled) ?? choices.of(keyed);
    if (choices.chance(0.97) && 'owner_address' in fields) fields.owner_address = owner;
    const contract = fields.new_contract as { origin_address: string } | undefined;
    if (contract !== undefined && choices.chance(0.9)) fields.new_contract = { ...contract, origin_address: owner };
    const template = chain.transaction(
      ContractType.TransferContract,
      { owner_address: owner, to_address: owner, amount: 1n },
      {
        memo: choices.chance(0.05) ? 'memo' : '',
        feeLimitSun: choices.of([0n, 100_000_000n, 1_000_000_000n, 15_000_000_001n, -1n]),
      },
    );
    const head = chain.ledger.headTimeMs;
    const raw = {
      ...template.raw,
      contract: [
        Transaction_Contract.create({
          type: choices.chance(0.01) ? choices.of([3, 20, 32, 61, 300]) : type,
          parameter: packAny(codec, codec.create(fields as never)),
          Permission_id: choices.chance(0.9) ? 0 : choices.of([1, 2, 2, 2, 3, 5, -1]),
        }),
      ],
      ...(choices.chance(0.05) && {
        expiration: head + choices.of([0n, 1n, 2_999n, 3_000n, 8_999n, 86_400_000n, 86_400_001n]),
      }),
      ...(choices.chance(0.02) && { ref_block_hash: choices.hex(8) }),
    };
    const unsigned = SignedTransaction.fromRaw(raw);
    const keys = choices.chance(0.9)
      ? [key]
      : choices.of([[], [choices.of(keyed)[1]], [key, choices.of(keyed)[1]], [key, key]] as const);
    const signatures = keys.map((each) => sign(unsigned.txId, each));
    if (choices.chance(0.01)) signatures.push(choices.hex(choices.of([64, 65, 66])));
    const signed = unsigned.withSignatures(signatures);
    if (!choices.chance(0.03)) return signed;
    return signed.withRet([Transaction_Result.create({ fee: 5n, contractRet: choices.of([0, 1, 2]) })]);
  }

  /** Fields that only fit together: of an exchange, a sale, a stake that was lent. */
  #fitting(type: number): Readonly<Record<string, unknown>> {
    const { choices } = this;
    const { tables } = this.chain.ledger.state;
    switch (type) {
      case ContractType.ExchangeInjectContract:
      case ContractType.ExchangeWithdrawContract:
      case ContractType.ExchangeTransactionContract: {
        const rows = this.chain.ledger.on('ALLOW_SAME_TOKEN_NAME') ? tables.exchanges : tables.exchangesByName;
        const exchange = choices.of([...rows.entries(), undefined])?.[1];
        if (exchange === undefined) return {};
        const { exchange_id, first_token_id, second_token_id } = exchange;
        return { exchange_id, token_id: choices.of([first_token_id, second_token_id]) };
      }
      case ContractType.ParticipateAssetIssueContract: {
        const asset = choices.of([...tables.assets.entries(), undefined])?.[1];
        if (asset === undefined) return {};
        const named = !this.chain.ledger.on('ALLOW_SAME_TOKEN_NAME');
        return { asset_name: named ? asset.name : utf8ToHex(asset.id), to_address: asset.owner_address };
      }
      case ContractType.UnDelegateResourceContract:
      case ContractType.UnfreezeBalanceContract:
        return choices.of([...this.#lent.slice(-12), {}]);
      default:
        return {};
    }
  }

  /** Who would not be refused for being somebody else. */
  #entitled(type: number, fields: Readonly<Record<string, unknown>>): string | undefined {
    const { choices } = this;
    const { tables } = this.chain.ledger.state;
    switch (type) {
      case ContractType.ProposalCreateContract:
      case ContractType.ProposalApproveContract:
      case ContractType.ProposalDeleteContract:
      case ContractType.WitnessUpdateContract:
      case ContractType.UpdateBrokerageContract:
        return choices.of(tables.witnesses.entries())[0];
      case ContractType.UpdateSettingContract:
      case ContractType.UpdateEnergyLimitContract:
      case ContractType.ClearABIContract:
        return tables.contracts.get(fields.contract_address as Address)?.origin_address;
      case ContractType.UpdateAssetContract:
      case ContractType.UnfreezeAssetContract:
        return choices.of([...tables.assets.entries(), undefined])?.[1].owner_address;
      case ContractType.ExchangeInjectContract:
      case ContractType.ExchangeWithdrawContract:
        return choices.of([...tables.exchanges.entries(), undefined])?.[1].creator_address;
      case ContractType.UnDelegateResourceContract:
      case ContractType.UnfreezeBalanceContract:
        return this.#lent.find(({ receiver_address: to }) => to === fields.receiver_address)?.owner_address;
      case ContractType.MarketCancelOrderContract:
        return tables.marketOrders.get(fields.order_id as Hex)?.owner_address;
      default:
        return undefined;
    }
  }

  /** What people do: mostly accepted, and what makes wilder things possible. */
  act(): void {
    this.#count(perform(this.chain, this.#operations.pop() as Operation));
  }

  #count(applied: AppliedTransaction | undefined): void {
    if (applied === undefined) {
      this.refused++;
      return;
    }
    const { transaction, contractRet } = applied;
    this.accepted++;
    this.acceptedTypes.add(transaction.contractType);
    if (LENDING.has(transaction.contractType)) {
      const { owner_address, receiver_address, resource } = transaction.contract as DelegateResourceContract;
      this.#lent.push({ owner_address, receiver_address, resource });
    }
    if (transaction.contractType === ContractType.CreateSmartContract && contractRet === 1) {
      this.#contracts.add(deployedContractAddress(transaction.txId, transaction.owner!));
    }
  }

  /** Proposes the other position of a switch, with all the approvals that it needs. */
  switchParameter(): void {
    const { chain, choices } = this;
    const [id, property] = choices.of(SWITCHES);
    const witnesses = activeWitnesses(chain.ledger);
    try {
      chain.send(ContractType.ProposalCreateContract, {
        owner_address: choices.of(witnesses),
        parameters: new Map([[id, chain.ledger.on(property) ? 0n : 1n]]),
      });
      const proposal_id = chain.ledger.long('LATEST_PROPOSAL_NUM');
      for (const owner_address of witnesses) {
        chain.send(ContractType.ProposalApproveContract, { owner_address, proposal_id, is_add_approval: true });
      }
    } catch (error) {
      // A witness has given its permissions away, or spent its last coin.
      if (!(error instanceof JavaException)) throw error;
    }
  }

  broadcast(): void {
    const { chain } = this;
    const transaction = this.#transaction();
    const before = chain.node.chain.pool.size;
    try {
      this.#count(chain.node.broadcast(transaction));
    } catch (error) {
      if (!(error instanceof JavaException)) {
        throw new Error(`type ${transaction.contractType} ${JSON.stringify(transaction.contract, jsonOfBigints)}`, {
          cause: error,
        });
      }
      this.#count(undefined);
      expect(chain.node.chain.pool.size).toBe(before);
    }
  }

  /** One block, blocks in a row, a pause, the end of an epoch, a pause over some of them. */
  pass(): void {
    const { chain, choices } = this;
    const { ledger, node } = chain;
    const untilEpoch = ledger.long('NEXT_MAINTENANCE_TIME') - ledger.headTimeMs;
    const interval = ledger.long('MAINTENANCE_TIME_INTERVAL');
    switch (choices.below(8)) {
      case 0:
        for (let count = choices.below(12); count > 0; count--) node.mine(1);
        break;
      case 1:
        node.advance(BigInt(9_000 + choices.below(60_000)));
        break;
      case 2:
        node.advance(untilEpoch > 9_000n ? untilEpoch : 9_000n);
        break;
      case 3:
        node.advance(choices.chance(0.2) ? 2n * 86_400_000n : 2n * interval + 9_000n);
        break;
      case 4:
        // All epochs at once: only one of them is ended.
        node.producer.mineAtOrBefore(ledger.headTimeMs + 3n * interval);
        break;
      default:
        node.mine(1);
    }
  }
}

function jsonOfBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value instanceof Map ? [...value].map(String) : value;
}

/** All coin there is; what witnesses and voters have earned counts, also while nobody can be paid by cycles. */
async function coinOf(chain: SimulatedChain): Promise<bigint> {
  const { ledger } = chain;
  const addresses = await allAddresses(chain);
  const total = totalOf(booksOf(ledger, addresses));
  if (ledger.on('CHANGE_DELEGATION')) return total;
  const allowances = addresses.map((address) => ledger.state.tables.accounts.get(address)?.allowance ?? 0n);
  return allowances.reduce((sum, allowance) => sum + allowance, total);
}

async function expectNothingNegative(chain: SimulatedChain): Promise<void> {
  const { ledger } = chain;
  for (const address of await allAddresses(chain)) {
    const account = ledger.state.tables.accounts.get(address)!;
    if (address !== ledger.config.blackhole) expect(account.balance >= 0n, address).toBe(true);
    const amounts = [
      account.allowance,
      account.net_usage,
      account.free_net_usage,
      account.account_resource?.energy_usage ?? 0n,
      ...account.frozenV2.map(({ amount }) => amount),
      ...account.asset.values(),
      ...account.assetV2.values(),
    ];
    expect(
      amounts.filter((amount) => amount < 0n),
      address,
    ).toEqual([]);
  }
}

async function rowsOf(chain: SimulatedChain): Promise<Map<string, string>> {
  await chain.node.chain.durable();
  const rows = new Map<string, string>();
  for await (const { key, value } of chain.store.rows('')) rows.set(key, Buffer.from(value).toString('hex'));
  rows.delete('meta:relaxed');
  return rows;
}

async function expectImportable(produced: SimulatedChain, options: SimulationOptions): Promise<void> {
  const other = await open(options);
  const blocks = produced.blocks();
  for (const block of blocks.slice(1)) {
    const { header, transactions } = decodeBlock(hexToBytes(block));
    other.node.chain.import(header, transactions);
  }
  expect(other.blocks()).toEqual(blocks);
  const [rows, imported] = [await rowsOf(produced), await rowsOf(other)];
  const differing = [...new Set([...rows.keys(), ...imported.keys()])].filter(
    (key) => rows.get(key) !== imported.get(key),
  );
  // Pre-images hold the mark of a chain that took a liberty, where it first did.
  expect(differing.filter((key) => !produced.node.chain.strict || !key.startsWith('meta:'))).toEqual([]);
  await expectRunsToBeBlocks(produced, other);
  await other.close();
}

/** Empty blocks made many at once are the same that are made one by one, whatever the rules. */
async function expectRunsToBeBlocks(atOnce: SimulatedChain, oneByOne: SimulatedChain): Promise<void> {
  const from = atOnce.node.chain.headNumber + 1;
  atOnce.node.mine(RUN_BLOCKS);
  for (let i = 0; i < RUN_BLOCKS; i++) oneByOne.node.mine(1);
  expect(atOnce.blocks(from)).toEqual(oneByOne.blocks(from));
  const [rows, others] = [await rowsOf(atOnce), await rowsOf(oneByOne)];
  const isKeptOtherwise = (key: string) => /^(?:b|be|pre|meta|n:b|n:be|ch):/.test(key);
  const keys = [...new Set([...rows.keys(), ...others.keys()])].filter((key) => !isKeptOtherwise(key));
  expect(keys.filter((key) => rows.get(key) !== others.get(key))).toEqual([]);
}

describe('a chain that is sent everything', () => {
  const accepted = new Set<number>();
  const switched = new Set<string>();

  it.each(Array.from({ length: CHAINS }, (_, i) => FIRST_SEED + i))('of seed %i', async (seed) => {
    const choices = new Choices(seed);
    const options = chainOptions(choices);
    const chain = await open(options);
    const fuzzer = new Fuzzer(chain, choices, STEPS);
    chain.node.mine(1);
    for (const operation of BEGINNING) perform(chain, operation);
    for (let i = 0; i < Math.min(7, options.witnessVotes!.length); i++)
      chain.transfer(7, chain.witness(i), 30_000n * COIN);
    let positions = SWITCHES.map(([, property]) => chain.ledger.on(property));
    for (let step = 0; step < STEPS; step++) {
      if (choices.chance(0.3)) fuzzer.switchParameter();
      const coin = await coinOf(chain);
      let market = false;
      for (let count = choices.below(MAX_PER_STEP); count > 0; count--) {
        const cycles = chain.ledger.on('CHANGE_DELEGATION');
        const types = chain.node.chain.pool.size;
        if (choices.chance(0.35)) fuzzer.act();
        else fuzzer.broadcast();
        if (chain.node.chain.pool.size > types) {
          const last = chain.node.chain.pool.members().at(-1)!.transaction.contractType;
          market ||= last === ContractType.MarketSellAssetContract;
        }
        expect(chain.ledger.on('CHANGE_DELEGATION')).toBe(cycles);
      }
      // Whoever buys from itself on the market loses what it receives (protocol/trade.md#market-order-book).
      const after = await coinOf(chain);
      if (market) expect(after <= coin).toBe(true);
      else expect(after).toBe(coin);
      fuzzer.pass();
      const now = SWITCHES.map(([, property]) => chain.ledger.on(property));
      now.forEach((on, i) => {
        if (on !== positions[i]) switched.add(`${SWITCHES[i]?.[1]} ${on ? 'on' : 'off'}`);
      });
      positions = now;
    }
    chain.node.mine(1);
    await expectNothingNegative(chain);
    for (const type of fuzzer.acceptedTypes) accepted.add(type);
    await expectImportable(chain, options);
    await chain.close();
  });

  it('has accepted most of what there is', () => {
    expect(accepted.size).toBeGreaterThan(20);
  });

  it('has had every switch put on and off by proposal', () => {
    expect([...switched].sort()).toEqual(SWITCHES.flatMap(([, name]) => [`${name} off`, `${name} on`]).sort());
  });
});
