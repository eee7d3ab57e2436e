/**
 * Contracts and functions of a Solidity source by where they stand. Only declarations are looked for, so that sources of
 * every version of the language will do, and sources without the compiler's syntax tree, which Foundry and solc leave out
 * unless asked. (Parsers of the whole language count characters, and maps count bytes.)
 */

export interface Declaration {
  readonly kind: 'contract' | 'function' | 'modifier';
  /** `transfer`; `constructor`, `receive` and `fallback` for those without a name. */
  readonly name: string;
  /** The contract around it; undefined for a contract and for a free function. */
  readonly contract: string | undefined;
  /** In bytes; `end` is behind its last one. */
  readonly start: number;
  readonly end: number;
}

/** What does not end is taken up to where it could have ended: looking for its end again from each quote takes hours. */
const COMMENT_OR_STRING =
  /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n\r])*"?|'(?:\\[\s\S]|[^'\\\n\r])*'?/g;
const TOKEN =
  /[{}();]|\b((?:abstract\s+)?contract|library|interface|function|modifier)\b\s*([A-Za-z_$][\w$]*)?|\b(constructor|receive|fallback)\b(?=\s*\()/g;

interface Open {
  readonly kind: Declaration['kind'];
  readonly name: string;
  readonly start: number;
}

/** In the order in which they begin, those around others first. */
export function declarationsOf(source: Uint8Array): readonly Declaration[] {
  // A character for each byte: places in the text are places in the source.
  const text = Buffer.from(source)
    .toString('latin1')
    .replace(COMMENT_OR_STRING, (part) => ' '.repeat(part.length));
  const found: Declaration[] = [];
  /** By brace; `open` is undefined for those of statements, `contract` is the outermost one around or before the brace. */
  const blocks: { readonly open: Open | undefined; readonly contract: string | undefined }[] = [];
  let header: Open | undefined;
  let parentheses = 0;
  for (const { 0: token, 1: word, 2: name, 3: nameless, index } of text.matchAll(TOKEN)) {
    if (token === '(') parentheses++;
    else if (token === ')') parentheses = Math.max(0, parentheses - 1);
    else if (parentheses > 0)
      continue; // The type of a parameter may be a function.
    else if (token === '{') {
      const contract = blocks.at(-1)?.contract ?? (header?.kind === 'contract' ? header.name : undefined);
      blocks.push({ open: header, contract });
      header = undefined;
    } else if (token === ';') header = undefined;
    else if (token === '}') {
      const { open } = blocks.pop() ?? {};
      if (open !== undefined) found.push({ ...open, contract: blocks.at(-1)?.contract, end: index + 1 });
    } else header = headerOf(header, word, name, nameless, index);
  }
  return found.sort((a, b) => a.start - b.start || b.end - a.end);
}

function headerOf(
  before: Open | undefined,
  word: string | undefined,
  name: string | undefined,
  nameless: string | undefined,
  start: number,
): Open | undefined {
  // `function fallback(`, and modifiers behind a function's name.
  if (before !== undefined) return before;
  if (nameless !== undefined) return { kind: 'function', name: nameless, start };
  if (word === 'function') return { kind: 'function', name: name ?? 'fallback', start };
  if (name === undefined) return undefined;
  return { kind: word === 'modifier' ? 'modifier' : 'contract', name, start };
}
