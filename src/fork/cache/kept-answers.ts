/**
 * Answers of a node as files: each question's newest answer, by path and body. `sunup explain --fork` keeps them with
 * `--fork-cache` and reads them with `--fork-offline`, so an explanation can be repeated without the network.
 */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RemotePlatform } from '../network/remote-client.js';

type Fetch = RemotePlatform['fetch'];

/** Beside the rows of a fork in its folder. */
const FOLDER = 'answers';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/**
 * @param offline whether only the folder is read
 * @example connect(options, { fetch: keepingFetch(fetch, './fork', false), clock, random })
 */
export function keepingFetch(fetch: Fetch, directory: string, offline: boolean): Fetch {
  const folder = path.join(directory, FOLDER);
  return async (url, init) => {
    const file = path.join(folder, `${nameOf(url, init)}.json`);
    if (offline) return new Response(await keptText(file));
    const answer = await fetch(url, init);
    if (answer.status !== 200) return answer;
    const text = await boundedText(answer);
    await mkdir(folder, { recursive: true });
    // Several processes may use the folder.
    await writeFile(`${file}.${process.pid}`, text);
    await rename(`${file}.${process.pid}`, file);
    return new Response(text);
  };
}

/** A node may send without end. */
async function boundedText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_KEPT_BYTES) throw new Error(`the answer is longer than ${MAX_KEPT_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The host is no part of it: another node of the network has the same answers. */
function nameOf(url: string, { body }: RequestInit): string {
  const { pathname, search } = new URL(url);
  return createHash('sha256')
    .update(`${pathname}${search}\n${body ?? ''}`)
    .digest('hex')
    .slice(0, 32);
}

async function keptText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('the answer is not in --fork-cache, and --fork-offline asks no network');
  });
}
