/**
 * Energy by call as a flame chart: the width of a frame is its Energy with that of its calls. A click on a frame makes it
 * the whole width.
 */

import flamegraph from 'd3-flame-graph';
import { select } from 'd3-selection';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatUnits } from './amounts.js';
import { useTheme } from './theme.js';

export interface Flame {
  readonly name: string;
  /** Energy, with that of the children. */
  readonly value: number;
  readonly children: readonly Flame[];
}

const CELL_PX = 24;
/** Two tones side by side tell frames apart. */
const TONES = ['energy', 'flame'];

export function FlameChart({ root }: { readonly root: Flame }) {
  const box = useRef<HTMLDivElement>(null);
  const [theme] = useTheme();
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => setWidth(element.clientWidth));
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || width === 0) return;
    const style = getComputedStyle(document.documentElement);
    const tones = TONES.map((name) => style.getPropertyValue(`--${name}`).trim());
    const chart = flamegraph()
      .width(width)
      .cellHeight(CELL_PX)
      .minFrameSize(2)
      .transitionDuration(0)
      .inverted(true)
      .label(({ data }) => `${data.name}: ${formatUnits(data.value)} Energy`)
      .setColorMapper(({ data }) => tones[hashOf(data.name) % tones.length] ?? '');
    select<HTMLElement, unknown>(element).datum(root).call(chart);
    return () => {
      chart.destroy();
      element.replaceChildren();
    };
  }, [root, theme, width]);
  return (
    <div
      ref={box}
      class="flame"
      role="img"
      aria-label={`Energy by call, ${depthOf(root)} calls deep: ${formatUnits(root.value)} Energy`}
    />
  );
}

function hashOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) >>> 0;
  return hash;
}

const depthOf = ({ children }: Flame): number => 1 + Math.max(0, ...children.map(depthOf));
