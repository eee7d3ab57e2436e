/** Where the Energy went: a flame chart of the functions, and the source lines where artifacts are known. */

import type { SourceLines, SpeedscopeFile } from '../../chain/answers.js';
import { sunup } from '../../chain/ask.js';
import { useLastingAnswer } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { type Flame, FlameChart } from '../../parts/flame-chart.js';
import { Answered, Empty } from '../../parts/panel.js';
import { Lines } from './source-lines.js';

interface Profiled {
  readonly profile?: SpeedscopeFile;
  readonly lines?: SourceLines;
}

export function Energy({ id, ranContract }: { readonly id: string; readonly ranContract: boolean }) {
  const answer = useLastingAnswer(['profile', id], async () =>
    ranContract ? await sunup<Profiled>('trace', { txid: id, profile: 'function', lines: true }) : null,
  );
  return (
    <Answered of={answer}>
      {(found) => {
        if (found?.profile === undefined) return <Empty>This transaction ran no contract.</Empty>;
        const root = flameOf(found.profile);
        return (
          <>
            <p class="muted">The width of a frame is its Energy with that of its calls. Click a frame to enlarge it.</p>
            {root !== undefined && <FlameChart root={root} key={`${id}-${root.value}`} />}
            {found.lines !== undefined && <Lines lines={found.lines} />}
          </>
        );
      }}
    </Answered>
  );
}

interface Growing extends Flame {
  value: number;
  readonly children: Growing[];
}

/** Samples in order become a tree: a sample continues the calls that it has in common with the one before. */
function flameOf({ shared, profiles: [{ samples, weights }] }: SpeedscopeFile): Flame | undefined {
  const roots: Growing[] = [];
  let before: readonly Growing[] = [];
  samples.forEach((frames, at) => {
    const weight = weights[at] ?? 0;
    const stack: Growing[] = [];
    let same = true;
    frames.forEach((frame, depth) => {
      const name = shared.frames[frame]?.name ?? 'unknown';
      const known = before[depth];
      same &&= known !== undefined && known.name === name;
      const node: Growing = same && known !== undefined ? known : { name, value: 0, children: [] };
      if (!same) (stack[depth - 1]?.children ?? roots).push(node);
      node.value += weight;
      stack.push(node);
    });
    before = stack;
  });
  if (roots.length < 2) return roots[0];
  return {
    name: `all: ${formatUnits(roots.reduce((sum, { value }) => sum + value, 0))}`,
    value: roots.reduce((sum, { value }) => sum + value, 0),
    children: roots,
  };
}
