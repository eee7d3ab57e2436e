/**
 * `/sunup/mine`, `/sunup/snapshot`, `/sunup/revert`: blocks, time and going back, from outside of the process.
 * Sunup's own; by POST only, because they change the chain.
 */

import { JavaException } from '../../errors/java-exception.js';
import { UnknownSnapshotError } from '../../node/node.js';
import { parseJavaLong } from '../../protocol/json/java-numbers.js';
import { type JsonObject, textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import { type HttpRow, objectOf } from '../table.js';
import type { WireRequest } from '../wire-request.js';

const MAX_BLOCKS = 10_000_000n;
const MAX_ADVANCE_MS = 100n * 365n * 86_400_000n;

function bodyOf(request: WireRequest): JsonObject {
  return request.bodyOrForm.trim() === '' ? new Map() : objectOf(request.bodyOrForm);
}

function amount(text: string, name: string, most: bigint): bigint {
  const value = parseJavaLong(text);
  if (value < 0n || value > most) {
    throw new JavaException('java.lang.IllegalArgumentException', `${name} has to be from 0 to ${most}`);
  }
  return value;
}

/** `{"blocks":n}` makes n blocks, `{"advanceMs":ms}` lets time pass; nothing makes one block. */
function mine({ node }: WalletContext, request: WireRequest): void {
  const body = bodyOf(request);
  const advanceMs = textMember(body, 'advanceMs');
  if (advanceMs !== undefined) node.advance(amount(advanceMs, 'advanceMs', MAX_ADVANCE_MS));
  else node.mine(Number(amount(textMember(body, 'blocks') ?? '1', 'blocks', MAX_BLOCKS)));
}

function head({ node: { chain } }: WalletContext): string {
  return `{"number":${chain.headNumber},"id":"${chain.headId}","timestampMs":${chain.headTimeMs}}\n`;
}

function revert({ node }: WalletContext, id: string): void {
  try {
    node.revert(id);
  } catch (error) {
    if (!(error instanceof UnknownSnapshotError)) throw error;
    throw new JavaException('java.lang.IllegalArgumentException', error.message);
  }
}

function row(name: string, answer: HttpRow<WalletContext>['answer']): HttpRow<WalletContext> {
  return { name, services: ['sunup'], get: 'refused', post: 'answers', callers: 'trusted', answer };
}

export const devnetRows: readonly HttpRow<WalletContext>[] = [
  row('mine', (view, request) => {
    mine(view, request);
    return head(view);
  }),
  row('snapshot', ({ node }) => `{"id":"${node.snapshot()}"}\n`),
  row('revert', (view, request) => {
    revert(view, textMember(bodyOf(request), 'id') ?? '');
    return head(view);
  }),
];
