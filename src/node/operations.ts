/**
 * Everything that may change a chain other than a transaction (design.md section 12). The library, the command's
 * subcommands and the rows of `devtools/` all come through here.
 *
 * What changes the state is one function each in `ledger/operations/`, which keeps every invariant, and becomes a step of
 * the chain's history. What changes how the chain goes on (time, mining, what is pending) is the node's own and goes back
 * with a snapshot.
 */

import { ParametersError } from '../errors/operation-error.js';
import { EVERYBODY, impersonatedAccounts, impersonatesEverybody } from '../ledger/admission/impersonation.js';
import type { ArgumentsOf, OperationName, ResultOf } from '../ledger/operations/registry.js';
import type { Address } from '../primitives/ids.js';
import type { Chain } from './chain.js';
import type { Clock } from './clock.js';
import { type MiningMode, type MiningSettings, paused, resumed, withMode } from './mining-settings.js';
import type { Producer } from './producer.js';

/** What the operations work on. */
export interface Operated {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  /** To be called when blocks come at other times than before. */
  readonly paceChanged: () => void;
}

export class Operations {
  constructor(private readonly node: Operated) {}

  /**
   * Changes the state, at once and without a block.
   *
   * @throws OperationError for what would break a rule; the chain is as before
   * @example node.operations.apply('setBalance', { address, balanceSun: 5_000_000n })
   */
  apply<Name extends OperationName>(name: Name, given: ArgumentsOf<Name>): ResultOf<Name> {
    return this.node.chain.operate({ name, arguments: given });
  }

  /** Whose transactions count without a signature. */
  impersonated(): { readonly accounts: readonly Address[]; readonly everybody: boolean } {
    const { ledger } = this.node.chain;
    return { accounts: impersonatedAccounts(ledger), everybody: impersonatesEverybody(ledger) };
  }

  /** Transactions of these accounts count without a signature. Those that did already are passed over. */
  impersonate(accounts: readonly Address[]): void {
    const known = this.impersonated().accounts;
    const added = accounts.filter((account) => !known.includes(account));
    if (added.length > 0) this.apply('impersonate', { accounts: added });
  }

  stopImpersonating(account: Address): void {
    if (this.impersonated().accounts.includes(account)) this.#stopImpersonating(account);
  }

  impersonateEverybody(on: boolean): void {
    if (on === this.impersonated().everybody) return;
    if (on) this.apply('impersonate', { accounts: [EVERYBODY] });
    else this.#stopImpersonating(EVERYBODY);
  }

  /** What was sent meanwhile stays pending. */
  #stopImpersonating(account: Address | typeof EVERYBODY): void {
    const { chain } = this.node;
    const pending = chain.pool
      .members()
      .filter(({ transaction }) => account === EVERYBODY || transaction.owner === account)
      .map(({ transaction }) => transaction.txId);
    this.apply('stopImpersonating', { account, pending });
  }

  /**
   * The next block has exactly this time, and the clock goes on from there.
   *
   * @throws ParametersError for a time that is not after the head
   */
  setNextBlockTimestamp(timestampMs: bigint): void {
    requireAfterHead(this.node.chain, timestampMs);
    this.#set({ nextTimestampMs: timestampMs });
  }

  /** Time passes without a block: the next one shows it. From the head on, where that is ahead of the clock. */
  increaseTime(byMs: bigint): void {
    const { chain, clock } = this.node;
    if (byMs < 0n) throw new ParametersError(`time cannot go back: the milliseconds have to be 0 or more, got ${byMs}`);
    const nowMs = clock.nowMs();
    const targetMs = (nowMs > chain.headTimeMs ? nowMs : chain.headTimeMs) + byMs;
    clock.moveTo(targetMs);
    this.#set({ notBeforeMs: targetMs });
  }

  /** Sets the clock, also to an earlier time: blocks are later than their parents all the same. */
  setTime(timeMs: bigint): void {
    const { chain, clock } = this.node;
    clock.setTo(timeMs);
    this.#set({ notBeforeMs: timeMs > chain.headTimeMs ? timeMs : undefined });
  }

  /** @param blockTimeMs interval mode: how often a block is made */
  setMining(mode: MiningMode, blockTimeMs?: bigint): MiningSettings {
    const { producer, paceChanged } = this.node;
    producer.settings = withMode(producer.settings, mode);
    if (blockTimeMs !== undefined) this.#set({ blockTimeMs });
    paceChanged();
    return producer.settings;
  }

  /** No block is made by itself, until `resumeMining`. */
  pauseMining(): void {
    this.node.producer.settings = paused(this.node.producer.settings);
    this.node.paceChanged();
  }

  resumeMining(): void {
    this.node.producer.settings = resumed(this.node.producer.settings);
    this.node.paceChanged();
  }

  #set(some: Partial<MiningSettings>): void {
    const { producer } = this.node;
    producer.settings = { ...producer.settings, ...some };
  }
}

/** @throws ParametersError */
export function requireAfterHead({ headTimeMs }: Chain, timestampMs: bigint): void {
  if (timestampMs > headTimeMs) return;
  throw new ParametersError(
    `the time of the next block has to be after the head, which is of ${headTimeMs} ms, got ${timestampMs} ms`,
  );
}
