/** Requests before a devnet is up are refused or answered completely: the first blocks exist and are stored. */

import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.each(['memory', 'LevelDB'])('from the first answer on there is a block with a header, in %s', async (where) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'sunup-early-'));
  const httpPort = await freePort();
  const numbers: unknown[] = [];
  let refused = 0;
  let up = false;
  const asking = async (): Promise<void> => {
    while (!up) {
      try {
        const answer = await fetch(`http://127.0.0.1:${httpPort}/wallet/getnowblock`);
        const block = (await answer.json()) as { block_header?: { raw_data: { number?: number } } };
        numbers.push(block.block_header?.raw_data.number);
      } catch {
        refused++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  const asked = Promise.all([asking(), asking()]);
  const devnet = await createDevnet({ httpPort, ...(where === 'LevelDB' && { db: directory }) });
  // At least one request was answered.
  while (numbers.length < 5) await fetch(`${devnet.http.url}/healthcheck`);
  up = true;
  await asked;
  await devnet.close();
  rmSync(directory, { recursive: true, force: true });
  expect(refused).toBeGreaterThan(0);
  expect(new Set(numbers)).toEqual(new Set([2]));
});
