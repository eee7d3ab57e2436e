/**
 * Positions of contracts and functions in a Solidity source. Only declarations are searched, so this works for every
 * version of the language, and without a syntax tree, which Foundry and solc omit by default. (Full parsers count
 * characters, source maps count bytes.)
 */

export interface Declaration {
  readonly kind: 'contract' | 'function' | 'modifier';
  /** `transfer`; `constructor`, `receive` and `fallback` for those without a name. */
  readonly name: string;
  /** The enclosing contract; undefined for a contract and for a free function. */
  readonly contract: string | undefined;
  /** In bytes; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * An unterminated comment or string ends at its last possible position; searching on from each quote would take hours.
 */
const COMMENT_OR_STRING =
  /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n\r])*"?|'(?:\\[\s\S]|[^'\\\n\r])*'?/g;
const TOKEN =
  /[{}();]|\b((?:abstract\s+)?contract|library|interface|function|modifier)\b\s*([A-Za-z_$][\w$]*)?|\b(constructor|receive|fallback)\b(?=\s*\()/g;

interface Open {
  readonly kind: Declaration['kind'];
  readonly name: string;
  readonly start: number;
}

/** In order of their start, outer before inner. */
export function declarationsOf(source: Uint8Array): readonly Declaration[] {
  // One character for each byte, so that positions in the text are positions in the source.
  const text = Buffer.from(source)
    .toString('latin1')
    .replace(COMMENT_OR_STRING, (part) => ' '.repeat(part.length));
  const found: Declaration[] = [];
  /** By brace; `open` is undefined for statements, `contract` is the outermost one around or before the brace. */
  const blocks: { readonly open: Open | undefined; readonly contract: string | undefined }[] = [];
  let header: Open | undefined;
  let parentheses = 0;
  for (const { 0: token, 1: word, 2: name, 3: nameless, index } of text.matchAll(TOKEN)) {
    if (token === '(') parentheses++;
    else if (token === ')') parentheses = Math.max(0, parentheses - 1);
    else if (parentheses > 0)
      continue; // A parameter can have a function type.
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
  // `function fallback(`, and modifiers after a function's name.
  if (before !== undefined) return before;
  if (nameless !== undefined) return { kind: 'function', name: nameless, start };
  if (word === 'function') return { kind: 'function', name: name ?? 'fallback', start };
  if (name === undefined) return undefined;
  return { kind: word === 'modifier' ? 'modifier' : 'contract', name, start };
}
