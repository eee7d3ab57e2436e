/**
 * Requests to a recorded java-tron with its answers, selected for variety (fixtures/recorded/http-forms.ndjson.gz:
 * every distinct request that a parser refused, and up to twelve answers of each form of every endpoint).
 */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { WireRequest } from '../../src/http/wire-request.js';

export interface RecordedForm {
  readonly recording: string;
  readonly surface: 'http' | 'solidity';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly response: string;
}

export function recordedForms(): RecordedForm[] {
  const file = new URL('../../fixtures/recorded/http-forms.ndjson.gz', import.meta.url);
  return gunzipSync(readFileSync(file))
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedForm);
}

/** The last part of the path. */
export function endpointOf(form: RecordedForm): string {
  return form.path.split('?')[0]!.split('/').at(-1)!;
}

/** The request as the server passes it to an endpoint. A client without a content type sends JSON. */
export function wireRequestOf(form: RecordedForm): WireRequest {
  return new WireRequest(
    form.method,
    form.path.split('?')[1] ?? '',
    form.headers?.['content-type'] ?? 'application/json',
    Buffer.from(form.body ?? '', 'utf8'),
  );
}

/** The text of `{"Error":"…"}`; `undefined` for other answers. */
export function errorOf(form: RecordedForm): string | undefined {
  const match = /^\{"Error":(".*")\}\n?$/s.exec(form.response);
  return match === null ? undefined : (JSON.parse(match[1]!) as string);
}
