/**
 * A ledger in memory for one test: a genesis of numbered accounts and witnesses, contracts run without signatures and
 * bandwidth, blocks made at any time.
 */

import { type AppliedBlock, produceBlock } from '../../../src/ledger/apply-block.js';
import { PENDING } from '../../../src/ledger/blocks/block-place.js';
import type { Charge } from '../../../src/ledger/charging/charges.js';
import type { ContractResult } from '../../../src/ledger/charging/execution.js';
import { NETWORK_SETTINGS } from '../../../src/ledger/config.js';
import type { LedgerContract } from '../../../src/ledger/contracts/contract.js';
import { applyGenesis, configOfGenesis, type Genesis, genesisBlock } from '../../../src/ledger/genesis/genesis.js';
import { Ledger } from '../../../src/ledger/ledger.js';
import { scheduledWitness, slotAt } from '../../../src/ledger/schedule/schedule.js';
import { genesisProperties, presetByName } from '../../../src/parameters/presets.js';
import type { Address } from '../../../src/primitives/ids.js';
import type { Account } from '../../../src/protocol/generated/tron.js';
import type { Sent } from '../../../src/protocol/message-type.js';
import type { SignedTransaction } from '../../../src/protocol/transaction.js';
import { State } from '../../../src/state/state.js';

/** Address number `n`: nobody has its key, and nobody needs it here. */
export function address(n: number): Address {
  return `41${n.toString(16).padStart(40, '0')}` as Address;
}

export const BLACKHOLE = address(0xb1ac);
export const EPOCH_MS = 21_600_000n;

export interface EpochLedgerOptions {
  /** Votes of genesis witnesses 1, 2, …; by default one witness with 100. */
  readonly witnessVotes?: readonly bigint[];
  /** Accounts beside the witnesses' own. */
  readonly accounts?: readonly Address[];
  readonly balanceSun?: bigint;
  readonly preset?: 'mainnet' | 'none';
  readonly parameters?: Readonly<Record<string, bigint>>;
  readonly genesisTimestampMs?: bigint;
}

export class EpochLedger {
  readonly ledger: Ledger;
  /** What the contracts of this ledger have charged. */
  readonly charges: Charge[] = [];
  /** How many rows the last block changed. */
  rowsOfLastBlock = 0;

  constructor(options: EpochLedgerOptions = {}) {
    const { witnessVotes = [100n], accounts = [], balanceSun = 1_000_000_000_000n, genesisTimestampMs = 0n } = options;
    const witnesses = witnessVotes.map((voteCount, i) => ({
      address: address(i + 1),
      url: `http://w${i + 1}`,
      voteCount,
    }));
    const preset = presetByName(options.preset ?? 'mainnet');
    if (preset === undefined) throw new Error('no such preset');
    const genesis: Genesis = {
      timestampMs: genesisTimestampMs,
      parentHash: '00'.repeat(32),
      accounts: [
        { name: 'Blackhole', address: BLACKHOLE, balanceSun: 0n },
        ...witnesses.map((witness) => ({ name: `witness ${witness.address}`, address: witness.address, balanceSun })),
        ...accounts.map((account) => ({ name: `account ${account}`, address: account, balanceSun })),
      ],
      witnesses,
      properties: genesisProperties(preset, options.parameters),
    };
    const block = genesisBlock(genesis);
    this.ledger = new Ledger(new State({ read: () => undefined, scan: () => [] }), {
      ...configOfGenesis(genesis, block.id),
      ...NETWORK_SETTINGS,
      signFor: () => {
        throw new Error('these tests read no signatures');
      },
    });
    applyGenesis(this.ledger, genesis, block);
    this.ledger.state.journal.seal();
  }

  account(of: Address): Account {
    const account = this.ledger.state.tables.accounts.get(of);
    if (account === undefined) throw new Error(`no account ${of}`);
    return account;
  }

  /** Changes fields of an account, as no transaction would. */
  edit(of: Address, change: Partial<Account>): void {
    this.ledger.state.tables.accounts.set(of, { ...this.account(of), ...change });
  }

  /** Checks and executes a contract; throws its refusal. */
  run<Message>(contract: LedgerContract<Message>, message: Sent<NoInfer<Message>>): ContractResult {
    contract.validate(this.ledger, message, { builder: false });
    const result: ContractResult = {};
    contract.execute(this.ledger, message as Message, {
      place: PENDING,
      charges: this.charges,
      result,
      transaction: NO_TRANSACTION,
    });
    return result;
  }

  /** The text that a contract's check refuses with. */
  refusal<Message>(contract: LedgerContract<Message>, message: Sent<NoInfer<Message>>): string | null {
    try {
      contract.validate(this.ledger, message, { builder: false });
    } catch (error) {
      return (error as { javaMessage: string }).javaMessage;
    }
    throw new Error('the contract was not refused');
  }

  /** An empty block at a time, by whoever is scheduled then. */
  blockAt(timestampMs: bigint): AppliedBlock {
    const producer = scheduledWitness(this.ledger, slotAt(this.ledger, timestampMs));
    const block = produceBlock(this.ledger, { timestampMs, producer, sign: () => '00'.repeat(65) }, []);
    this.rowsOfLastBlock = this.ledger.state.journal.seal().length;
    return block;
  }

  /** Blocks in the slots that follow the head. */
  blocks(count: number): void {
    for (let i = 0; i < count; i++) {
      const skipped = this.ledger.headNumber > 0 && this.ledger.long('state_flag') === 1n ? 3n : 1n;
      this.blockAt(this.ledger.headTimeMs + 3000n * skipped);
    }
  }

  /** A block at the next maintenance time. */
  nextEpoch(): AppliedBlock {
    return this.blockAt(this.ledger.long('NEXT_MAINTENANCE_TIME'));
  }
}

/** System contracts of these tests do not look at their transaction. */
const NO_TRANSACTION = undefined as unknown as SignedTransaction;
