/** Source lines with their Energy, as a bar in the margin. */

import type { SourceLines } from '../../chain/answers.js';
import { formatUnits, shortened } from '../../parts/amounts.js';
import { Empty } from '../../parts/panel.js';

/** Why Energy belongs to no line. */
const REASONS: Readonly<Record<string, string>> = {
  'no-artifact': 'no artifact has this code (start the node with --artifacts DIR)',
  'no-source': 'the source is missing, or is not the compiled one',
  generated: 'code that the compiler generates',
  contract: 'code that belongs to no statement',
  deposit: 'stored code, 200 for each byte',
  forfeited: 'consumed by exceptions',
};

export function Lines({ lines: { files, unattributed, total } }: { readonly lines: SourceLines }) {
  const most = Math.max(1, ...files.flatMap(({ lines }) => lines.map(({ energy }) => Number(energy))));
  return (
    <div class="sources">
      {files.length === 0 && (
        <Empty>No source is known: start the node with --artifacts DIR to see Energy by line.</Empty>
      )}
      {files.map(({ path, lines }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard
        <section key={path} aria-label={path} tabIndex={0}>
          <h3>{path}</h3>
          <table class="source">
            <thead>
              <tr>
                <th scope="col" class="right">
                  Energy
                </th>
                <th scope="col" class="right">
                  Line
                </th>
                <th scope="col">Source</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ line, text, energy }) => (
                <tr key={line}>
                  <td class="right number">
                    <meter min={0} max={most} value={Number(energy)} aria-hidden="true" /> {formatUnits(energy)}
                  </td>
                  <td class="right number muted">{line}</td>
                  <td>
                    <code>{text}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
      {unattributed.length > 0 && (
        <section>
          <h3>Without a line</h3>
          <ul>
            {unattributed.map(({ why, energy, contract }, at) => (
              <li key={at}>
                <b class="number">{formatUnits(energy)}</b> Energy
                {contract !== undefined && ` of ${contract.name || shortened(contract.address)}`}: {REASONS[why] ?? why}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="muted">
        All lines and this add up to <span class="number">{formatUnits(total)}</span> Energy, as in the receipt.
      </p>
    </div>
  );
}
