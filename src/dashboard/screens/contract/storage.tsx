/**
 * A contract's storage: by variable where an artifact has its layout, otherwise by slot. The address keeps the place, so
 * that it can be shared.
 */

import { useRef } from 'preact/hooks';
import { sunup } from '../../chain/ask.js';
import { askAgain, useAnswer, useSettings } from '../../chain/chain-context.js';
import type { ContractStorage } from '../../chain/contract-answers.js';
import { useAddressState } from '../../parts/address-state.js';
import { Answered, Empty, Problem } from '../../parts/panel.js';
import { Slots } from './slots.js';
import { PAGE, pathOf, Variables } from './variables.js';

export function Storage({ address }: { readonly address: string }) {
  const settings = useSettings();
  const [view, setView] = useAddressState('storage', 'variables');
  const bySlot = view === 'slots' || settings?.devMethods === false;
  return (
    <>
      {settings?.devMethods === true && (
        <div class="views" role="radiogroup" aria-label="Storage by">
          {(['variables', 'slots'] as const).map((name) => (
            <label key={name} class="check">
              <input
                type="radio"
                name="storage-view"
                checked={(view === 'slots') === (name === 'slots')}
                onChange={() => setView(name)}
              />
              {name === 'variables' ? 'By variable' : 'By slot'}
            </label>
          ))}
        </div>
      )}
      {bySlot ? <Slots address={address} /> : settings !== undefined && <ByVariable address={address} />}
    </>
  );
}

function ByVariable({ address }: { readonly address: string }) {
  const [pathText, setPath] = useAddressState('variable');
  const [from, setFrom] = useAddressState('from', '0');
  const open = (path: readonly string[]) => {
    setFrom('0');
    setPath(path.length === 0 ? '' : JSON.stringify(path));
  };
  // The node searches its artifacts for a layout: not again with each block.
  const missing = useRef<ContractStorage>();
  const answer = useAnswer(['variables', address, pathText, from], async () => {
    if (missing.current !== undefined) return missing.current;
    const path = pathOf(pathText);
    const storage = await sunup<ContractStorage>('storage', { contract: address, path, offset: from, limit: PAGE });
    if (storage.missing !== undefined) missing.current = storage;
    return storage;
  });
  const lookAgain = () => {
    missing.current = undefined;
    askAgain();
  };
  if (answer.data === undefined && answer.error !== null && pathText !== '') {
    return (
      <>
        <Problem error={answer.error} />
        <button type="button" class="link" onClick={() => open([])}>
          All variables
        </button>
      </>
    );
  }
  return (
    <Answered of={answer}>
      {(storage) =>
        storage.missing === undefined ? (
          <Variables storage={storage} open={open} from={from} setFrom={setFrom} />
        ) : (
          <>
            <Empty>
              Variables are not known: {storage.missing}.{' '}
              <button type="button" class="link" onClick={lookAgain}>
                Look again
              </button>
            </Empty>
            <Slots address={address} />
          </>
        )
      }
    </Answered>
  );
}
