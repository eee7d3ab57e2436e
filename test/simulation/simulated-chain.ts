/**
 * A node for simulations: a genesis of funded accounts and witnesses whose keys we hold, a store of choice, time that
 * stands still, and transactions that are made, signed and broadcast in one call.
 */

import { readFileSync } from 'node:fs';
import { inSpool, keepingIn } from '../../src/chain-file/kept-chain.js';
import { devnetGenesis } from '../../src/devnet/genesis/genesis.js';
import type { AppliedTransaction } from '../../src/ledger/apply-transaction.js';
import { blockBytesAt } from '../../src/ledger/blocks/blocks.js';
import { NETWORK_SETTINGS } from '../../src/ledger/config.js';
import type { Genesis } from '../../src/ledger/genesis/genesis.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { ChainObserver } from '../../src/node/chain/observer.js';
import { VirtualClock } from '../../src/node/clock/clock.js';
import type { MiningMode } from '../../src/node/clock/mining-settings.js';
import { Node } from '../../src/node/node.js';
import type { YieldTurn } from '../../src/node/operations/mining.js';
import type { SolidityLag } from '../../src/node/views/solidity-view.js';
import { type DevAccount, devAccounts } from '../../src/options/dev-accounts.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import { Spool } from '../../src/platform/spool.js';
import { type Hex, utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import type { Release } from '../../src/primitives/release.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { contractCodec } from '../../src/protocol/contract-types.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { keccak256OfHex, sha256OfHex } from '../../src/protocol/hashes.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import type { WorkLimit } from '../../src/tvm/work.js';
import { fullContext } from '../../src/wallet/context.js';
import { unsignedTransaction } from '../../src/wallet/transactions.js';

export const COIN = 1_000_000n;

export interface SimulationOptions {
  readonly store?: Store;
  readonly accounts?: number;
  /** Votes that the genesis gives to witnesses 0, 1, … */
  readonly witnessVotes?: readonly number[];
  /** Of this witness we do not hold the key. */
  readonly foreignWitness?: Address;
  readonly parameters?: Readonly<Record<string, number | string>>;
  /** What others have staked; by default nobody anything. */
  readonly networkStake?: 'mainnet';
  readonly mining?: MiningMode;
  readonly solidityLag?: SolidityLag;
  readonly poolSize?: number;
  readonly poolWork?: number;
  readonly ignoresShielded?: boolean;
  readonly proposalExpireTimeMs?: bigint;
  readonly slotMs?: number;
  readonly release?: Release;
  readonly genesisTimestampMs?: number;
  readonly observer?: ChainObserver;
  readonly vmLimit?: WorkLimit;
  readonly stated?: Readonly<Record<string, string>>;
  readonly yieldTurn?: YieldTurn;
  /** So many blocks back the state is kept; by default all. */
  readonly stateHistory?: number;
}

export interface SendOptions {
  readonly feeLimitSun?: bigint;
  readonly permissionId?: number;
  readonly memo?: string;
  /** By default the owner's key. */
  readonly keys?: readonly Hex[];
}

export class SimulatedChain {
  #nonce = 0n;
  /** Every transaction that was ever sent, the refused ones too. */
  readonly sent: SignedTransaction[] = [];

  private constructor(
    readonly node: Node,
    readonly store: Store,
    readonly accounts: readonly DevAccount[],
    readonly witnessKeys: ReadonlyMap<Address, Hex>,
    readonly genesis: Genesis,
  ) {}

  static async open(options: SimulationOptions = {}): Promise<SimulatedChain> {
    const { witnessVotes = [100], accounts: count = 6, store = new MemoryStore(), foreignWitness } = options;
    const witnesses = [
      ...witnessVotes.map((voteCount, i) => ({ privateKey: witnessKey(i), url: `http://witness${i}`, voteCount })),
      ...(foreignWitness === undefined ? [] : [{ address: foreignWitness, url: 'http://elsewhere', voteCount: 1 }]),
    ];
    const settings = settingsForLibrary({
      accounts: count,
      balance: 1_000_000,
      networkStake: options.networkStake ?? 'none',
      slotMs: options.slotMs,
      nodeVersion: options.release,
    });
    const accounts = await devAccounts(settings);
    const { genesis, witnessKeys } = devnetGenesis(settings, accounts, {
      witnesses,
      ...(options.genesisTimestampMs !== undefined && { timestamp: options.genesisTimestampMs }),
      ...(options.parameters && { parameters: options.parameters }),
    });
    const node = await openNode(genesis, witnessKeys, store, options);
    return new SimulatedChain(node, store, accounts, witnessKeys, genesis);
  }

  /** The same people on another node, such as a fork of this chain. */
  on(node: Node): SimulatedChain {
    return new SimulatedChain(node, this.store, this.accounts, this.witnessKeys, this.genesis);
  }

  get ledger(): Ledger {
    return this.node.chain.ledger;
  }

  address(i: number): Address {
    return (this.accounts[i] as DevAccount).addressHex;
  }

  witness(i: number): Address {
    return addressFromPrivateKey(witnessKey(i));
  }

  /** A signed transaction of an owner whose key we hold. Each is another one, also when the fields are the same. */
  transaction(type: number, fields: Readonly<Record<string, unknown>>, options: SendOptions = {}): SignedTransaction {
    const codec = contractCodec(type);
    if (codec === undefined) throw new Error(`contract type ${type} has no message`);
    const { feeLimitSun = 0n, permissionId = 0, memo = '' } = options;
    const unsigned = unsignedTransaction(fullContext(this.node), type, codec.create(fields as never), {
      feeLimitSun,
      permissionId,
      extraData: utf8ToHex(memo),
    });
    const raw = unsigned.raw_data!;
    const transaction = SignedTransaction.fromRaw({ ...raw, timestamp: raw.timestamp + ++this.#nonce });
    const keys = options.keys ?? [this.keyOf(fields.owner_address as Address)];
    return transaction.withSignatures(keys.map((key) => sign(transaction.txId, key)));
  }

  /** @throws JavaException the refusal */
  send(type: number, fields: Readonly<Record<string, unknown>>, options: SendOptions = {}): AppliedTransaction {
    const transaction = this.transaction(type, fields, options);
    this.sent.push(transaction);
    return this.node.broadcast(transaction)!;
  }

  transfer(from: number, to: Address, amountSun: bigint): AppliedTransaction {
    return this.send(ContractType.TransferContract, {
      owner_address: this.address(from),
      to_address: to,
      amount: amountSun,
    });
  }

  keyOf(address: Address): Hex {
    const key =
      this.accounts.find(({ addressHex }) => addressHex === address)?.privateKey ?? this.witnessKeys.get(address);
    if (key === undefined) throw new Error(`no key for ${address}`);
    return key;
  }

  /** Bytes of every block from `from` to the head. */
  blocks(from = 0): readonly Hex[] {
    const blocks: Hex[] = [];
    for (let number = from; number <= this.node.chain.headNumber; number++) {
      blocks.push(Buffer.from(blockBytesAt(this.ledger, number)!).toString('hex'));
    }
    return blocks;
  }

  close(): Promise<void> {
    return this.node.close();
  }
}

/** A node on a store, with the settings of a devnet and time that stands still. */
export function openNode(
  genesis: Genesis,
  witnessKeys: ReadonlyMap<Address, Hex>,
  store: Store,
  options: SimulationOptions = {},
): Promise<Node> {
  return Node.open({
    chain: {
      genesis,
      store,
      poolSize: options.poolSize ?? 2_000,
      ...(options.poolWork !== undefined && { poolWork: options.poolWork }),
      ...(options.ignoresShielded && { ignoresShielded: true }),
      solidityLag: options.solidityLag ?? 'none',
      stateHistory: options.stateHistory,
      settings: {
        ...NETWORK_SETTINGS,
        ...(options.vmLimit && { vmLimit: options.vmLimit }),
        ...(options.slotMs !== undefined && { slotMs: BigInt(options.slotMs) }),
        ...(options.release && { release: options.release }),
        ...(options.proposalExpireTimeMs !== undefined && { proposalExpireTimeMs: options.proposalExpireTimeMs }),
      },
      ...(options.stated && { stated: options.stated }),
      ...(options.observer && { observer: options.observer }),
    },
    producer: { mode: options.mining ?? 'manual', fillForeignSlots: true },
    clock: new VirtualClock(genesis.timestampMs),
    witnessKeys,
    keep: keepingIn(async () => inSpool(new Spool([]))),
    ...(options.yieldTurn && { yieldTurn: options.yieldTurn }),
  });
}

export function witnessKey(i: number): Hex {
  return sha256OfHex(utf8ToHex(`simulated witness ${i}`));
}

/** An address that nobody has the key of. */
export function strangerAddress(i: number): Address {
  return `41${sha256OfHex(utf8ToHex(`stranger ${i}`)).slice(0, 40)}` as Address;
}

/** A compiled contract of fixtures/contracts. @param name `Meter`, `simulator/Bazaar` */
export function fixtureBytecode(name: string): Hex {
  const file = new URL(`../../fixtures/contracts/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { bytecode: string }).bytecode.replace(/^0x/, '');
}

/** `callData('set(uint256)', 7n)`: words only. */
export function callData(signature: string, ...words: readonly (bigint | Address)[]): Hex {
  return keccak256OfHex(utf8ToHex(signature)).slice(0, 8) + words.map(word).join('');
}

/** `eventTopic('Set(uint256)')`: the first topic of its logs. */
export function eventTopic(signature: string): Hex {
  return keccak256OfHex(utf8ToHex(signature));
}

export function word(value: bigint | Address): Hex {
  return typeof value === 'bigint' ? value.toString(16).padStart(64, '0') : value.slice(2).padStart(64, '0');
}
