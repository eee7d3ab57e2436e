/**
 * `/sunup/explain?txid=…`, `/sunup/trace?txid=…`: what a transaction did, what it cost and why, and its call tree, as data
 * and in words. Sunup's own; addresses are base58check, amounts numbers or, beyond 2^53, digits in a string.
 */

import { explain } from '../../explanation/explain.js';
import { NotExplainableError } from '../../explanation/not-explainable.js';
import type { Chain } from '../../node/chain.js';
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

type About = (chain: Chain, txid: string) => Promise<object>;

const explanation: About = async (chain, txid) => explanationInWords(await explain(chain, txid));

const trace: About = async (chain, txid) => {
  const { traceOf } = await import('../../explanation/trace.js');
  const { callTreeInWords } = await import('../../prose/call-tree.js');
  return callTreeInWords(await traceOf(chain, txid));
};

async function answer({ node }: WalletContext, request: WireRequest, about: About): Promise<string> {
  try {
    return `${JSON.stringify(await about(node.chain, askedTxId(request)))}\n`;
  } catch (error) {
    if (!(error instanceof NotExplainableError)) throw error;
    return `${JSON.stringify({ Error: error.message })}\n`;
  }
}

const row = (name: string, about: About): HttpRow<WalletContext> => ({
  ...{ name, services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted' },
  answer: (view, request) => answer(view, request, about),
});

export const explainRows: readonly HttpRow<WalletContext>[] = [row('explain', explanation), row('trace', trace)];
