/**
 * `/sunup/explain?txid=…`: the charges of a transaction in figures and in words. Sunup's own; amounts are bare numbers,
 * as everywhere in this API, addresses base58check.
 */

import { toBase58 } from '../../protocol/address.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import { explainTransaction } from '../../wallet/explain.js';
import { type HttpRow, objectOf } from '../table.js';
import type { WireRequest } from '../wire-request.js';

function askedTxId(request: WireRequest): string {
  const text = request.method === 'GET' ? request.parameter('txid') : textMember(objectOf(request.bodyOrForm), 'txid');
  return readHex(text ?? '');
}

type Explanation = NonNullable<ReturnType<typeof explainTransaction>>;

function printExplanation({ txid, feeSun, charges }: Explanation): string {
  return json({ txid, feeSun, charges: charges.map(printed) });
}

function printed({ payer, ...rest }: Explanation['charges'][number]): object {
  return { payer: toBase58(payer), ...rest };
}

/** Bigints are numbers of any size in this API, which JSON.stringify cannot write. */
function json(value: unknown): string {
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(json).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${json(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

export const explainRows: readonly HttpRow<WalletContext>[] = [
  {
    name: 'explain',
    services: ['sunup'],
    get: 'answers',
    post: 'answers',
    callers: 'trusted',
    answer: (view, request) => {
      const explanation = explainTransaction(view, askedTxId(request));
      return `${explanation === undefined ? '{}' : printExplanation(explanation)}\n`;
    },
  },
];
