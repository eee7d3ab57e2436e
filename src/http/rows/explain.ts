/**
 * `/sunup/explain?txid=…`: what a transaction did, what it cost and why, as data and in words. Sunup's own; addresses
 * are base58check, amounts numbers or, beyond 2^53, digits in a string.
 */

import { explain } from '../../explanation/explain.js';
import { NotExplainableError } from '../../explanation/not-explainable.js';
import { explanationInWords } from '../../prose/explanation.js';
import { textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import type { HttpRow } from '../table.js';
import type { WireRequest } from '../wire-request.js';

function askedTxId(request: WireRequest): string {
  if (request.method === 'GET') return request.parameter('txid') ?? '';
  const body = request.bodyOrForm;
  return (body.isEmpty ? undefined : textMember(body.object, 'txid')) ?? '';
}

async function answer({ node }: WalletContext, request: WireRequest): Promise<string> {
  try {
    return `${JSON.stringify(explanationInWords(await explain(node.chain, askedTxId(request))))}\n`;
  } catch (error) {
    if (!(error instanceof NotExplainableError)) throw error;
    return `${JSON.stringify({ Error: error.message })}\n`;
  }
}

export const explainRows: readonly HttpRow<WalletContext>[] = [
  { name: 'explain', services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted', answer },
];
