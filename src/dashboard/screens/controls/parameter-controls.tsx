import { rpc } from '../../chain/ask.js';
import { ActionForm } from '../../parts/action-form.js';
import { Panel } from '../../parts/panel.js';
import { wholeNumber } from './time-controls.js';

export function ParameterControls() {
  return (
    <Panel title="Chain parameters">
      <ActionForm
        title="Set a parameter"
        button="Set"
        fields={[
          { name: 'Parameter', initial: 'getEnergyFee' },
          { name: 'Value', isNumber: true },
        ]}
        act={async ([key = '', value = '']) => {
          await rpc('tron_setChainParameters', [{ [key.trim()]: wholeNumber(value) }]);
          return `${key.trim()} is ${value.trim()}. No proposal was made; it holds at once.`;
        }}
      />
    </Panel>
  );
}
