/** Prepares a fork before its first block: parameters, funded accounts, and their permissions. */

import { OperationError } from '../../errors/operation-error.js';
import { newAccount } from '../../ledger/accounts/accounts.js';
import { permissionById } from '../../ledger/accounts/permissions.js';
import { FIRST_ACTIVE_ID } from '../../ledger/contracts/AccountPermissionUpdateContract.js';
import { LATER_PARAMETERS } from '../../ledger/genesis/fork-assumptions.js';
import type { Ledger } from '../../ledger/ledger.js';
import { parameterValue } from '../../ledger/operations/chain-parameters.js';
import { readAheadStandby } from '../../ledger/voting/rewards.js';
import type { Node } from '../../node/node.js';
import { withRows } from '../../node/with-rows.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import { OptionError } from '../../options/option-error.js';
import type { Address } from '../../primitives/ids.js';
import { RELEASES } from '../../primitives/release.js';

/**
 * Sets the balances of the accounts, and makes the block that transactions refer to. Fetches the rows that this needs.
 *
 * @param parameters parameters that differ from the network's, with the effects of approved proposals
 * @param withoutFirstBlocks makes no block, so that the next one is the network's next block. For a fork for a single answer,
 *   which also saves reading the accounts of 127 witnesses
 */
export async function beginFork(
  node: Node,
  accounts: readonly DevAccount[],
  { parameters, log }: Pick<Settings, 'parameters' | 'log'>,
  withoutFirstBlocks = false,
): Promise<void> {
  const { ledger } = node.chain;
  const later = ledger.state.tables.meta.get(LATER_PARAMETERS);
  if (later !== undefined)
    log?.warn(
      `the network has chain parameters newer than java-tron ${RELEASES.at(-1)}: ${later}. The fork ignores them`,
    );
  if (parameters !== undefined) await withRows(() => setParameters(node, Object.fromEntries(parameters)));
  if (withoutFirstBlocks) return;
  await withRows(() =>
    ledger.state.gathering(() => {
      ledger.state.readAhead('accounts', () => accounts.map(({ addressHex }) => addressHex));
      readAheadStandby(ledger);
    }),
  );
  for (const { addressHex, balanceSun } of accounts) {
    const setBalance = { address: addressHex, balanceSun };
    await withRows(() => void node.chain.operate({ name: 'setBalance', arguments: setBalance }));
  }
  const lost = accounts.filter(({ addressHex }) => !ownsItself(ledger, addressHex));
  for (const { addressHex } of lost) await withRows(() => returnPermissions(node, addressHex));
  if (lost.length > 0)
    log?.warn(
      `the keys of ${lost.map(({ address }) => address).join(', ')} are public, and on the network others have changed the permissions of these accounts. On the fork they have the permissions of a new account`,
    );
  await withRows(() => void node.producer.mineAtOrBefore(node.clock.nowMs()));
}

/** Whether the account's own key alone suffices for its owner and active permissions. */
function ownsItself({ state }: Ledger, address: Address): boolean {
  const account = state.tables.accounts.get(address);
  return [0, FIRST_ACTIVE_ID].every((id) => {
    const permission = account && permissionById(account, id);
    return permission?.keys.some((key) => key.address === address && key.weight >= permission.threshold) ?? true;
  });
}

/** Some accounts with publicly known keys were taken over on the network: restores their default permissions. */
function returnPermissions({ chain }: Node, address: Address): void {
  const { owner_permission: owner, active_permission: actives } = newAccount(chain.ledger, address);
  if (owner === undefined) return;
  const patch = {
    owner_permission: { threshold: owner.threshold, keys: owner.keys },
    active_permission: actives.map(({ threshold, keys, operations }) => ({ threshold, keys, operations })),
  };
  chain.operate({ name: 'setAccount', arguments: { address, patch } });
}

function setParameters({ chain }: Node, values: Readonly<Record<string, bigint>>): void {
  try {
    chain.operate({ name: 'setChainParameters', arguments: { values, force: true } });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    throw new OptionError('parameters', `cannot be applied: ${error.message}`, 'See docs/reference/parameters.md');
  }
}

/** A stored fork keeps its parameters. @throws OptionError if the options differ from them */
export function requireParameters({ chain: { ledger } }: Node, { parameters }: Pick<Settings, 'parameters'>): void {
  for (const [name, value] of parameters ?? []) {
    const is = parameterValue(ledger, name);
    if (is !== value)
      throw new OptionError(
        'parameters',
        `says ${name}=${value}, and the fork that goes on has ${is}`,
        'Remove it. To change a running chain, use sunup set-chain-parameters',
      );
  }
}
