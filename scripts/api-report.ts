/**
 * Writes etc/sunup.api.md: the public types of the library, from the declarations in dist/types. A change of the API is a
 * change of this file. Build first.
 *
 *     npx tsx scripts/api-report.ts           writes the file
 *     npx tsx scripts/api-report.ts --print   prints it
 */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { makeFile } from './made-file.js';

export const file = new URL('../etc/sunup.api.md', import.meta.url);

const root = path.resolve(import.meta.dirname, '..');

/** Where a name of a file is declared. */
interface Place {
  readonly file: string;
  readonly name: string;
}

interface Declarations {
  /** The text of each top-level declaration, overloads together. */
  readonly declared: ReadonlyMap<string, string>;
  /** Names of other files of the package, as this file calls them. */
  readonly imported: ReadonlyMap<string, Place>;
  /** What importers may name: the name here, or the place that it comes from. */
  readonly exported: ReadonlyMap<string, Place>;
  /** `declare module`, `declare global`: what the file adds to other types. */
  readonly augmentations: readonly string[];
}

const COMMENT = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/.*/g;
const NAMED =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|enum|namespace) ([\w$]+)/;

function withoutComments(code: string): string {
  return code
    .replace(COMMENT, (_, quoted: string | undefined) => quoted ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `tsc` indents everything but the first and the last line of a statement. */
function statementsOf(code: string): readonly string[] {
  return withoutComments(code)
    .split(/\n(?=[a-z])/)
    .filter((statement) => statement !== '');
}

/** `{ A, type B as C }` as pairs of names: there, here. */
function namesIn(list: string): readonly (readonly [there: string, here: string])[] {
  return list
    .split(',')
    .map((one) => one.trim().replace(/^type /, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [there = '', here = there] = one.split(' as ');
      return [there, here];
    });
}

class Api {
  readonly #files = new Map<string, Declarations>();
  /** By file and name, in the order in which they are met. */
  readonly reached = new Map<string, Place>();

  of(name: string): Declarations {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const read = this.#read(name);
    this.#files.set(name, read);
    return read;
  }

  #read(name: string): Declarations {
    const declared = new Map<string, string>();
    const imported = new Map<string, Place>();
    const exported = new Map<string, Place>();
    const augmentations: string[] = [];
    for (const statement of statementsOf(readFileSync(name, 'utf8'))) {
      const moved = /^(import|export) (?:type )?\{([^}]*)\}(?: from '([^']+)')?;$/.exec(statement);
      if (moved !== null) {
        const [, verb, list = '', from] = moved;
        if (from !== undefined && !from.startsWith('.')) continue;
        const source = from === undefined ? name : path.resolve(path.dirname(name), from.replace(/\.js$/, '.d.ts'));
        for (const [there, here] of namesIn(list))
          (verb === 'import' ? imported : exported).set(here, { file: source, name: there });
        continue;
      }
      if (statement === 'export {};' || /^import '|^import type \S+ from '|^import \S+ from '/.test(statement))
        continue;
      if (/^declare (module|global)\b/.test(statement)) {
        augmentations.push(statement);
        continue;
      }
      const own = NAMED.exec(statement)?.[1];
      if (own === undefined) throw new Error(`${name}: cannot read ${statement.slice(0, 80)}`);
      declared.set(own, [...[declared.get(own) ?? []].flat(), statement].join('\n'));
      if (statement.startsWith('export ')) exported.set(own, { file: name, name: own });
    }
    return { declared, imported, exported, augmentations };
  }

  /** Follows exports and imports to the declaration. */
  #placeOf({ file: at, name }: Place): Place | undefined {
    const { declared, imported, exported } = this.of(at);
    if (declared.has(name)) return { file: at, name };
    const next = imported.get(name) ?? exported.get(name);
    return next === undefined || (next.file === at && next.name === name) ? undefined : this.#placeOf(next);
  }

  /** Takes a declaration into the report, with all that it mentions. */
  reach(from: Place): void {
    const place = this.#placeOf(from);
    if (place === undefined) return;
    const key = `${place.file} ${place.name}`;
    if (this.reached.has(key)) return;
    this.reached.set(key, place);
    this.reachNames(this.of(place.file).declared.get(place.name) as string, place.file);
  }

  reachNames(text: string, at: string): void {
    for (const name of new Set(text.match(/[A-Za-z_$][\w$]*/g))) this.reach({ file: at, name });
  }
}

export function apiReport(): string {
  const api = new Api();
  const parts: string[] = [];
  for (const [subpath, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string') continue;
    const entry = path.join(root, target.types);
    const { exported, augmentations } = api.of(entry);
    for (const name of exported.keys()) api.reach({ file: entry, name });
    for (const text of augmentations) api.reachNames(text, entry);
    const names = [...exported.keys()].sort().map((name) => `- ${name}`);
    parts.push(`## ${path.posix.join('sunup', subpath)}\n\n${[...names, ...augmentations.map(fenced)].join('\n')}\n`);
  }
  const wantedOf = new Map<string, Set<string>>();
  for (const { file: at, name } of api.reached.values()) wantedOf.set(at, (wantedOf.get(at) ?? new Set()).add(name));
  for (const [name, wanted] of [...wantedOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { declared } = api.of(name);
    const texts = [...declared].filter(([one]) => wanted.has(one)).map(([, text]) => text);
    const source = path.relative(path.join(root, 'dist/types'), name).replaceAll(path.sep, '/');
    parts.push(`## ${source.replace(/\.d\.ts$/, '')}\n\n${fenced(texts.join('\n'))}\n`);
  }
  return `# The public API

Everything that users of the package can name, and the types that it mentions. \`npm run build && npx tsx scripts/api-report.ts\` writes this file; a test compares it.

${parts.join('\n')}`;
}

const fenced = (text: string) => `\`\`\`ts\n${text}\n\`\`\``;

await makeFile(import.meta.filename, { file, text: apiReport });
