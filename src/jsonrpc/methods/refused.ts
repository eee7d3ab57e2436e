/**
 * Methods that java-tron registers and always refuses (protocol/json-rpc.md#registered-always-refused), after it has
 * bound their arguments. TRON has no nonces, and java-tron does not send transactions over JSON-RPC. The friendly
 * dialect answers one of them.
 */

import { headNumber } from '../../wallet/blocks.js';
import { countTransactions } from '../../wallet/history/account-history.js';
import { anything, type Binder, callObject, stateBlock, text } from '../arguments.js';
import { stateHeight } from '../block-tags.js';
import { internalError, notAvailable } from '../errors.js';
import { sendTransaction as sendEthereum, sendRawTransaction as sendRawEthereum } from '../ethereum/send.js';
import type { Json } from '../json-text.js';
import { type Method, method, ONLY_FULL, type RpcContext } from '../table.js';
import { quantity, readAddress } from '../values.js';
import { transactionCount as nonceOf, signingForms } from './ethereum.js';
import { sendObject, sendRawTransaction, sendTransaction } from './send.js';

function refused(name: string, javaName: string, parameters: readonly Binder<unknown>[]): Method {
  return method(name, javaName, parameters, () => {
    throw notAvailable(name);
  });
}

/** A substitute, because there is no nonce: the number of the account's transactions in blocks. */
async function transactionCount(context: RpcContext, address: string | null, block: Json): Promise<string> {
  const { wallet, dialect, indexed, pause } = context;
  if (!indexed) throw internalError('transactions are not counted without the history index (--no-history)');
  const account = readAddress(address);
  const to = stateHeight(wallet, dialect.tags, block) ?? headNumber(wallet);
  return quantity(await countTransactions(wallet, account, to, pause));
}

export const refusedMethods: readonly Method[] = [
  refused('eth_submitWork', 'ethSubmitWork', [text, text, text]),
  {
    ...refused('eth_sendRawTransaction', 'ethSendRawTransaction', [text]),
    friendly: { answer: sendRawTransaction, notIn: ONLY_FULL },
    ethereum: { answer: sendRawEthereum, notIn: ONLY_FULL },
    isCostly: true,
  },
  {
    ...refused('eth_sendTransaction', 'ethSendTransaction', [callObject]),
    friendly: { callers: 'trusted', parameters: [sendObject], answer: sendTransaction, notIn: ONLY_FULL },
    ethereum: { callers: 'trusted', parameters: [anything], answer: sendEthereum, notIn: ONLY_FULL },
    isCostly: true,
  },
  {
    ...refused('eth_sign', 'ethSign', [text, text]),
    ethereum: { callers: 'trusted', answer: signingForms.signMessage },
  },
  {
    ...refused('eth_signTransaction', 'ethSignTransaction', [callObject]),
    ethereum: { callers: 'trusted', parameters: [anything], answer: signingForms.signTransaction },
  },
  refused('parity_nextNonce', 'parityNextNonce', [text]),
  {
    ...refused('eth_getTransactionCount', 'getSendTransactionCountOfAddress', [text, stateBlock]),
    friendly: { required: 1, answer: transactionCount },
    ethereum: { required: 1, answer: nonceOf },
  },
  refused('eth_getCompilers', 'getCompilers', []),
  refused('eth_compileSolidity', 'ethCompileSolidity', [text]),
  refused('eth_compileLLL', 'ethCompileLLL', [text]),
  refused('eth_compileSerpent', 'ethCompileSerpent', [text]),
  refused('eth_submitHashrate', 'ethSubmitHashrate', [text, text]),
];
