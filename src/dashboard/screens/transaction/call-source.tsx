/** The functions that one call ran, with the Energy of their lines in the margin. */

import type { SourceFileText, TracedCall } from '../../chain/answers.js';
import { methodName } from '../../parts/actions.js';
import { formatUnits } from '../../parts/amounts.js';
import { Empty } from '../../parts/panel.js';
import { SourceTable } from './source-table.js';

type Source = NonNullable<TracedCall['source']>;

/** From line to line, both included. */
interface Range {
  readonly file: number;
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
}

export function CallSource({
  call: { contract, method, source },
  files,
}: {
  readonly call: TracedCall;
  readonly files: readonly SourceFileText[];
}) {
  const title = `${contract.name || contract.address}.${method === undefined ? 'constructor' : methodName(method)}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard
    <section class="call-source" aria-label="Source of the call" tabIndex={0}>
      <h3>{title}</h3>
      {source === undefined ? (
        <Empty>The source of this contract is not known: start the node with --artifacts DIR.</Empty>
      ) : (
        rangesOf(source).map(({ file, name, line, endLine }) => (
          <SourceTable
            key={`${file} ${line}`}
            label={name}
            title={`${files[file]?.path ?? ''}:${line}`}
            lines={linesBetween(files[file], line, endLine)}
            energyOf={energyIn(source, file)}
          />
        ))
      )}
    </section>
  );
}

/** Functions, and lines outside of functions that used Energy, such as those of state variables. */
function rangesOf({ functions, lines }: Source): readonly Range[] {
  const outside = lines.filter(
    ({ file, line }) => !functions.some((range) => range.file === file && range.line <= line && line <= range.endLine),
  );
  return [...functions, ...outside.map(({ file, line }) => ({ file, name: `line ${line}`, line, endLine: line }))];
}

function linesBetween(
  file: SourceFileText | undefined,
  line: number,
  endLine: number,
): readonly { readonly line: number; readonly text: string }[] {
  const texts = linesOf(file?.text ?? '').slice(line - 1, endLine);
  return texts.map((text, at) => ({ line: line + at, text }));
}

/** As editors count them. */
export const linesOf = (text: string): readonly string[] => text.split(/\r\n|\r|\n/);

function energyIn({ lines }: Source, file: number): (line: number) => string | undefined {
  const spent = new Map(lines.filter((entry) => entry.file === file).map(({ line, energy }) => [line, energy]));
  return (line) => {
    const energy = spent.get(line);
    return energy === undefined ? undefined : formatUnits(energy);
  };
}
