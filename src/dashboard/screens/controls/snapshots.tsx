/** Snapshots as a list to go back to. */

import { useState } from 'preact/hooks';
import { rpc } from '../../chain/ask.js';
import { askAgain, useAnswer } from '../../chain/chain-context.js';
import { Answered, Panel, Problem } from '../../parts/panel.js';
import { BlockNumber } from '../../parts/values.js';

interface Instance {
  /** Id to block number. */
  readonly snapshots: Readonly<Record<string, number>>;
}

export function Snapshots() {
  const answer = useAnswer(['snapshots'], () => rpc<Instance>('tron_instance'));
  const [problem, setProblem] = useState<Error>();
  const act = (method: string, params: readonly unknown[]) => async () => {
    try {
      await rpc(method, params);
      setProblem(undefined);
    } catch (error) {
      setProblem(error as Error);
    }
    await askAgain();
  };
  return (
    <Panel
      title="Snapshots"
      aside={
        <button type="button" onClick={act('tron_snapshot', [])}>
          Take a snapshot
        </button>
      }
    >
      {problem !== undefined && <Problem error={problem} />}
      <Answered of={answer}>
        {({ snapshots }) => {
          const known = Object.entries(snapshots);
          if (known.length === 0)
            return (
              <p class="empty">
                No snapshot yet. A snapshot keeps the whole chain: state, clock, pending transactions.
              </p>
            );
          return (
            <table>
              <thead>
                <tr>
                  <th scope="col">Snapshot</th>
                  <th scope="col">Block</th>
                  <th scope="col" class="right">
                    Actions
                  </th>
                </tr>
              </thead>
              <tbody>
                {known.map(([id, block]) => (
                  <tr key={id}>
                    <td>{id}</td>
                    <td>
                      <BlockNumber value={block} />
                    </td>
                    <td class="right">
                      <button type="button" onClick={act('tron_revert', [id])} aria-label={`Go back to snapshot ${id}`}>
                        Go back
                      </button>{' '}
                      <button type="button" onClick={act('tron_dropSnapshot', [id])} aria-label={`Drop snapshot ${id}`}>
                        Drop
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          );
        }}
      </Answered>
    </Panel>
  );
}
