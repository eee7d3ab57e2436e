/** Chains of simulations as the lines of a chain file. */

import { type ChainFile, readChainLines } from '../../src/chain-file/reader.js';
import { SavedMoment } from '../../src/chain-file/saved-moment.js';
import { dumpedClock } from '../../src/node/clock/clock.js';
import type { Step } from '../../src/node/steps/steps.js';
import type { SimulatedChain } from './simulated-chain.js';

export async function linesOf({ node }: SimulatedChain): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of new SavedMoment(node.chain, dumpedClock(node.clock)).lines()) lines.push(line.trimEnd());
  return lines;
}

export function readLines(lines: readonly string[]): Promise<ChainFile> {
  return readChainLines(() => lines);
}

export async function stepsOf({ steps }: Pick<ChainFile, 'steps'>): Promise<Step[]> {
  const all: Step[] = [];
  for await (const step of steps) all.push(step);
  return all;
}

export async function chainFileOf(chain: SimulatedChain): Promise<ChainFile> {
  return readLines(await linesOf(chain));
}
