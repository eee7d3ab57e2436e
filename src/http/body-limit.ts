/**
 * How bodies come in: as bytes, whatever their content type says, up to the limit, for the endpoints to read as java-tron's
 * servlets do. fastify's own reading would refuse media types that it cannot parse, with 415, and cut connections whose
 * body is over the limit, where java-tron reads to the end and answers (protocol/http-requests.md#reading-the-body,
 * #size-limit).
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { heldFor } from '../access/held-answers.js';
import { bodyTooBig } from './errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** As the client sent it. */
    contentType: string | undefined;
  }
}

/** A body this many times the limit is not even read to its end: the connection is cut. */
const DRAIN_FACTOR = 16;

export function takeAnyBody(app: FastifyInstance, limitBytes: number): void {
  app.decorateRequest('contentType', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    request.contentType = headers['content-type'];
    // Without one fastify does not judge it.
    headers['content-type'] = undefined;
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage, done: Done) =>
    readBody(payload, limitBytes, done),
  );
}

type Done = (error: Error | null, body?: Buffer) => void;

function readBody(payload: IncomingMessage, limitBytes: number, done: Done): void {
  let chunks: Buffer[] = [];
  let size = 0;
  const held = heldFor(() => payload.destroy());
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limitBytes) {
      chunks.push(chunk);
      held.set(size);
    } else {
      chunks = [];
      held.set(0);
      if (size > limitBytes * DRAIN_FACTOR) payload.destroy();
    }
  });
  payload.on('end', () => {
    held.set(0);
    if (size > limitBytes) done(bodyTooBig(limitBytes));
    else done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
  payload.on('error', () => {});
  // Cut short by the client or by us: nobody is left to answer, but the request is not left open.
  payload.on('close', () => {
    held.set(0);
    chunks = [];
    if (!payload.readableEnded) done(Object.assign(new Error('request aborted'), { statusCode: 400 }));
  });
}
