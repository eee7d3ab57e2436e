/** Who may sign for an account: each permission with its keys, their weights, and the threshold. */

import type { AccountAnswer, PermissionAnswer } from '../../chain/account-answers.js';
import { protocolNames } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { formatUnits } from '../../parts/amounts.js';
import { Empty, Panel } from '../../parts/panel.js';
import { Address } from '../../parts/values.js';
import { contractTypesIn } from './contract-types.js';

export function Permissions({ account }: { readonly account: AccountAnswer }) {
  const { owner_permission: owner, witness_permission: witness, active_permission: active = [] } = account;
  const permissions = [
    ...(owner === undefined ? [] : [{ kind: 'Owner', permission: owner }]),
    ...(witness === undefined ? [] : [{ kind: 'Witness', permission: witness }]),
    ...active.map((permission) => ({ kind: 'Active', permission })),
  ];
  return (
    <Panel title="Permissions">
      {permissions.length === 0 ? (
        <Empty>
          {account.type === 'Contract'
            ? 'A contract has no permissions: nobody signs for it.'
            : 'No permissions are set: the key of the address signs.'}
        </Empty>
      ) : (
        <ul class="permissions">
          {permissions.map(({ kind, permission }) => (
            <li key={`${kind} ${permission.id ?? 0}`}>
              <Permission kind={kind} {...permission} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Permission({
  kind,
  id = 0,
  permission_name: name,
  threshold = 0,
  keys = [],
  operations,
}: PermissionAnswer & { readonly kind: string }) {
  return (
    <>
      <h3 class="part">
        {kind} <span class="tag">id {id}</span>
        {name !== undefined && name !== kind.toLowerCase() && <span class="muted">{name}</span>}
        <span class="aside number">threshold {formatUnits(threshold)}</span>
      </h3>
      <ul>
        {keys.map(({ address, weight = 0 }) => (
          <li class="key" key={address}>
            <Address value={address} />
            <progress
              max={Number(threshold)}
              value={Math.min(Number(weight), Number(threshold))}
              aria-label={`Weight ${formatUnits(weight)} of threshold ${formatUnits(threshold)}`}
            />
            <span class="number">weight {formatUnits(weight)}</span>
          </li>
        ))}
      </ul>
      {operations !== undefined && <ContractTypes operations={operations} />}
    </>
  );
}

function ContractTypes({ operations }: { readonly operations: string }) {
  const { data } = useAnswer(['protocol'], protocolNames);
  if (data === undefined) return null;
  const types = contractTypesIn(operations, data.contractTypes);
  return (
    <details>
      <summary>{types.length === 1 ? '1 contract type' : `${types.length} contract types`} allowed</summary>
      <ul class="names">
        {types.map((type) => (
          <li class="tag" key={type}>
            {type}
          </li>
        ))}
      </ul>
    </details>
  );
}
