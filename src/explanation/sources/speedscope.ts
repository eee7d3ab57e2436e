/**
 * The Energy of a transaction as a profile in speedscope's file format (https://www.speedscope.app,
 * `file-format-spec`), which other profile viewers read, too. A sample is the code between two calls, its weight is
 * Energy; the weights add up to the Energy of the receipt.
 */

import type { Address } from '../../primitives/ids.js';
import { allFrames, type FrameRecord } from '../../tracing/frames.js';
import { siteOf } from './source-lines.js';
import type { SourceSpending, Stop, Track } from './source-spending.js';

export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json';
  readonly name: string;
  readonly exporter: string;
  readonly activeProfileIndex: 0;
  readonly shared: { readonly frames: readonly SpeedscopeFrame[] };
  readonly profiles: readonly [SpeedscopeProfile];
}

export interface SpeedscopeFrame {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly col?: number;
}

export interface SpeedscopeProfile {
  readonly type: 'sampled';
  readonly name: string;
  readonly unit: 'none';
  readonly startValue: 0;
  readonly endValue: number;
  /** Frame numbers, outermost first. */
  readonly samples: readonly (readonly number[])[];
  readonly weights: readonly number[];
}

/** @param frameName the name of a contract's frame: its method if the sources are unknown */
export function speedscopeOf(
  txid: string,
  spending: SourceSpending,
  top: FrameRecord,
  by: 'function' | 'line',
  frameName: (contract: Address, selector: string, isCreation: boolean, isMapped: boolean) => string,
): SpeedscopeFile {
  const frames: SpeedscopeFrame[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (frame: SpeedscopeFrame): number => {
    const key = JSON.stringify(frame);
    let number = numbers.get(key);
    if (number === undefined) {
      number = frames.push(frame) - 1;
      numbers.set(key, number);
    }
    return number;
  };
  const stacks = new Map<Stop, readonly number[]>();
  const stackOf = (stop: Stop): readonly number[] => {
    let stack = stacks.get(stop);
    if (stack === undefined) {
      const above = stop.above === undefined ? [] : stackOf(stop.above);
      stack = [...above, numberOf(frameOf(stop, by, frameName))];
      stacks.set(stop, stack);
    }
    return stack;
  };
  const samples: (readonly number[])[] = [];
  const weights: number[] = [];
  const add = (stack: readonly number[], weight: number) => {
    if (weight <= 0) return;
    samples.push(stack);
    weights.push(weight);
  };
  for (const { stop, energy } of spending.chart) add(stackOf(stop), energy);
  for (const [at, { energy }] of [...allFrames(top)].entries()) {
    const stack = stackOf(spending.baseOf(spending.tracks[at] as Track));
    add([...stack, numberOf({ name: '(storing code)' })], energy.deposit);
    add([...stack, numberOf({ name: '(taken by the exception)' })], energy.forfeited);
  }
  const name = `Energy of transaction ${txid}`;
  const endValue = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    ...{ name, exporter: 'sunup', activeProfileIndex: 0, shared: { frames } },
    profiles: [{ type: 'sampled', name, unit: 'none', startValue: 0, endValue, samples, weights }],
  };
}

function frameOf(
  { is }: Stop,
  by: 'function' | 'line',
  frameName: (contract: Address, selector: string, isCreation: boolean, isMapped: boolean) => string,
): SpeedscopeFrame {
  if ('contract' in is) return { name: frameName(is.contract, is.selector, is.isCreation, is.isMapped) };
  const { contract, function: called, path = '', line = 1, column = 1 } = siteOf(is.place);
  const name = [contract, called].filter((part) => part !== undefined && part !== '').join('.');
  if (by === 'line') {
    const file = path.slice(path.lastIndexOf('/') + 1);
    return { name: `${name === '' ? '' : `${name} `}${file}:${line}`, file: path, line };
  }
  const { within, source } = is.place;
  const start = within === undefined ? { line, column } : source.positionAt(within.start);
  return { name, file: path, line: start.line, col: start.column };
}
