/** A reader of java-tron's event queue, below the socket: what the queue would publish, in its order. */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { Node } from '../../../../src/node/node.js';
import { TRIGGER_KINDS, type TriggerKind, type TriggerSetting } from '../../../../src/push/event-queue/subscription.js';
import { TriggerSource } from '../../../../src/push/event-queue/trigger-source.js';
import type { Trigger } from '../../../../src/push/event-queue/triggers.js';
import { logsIn } from '../invariants/scan.js';
import { FollowedHeads, FollowedLogs } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';

interface Fields {
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly removed?: boolean;
  readonly transactionId: string;
  readonly rawData: { readonly address: string; readonly topics: readonly string[]; readonly data: string };
}

/** All of each kind; logs also if they are events. */
const WANTED = new Map<TriggerKind, ReadonlySet<TriggerSetting>>(
  TRIGGER_KINDS.map((kind) => [kind, new Set(kind === 'contractlog' ? (['redundancy'] as const) : [])]),
);

export class TriggerListener implements Listener {
  readonly #heads: FollowedHeads;
  readonly #logs = new FollowedLogs();

  constructor(node: Node, hearing: Hearing) {
    this.#heads = new FollowedHeads(node.chain.headNumber);
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
    const { blockNumber, blockHash, removed = false } = fields;
    if (topic === 'blockTrigger') {
      if (!removed) return this.#heads.add(blockNumber, blockHash);
      this.#heads.cut(blockNumber - 1);
      return undefined;
    }
    if (topic !== 'contractLogTrigger') return undefined;
    const { address, topics, data } = fields.rawData;
    const log = {
      block: blockNumber,
      text: [blockHash, fields.transactionId, address, topics.join(), data].join(' '),
    };
    return removed ? this.#logs.remove(log, false) : this.#logs.add(log);
  }

  difference(ledger: Ledger): string | undefined {
    const wrong = this.#heads.difference(ledger.headNumber, (number) => blockIdAt(ledger, number));
    if (wrong !== undefined) return `the event queue: ${wrong}`;
    const logs = Array.from(logsIn(ledger, this.#heads.from + 1), ({ address, topics, data, of }) => ({
      block: of.block,
      text: [of.blockId, of.txId, address, topics.join(), data].join(' '),
    }));
    const other = this.#logs.difference(this.#heads.from, logs);
    return other && `the event queue: ${other}`;
  }
}
