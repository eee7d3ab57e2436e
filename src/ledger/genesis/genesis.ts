/**
 * The first block and its state, from accounts, witnesses, time and chain parameters
 * (protocol/blocks.md#genesis-from-configuration). Mirrors java-tron's BlockUtil.newGenesisBlockCapsule and
 * Manager.initGenesis.
 */

import type { GenesisProperties } from '../../parameters/presets.js';
import { type Hex, hexToBytes, utf8ToHex } from '../../primitives/hex.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import { blockHash, blockIdOf } from '../../protocol/block.js';
import { packAny } from '../../protocol/contract-types.js';
import { TransferContract } from '../../protocol/generated/balance-contract.js';
import {
  Account,
  AccountType,
  BlockHeader,
  BlockHeader_raw,
  Permission,
  Permission_PermissionType,
  Transaction,
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
  Witness,
} from '../../protocol/generated/tron.js';
import { merkleRoot } from '../../protocol/merkle.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { FORMAT_VERSION, numberKey } from '../../state/tables.js';
import { accountIdKey, newAccount } from '../accounts/accounts.js';
import type { ChainConfig, NodeSettings } from '../config.js';
import type { Ledger } from '../ledger.js';
import { electActiveWitnesses, rankStandbyWitnesses, setActiveWitnesses } from '../schedule/schedule.js';
import { deployBlockHashHistory } from '../smart-contracts/block-hash-history.js';
import { notePhantomStakes } from '../stake/phantom-stake.js';
import { applyForkBase, type ForkBase, identityOf } from './fork-base.js';
import { type GenesisContract, placeGenesisContract } from './genesis-contracts.js';

export interface GenesisAccount {
  readonly name: string;
  readonly address: Address;
  readonly balanceSun: bigint;
  /**
   * Created with default permissions, like an account that a transfer created. java-tron's genesis accounts have
   * neither.
   */
  readonly activated?: boolean;
  /** Added after the block, which does not contain it: the block's id, and so the chain id, does not depend on it. */
  readonly untold?: boolean;
}

export interface GenesisWitness {
  readonly address: Address;
  readonly url: string;
  readonly voteCount: bigint;
}

export interface Genesis {
  readonly timestampMs: bigint;
  readonly parentHash: Hex;
  /** In the order of the block's transactions. One must be named `Blackhole`. */
  readonly accounts: readonly GenesisAccount[];
  readonly witnesses: readonly GenesisWitness[];
  /** Deployed at the genesis. The block and its id do not contain them. */
  readonly contracts?: readonly GenesisContract[];
  /**
   * All dynamic properties that do not concern the head: chain parameters, limits, bitmaps (`parameters/presets.ts`).
   */
  readonly properties: GenesisProperties;
  /** Set for a chain that forks another: then only the account Blackhole is used. */
  readonly fork?: ForkBase;
}

const GENESIS_OWNER = utf8ToHex('0x000000000000000000000');
const GENESIS_WITNESS = utf8ToHex(
  'A new system must allow existing systems to be linked together without requiring any central control or coordination',
);
const ZERO_ADDRESS = `41${'00'.repeat(20)}` as Address;

export interface GenesisBlock {
  readonly id: BlockId;
  /** `protocol.BlockHeader`, unsigned. */
  readonly header: Uint8Array;
  /** `protocol.Transaction` bytes: one transfer for each account in the block. */
  readonly transactions: readonly Uint8Array[];
}

export function genesisBlock(genesis: Genesis): GenesisBlock {
  const { fork } = genesis;
  if (fork !== undefined) return { id: fork.id, header: hexToBytes(fork.header), transactions: [] };
  const listed = genesis.accounts.filter(({ untold }) => !untold);
  const transactions = listed.map(({ address, balanceSun }) => {
    const gift = TransferContract.create({ owner_address: GENESIS_OWNER, to_address: address, amount: balanceSun });
    const contract = Transaction_Contract.create({
      type: Transaction_Contract_ContractType.TransferContract,
      parameter: packAny(TransferContract, gift),
    });
    return Transaction.encode(Transaction.create({ raw_data: Transaction_raw.create({ contract: [contract] }) }));
  });
  const raw = BlockHeader_raw.create({
    timestamp: genesis.timestampMs,
    txTrieRoot: merkleRoot(transactions.map((bytes) => SignedTransaction.decode(bytes).leafHash())),
    parentHash: genesis.parentHash,
    witness_address: GENESIS_WITNESS,
  });
  const hash = blockHash(raw);
  return { id: blockIdOf(0, hash), header: BlockHeader.encode(BlockHeader.create({ raw_data: raw })), transactions };
}

/** Settings that follow from a genesis; the caller adds the rest of `ChainConfig`. */
export function configOfGenesis(genesis: Genesis, id: BlockId): Omit<ChainConfig, keyof NodeSettings | 'signFor'> {
  const blackhole = genesis.accounts.find(({ name }) => name === 'Blackhole');
  if (blackhole === undefined) throw new Error('genesis: no account is named Blackhole');
  return {
    genesisTimestampMs: genesis.timestampMs,
    genesisId: genesis.fork === undefined ? id : identityOf(genesis.fork),
    beginsAt: genesis.fork?.number ?? 0,
    ...(genesis.fork && { networkGenesisId: genesis.fork.genesisId }),
    ...(genesis.fork?.assumptions && { assumes: new Set(genesis.fork.assumptions) }),
    blackhole: blackhole.address,
    genesisWitnesses: new Map(genesis.witnesses.map(({ address, voteCount }) => [address, voteCount])),
    genesisContracts: new Set(genesis.contracts?.map(({ address }) => address)),
    genesisAccounts: new Set(genesis.accounts.map(({ address }) => address)),
  };
}

/** Writes the genesis into an empty state. */
export function applyGenesis(ledger: Ledger, genesis: Genesis, block: GenesisBlock): void {
  const { tables } = ledger.state;
  for (const [name, value] of genesis.properties.longs) tables.longs.set(name, value);
  for (const [name, value] of genesis.properties.texts) tables.texts.set(name, value);
  tables.meta.set('format', String(FORMAT_VERSION));
  tables.meta.set('genesis', block.id);
  if (genesis.fork !== undefined) {
    applyForkBase(ledger, genesis.fork);
    return;
  }
  notePhantomStakes(ledger);
  ledger.setLong('NEXT_MAINTENANCE_TIME', genesis.timestampMs);
  ledger.setLong('latest_block_header_number', 0n);
  ledger.setLong('latest_block_header_timestamp', genesis.timestampMs);
  ledger.setText('latest_block_header_hash', block.id);

  for (const { name, address, balanceSun, activated } of genesis.accounts) {
    const account_name = utf8ToHex(name);
    const account = activated ? newAccount(ledger, address) : Account.create({ address });
    tables.accounts.set(address, { ...account, account_name, balance: balanceSun });
    tables.accountNames.set(account_name, address);
    // java-tron indexes the empty id of each account: the last one answers a query for the empty id.
    tables.accountIds.set(accountIdKey(''), address);
  }
  lockBlackhole(ledger);
  for (const witness of genesis.witnesses) addWitness(ledger, witness);
  setActiveWitnesses(ledger, electActiveWitnesses(ledger));
  rankStandbyWitnesses(ledger);
  for (const contract of genesis.contracts ?? []) placeGenesisContract(ledger, contract);
  if (ledger.on('ALLOW_TVM_PRAGUE')) deployBlockHashHistory(ledger);

  const transactionIds = block.transactions.map((bytes, index) => {
    const transaction = SignedTransaction.decode(bytes);
    tables.transactions.set(transaction.txId, {
      blockNumber: 0,
      index,
      transaction: bytes,
      info: new Uint8Array(),
      charges: '[]',
    });
    return transaction.txId;
  });
  const header = BlockHeader.decode(block.header);
  tables.blocks.set(numberKey(0), { id: block.id, header, transactionIds, logIndex: new Uint8Array() });
}

/**
 * On its first start java-tron gives Blackhole an owner permission without a known key
 * (protocol/accounts.md#default-permissions).
 */
function lockBlackhole(ledger: Ledger): void {
  const { accounts } = ledger.state.tables;
  const blackhole = accounts.get(ledger.config.blackhole);
  if (blackhole === undefined) throw new Error('genesis: the Blackhole account is missing');
  const owner_permission = Permission.create({
    type: Permission_PermissionType.Owner,
    permission_name: 'owner',
    threshold: 1n,
    keys: [{ address: ZERO_ADDRESS, weight: 1n }],
  });
  accounts.set(ledger.config.blackhole, { ...blackhole, owner_permission });
}

function addWitness(ledger: Ledger, { address, url, voteCount }: GenesisWitness): void {
  const { accounts, witnesses } = ledger.state.tables;
  const account = accounts.get(address) ?? Account.create({ address, type: AccountType.AssetIssue });
  accounts.set(address, { ...account, is_witness: true });
  witnesses.set(address, Witness.create({ address, voteCount, url, isJobs: true }));
}
