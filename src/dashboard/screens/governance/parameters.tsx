/** Chain parameters with their meaning, beside a fresh java-tron chain and the main network. */

import { useState } from 'preact/hooks';
import type { Amount, ProtocolNames } from '../../chain/answers.js';
import { formatUnits } from '../../parts/amounts.js';
import { Empty } from '../../parts/panel.js';

interface Row {
  readonly key: string;
  readonly value: Amount;
  readonly known: ProtocolNames['parameters'][number] | undefined;
}

const isAt = (value: Amount, other: Amount | undefined) => other !== undefined && BigInt(value) === BigInt(other);

export function Parameters({
  parameters,
  names,
}: {
  readonly parameters: readonly { readonly key: string; readonly value?: Amount }[];
  readonly names: ProtocolNames | undefined;
}) {
  const [filter, setFilter] = useState('');
  const [onlyOther, setOnlyOther] = useState(false);
  const rows = parameters.map(
    ({ key, value = 0 }): Row => ({ key, value, known: names?.parameters.find((known) => known.key === key) }),
  );
  const words = filter.toLowerCase().split(/\s+/);
  const shown = rows.filter(({ key, value, known }) => {
    if (onlyOther && isAt(value, known?.mainnet)) return false;
    const text = `${key} ${known?.id ?? ''} ${known?.name ?? ''} ${known?.meaning ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <>
      <div class="filter">
        <input
          type="search"
          aria-label="Filter parameters"
          placeholder="Name, number or meaning"
          spellcheck={false}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={onlyOther}
            onChange={({ currentTarget }) => setOnlyOther(currentTarget.checked)}
          />
          Different from {names?.preset ?? 'the main network'}
        </label>
        <span class="muted number" role="status">
          {shown.length} of {rows.length}
        </span>
      </div>
      {shown.length === 0 ? (
        <Empty>No parameter is like that.</Empty>
      ) : (
        <>
          <p class="muted">“default” is the value of a fresh java-tron chain.</p>
          <dl class="parameters">
            {shown.map((row) => (
              <Parameter key={row.key} row={row} preset={names?.preset ?? ''} />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function Parameter({ row: { key, value, known }, preset }: { readonly row: Row; readonly preset: string }) {
  return (
    <div>
      <dt>
        <code>{key}</code>{' '}
        {known !== undefined && (
          <span class="muted">
            {known.id === undefined ? 'not proposable' : `no. ${known.id}`} · {known.name}
          </span>
        )}
      </dt>
      <dd class="value number">{formatUnits(value)}</dd>
      <dd class="meaning">{known?.meaning}</dd>
      <dd class="others number">
        {known !== undefined && !isAt(value, known.initial) && <span>default {formatUnits(known.initial)}</span>}
        {known !== undefined && !isAt(value, known.mainnet) && (
          <span class="warning">
            {preset} {formatUnits(known.mainnet)}
          </span>
        )}
      </dd>
    </div>
  );
}
