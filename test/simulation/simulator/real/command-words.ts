/** The command line of a world's node: the options of its shape as flags, and a file with its genesis. */

import { writeFileSync } from 'node:fs';
import { libraryOptions } from '../../../../src/options/settings.js';
import { Choices } from '../../wild-messages.js';
import { type Shape, shapeOf } from '../run/shape.js';

/** Blocks of the clock come this often: a world lasts seconds. */
const BLOCK_TIME_SECONDS = 0.5;

/** A fork needs a network, which real worlds do not have. */
export function realShapeOf(seed: number): Shape {
  const choices = new Choices(seed);
  for (;;) {
    const shape = shapeOf(choices);
    if (!shape.isFork) return shape;
  }
}

/** @param beside the path of a file beside the data directory */
export function commandWords(
  options: Shape['options'],
  data: string,
  beside: (name: string) => string,
): readonly string[] {
  const words = ['--json', '--db', data, '--event-queue', 'tcp://127.0.0.1:*', '--event-triggers', 'block,transaction'];
  words.push('--http-port', '0', '--grpc-port', '0', '--grpc-solidity-port', 'off');
  if (options.mining === 'interval') words.push('--block-time', String(BLOCK_TIME_SECONDS));
  for (const [name, { flag }] of libraryOptions) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    if (name === 'genesis') {
      const file = beside('genesis.json');
      writeFileSync(file, JSON.stringify(value));
      words.push('--genesis', file);
    } else if (name === 'parameters') {
      for (const [parameter, setting] of Object.entries(value as object))
        words.push('--param', `${parameter}=${setting}`);
    } else if (value === false || (name === 'history' && value === true)) continue;
    else if (flag === undefined) throw new Error(`option ${name} has no flag`);
    else words.push(...(value === true ? [flag] : [flag, String(value)]));
  }
  return words;
}

/** Another node beside the one of the world. */
export const SMALL_NODE: readonly string[] = [
  ...['--json', '--manual', '--accounts', '1', '--http-port', '0'],
  ...['--grpc-port', 'off', '--grpc-solidity-port', 'off'],
];
