/**
 * The dashboard: its page at `/` for browsers, and its files below `/dashboard/`. The build makes them
 * (`scripts/build.mjs`); they are read from disk when a browser asks.
 */

import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Access } from '../access/access.js';
import { writeJson } from '../primitives/amount-json.js';
import { protocolNames } from '../wallet/protocol-names.js';
import type { HomePage } from './home-page.js';
import { PAGE_HEADERS } from './page-headers.js';

/** Beside the bundle in the package; from source, where the build leaves it. */
const PLACES = ['./dashboard/', '../../dist/dashboard/'];

const TYPES: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
]);

/** Names that the build gives: no dots but the last, so no path leads out of the folder. */
const NAME = /^[\w-]+\.(js|css)$/;

/** The page at `/`. It names the files of this version, so a browser has to ask for it each time. */
export const dashboardPage: HomePage = {
  headers: {
    ...PAGE_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  },
  body: () => fileOf('index.html'),
};

/** What the page may ask for: it leaves out the rest, instead of being refused. */
export interface DashboardSettings {
  readonly version: string;
  /** Whether `/sunup` and developer methods are served. */
  readonly devMethods: boolean;
  /** Whether `/v1` is served. */
  readonly history: boolean;
  /** Length of a slot: Energy and Bandwidth recover by slots. */
  readonly slotMs: number;
  /** On a fork: host of the network's node, and the last block of the network. */
  readonly fork?: { readonly network?: string; readonly block: number };
}

/** The settings, names of the protocol, and the files that the page loads. Their names have a digest of their content: a browser keeps them. */
export const dashboardFiles =
  (settingsNow: () => DashboardSettings, access: Access): FastifyPluginAsync =>
  async (app) => {
    const config = { callers: 'anyone', rateLimit: false } as const;
    app.get('/dashboard/settings.json', { config }, async ({ raw: { headers } }, reply) => {
      const settings = settingsNow();
      const isTrusted = access.refusal('trusted', headers, '/sunup') === undefined;
      return reply
        .header('cache-control', 'no-store')
        .send({ ...settings, devMethods: settings.devMethods && isTrusted });
    });
    app.get('/dashboard/protocol.json', { config }, async (_, reply) =>
      reply.header('cache-control', 'no-cache').type('application/json').send(writeJson(protocolNames())),
    );
    app.get<{ Params: { file: string } }>('/dashboard/:file', { config }, async ({ params, headers }, reply) => {
      const type = TYPES.get(NAME.exec(params.file)?.[1] ?? '');
      if (type === undefined) return reply.callNotFound();
      const isCompressed = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
      const body = await fileOf(isCompressed ? `${params.file}.gz` : params.file).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw error;
        },
      );
      if (body === undefined) return reply.callNotFound();
      if (isCompressed) reply.header('content-encoding', 'gzip');
      return reply
        .headers({ ...PAGE_HEADERS, 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
        .type(type)
        .send(body);
    });
  };

async function fileOf(name: string): Promise<Uint8Array> {
  for (const place of PLACES) {
    try {
      return await readFile(new URL(`${place}${name}`, import.meta.url));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw Object.assign(new Error(`${name} of the dashboard is not there: run npm run build`), { code: 'ENOENT' });
}
