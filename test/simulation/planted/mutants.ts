/**
 * Faults that nobody thought of: one change of one line of the sources, chosen by a seed. Most are found at once by any
 * user; the ones that survive show what no user does and no invariant compares.
 */

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Choices } from '../wild-messages.js';

export interface Mutant {
  /** Below the folder of the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly change: string;
  readonly before: string;
  readonly after: string;
}

interface Change {
  readonly name: string;
  /** What it finds in a line; the last match before the end counts. */
  readonly finds: RegExp;
  readonly gives: string;
}

const CHANGES: readonly Change[] = [
  { name: 'statement left out', finds: /^(\s+)(?:await |void )?(?:this|[\w#]+)[.(?][^{}]*;$/, gives: '$1;' },
  { name: 'assignment left out', finds: /^(\s+)(?:this\.)?[\w#.]+(?:\[.*\])? [+-]?= [^{}]*;$/, gives: '$1;' },
  { name: 'early end left out', finds: /^(\s+)if \(.*\) (?:return|continue|break|throw)\b[^{}]*;$/, gives: '$1;' },
  { name: 'condition negated', finds: /\bif \((.*)\)( \{| return\b.*| continue;| throw\b.*)$/, gives: 'if (!($1))$2' },
  { name: 'border moved', finds: / < /, gives: ' <= ' },
  { name: 'border moved', finds: / <= /, gives: ' < ' },
  { name: 'border moved', finds: / > /, gives: ' >= ' },
  { name: 'border moved', finds: / >= /, gives: ' > ' },
  { name: 'one more', finds: /([+-]) 1(n?)\b/, gives: '$1 2$2' },
  { name: 'one less', finds: / [+-] 1(n?)\b/, gives: '' },
  { name: 'plus for minus', finds: /([\w)\]]) - ([\w(])/, gives: '$1 + $2' },
  { name: 'or for and', finds: / && /, gives: ' || ' },
  { name: 'and for or', finds: / \|\| /, gives: ' && ' },
  { name: 'truth for falsehood', finds: /\bfalse\b/, gives: 'true' },
  { name: 'falsehood for truth', finds: /\btrue\b/, gives: 'false' },
  { name: 'not waited for', finds: /\bawait (?=[\w.]+\()/, gives: 'void ' },
  { name: 'other order', finds: /\.(?:reverse|toReversed)\(\)/, gives: '' },
];

const COMMENT = /^\s*(?:\/\/|\/?\*)|^import |^export (?:type|interface)/;

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('generated'))
    .map((name) => path.join(folder, name));
}

/** @param folders of sources, or files, below `root` @returns `count` of all changes, by the seed */
export function mutantsOf(root: string, folders: readonly string[], seed: number, count: number): Mutant[] {
  const all: Mutant[] = [];
  const files = folders.flatMap((one) =>
    one.endsWith('.ts') ? [path.join(root, one)] : sources(path.join(root, one)),
  );
  for (const file of files.sort())
    for (const [at, before] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (COMMENT.test(before)) continue;
      for (const { name, finds, gives } of CHANGES) {
        const after = before.replace(finds, gives);
        if (after !== before) all.push({ file: path.relative(root, file), line: at + 1, change: name, before, after });
      }
    }
  const choices = new Choices(seed);
  return Array.from({ length: Math.min(count, all.length) }, () => all.splice(choices.below(all.length), 1)).flat();
}
