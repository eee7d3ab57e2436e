/**
 * A node as its users know it, simulated or real. A user, a fault or an invariant that needs no more than this works in
 * both modes. `run/world.ts` implements it for a simulated machine, `real/world.ts` for the command.
 */

import type { DevWitness } from '../../../../src/devnet/genesis/genesis.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { MiningMode } from '../../../../src/node/clock/mining-settings.js';
import type { DevAccount } from '../../../../src/options/dev-accounts.js';
import type { ContractMessage } from '../../../../src/protocol/contract-types.js';
import type { Transaction } from '../../../../src/protocol/generated/tron.js';
import type { BuildOptions } from '../../../../src/wallet/transactions.js';
import type { Choices } from '../../wild-messages.js';
import type { Digest } from '../digest/digest.js';
import type { Shape } from '../run/shape.js';
import type { Told } from '../run/told.js';

/** An answer, a refusal by name, or nothing because the process ended. */
export type Outcome<Value> = { readonly value: Value } | { readonly refusal: Error } | { readonly ended: true };

/** The newest block. */
export interface Head {
  readonly number: number;
  readonly id: string;
  readonly timeMs: bigint;
}

/** What a node has told at its start. */
export interface Keys {
  readonly accounts: readonly DevAccount[];
  readonly witnesses: readonly Pick<DevWitness, 'addressHex' | 'privateKey'>[];
}

/** All coin, when it was counted. */
export interface CountedCoin {
  readonly sun: bigint;
  readonly head: number;
  readonly cycle: bigint;
}

export interface Target {
  readonly shape: Shape;
  /** Choices of the present step. */
  readonly choices: Choices;
  readonly told: Told;
  readonly digest: Digest;
  readonly isRunning: boolean;
  /** Whether errors of the disk are expected. */
  readonly diskFails: boolean;
  readonly keys: Keys;
  readonly chainId: string;
  readonly miningMode: MiningMode;
  /** Of a real node, as it was before the present step. */
  readonly headNumber: number;
  /** The state of the chain. Of a real node, as it was when somebody last looked at its disk. */
  readonly ledger: Ledger;
  /** Whether listeners may be told that blocks are gone. */
  readonly audience: { rollsBack: boolean };
  readonly snapshots: Map<string, { readonly height: number }>;
  /** Somebody has changed amounts by decree: the sum of all coin is another one. */
  amountsChanged: boolean;
  /** Somebody has changed stakes or fields by decree: records need not agree as on a network. */
  recordsChanged: boolean;
  /** Simulated time that passes with each round of the event loop while work goes on. */
  msARound: number;
  /** All coin, when it was last counted. */
  coin: CountedCoin | undefined;
  /** Undefined: the process has ended. */
  head(): Promise<Head | undefined>;
  unsigned(type: number, contract: ContractMessage, options: BuildOptions): Transaction;
  /** Lets work come to its end. */
  settle<Value>(work: Promise<Value>): Promise<Outcome<Value>>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** All that goes on without timers has come to its end. */
  quiet(): Promise<void>;
  /** Stops the node in order and starts it again. */
  restart(): Promise<void>;
  /** The process ends now. */
  crash(how: 'kill'): Promise<void> | void;
}
