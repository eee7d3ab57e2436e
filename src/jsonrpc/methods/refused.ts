/**
 * Methods that java-tron registers and always refuses (json-rpc.md A.6.2). Their arguments are bound first. Above all:
 * there is no nonce, and transactions are not sent over JSON-RPC.
 */

import { type Binder, callObject, text } from '../arguments.js';
import { notAvailable } from '../errors.js';
import { type Method, method } from '../table.js';

function refused(name: string, javaName: string, parameters: readonly Binder<unknown>[]): Method {
  return method(name, javaName, parameters, () => {
    throw notAvailable(name);
  });
}

export const refusedMethods: readonly Method[] = [
  refused('eth_submitWork', 'ethSubmitWork', [text, text, text]),
  refused('eth_sendRawTransaction', 'ethSendRawTransaction', [text]),
  refused('eth_sendTransaction', 'ethSendTransaction', [callObject]),
  refused('eth_sign', 'ethSign', [text, text]),
  refused('eth_signTransaction', 'ethSignTransaction', [callObject]),
  refused('parity_nextNonce', 'parityNextNonce', [text]),
  refused('eth_getTransactionCount', 'getSendTransactionCountOfAddress', [text, text]),
  refused('eth_getCompilers', 'getCompilers', []),
  refused('eth_compileSolidity', 'ethCompileSolidity', [text]),
  refused('eth_compileLLL', 'ethCompileLLL', [text]),
  refused('eth_compileSerpent', 'ethCompileSerpent', [text]),
  refused('eth_submitHashrate', 'ethSubmitHashrate', [text, text]),
];
