/**
 * `/sunup/mine`, `/sunup/snapshot`, `/sunup/revert`, `/sunup/dump`, `/sunup/load`: blocks, time, going back and whole
 * chains, from outside of the process.
 * Sunup's own; by POST only, because they change the chain, and with refusals in its own words.
 */

import { OperationError } from '../../errors/operation-error.js';
import { MiningStoppedError, UnknownSnapshotError } from '../../node/control.js';
import type { WalletContext } from '../../wallet/context.js';
import { errorBody } from '../errors.js';
import type { HttpRow } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/** The JSON of a body, also where a form or `curl -d` brought it; nothing is an empty object. */
function bodyOf(request: WireRequest): unknown {
  const { text, isEmpty } = request.bodyOrForm;
  if (isEmpty) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError(`the body is no JSON: ${(error as Error).message}`);
  }
}

function row(
  name: string,
  answer: (view: WalletContext, body: unknown) => object | Promise<object>,
): HttpRow<WalletContext> {
  return {
    name,
    services: ['sunup'],
    get: 'refused',
    post: 'answers',
    callers: 'trusted',
    answer: async (view, request) => {
      try {
        return `${JSON.stringify(await answer(view, bodyOf(request)))}\n`;
      } catch (error) {
        const told =
          error instanceof RangeError ||
          error instanceof OperationError ||
          error instanceof UnknownSnapshotError ||
          error instanceof MiningStoppedError;
        if (!told) throw error;
        return errorBody(error.message);
      }
    },
  };
}

export const devnetRows: readonly HttpRow<WalletContext>[] = [
  row('mine', async ({ node }, body) => {
    const { readMineRequest } = await import('../../node/mine-request.js');
    return node.mining.mine(readMineRequest(body));
  }),
  row('snapshot', ({ node }) => ({ id: node.snapshot() })),
  row('revert', async ({ node }, body) => {
    const id = (body as { readonly id?: unknown } | null)?.id;
    if (typeof id !== 'string') throw new RangeError('revert: write {"id":"0x1"}, with the id that snapshot answered');
    await node.goBack(id);
    return node.chain.head;
  }),
  row('dump', async ({ node }) => {
    const { packDump } = await import('../../node/dump-file.js');
    const { head } = node.chain;
    const dump = await packDump(node.chain, node.clock);
    return { ...head, dump: Buffer.from(dump).toString('base64') };
  }),
  row('load', async ({ node }, body) => {
    const { unpackDump } = await import('../../node/dump-file.js');
    const { dump } = (body ?? {}) as { readonly dump?: unknown };
    if (typeof dump !== 'string') throw new RangeError('load: write {"dump":"…"}, with the dump in base64');
    await node.branches.load(await unpackDump(Buffer.from(dump, 'base64')));
    return node.chain.head;
  }),
];
