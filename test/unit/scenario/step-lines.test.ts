/** Steps as recordings have them, a line of JSON each: they are read one by one, and a slip in one is told with its place. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readDocument } from '../../../src/scenario/format/document.js';
import { ScenarioError } from '../../../src/scenario/format/problems.js';
import { readScenario } from '../../../src/scenario/reader/read-scenario.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const HEAD = `# A recording: sunup run replays it to the same blocks.
about: "a chain"
network: {"recorded":{"any":"thing"}}
steps:
`;
const ID = 'ab'.repeat(32);

function problemsOf(text: string): string {
  try {
    readScenario(text, 'day.scenario.yaml');
    return '';
  } catch (error) {
    if (error instanceof ScenarioError) return error.message;
    throw error;
  }
}

describe('steps in lines', () => {
  const text = `${HEAD}- {"broadcast":"0a00"}\n\n# between\n- {"produceEmpty":{"blocks":3,"id":"${ID}"}}\n- {"operation":{"name":"x","arguments":{}}}\n# digest: 00\n`;

  it('are those that YAML has', () => {
    const { steps, ...rest } = readDocument(text, 'f').value as { steps: Iterable<unknown> };
    expect({ ...rest, steps: [...steps] }).toEqual(parseDocument(text).toJS());
  });

  it('are checked before they run, and read as often as wanted', () => {
    const { steps, kinds } = readScenario(text, 'f');
    expect([...kinds]).toEqual(['broadcast', 'produceEmpty', 'operation']);
    expect(steps.length).toBe(3);
    for (let time = 0; time < 2; time++)
      expect([...steps].map(({ place, kind }) => [place, kind])).toEqual([
        ['steps[0]', 'broadcast'],
        ['steps[1]', 'produceEmpty'],
        ['steps[2]', 'operation'],
      ]);
  });

  it('have the places of what is wrong with them', () => {
    expect(problemsOf(text.replace('"blocks":3', '"blocks":"many"'))).toMatch(
      /^day\.scenario\.yaml:8:29: blocks: expected .*whole number/,
    );
    expect(problemsOf(text.replace('"broadcast"', '"broadcst"'))).toMatch(
      /^day\.scenario\.yaml:5:4: broadcst .*did you mean broadcast/,
    );
    expect(problemsOf(text.replace('"about"', 'about').replace('about:', 'abut:'))).toMatch(
      /^day\.scenario\.yaml:2:1: /,
    );
  });

  it('may be written in any other way, and then YAML says what is wrong', () => {
    const other = text.replace('- {"operation"', '-  {"operation"');
    expect([...readScenario(other, 'f').steps].map(({ kind }) => kind)).toEqual([
      'broadcast',
      'produceEmpty',
      'operation',
    ]);
    expect(problemsOf(text.replace('{"operation"', '{"operation'))).toMatch(/^day\.scenario\.yaml:9:/);
  });

  it('are held as their text and nothing else', () => {
    const bytes = 'ef'.repeat(1_000);
    const long = HEAD + `- {"broadcast":"${bytes}"}\n`.repeat(4_000);
    const read = () => {
      collect();
      const before = process.memoryUsage().heapUsed;
      const scenario = readScenario(long, 'f');
      collect();
      return { megabytes: (process.memoryUsage().heapUsed - before) / 2 ** 20, steps: scenario.steps.length };
    };
    read();
    const { megabytes, steps } = read();
    expect(steps).toBe(4_000);
    // The text, of 8 MB, was there before; as a document it was 13 MB more.
    expect(megabytes).toBeLessThan(2);
  });
});
