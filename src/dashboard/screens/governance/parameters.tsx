/** Chain parameters with their meaning, beside a fresh java-tron chain and the main network. */

import type { Amount, ProtocolNames } from '../../chain/answers.js';
import { useAddressState } from '../../parts/address-state.js';
import { formatUnits } from '../../parts/amounts.js';
import { useChangedParameters } from '../../parts/fork-marks.js';
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
  const [filter, setFilter] = useAddressState('parameter');
  const [other, setOther] = useAddressState('only');
  const onlyOther = other === 'different';
  const changed = useChangedParameters();
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
            onChange={({ currentTarget }) => setOther(currentTarget.checked ? 'different' : '')}
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
              <Parameter key={row.key} row={row} preset={names?.preset ?? ''} network={changed.get(row.key)} />
            ))}
          </dl>
        </>
      )}
    </>
  );
}

interface ParameterProps {
  readonly row: Row;
  readonly preset: string;
  /** On a fork that has changed it: its value on the network. */
  readonly network: string | undefined;
}

function Parameter({ row: { key, value, known }, preset, network }: ParameterProps) {
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
      <dd class="value number">
        {formatUnits(value)}
        {network !== undefined && <span class="mark changed">network {network}</span>}
      </dd>
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
