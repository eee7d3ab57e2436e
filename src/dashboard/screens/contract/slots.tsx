/** Words of the storage, by the slots that Solidity gives them. */

import { useState } from 'preact/hooks';
import { rpc } from '../../chain/ask.js';
import { useAnswer } from '../../chain/chain-context.js';
import { toEthereum } from '../../parts/address-forms.js';
import { Answered } from '../../parts/panel.js';

const FIRST_SLOTS = 16;

export function Slots({ address }: { readonly address: string }) {
  const [slot, setSlot] = useState('');
  const asked = slotOf(slot);
  const slots = asked === undefined ? Array.from({ length: FIRST_SLOTS }, (_, at) => BigInt(at)) : [asked];
  const words = useAnswer(['storage', address, asked?.toString()], () =>
    Promise.all(
      slots.map((at) =>
        rpc<string>('eth_getStorageAt', [toEthereum(address), `0x${at.toString(16)}`, 'latest'], 'jsonrpc'),
      ),
    ),
  );
  return (
    <>
      <label class="field">
        Slot
        <input
          value={slot}
          placeholder="0 to 15; or a number, or 0x and hex digits"
          spellcheck={false}
          aria-invalid={slot.trim() !== '' && asked === undefined}
          onInput={({ currentTarget }) => setSlot(currentTarget.value)}
        />
      </label>
      <Answered of={words}>
        {(found) => (
          <table>
            <thead>
              <tr>
                <th scope="col">Slot</th>
                <th scope="col">Word</th>
              </tr>
            </thead>
            <tbody>
              {found.map((word, at) => (
                <tr key={at}>
                  <td class="number">{slots[at] === undefined ? '' : slots[at].toString().slice(0, 20)}</td>
                  <td>
                    <code class={/^0x0*$/.test(word) ? 'hash muted' : 'hash'}>{word}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answered>
    </>
  );
}

const WORDS = 1n << 256n;

function slotOf(text: string): bigint | undefined {
  const digits = text.trim();
  if (!/^(\d+|0x[0-9a-f]+)$/i.test(digits)) return undefined;
  const slot = BigInt(digits);
  return slot < WORDS ? slot : undefined;
}
