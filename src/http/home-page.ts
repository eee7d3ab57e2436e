/**
 * The page at `/` for browsers where there is no dashboard: describes the node and links to its interfaces. Only requests
 * that accept HTML get it; programs get java-tron's 404.
 */

import { createHash } from 'node:crypto';

export interface HomePage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: () => string | Promise<Uint8Array>;
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; padding: 2rem 1rem; max-width: 40rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin-top: 0; font-size: 1.5rem; }
li { margin: 0.5rem 0; }
`;

/** Links are relative: below the path of another chain they lead to that chain. */
const BODY = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sunup</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sunup</h1>
<p>This is a node of a local chain for TRON-protocol networks. It is running.</p>
<ul>
<li><a href="docs">HTTP API</a>: all endpoints, to try in the browser</li>
<li><a href="openapi.json">openapi.json</a>: the same description for programs (OpenAPI 3.1)</li>
</ul>
<p>A wallet or a script uses the address of this page, for example as <code>fullHost</code> of tronweb.</p>
</main>
</body>
</html>
`;

/** The page runs no scripts and loads nothing; its only style is allowed by its hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const homePage: HomePage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
  body: () => BODY,
};

/**
 * Whether an `Accept` header contains HTML. `*` and the like do not count, because all programs send them. A header
 * that also contains JSON does not count either: java-tron answers it in JSON.
 */
export function asksForHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.includes('json')) return false;
  return accept
    .split(',')
    .some((range) => /^\s*text\/html\s*(;|$)/i.test(range) && !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range));
}
