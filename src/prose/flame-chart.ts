/**
 * A profile as an SVG flame graph without external resources, for a browser, a report or a comment. A box is a
 * function or a line; its width is its Energy including the calls above it.
 */

import { type HierarchyRectangularNode, hierarchy, partition } from 'd3-hierarchy';
import type { SpeedscopeFile, SpeedscopeFrame } from '../explanation/sources/speedscope.js';
import { escapedHtml } from '../primitives/html-text.js';
import { formatUnits } from './amounts.js';

const WIDTH = 1_200;
const MARGIN = 10;
const ROW = 18;
const HEAD = 34;
const CHARACTER = 6.6;
/** Narrower boxes are invisible, and there may be many. */
const MIN_WIDTH = 0.3;
const MAX_ROWS = 200;

interface Part {
  readonly frame: SpeedscopeFrame;
  readonly below: Map<number, Part>;
  own: number;
}

export function flameChart(file: SpeedscopeFile): string {
  const root = partsOf(file);
  const rows = hierarchy(root, ({ below }) => [...below.values()]).sum(({ own }) => own);
  const height = Math.min(rows.height, MAX_ROWS);
  const drawn = partition<Part>().size([WIDTH - 2 * MARGIN, rows.height + 1])(rows);
  const total = rows.value ?? 0;
  const boxes = drawn
    .descendants()
    .filter((node) => node.depth > 0 && node.depth <= MAX_ROWS && node.x1 - node.x0 >= MIN_WIDTH)
    .map((node) => box(node, height, total));
  const whole = HEAD + height * ROW + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${whole}" viewBox="0 0 ${WIDTH} ${whole}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="11">
<rect width="100%" height="100%" fill="#fffdf8"/>
<text x="${MARGIN}" y="20" font-size="13">${escaped(`${file.name}: ${formatUnits(total)}`)}</text>
${boxes.join('\n')}
</svg>
`;
}

/** Groups samples by their first frame, in order of first occurrence. */
function partsOf({ shared, profiles: [{ samples, weights }] }: SpeedscopeFile): Part {
  const root: Part = { frame: { name: '' }, below: new Map(), own: 0 };
  for (const [at, sample] of samples.entries()) {
    let part = root;
    for (const number of sample) {
      let below = part.below.get(number);
      if (below === undefined) {
        below = { frame: shared.frames[number] as SpeedscopeFrame, below: new Map(), own: 0 };
        part.below.set(number, below);
      }
      part = below;
    }
    part.own += weights[at] ?? 0;
  }
  return root;
}

function box({ x0, x1, depth, data, value = 0 }: HierarchyRectangularNode<Part>, rows: number, total: number): string {
  const { frame, own } = data;
  const x = MARGIN + x0;
  const y = HEAD + (rows - depth) * ROW;
  const width = x1 - x0;
  const share = ((100 * value) / total).toFixed(1);
  const ownText = own === value ? '' : `, own ${formatUnits(own)}`;
  const hint = `${frame.name}\n${formatUnits(value)} Energy (${share} %)${ownText}${placeText(frame)}`;
  const room = Math.floor((width - 6) / CHARACTER);
  const text = room < 3 ? '' : frame.name.length <= room ? frame.name : `${frame.name.slice(0, room - 1)}…`;
  const label = text === '' ? '' : `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escaped(text)}</text>`;
  return `<g><title>${escaped(hint)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" rx="2" fill="${colour(frame)}"/>${label}</g>`;
}

function placeText({ file, line }: SpeedscopeFrame): string {
  return file === undefined ? '' : `\n${file}:${line}`;
}

/** Warm colours by file; grey without a source. */
function colour({ name, file }: SpeedscopeFrame): string {
  if (name.startsWith('(')) return '#d8d4cc';
  if (file === undefined) return '#c3cfdd';
  return `hsl(${14 + (sumOf(file) % 5) * 11}, ${70 + (sumOf(name) % 4) * 6}%, ${64 + (sumOf(name) % 5) * 3}%)`;
}

function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % 65_521;
  return sum;
}

/** Escapes foreign names for XML, and removes control characters. */
function escaped(text: string): string {
  return escapedHtml(text.replaceAll(/[^\P{Cc}\n]|\p{Cs}|[\ufffe\uffff]/gu, '?'));
}
