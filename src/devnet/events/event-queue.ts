/** The event queue of a devnet, by its settings. */

import type { Node } from '../../node/node.js';
import type { Settings } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';
import { TRIGGER_KINDS } from '../../push/event-queue/subscription.js';
import type { EventQueue } from '../../push/event-queue/zeromq-queue.js';

/** @throws OptionError for an endpoint that cannot be opened, or if the package is not installed */
export async function openQueue(node: Node, settings: Settings): Promise<EventQueue | undefined> {
  const { eventQueue: endpoint, eventTriggers, eventContracts, eventTopics, log } = settings;
  if (endpoint === undefined) return undefined;
  const wanted = eventTriggers ?? new Map(TRIGGER_KINDS.map((kind) => [kind, new Set<never>()]));
  const subscription = { wanted, contracts: new Set(eventContracts), topics: new Set(eventTopics) };
  try {
    const { openEventQueue } = await import('../../push/event-queue/zeromq-queue.js');
    return await openEventQueue(node, endpoint, subscription, log);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
      throw new OptionError('eventQueue', 'needs a package that is not installed', 'npm install zeromq');
    throw new OptionError('eventQueue', `is ${endpoint}, which cannot be bound: ${message}`);
  }
}
