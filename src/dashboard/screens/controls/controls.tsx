/** What changes the chain without a transaction: blocks and time, snapshots, accounts, parameters; and deployments. */

import { useSettings } from '../../chain/chain-context.js';
import { Empty, Panel, Screen } from '../../parts/panel.js';
import { AccountControls } from './account-controls.js';
import { Deploy } from './deploy.js';
import { ParameterControls } from './parameter-controls.js';
import { Snapshots } from './snapshots.js';
import { TimeControls } from './time-controls.js';

export function Controls() {
  const settings = useSettings();
  if (settings === undefined) return <Screen title="Controls">{null}</Screen>;
  return (
    <Screen title="Controls">
      {!settings.devMethods ? (
        <Panel title="Read-only" isWide>
          <Empty>
            This node does not let this page change the chain: developer methods are off (--no-dev-methods), or the page
            comes from another machine (--allow-host, --allow-origin).
          </Empty>
        </Panel>
      ) : (
        <>
          <TimeControls />
          <Snapshots />
          <AccountControls />
          <ParameterControls />
          <Deploy />
        </>
      )}
    </Screen>
  );
}
