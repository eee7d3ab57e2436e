/**
 * Replays a recorded folder: its steps (`src/chain-file/folder-steps.ts`) are applied as those of every chain
 * (`src/node/steps/steps.ts`), blocks imported or produced, with every broadcast and refusal at its place. After each
 * step its expectations are compared.
 */

import { type BlocksAs, folderSteps } from '../../src/chain-file/folder-steps.js';
import type { ChainFileLine } from '../../src/chain-file/lines.js';
import type { FolderLine, StateAfter } from '../../src/chain-file/recorded-folder.js';
import { stepOf, transactionIn } from '../../src/chain-file/step-of-line.js';
import { JavaException } from '../../src/errors/java-exception.js';
import { witnessSigner } from '../../src/ledger/accounts/permissions.js';
import { refusalOf } from '../../src/ledger/admission/refusal-answer.js';
import { blockBytesAt } from '../../src/ledger/blocks/blocks.js';
import type { NodeSettings } from '../../src/ledger/config.js';
import type { Chain } from '../../src/node/chain/chain.js';
import { VirtualClock } from '../../src/node/clock/clock.js';
import { Node } from '../../src/node/node.js';
import { applyStep, requireId, StepError, type StepWork } from '../../src/node/steps/steps.js';
import { withRows } from '../../src/node/with-rows.js';
import { type Hex, hexToBytes } from '../../src/primitives/hex.js';
import type { Address, TxId } from '../../src/primitives/ids.js';
import { AccountResourceMessage, Return_response_code_type } from '../../src/protocol/generated/api.js';
import { Account, Block, TransactionInfo } from '../../src/protocol/generated/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import type { WorkLimit } from '../../src/tvm/work.js';
import { getAccount } from '../../src/wallet/accounts.js';
import { fullContext } from '../../src/wallet/context.js';
import { getAccountResource } from '../../src/wallet/resources.js';
import { type Difference, differences, show } from './difference.js';
import type { Recording } from './recording.js';
import { comparedRows } from './stores.js';

export type Mode = BlocksAs;

export interface Finding {
  readonly where: string;
  readonly what: string;
  readonly differences: readonly Difference[];
}

export interface Report {
  readonly mode: Mode;
  readonly blocks: number;
  readonly transactions: number;
  readonly refusals: number;
  readonly accounts: number;
  /** Rows of java-tron's own tables that ours were compared with. */
  readonly rows: number;
  readonly findings: readonly Finding[];
  /** What was left out, when the chain could not be followed to its end. */
  readonly stoppedAt: string | undefined;
}

export interface ReplayOptions {
  /** Stop at so many findings; the first one is the one that matters. */
  readonly maxFindings: number;
  readonly progress?: (done: number, total: number) => void;
  /**
   * Called when `block` has become the head, and once more after the refusals that follow it directly, if there are any:
   * a recording does not say on which side of them its answers were asked, and a refused transaction opens layers that
   * the solidity view and the order of some lists depend on (protocol/http.md#walletsolidity-and-walletpbft).
   */
  readonly atHead?: (node: Node, block: number, afterRefusals: boolean) => Promise<void>;
  /** The last block that is done. */
  readonly upTo?: number;
  /** Limit of the virtual machine; a recorded node had none. */
  readonly vmLimit?: WorkLimit;
  /** The node at the start of the recording; absent: one in memory. */
  readonly node?: Node;
  /** A fork of the chain, which begins where the recording is at this block: what follows is done on it. */
  readonly fork?: { readonly node: Node; readonly atBlock: number };
  /** For those who need the chain alone: the accounts after each block are not compared. */
  readonly leavesOutStates?: boolean;
  /** Refusals that a fork has for reasons of its own are not compared. */
  readonly leavesOut?: (refused: SignedTransaction, message: string) => boolean;
  /** Called after each block. @returns another node to go on with: its head is that block or an earlier one */
  readonly interrupt?: (node: Node) => Promise<Node | undefined>;
}

/** A chain as the recordings were made: the settings of the recorded node. */
export async function openRecordedNode(
  recording: Recording,
  settings: NodeSettings = recording.settings,
  store: Store = new MemoryStore(),
): Promise<Node> {
  return Node.open({
    chain: {
      genesis: recording.genesis,
      store,
      poolSize: 2000,
      solidityLag: 'network',
      settings,
    },
    producer: { mode: 'manual', fillForeignSlots: false },
    clock: new VirtualClock(recording.genesis.timestampMs),
    witnessKeys: recording.witnessKeys,
  });
}

export async function replay(recording: Recording, mode: Mode, options: ReplayOptions): Promise<Report> {
  const node =
    options.fork?.node ??
    options.node ??
    (await openRecordedNode(recording, { ...recording.settings, vmLimit: options.vmLimit }));
  const replayer = new Replayer(node, recording, mode, options);
  await replayer.run();
  return replayer.report();
}

class Replayer {
  readonly #findings: Finding[] = [];
  #blocks = 0;
  #included = 0;
  #refusals = 0;
  #accounts = 0;
  #rows = 0;
  #stoppedAt: string | undefined;
  /** Refusals that directly follow the head, until its first broadcast. */
  #refusalsSinceHead = 0;
  #broadcastSinceHead = false;

  constructor(
    private node: Node,
    private readonly recording: Recording,
    private readonly mode: Mode,
    private readonly options: ReplayOptions,
  ) {}

  get chain(): Chain {
    return this.node.chain;
  }

  report(): Report {
    return {
      mode: this.mode,
      blocks: this.#blocks,
      transactions: this.#included,
      refusals: this.#refusals,
      accounts: this.#accounts,
      rows: this.#rows,
      findings: this.#findings,
      stoppedAt: this.#stoppedAt,
    };
  }

  async run(): Promise<void> {
    const { lines } = this.recording;
    const { fork } = this.options;
    const begin =
      fork === undefined ? 0 : lines.findIndex((line) => line.kind === 'block' && line.number > fork.atBlock);
    let from: number | undefined = begin < 0 ? lines.length : begin;
    while (from !== undefined) from = await this.#runFrom(from);
  }

  /** @returns the line to go on with, after an interruption */
  async #runFrom(begin: number): Promise<number | undefined> {
    const { lines } = this.recording;
    let done = begin;
    for (const { of: line, lines: steps } of folderSteps(lines, this.mode, begin)) {
      const at = done++;
      if (line.kind === 'block' && line.number > (this.options.upTo ?? line.number)) break;
      if (this.#findings.length >= this.options.maxFindings) {
        this.#stoppedAt ??= `line ${at + 1} of ${lines.length}`;
        return undefined;
      }
      this.options.progress?.(at, lines.length);
      try {
        if (line.kind !== 'refused') await this.#refusalsEnded();
        await this.#line(line, steps);
      } catch (error) {
        const where = `line ${at + 1}${line.kind === 'block' ? `, block ${line.number}` : ''}`;
        this.#find(where, inWords(error));
        if (line.kind === 'block' || line.kind === 'genesis') {
          this.#stoppedAt = where;
          return undefined;
        }
      }
      const next = line.kind === 'block' ? await this.options.interrupt?.(this.node) : undefined;
      if (next !== undefined) return this.#goOnWith(next);
    }
    await this.#refusalsEnded();
    return undefined;
  }

  #goOnWith(node: Node): number {
    this.node = node;
    this.#refusalsSinceHead = 0;
    this.#broadcastSinceHead = false;
    const { headNumber } = node.chain;
    return this.recording.lines.findIndex((line) => line.kind === 'block' && line.number === headNumber) + 1;
  }

  async #refusalsEnded(): Promise<void> {
    if (this.#refusalsSinceHead > 0) await this.options.atHead?.(this.node, this.chain.headNumber, true);
    this.#refusalsSinceHead = 0;
  }

  async #line(line: FolderLine, steps: readonly ChainFileLine[]): Promise<void> {
    switch (line.kind) {
      case 'genesis':
        this.#compareBytes('genesis block', line.block, blockBytesAt(this.chain.ledger, 0));
        await this.#compareAfter('genesis', line.after);
        await this.options.atHead?.(this.node, 0, false);
        break;
      case 'broadcast':
        this.#broadcastSinceHead = true;
        for (const step of steps) await this.#apply(step);
        break;
      case 'refused':
        await this.#refused(line);
        break;
      case 'block':
        await this.#block(line, steps);
        break;
    }
  }

  /** Ids are compared when the receipts have been, which say more. */
  async #apply(line: ChainFileLine): Promise<void> {
    if ('broadcast' in line) {
      const transaction = transactionIn(line.broadcast);
      // An answered call may have brought it in.
      if (this.chain.pool.get(transaction.txId) === undefined) await withRows(() => this.chain.broadcast(transaction));
    } else if ('dropped' in line) {
      const { txId } = transactionIn(line.dropped.transaction);
      this.chain.pool.remove((one) => one.txId === txId);
    } else if ('import' in line || 'produce' in line) {
      const step = { ...stepOf(line, this.chain.headNumber + 1), id: undefined };
      await withRows(() => applyStep(this.chain, { ...step, work: this.#signedByUs(step.work) }));
    } else throw new Error(`a line ${Object.keys(line)[0]} is not of a recorded folder`);
  }

  /** A block that is made again is signed again, with the recorded keys. */
  #signedByUs(work: StepWork): StepWork {
    if (!('made' in work)) return work;
    const key = this.#keyOf(work.made.producer);
    return { ...work, made: { ...work.made, sign: (hash) => sign(hash, key) } };
  }

  async #refused(line: FolderLine & { kind: 'refused' }): Promise<void> {
    const transaction = SignedTransaction.decode(hexToBytes(line.transaction));
    if (this.options.leavesOut?.(transaction, line.message)) return;
    this.#refusals++;
    if (!this.#broadcastSinceHead) this.#refusalsSinceHead++;
    const where = `after block ${line.afterBlock}, refused ${line.txid}${line.note ? ` (${line.note})` : ''}`;
    try {
      await withRows(() => this.chain.broadcast(transaction));
    } catch (error) {
      if (!(error instanceof JavaException)) throw error;
      const { code, message } = refusalOf(error);
      const actual = { code: Return_response_code_type.nameOf(code), message: masked(message) };
      this.#compare(where, 'refusal', { code: line.code, message: masked(line.message) }, actual);
      return;
    }
    this.#find(where, `was accepted; recorded: ${line.code} ${line.message}`);
  }

  async #block(line: FolderLine & { kind: 'block' }, steps: readonly ChainFileLine[]): Promise<void> {
    const where = `block ${line.number}`;
    for (const step of steps) await this.#apply(step);
    this.#blocks++;
    this.#included += line.infos.length;
    const known = this.#findings.length;
    line.infos.forEach((expected, index) => {
      const txId = line.txids[index] as TxId;
      const actual = this.chain.ledger.state.tables.transactions.get(txId)?.info;
      this.#compareMessages(
        `${where}, transaction ${index} ${txId}`,
        'TransactionInfo',
        TransactionInfo,
        expected,
        actual,
      );
    });
    if (this.#findings.length === known)
      this.#compareBytes(where, line.block, blockBytesAt(this.chain.ledger, line.number));
    if (this.#findings.length === known) requireId(this.chain, { to: line.number, id: line.id });
    if (line.after !== undefined && this.options.leavesOutStates !== true) await this.#compareAfter(where, line.after);
    this.#broadcastSinceHead = false;
    await this.options.atHead?.(this.node, line.number, false);
  }

  #keyOf(producer: Address): Hex {
    const account = this.chain.ledger.state.readSealed<Account>('accounts', producer);
    const signer = account === undefined ? producer : witnessSigner(account);
    const key = this.recording.witnessKeys.get(signer as Address) ?? this.recording.witnessKeys.get(producer);
    if (key === undefined) throw new Error(`no key at hand for witness ${producer}`);
    return key;
  }

  async #compareAfter(where: string, after: StateAfter): Promise<void> {
    const context = fullContext(this.node);
    for (const [address, { account, resource }] of Object.entries(after.accounts)) {
      this.#accounts++;
      const request = Account.create({ address });
      const answer = await withRows(() => getAccount(context, request));
      if (account !== null) {
        const expected = Account.encode({ ...Account.decode(hexToBytes(account)), asset_optimized: false });
        const actual = answer && Account.encode({ ...answer, asset_optimized: false });
        this.#compareMessages(
          `${where}, account ${address}`,
          'Account',
          Account,
          Buffer.from(expected).toString('hex'),
          actual,
        );
      } else if (answer !== undefined) this.#find(`${where}, account ${address}`, 'exists, and should not');
      if (resource !== null) {
        const found = await withRows(() => getAccountResource(context, request));
        const actual = found && AccountResourceMessage.encode(found);
        this.#compareMessages(
          `${where}, resources of ${address}`,
          'AccountResource',
          AccountResourceMessage,
          resource,
          actual,
        );
      }
    }
    const rows = await withRows(() => [...comparedRows(this.chain.ledger, after.stores)]);
    for (const { store, key, recorded, ours } of rows) {
      this.#rows++;
      this.#compare(`${where}, store ${store}, ${key}`, 'row', recorded, ours);
    }
  }

  #compareMessages<Message>(
    where: string,
    what: string,
    codec: { decode(bytes: Uint8Array): Message },
    expected: Hex,
    actual: Uint8Array | undefined,
  ): void {
    if (actual === undefined) {
      this.#find(where, `${what} is absent`);
      return;
    }
    if (Buffer.from(actual).toString('hex') === expected) return;
    const found = differences(codec.decode(hexToBytes(expected)), codec.decode(actual));
    this.#findings.push({
      where,
      what,
      differences:
        found.length > 0 ? found : [{ path: 'bytes', expected, actual: Buffer.from(actual).toString('hex') }],
    });
  }

  #compareBytes(where: string, expected: Hex, actual: Uint8Array | undefined): void {
    this.#compareMessages(where, 'Block', Block, expected, actual);
  }

  #compare(where: string, what: string, expected: unknown, actual: unknown): void {
    const found = differences(expected, actual);
    if (found.length > 0) this.#findings.push({ where, what, differences: found });
  }

  #find(where: string, what: string): void {
    this.#findings.push({ where, what, differences: [] });
  }
}

function inWords(error: unknown): string {
  if (error instanceof JavaException) return error.wireText;
  if (!(error instanceof StepError)) return String((error as Error).stack ?? error);
  return error.cause === undefined ? error.message : inWords(error.cause);
}

/** A memory address stands in protobuf's dump of a ByteString; recordings mask theirs. */
function masked(message: string): string {
  return message.replace(/ByteString@[0-9a-f*]+/, 'ByteString@*');
}

export function describe(finding: Finding): string {
  const lines = finding.differences
    .slice(0, 12)
    .map(
      ({ path, expected, actual }) => `    ${path}\n      recorded ${show(expected)}\n      ours     ${show(actual)}`,
    );
  return [`${finding.where}: ${finding.what}`, ...lines].join('\n');
}
