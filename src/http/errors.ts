/**
 * Every answer of the HTTP API that is not what was asked for: application errors (status 200, `{"Error":…}`) and the
 * error pages of the Jetty server in java-tron, which clients meet for unknown paths and wrong methods
 * (protocol/http.md#http-transport-behaviour, protocol/http-errors.md). One file, so that a text has one place.
 */

import { JavaException } from '../errors/java-exception.js';
import { compactObject } from '../protocol/json/message-printer.js';
import { fastjsonString } from '../protocol/json/value.js';
import type { HttpForms } from './release-forms.js';

export const JSON_TYPE = 'application/json;charset=utf-8';

/** `{"Error":"<text>"}` and the newline that ends every answer. */
export function errorBody(text: string): string {
  return `${compactObject([['Error', fastjsonString(text)]])}\n`;
}

/** What a thrown value is to a client: a user's mistake has its text, our own bug is said to be one. */
export function errorText(error: unknown): string {
  return error instanceof JavaException
    ? error.wireText
    : `class java.lang.RuntimeException : ${error instanceof Error ? error.message : String(error)}`;
}

/** Paths of Sunup's own, whose refusals have HTTP statuses; java-tron's have 200. */
export function isOwnPath(path: string): boolean {
  return /^\/(sunup|admin)(\/|$)/.test(path);
}

/** How a path of Sunup's own refuses. An error that chooses no status is a failure of ours. */
export function ownRefusal(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof Error) {
    if ('httpStatus' in error) return { status: Number(error.httpStatus), text: errorBody(error.message) };
    if ('statusCode' in error) return { status: Number(error.statusCode), text: errorBody(errorText(error)) };
  }
  return { status: error instanceof JavaException ? 400 : 500, text: errorBody(errorText(error)) };
}

const FASTJSON = 'com.alibaba.fastjson.JSONException';
const OWN_JSON = 'org.tron.json.JSONException';

/** As the release tells it. The words of its own reader of JSON are not known: they are those of the one before. */
export function toldBy({ ownJson }: HttpForms, error: unknown): unknown {
  return ownJson && error instanceof JavaException && error.javaClass === FASTJSON
    ? new JavaException(OWN_JSON, error.javaMessage)
    : error;
}

/**
 * A refusal of an endpoint, what could not be had of a fork's network, or what fastify refuses: a request that was cut short, a
 * malformed header.
 */
export function isClientError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'JavaException' || 'statusCode' in error || 'httpStatus' in error);
}

/** With the status that interfaces other than java-tron's HTTP API answer it with. */
export function bodyTooBig(limit: number): JavaException & { readonly statusCode: 413 } {
  const text = `body size is too big, the limit is ${limit}`;
  return Object.assign(new JavaException('java.lang.Exception', text), { statusCode: 413 } as const);
}

export function isBodyTooBig(error: unknown): boolean {
  return error instanceof JavaException && 'statusCode' in error && error.statusCode === 413;
}

/** Of a body of any form. */
export class TooManyValues extends JavaException {
  constructor(what: string, limit: number) {
    super('java.lang.Exception', `body has too many ${what}, the limit is ${limit}`);
  }
}

export interface ErrorPage {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The servlet that Jetty names for paths that are not mapped. */
const DEFAULT_SERVLET = 'org.eclipse.jetty.servlet.ServletHandler$Default404Servlet';
/** Jetty puts a hash behind the servlet's name that differs from process to process. */
const SERVLET_HASH = '70884875';

/**
 * Jetty's page: JSON without a final newline for clients that name JSON in `Accept`, HTML with one for the others.
 *
 * @param servlet class name of the servlet that refuses, with its package unless that is the HTTP API's; `undefined`
 *   for an unknown path
 */
export function errorPage(
  status: number,
  message: string,
  path: string,
  accept: string | undefined,
  servlet?: string,
): ErrorPage {
  const servletClass = servlet?.includes('.') ? servlet : `org.tron.core.services.http.${servlet}`;
  const servletName = `${servlet === undefined ? DEFAULT_SERVLET : servletClass}-${SERVLET_HASH}`;
  if (accept?.includes('json')) {
    const body = `{\n"servlet":"${servletName}",\n"message":${JSON.stringify(message)},\n"url":${JSON.stringify(path)},\n"status":"${status}"\n}`;
    return { status, contentType: 'application/json', body };
  }
  const url = escapeHtml(path);
  const text = escapeHtml(message);
  const body = `<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error ${status} ${text}</title>
</head>
<body><h2>HTTP ERROR ${status} ${text}</h2>
<table>
<tr><th>URI:</th><td>${url}</td></tr>
<tr><th>STATUS:</th><td>${status}</td></tr>
<tr><th>MESSAGE:</th><td>${text}</td></tr>
<tr><th>SERVLET:</th><td>${servletName}</td></tr>
</table>
<hr/><a href="https://eclipse.org/jetty">Powered by Jetty:// 9.4.53.v20231009</a><hr/>

</body>
</html>
`;
  return { status, contentType: 'text/html;charset=iso-8859-1', body };
}

/** By the code of Node's parser. */
const BAD_MESSAGES: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_INVALID_CONTENT_LENGTH: [400, 'Invalid Content-Length Value'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Later java-tron's answer to a body over the limit. */
export const LONG_BODY_PAGE: ErrorPage = {
  status: 413,
  contentType: 'text/html;charset=iso-8859-1',
  body: badMessagePage(413, 'Payload Too Large'),
};

function badMessagePage(status: number, reason: string): string {
  return `<h1>Bad Message ${status}</h1><pre>reason: ${reason}</pre>`;
}

/** Jetty's whole answer to what it cannot read as a request; the connection ends with it. */
export function badMessage(code: string | undefined): string {
  const [status, reason] = BAD_MESSAGES[code ?? ''] ?? [400, 'Bad Request'];
  const body = badMessagePage(status, reason);
  return `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/html;charset=iso-8859-1\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
}

export function notSupported(method: string): string {
  return `HTTP method ${method} is not supported by this URL`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
