/** `GET /` without the dashboard: a page for clients that accept HTML, java-tron's 404 for all others. */

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

let devnet: Devnet;
let below: string;
beforeAll(async () => {
  devnet = await createDevnet({ dashboard: false });
  const made = await fetch(`${devnet.http.url}/sunup/chains`, { method: 'POST' });
  ({ path: below } = (await made.json()) as { path: string });
});
afterAll(() => devnet.close());

const ask = (path: string, accept: string | undefined, init: RequestInit = {}) =>
  fetch(devnet.http.url + path, { headers: accept === undefined ? {} : { accept }, redirect: 'manual', ...init });

describe('the page at /', () => {
  test.each(['/', '/?from=banner'])('GET %s of a browser links to the description', async (path) => {
    const answer = await ask(path, BROWSER);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('vary')).toContain('Accept');
    const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map(([, link]) => link as string);
    expect(links).toEqual(['docs', 'openapi.json']);
    for (const link of links) expect((await fetch(new URL(link, answer.url))).status).toBe(200);
  });

  test('its policy allows only its own style', async () => {
    const answer = await ask('/', BROWSER);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(await answer.text()) ?? [];
    expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('HEAD has the same headers and no body', async () => {
    const answer = await ask('/', BROWSER, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(500);
  });

  test.each([
    undefined,
    '*/*',
    'text/*',
    'application/json, text/plain, */*',
    'text/html, application/json',
    'text/html;q=0',
  ])('a client that accepts %s gets the 404 of java-tron', async (accept) => {
    const answer = await ask('/', accept);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('org.eclipse.jetty.servlet.ServletHandler$Default404Servlet');
  });

  test.each(['/nothing', '/wallet', '//'])('%s is not the page', async (path) => {
    expect((await ask(path, BROWSER)).status).toBe(404);
  });

  test('POST / of a browser is refused', async () => {
    expect((await ask('/', BROWSER, { method: 'POST', body: '{}' })).status).toBe(405);
  });

  test('a further chain has it below its path, with links to its own description', async () => {
    const answer = await ask(below, BROWSER);
    expect(answer.status).toBe(200);
    expect((await ask(`${below}openapi.json`, BROWSER)).status).toBe(200);
    const withoutSlash = await ask(below.slice(0, -1), BROWSER);
    expect(withoutSlash.status).toBe(308);
    const location = withoutSlash.headers.get('location') as string;
    expect(new URL(location, withoutSlash.url).pathname).toBe(below);
    expect((await ask(below, '*/*')).status).toBe(404);
    expect((await ask(below.slice(0, -1), '*/*')).status).toBe(404);
  });
});
