/** Subscriptions (protocol/devnet-methods.md). java-tron has neither these nor WebSockets. */

import { anything, filterObject, type Reader, text } from '../arguments.js';
import { invalidParams, JsonRpcError, METHOD_NOT_FOUND, notAvailable } from '../errors.js';
import type { Json } from '../json-text.js';
import type { SubscriptionTarget } from '../subscriptions.js';
import type { Method, RpcContext, Subscriber } from '../table.js';
import { criteriaOf } from './logs.js';

function subscriberOf({ subscriber }: RpcContext, method: string): Subscriber {
  if (subscriber === undefined) throw notAvailable(method, ' over HTTP: it needs a WebSocket');
  return subscriber;
}

/** @throws JsonRpcError, JsonParseError */
function targetOf(kind: string | null, options: Json, reader: Reader): SubscriptionTarget {
  switch (kind) {
    case 'newHeads':
    case 'syncing':
      return { kind };
    case 'newPendingTransactions':
      return { kind, whole: options === true };
    case 'logs': {
      // There is no range: past logs can be requested.
      const filter = filterObject(options, reader);
      return { kind, criteria: filter === null ? { addresses: [], topics: [] } : criteriaOf(filter) };
    }
    case null:
      throw invalidParams('there is no subscription without a name');
    default:
      throw new JsonRpcError(METHOD_NOT_FOUND, `no "${kind}" subscription in eth namespace`, undefined);
  }
}

export const subscriptionMethods: readonly Method[] = [
  {
    name: 'eth_subscribe',
    onlySocket: true,
    callers: 'anyone',
    parameters: [text, anything],
    required: 1,
    answer: (context: RpcContext, kind: string | null, options: Json) =>
      subscriberOf(context, 'eth_subscribe').subscribe(targetOf(kind, options, context.dialect)),
  },
  {
    name: 'eth_unsubscribe',
    onlySocket: true,
    callers: 'anyone',
    parameters: [text],
    answer: (context: RpcContext, id: string | null) => subscriberOf(context, 'eth_unsubscribe').unsubscribe(id ?? ''),
  },
];
