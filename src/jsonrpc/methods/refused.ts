/**
 * Methods that java-tron registers and always refuses (json-rpc.md A.6.2). Their arguments are bound first. Above all:
 * there is no nonce, and transactions are not sent over JSON-RPC.
 */

import { type Binder, callObject, text } from '../arguments.js';
import { notAvailable } from '../errors.js';
import { type Method, method } from '../table.js';

function refused(name: string, parameters: readonly Binder<unknown>[]): Method {
  return method(name, parameters, () => {
    throw notAvailable(name);
  });
}

export const refusedMethods: readonly Method[] = [
  refused('eth_submitWork', [text, text, text]),
  refused('eth_sendRawTransaction', [text]),
  refused('eth_sendTransaction', [callObject]),
  refused('eth_sign', [text, text]),
  refused('eth_signTransaction', [callObject]),
  refused('parity_nextNonce', [text]),
  refused('eth_getTransactionCount', [text, text]),
  refused('eth_getCompilers', []),
  refused('eth_compileSolidity', [text]),
  refused('eth_compileLLL', [text]),
  refused('eth_compileSerpent', [text]),
  refused('eth_submitHashrate', [text, text]),
];
