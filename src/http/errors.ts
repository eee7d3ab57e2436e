/**
 * Errors of the HTTP API: application errors (status 200, `{"Error":…}`), and the error pages of java-tron's Jetty
 * server for unknown paths and wrong methods (protocol/http.md#http-transport-behaviour, protocol/http-errors.md). All
 * texts are in this file.
 */

import { JavaException } from '../errors/java-exception.js';
import { compactObject } from '../protocol/json/message-printer.js';
import { fastjsonString } from '../protocol/json/value.js';
import type { HttpForms } from './release-forms.js';

export const JSON_TYPE = 'application/json;charset=utf-8';

/** `{"Error":"<text>"}` and the final newline of every answer. */
export function errorBody(text: string): string {
  return `${compactObject([['Error', fastjsonString(text)]])}\n`;
}

/** Text of a thrown value for clients: an error of the user has its own text, an internal error a general one. */
export function errorText(error: unknown): string {
  return error instanceof JavaException
    ? error.wireText
    : `class java.lang.RuntimeException : ${error instanceof Error ? error.message : String(error)}`;
}

/** Paths of Sunup's own endpoints, whose errors have HTTP statuses; java-tron's errors have 200. */
export function isOwnPath(path: string): boolean {
  return /^\/(sunup|admin)(\/|$)/.test(path);
}

/** Status and text of an error of Sunup's own endpoints. An error without a status is an internal error. */
export function ownRefusal(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof Error) {
    if ('httpStatus' in error) return { status: Number(error.httpStatus), text: errorBody(error.message) };
    if ('statusCode' in error) return { status: Number(error.statusCode), text: errorBody(errorText(error)) };
  }
  return { status: error instanceof JavaException ? 400 : 500, text: errorBody(errorText(error)) };
}

const FASTJSON = 'com.alibaba.fastjson.JSONException';
const OWN_JSON = 'org.tron.json.JSONException';

/**
 * The error in the form of the release. The texts of the newer release's JSON parser are unknown; the older ones are
 * used.
 */
export function errorOfRelease({ ownJson }: HttpForms, error: unknown): unknown {
  return ownJson && error instanceof JavaException && error.javaClass === FASTJSON
    ? new JavaException(OWN_JSON, error.javaMessage)
    : error;
}

/**
 * Whether the request caused the error: a refusal of an endpoint, data that a fork's network does not deliver, or an
 * error of fastify such as an incomplete request or a malformed header.
 */
export function isClientError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'JavaException' || 'statusCode' in error || 'httpStatus' in error);
}

/** The status is for interfaces other than java-tron's HTTP API. */
export function bodyTooBig(limit: number): JavaException & { readonly statusCode: 413 } {
  const text = `body size is too big, the limit is ${limit}`;
  return Object.assign(new JavaException('java.lang.Exception', text), { statusCode: 413 } as const);
}

export function isBodyTooBig(error: unknown): boolean {
  return error instanceof JavaException && 'statusCode' in error && error.statusCode === 413;
}

/** For bodies of every form. */
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

/** The servlet's name on Jetty's page for unknown paths. */
const DEFAULT_SERVLET = 'org.eclipse.jetty.servlet.ServletHandler$Default404Servlet';
/** Jetty appends a hash to the servlet's name that differs between processes. */
const SERVLET_HASH = '70884875';

/**
 * Jetty's page: JSON without a final newline if `Accept` contains JSON, otherwise HTML with a final newline.
 *
 * @param servlet class name of the refusing servlet, with its package unless it belongs to the HTTP API; `undefined`
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

/** By error code of Node's parser. */
const BAD_MESSAGES: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_INVALID_CONTENT_LENGTH: [400, 'Invalid Content-Length Value'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** The answer of later java-tron releases to an oversized body. */
export const LONG_BODY_PAGE: ErrorPage = {
  status: 413,
  contentType: 'text/html;charset=iso-8859-1',
  body: badMessagePage(413, 'Payload Too Large'),
};

function badMessagePage(status: number, reason: string): string {
  return `<h1>Bad Message ${status}</h1><pre>reason: ${reason}</pre>`;
}

/** Jetty's complete answer to data that are not a valid request; the connection ends. */
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
