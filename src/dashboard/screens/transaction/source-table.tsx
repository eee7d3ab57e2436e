/** Lines of a source, with Energy in the margin, or one of them marked. */

interface SourceTableProps {
  readonly label: string;
  readonly title: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
  /** Absent: there is no such column. */
  readonly energyOf?: (line: number) => string | undefined;
  /** The marked line. */
  readonly current?: number | undefined;
}

export function SourceTable({ label, title, lines, energyOf, current }: SourceTableProps) {
  return (
    <table class="source" aria-label={label}>
      <caption>{title}</caption>
      <thead class="unseen">
        <tr>
          {energyOf !== undefined && <th scope="col">Energy</th>}
          <th scope="col">Line</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, text }) => (
          <tr key={line} class={line === current ? 'current' : ''} aria-current={line === current ? 'step' : undefined}>
            {energyOf !== undefined && <td class="right number energy">{energyOf(line)}</td>}
            <td class="right number muted">{line}</td>
            <td>
              <code>{text}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
