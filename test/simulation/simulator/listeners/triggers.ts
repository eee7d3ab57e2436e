/** A reader of java-tron's event queue, below the socket: what the queue would publish, in its order. */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Node } from '../../../../src/node/node.js';
import {
  TRIGGER_KINDS,
  TRIGGER_SETTINGS,
  type TriggerKind,
  type TriggerSetting,
} from '../../../../src/push/event-queue/subscription.js';
import { TriggerSource } from '../../../../src/push/event-queue/trigger-source.js';
import type { Trigger } from '../../../../src/push/event-queue/triggers.js';
import { logsIn, transactionsIn } from '../invariants/scan.js';
import { FollowedHeads, FollowedLogs } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';
import { SolidTriggers } from './solid-triggers.js';
import type { SolidViewListener } from './solid-view.js';

interface Fields {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly removed?: boolean;
  readonly transactionId: string;
  readonly uniqueId: string;
  readonly latestSolidifiedBlockNumber: number;
  readonly transactionIndex: number;
  readonly energyUsageTotal: number;
  readonly cumulativeEnergyUsed: number;
  readonly preCumulativeLogCount: number;
  readonly logList: readonly { readonly logIndex: number }[];
  readonly rawData: { readonly address: string; readonly topics: readonly string[]; readonly data: string };
}

/** All of each kind; logs also if they are events, transactions with their place in the block. */
const WANTED = new Map<TriggerKind, ReadonlySet<TriggerSetting>>(
  TRIGGER_KINDS.map((kind) => [kind, new Set(TRIGGER_SETTINGS[kind]?.filter((setting) => setting !== 'solidified'))]),
);

/** Of a block's transactions so far. */
interface Told {
  readonly ids: string[];
  energy: number;
  logs: number;
}

export class TriggerListener implements Listener {
  readonly #heads: FollowedHeads;
  readonly #logs = new FollowedLogs();
  /** By the block that was told before them. */
  readonly #transactions = new Map<number, Told>();
  readonly #solid: SolidTriggers;
  /** Of an event whose log comes next. */
  #event: string | undefined;

  constructor(
    node: Node,
    private readonly solidView: SolidViewListener,
    hearing: Hearing,
  ) {
    this.#heads = new FollowedHeads(node.chain.headNumber);
    this.#solid = new SolidTriggers(node.chain.solidHeight);
    new TriggerSource(node, { wanted: WANTED, contracts: new Set(), topics: new Set() }, (triggers) => {
      for (const trigger of triggers) {
        if (!hearing.isServed()) return;
        hearing.heard(`${trigger.topic} ${trigger.text}`);
        const wrong = this.#wrong(trigger);
        if (wrong !== undefined) hearing.fail(`the event queue: ${wrong}`);
      }
    });
  }

  #wrong({ topic, text }: Trigger): string | undefined {
    const fields = JSON.parse(text) as Fields;
    const { blockNumber, blockHash, transactionId, removed = false, latestSolidifiedBlockNumber: solid } = fields;
    // What was solid on another branch is not so on this one. Of a solidified block, the view may have gone on.
    if (!topic.startsWith('solidity') && solid > blockNumber)
      return `${topic} of block ${blockNumber} says that block ${solid} is solidified`;
    switch (topic) {
      case 'blockTrigger':
        return this.#block(fields);
      case 'transactionTrigger':
        if (removed) return undefined;
        return this.#transaction(fields);
      case 'contractEventTrigger':
      case 'solidityEventTrigger':
        this.#event = fields.uniqueId;
        return undefined;
      case 'solidityTrigger':
        return this.#solid.block(solid);
      case 'contractLogTrigger':
      case 'solidityLogTrigger':
    }
    const event = this.#event;
    this.#event = undefined;
    if (event !== undefined && event !== fields.uniqueId) return `event ${event} is told, then log ${fields.uniqueId}`;
    const { address, topics, data } = fields.rawData;
    const log = {
      block: blockNumber,
      text: [blockHash, transactionId, address, topics.join(), data].join(' '),
    };
    if (topic === 'contractLogTrigger') return removed ? this.#logs.remove(log, false) : this.#logs.add(log);
    this.#solid.log(log.block, log.text);
    return undefined;
  }

  #transaction(fields: Fields): string | undefined {
    const { blockNumber, transactionId, energyUsageTotal, logList } = fields;
    const before = this.#transactions.get(blockNumber);
    if (before === undefined) return `transaction ${transactionId} is told before its block`;
    const { ids, logs } = before;
    before.energy += energyUsageTotal;
    before.logs += logList.length;
    const expected = [ids.length, logs, before.energy, ...logList.map((_, at) => logs + at)].join();
    const is = [fields.transactionIndex, fields.preCumulativeLogCount, fields.cumulativeEnergyUsed].concat(
      logList.map(({ logIndex }) => logIndex),
    );
    ids.push(transactionId);
    return is.join() === expected ? undefined : `transaction ${transactionId} has the place ${is}, not ${expected}`;
  }

  #block({ blockNumber, blockHash, removed = false }: Fields): string | undefined {
    for (const later of this.#transactions.keys()) if (later >= blockNumber) this.#transactions.delete(later);
    if (removed) {
      this.#heads.cut(blockNumber - 1);
      return undefined;
    }
    this.#transactions.set(blockNumber, { ids: [], energy: 0, logs: 0 });
    return this.#heads.add(blockNumber, blockHash);
  }

  difference(ledger: Ledger): string | undefined {
    const wrong = this.#heads.difference(ledger.headNumber, (number) => blockIdAt(ledger, number));
    if (wrong !== undefined) return `the event queue: ${wrong}`;
    const logs = Array.from(logsIn(ledger, this.#heads.from + 1), ({ address, topics, data, of }) => ({
      block: of.block,
      text: [of.blockId, of.txId, address, topics.join(), data].join(' '),
    }));
    const other = this.#logs.difference(this.#heads.from, logs);
    const third = other ?? this.#transactionsWrong(ledger) ?? this.#solid.difference(ledger, this.solidView.told);
    return third && `the event queue: ${third}`;
  }

  #transactionsWrong(ledger: Ledger): string | undefined {
    const expected = new Map<number, string[]>();
    for (const { block, txId } of transactionsIn(ledger, this.#heads.from + 1))
      expected.set(block, [...(expected.get(block) ?? []), txId]);
    for (const [number, { ids: told }] of this.#transactions)
      if (
        number > this.#heads.from &&
        number <= ledger.headNumber &&
        told.join() !== (expected.get(number) ?? []).join()
      )
        return `block ${number} was told with ${told.join()}, and has ${expected.get(number)?.join()}`;
    return undefined;
  }
}
