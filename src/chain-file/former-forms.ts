/**
 * Converts files of earlier versions into lines of a chain file: dumps (`"sunup":"dump"`, versions 1 and 2), and
 * recordings in YAML with one line for each step.
 */

import { hexToBytes } from '../primitives/hex.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import { CHAIN_FILE_VERSION, ChainFileError, DamagedLine, jsonIn } from './shapes.js';

/** Converts one line of an earlier format into current lines. @throws DamagedLine */
export type Translate = (line: string) => readonly string[];

type Members = Readonly<Record<string, unknown>>;

/** Undefined: the first line is not of an earlier format. */
export function formerForm(firstLine: string): Translate | undefined {
  if (/^\{"sunup":"dump",/.test(firstLine)) return dumpTranslator();
  return /^(#|about:|network:)/.test(firstLine) ? recordingTranslator() : undefined;
}

/**
 * The text of a chain file for a dump of an earlier version; undefined: it is not one. @throws DamagedLine,
 * ChainFileError
 */
export function ofFormerDump(text: string): string | undefined {
  if (!/^\{"sunup":"dump",/.test(text)) return undefined;
  const translate = dumpTranslator();
  return text
    .trimEnd()
    .split('\n')
    .flatMap(translate)
    .map((line) => `${line}\n`)
    .join('');
}

const NEWEST_DUMP = 2;

/** In the dump of a fork, rows follow the line `end`; the last line has their count. */
function dumpTranslator(): Translate {
  let head: Members | undefined;
  let end: Members | undefined;
  let rows = 0;
  const endLine = (): string => {
    const { steps, head: last } = head as Members;
    return JSON.stringify({ end: { ...end, steps, rows, head: last } });
  };
  return (text) => {
    const line = jsonIn(text) as Members;
    if (typeof line !== 'object' || line === null) throw new DamagedLine('it has the form of another line');
    if (head === undefined) {
      head = line;
      const { version, genesis, begun, stated } = line;
      if (version !== 1 && version !== NEWEST_DUMP)
        throw new ChainFileError(`it is a dump of version ${version}, this Sunup reads versions 1 and ${NEWEST_DUMP}`);
      const today = { sunup: 'chain', version: CHAIN_FILE_VERSION, genesis, begun: jsonIn(String(begun)), stated };
      return [JSON.stringify({ ...today, ends: true })];
    }
    if ('solidity' in line) {
      if (end !== undefined) throw new DamagedLine('it comes twice');
      end = line;
      return head.version === NEWEST_DUMP ? [] : [endLine()];
    }
    if ('fetched' in line) {
      if (line.fetched !== rows || end === undefined) throw new DamagedLine('rows of its network are missing');
      return [endLine()];
    }
    if ('table' in line) {
      rows++;
      const { row, ...networkRow } = line;
      return [JSON.stringify({ networkRow: { ...networkRow, value: row === null ? null : { bytes: row } } })];
    }
    return [JSON.stringify(stepOfDump(line))];
  };
}

function stepOfDump({ id, relaxes, header, transactions, empty, operation }: Members): Members {
  if ([header, empty, operation].filter((part) => part !== undefined).length !== 1)
    throw new DamagedLine('it must be a block, a run of empty blocks or an operation');
  if (operation !== undefined) return { operation: jsonIn(String(operation)) };
  if (empty !== undefined) return { produceEmpty: { blocks: empty, relaxes, id } };
  const { raw_data: raw, witness_signature: signature } = BlockHeader.decode(hexToBytes(String(header)));
  const production = { time: Number(raw?.timestamp), witness: raw?.witness_address, signature };
  return { import: { ...production, transactions, relaxes, id } };
}

function recordingTranslator(): Translate {
  let about: unknown;
  let isAmongSteps = false;
  return (text) => {
    const [, name, rest = ''] = /^(about|network|steps):(.*)$/.exec(text) ?? [];
    if (isAmongSteps && text.startsWith('- ')) return [text.slice(2)];
    if (text.trim() === '' || text.startsWith('#')) return [];
    if (name === 'about') about = jsonIn(rest);
    else if (name === 'steps') isAmongSteps = true;
    else if (name === 'network') {
      const { recorded } = jsonIn(rest) as Members;
      if (recorded === undefined) throw new DamagedLine('it is a scenario, not a recording');
      return [JSON.stringify({ sunup: 'chain', version: CHAIN_FILE_VERSION, about, begun: recorded })];
    } else throw new DamagedLine('it is not as a recording has it');
    return [];
  };
}
