/** What java-tron answered, by the schemas of the description: nothing that it does not name, nothing of another kind. */

import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describedNode, Judge } from './described.js';

const recorded = new URL('../../../fixtures/recorded/', import.meta.url);

interface Answered {
  readonly surface: string;
  readonly method: string;
  readonly path: string;
  readonly status?: number;
  readonly response: string;
}

function* answersIn(file: string): Generator<Answered> {
  const text = gunzipSync(readFileSync(new URL(file, recorded))).toString('utf8');
  for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line);
}

const files = readdirSync(recorded).flatMap((name) =>
  name.startsWith('answers-') ? [`${name}/answers.ndjson.gz`] : name === 'http-forms.ndjson.gz' ? [name] : [],
);

test.for(files)('%s', (file) => {
  const judge = new Judge(describedNode());
  const wrong: string[] = [];
  let judged = 0;
  for (const { surface, method, path, status = 200, response } of answersIn(file)) {
    const [url = ''] = path.split('?');
    // Jetty's pages, empty bodies of builders, paths that are none.
    const isOurs = (surface === 'http' || surface === 'solidity') && judge.document.paths[url] !== undefined;
    if (!isOurs || status !== 200 || !/^[{[]/.test(response) || url.startsWith('/jsonrpc')) continue;
    const problem = judge.answer(url, method, 200, JSON.parse(response));
    if (problem !== undefined) wrong.push(`${method} ${path}: ${problem} in ${response.slice(0, 200)}`);
    judged++;
  }
  expect(wrong).toEqual([]);
  expect(judged).toBeGreaterThan(0);
});
