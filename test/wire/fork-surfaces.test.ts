/**
 * Every operation of the HTTP interfaces on forks with almost no rows: missing rows are awaited everywhere, and answers
 * do not show it.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { devMethodTable } from '../../src/devtools/methods.js';
import { createDevnet, type Devnet } from '../../src/index.js';

let network: Devnet;
beforeAll(async () => {
  network = await createDevnet({ networkStake: 'mainnet', predeploy: ['usdt'] });
  await network.mine(5);
});
afterAll(() => network.close());

interface Described {
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
  readonly schema?: { readonly example?: unknown };
}

interface Operation {
  readonly parameters?: readonly Described[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
}

/** Forks that answer a fixed number of requests each. */
async function onColdForks<Question>(
  questions: readonly Question[],
  ask: (fork: Devnet, question: Question) => Promise<readonly [string, string]>,
): Promise<readonly string[]> {
  const leaks: string[] = [];
  const log = {
    warn: () => {},
    error: (text: string, error: unknown) => void leaks.push(`${text} ${String(error)}`),
  };
  for (let from = 0; from < questions.length; from += 60) {
    const fork = await createDevnet({ fork: network.http.url, mining: 'manual', accounts: 1, log });
    for (const question of questions.slice(from, from + 60)) {
      const [what, answer] = await ask(fork, question);
      if (answer.includes('[object Object]')) leaks.push(`${what}: ${answer.slice(0, 200)}`);
    }
    await fork.close();
  }
  return leaks;
}

it('over HTTP, with the examples of /openapi.json', async () => {
  const described = (await (await network.fetch('/openapi.json')).json()) as {
    readonly paths: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    // Events are a stream without end.
    Object.entries(methods).flatMap(([method, operation]) =>
      ['get', 'post'].includes(method) && path !== '/sunup/events' ? [{ path, method, operation }] : [],
    ),
  );
  expect(operations.length).toBeGreaterThan(250);
  const leaks = await onColdForks(operations, async (fork, { path, method, operation }) => {
    const query = new URLSearchParams();
    let url = path;
    for (const { name, in: place, example, schema } of operation.parameters ?? []) {
      const value = String(example ?? schema?.example ?? network.accounts[3]!.address);
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
      else if (place === 'query' && (example ?? schema?.example) !== undefined) query.set(name, value);
    }
    const { example } = operation.requestBody?.content['application/json'] ?? {};
    const asked = method === 'post' ? { method: 'POST', body: JSON.stringify(example ?? {}) } : {};
    return [`${method} ${url}`, await (await fork.fetch(`${url}?${query}`, asked)).text()];
  });
  expect(leaks).toEqual([]);
});

const ofAnExample = devMethodTable.filter(({ example, usesUpSnapshots }) => example !== undefined && !usesUpSnapshots);

it.each(ofAnExample)('$name answers on a cold fork what it answers when the rows are there', async (row) => {
  const clock = { nowMs: () => 1_800_000_000_000n, after: () => () => {} };
  await using fork = await createDevnet({ fork: network.http.url, mining: 'manual', accounts: 1, clock });
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (await fork.fetch('/tre', { method: 'POST', body })).json();
  };
  const example = async () => {
    for (const [earlier, ...params] of row.exampleAfter) await call(earlier, params);
    return call(row.name, row.example);
  };
  const id = await fork.snapshot();
  const cold = await example();
  await fork.revert(id);
  expect(cold).not.toHaveProperty('error');
  const warm = await example();
  // Snapshots are numbered.
  if (!/snapshot|instance/.test(row.name)) expect(cold).toEqual(warm);
});
