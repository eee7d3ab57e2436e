/**
 * `/sunup/mine`, `/sunup/snapshot`, `/sunup/revert`, `/sunup/dump`, `/sunup/load`: control of blocks and time,
 * rollback, and whole chains, from other processes. Sunup's own endpoints. They change the chain, so they accept POST
 * only; their errors have HTTP statuses.
 */

import { Readable } from 'node:stream';
import { ParametersError, StoppedError } from '../../errors/operation-error.js';
import type { Head } from '../../node/control.js';
import type { Node } from '../../node/node.js';
import type { Requester } from '../../node/operations/work.js';
import type { Spool } from '../../platform/spool.js';
import type { WalletContext } from '../../wallet/context.js';
import { UPLOAD_TYPE } from '../body-limit.js';
import type { HttpEndpoint } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/** The JSON of a body, also of a form or of `curl -d`; an empty body is an empty object. */
function bodyOf(request: WireRequest): unknown {
  const { text, isEmpty } = request.bodyOrForm;
  if (isEmpty) return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError(`the body is no JSON: ${(error as Error).message}`);
  }
}

function endpoint(
  name: string,
  answer: (view: WalletContext, body: unknown, request: WireRequest) => object | Promise<object>,
): HttpEndpoint<WalletContext> {
  return {
    name,
    services: ['sunup'],
    get: 'refused',
    post: 'answers',
    callers: 'trusted',
    answer: async (view, request) => {
      try {
        const answered = await answer(view, bodyOf(request), request);
        return answered instanceof Readable ? answered : `${JSON.stringify(answered)}\n`;
      } catch (error) {
        throw error instanceof RangeError ? new ParametersError(error.message) : error;
      }
    },
  };
}

/** The head's members, and `dump` in base64. */
async function* dumpText(head: Head, parts: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"dump":"`;
  // Three bytes become four characters.
  let left = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([left, part]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.toString('base64', 0, whole);
    left = bytes.subarray(whole);
  }
  yield `${left.toString('base64')}"}\n`;
}

/** The whole dump is made before the answer begins: so an error has its status, and a slow client delays nothing. */
async function dumpAnswer({ node }: WalletContext, request: WireRequest): Promise<Readable> {
  const { packChain } = await import('../../chain-file/file.js');
  const spool: Spool = node.spool();
  try {
    const head = await packChain(node, spool, request.requester);
    const answer = Readable.from(dumpText(head, spool.read()));
    // Also if the client has gone before the first part.
    answer.once('close', () => void spool.close());
    return answer;
  } catch (error) {
    await spool.close();
    throw error;
  }
}

export const devnetEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  endpoint('mine', async ({ node }, body, request) => {
    const { readMineRequest } = await import('../../node/clock/mine-request.js');
    return node.mining.mine(readMineRequest(body), request.requester);
  }),
  endpoint('progress', ({ node }) => node.mining.underWay ?? {}),
  endpoint('snapshot', ({ node }) => ({ id: node.snapshot() })),
  endpoint('revert', async ({ node }, body, request) => {
    const id = (body as { readonly id?: unknown } | null)?.id;
    if (typeof id !== 'string') throw new RangeError('revert: write {"id":"0x1"}, with the id that snapshot answered');
    await node.rollBackTo(id, request.requester);
    return node.chain.head;
  }),
  endpoint('dump', (view, _body, request) => dumpAnswer(view, request)),
  {
    ...endpoint('load', async ({ node }, body, request) => {
      if (request.upload !== undefined) await loadUpload(node, request.upload, request.requester);
      else await loadText(node, body, request.requester);
      return node.chain.head;
    }),
    takesUploads: true,
  },
];

/** A dump of any length, which is kept on the disk: it is read twice. */
async function loadUpload(node: Node, upload: Readable, requester: Requester): Promise<void> {
  const { readChainFile, streamedFile } = await import('../../chain-file/file.js');
  const spool: Spool = node.spool();
  try {
    await keep(upload, spool);
    await node.loader.load(
      await readChainFile(streamedFile(() => untilGone(spool.read(), requester))),
      undefined,
      requester,
    );
  } finally {
    await spool.close();
  }
}

/** The rest of a refused upload is not read here: its connection stays open for the answer. */
async function keep(upload: Readable, spool: Spool): Promise<void> {
  try {
    for await (const part of upload.iterator({ destroyOnReturn: false }))
      await spool.write(part).catch((error: Error) => {
        throw new StoppedError(`load: cancelled, because the file cannot be kept (${error.message})`);
      });
  } catch (error) {
    throw error instanceof StoppedError ? error : new StoppedError(CLIENT_GONE);
  }
}

const CLIENT_GONE = 'load: cancelled, because its client has gone';

/** Unpacking a small file may take long. */
async function* untilGone(parts: AsyncIterable<Uint8Array>, requester: Requester): AsyncIterable<Uint8Array> {
  for await (const part of parts) {
    if (requester.isGone()) throw new StoppedError(CLIENT_GONE);
    yield part;
  }
}

async function loadText(node: Node, body: unknown, requester: Requester): Promise<void> {
  const { heldFile, readChainFile } = await import('../../chain-file/file.js');
  const { dump } = (body ?? {}) as { readonly dump?: unknown };
  if (typeof dump !== 'string')
    throw new RangeError(
      `load: write {"dump":"…"}, with the dump in base64, or send the dump with the content type ${UPLOAD_TYPE}`,
    );
  await node.loader.load(await readChainFile(heldFile(Buffer.from(dump, 'base64'))), undefined, requester);
}
