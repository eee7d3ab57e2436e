/**
 * Reads request bodies as bytes, for every content type and up to the limit; the endpoints parse them as java-tron's
 * servlets do. fastify's own reader would refuse unknown media types with 415, and cut the connection of an oversized
 * body. java-tron reads such a body to its end and answers (protocol/http-requests.md#reading-the-body, #size-limit).
 * Uploads are passed on unread.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { heldFor } from '../access/held-answers.js';
import { bodyTooBig } from './errors.js';
import { askedPath } from './route-paths.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The header of the request. */
    contentType: string | undefined;
  }
  interface FastifyContextConfig {
    /** Whether the route itself reads a body of type {@link UPLOAD_TYPE}, of any length. */
    readonly takesUploads?: boolean;
  }
}

export const UPLOAD_TYPE = 'application/octet-stream';

/** A body larger than this multiple of the limit is not read to its end: the connection is cut. */
const DRAIN_FACTOR = 16;

export function acceptAnyBody(app: FastifyInstance, limitBytes: number): void {
  app.decorateRequest('contentType', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    request.contentType = headers['content-type'];
    // Without a content type, fastify accepts the body.
    headers['content-type'] = undefined;
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    const isUpload = request.contentType === UPLOAD_TYPE && askedPath(request).config.takesUploads === true;
    if (isUpload) done(null, payload);
    else readBody(payload, limitBytes, done);
  });
}

type Done = (error: Error | null, body?: Buffer | IncomingMessage) => void;

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
  // The client or the server cut the connection: no answer is possible, but the request must end.
  payload.on('close', () => {
    held.set(0);
    chunks = [];
    if (!payload.readableEnded) done(Object.assign(new Error('request aborted'), { statusCode: 400 }));
  });
}
