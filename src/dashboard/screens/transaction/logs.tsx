/** Events as the receipt has them, with name and values where an ABI is known, and internal transactions. */

import type { EventEntry, ReceiptAnswer } from '../../chain/answers.js';
import { history } from '../../chain/ask.js';
import { useAnswer, useSettings } from '../../chain/chain-context.js';
import { toBase58 } from '../../parts/address-forms.js';
import { eventValues } from '../../parts/event-values.js';
import { Empty } from '../../parts/panel.js';
import { Address, Trx } from '../../parts/values.js';

export function Logs({
  txid,
  receipt: { log = [], internal_transactions: internal = [] },
}: {
  readonly txid: string;
  readonly receipt: Partial<ReceiptAnswer>;
}) {
  const settings = useSettings();
  const decoded = useAnswer(['events of', txid, settings], async () => {
    if (settings?.history !== true || log.length === 0) return [];
    return (await history<EventEntry>(`transactions/${txid}/events`)).data;
  }).data;
  const eventAt = (index: number) =>
    decoded?.find(({ event_index, event_name }) => event_index === index && event_name !== '');
  if (log.length + internal.length === 0) return <Empty>No events and no internal transactions.</Empty>;
  return (
    <>
      {log.map(({ address, topics = [], data = '' }, at) => (
        <section class="log" key={at}>
          <h3>
            Log {at} of <Address value={toBase58(address) ?? address} />
          </h3>
          <NamedEvent entry={eventAt(at)} />
          {topics.map((topic, place) => (
            <p key={place}>
              <span class="tag">topic {place}</span> <code class="hash">{topic}</code>
            </p>
          ))}
          {data !== '' && (
            <p>
              <span class="tag">data</span> <code class="hash">{data}</code>
            </p>
          )}
        </section>
      ))}
      {internal.map(({ hash, caller_address, transferTo_address, callValueInfo = [], note = '', rejected }) => (
        <p key={hash} class={rejected === true ? 'bad' : ''}>
          <span class="tag">internal</span> <Address value={toBase58(caller_address) ?? caller_address} />{' '}
          {noteText(note)} <Address value={toBase58(transferTo_address) ?? transferTo_address} />{' '}
          {callValueInfo.map(({ callValue, tokenId }, at) =>
            callValue === undefined ? null : tokenId === undefined || tokenId === '' ? (
              <Trx key={at} sun={callValue} />
            ) : (
              <span key={at}>
                {callValue} of token {tokenId}
              </span>
            ),
          )}
          {rejected === true && ' (rolled back)'}
        </p>
      ))}
    </>
  );
}

function NamedEvent({ entry }: { readonly entry: EventEntry | undefined }) {
  if (entry === undefined) return null;
  return (
    <p>
      <b>{entry.event_name}</b> <code class="hash">{eventValues(entry)}</code>
    </p>
  );
}

/** The note is text in hex. */
function noteText(hex: string): string {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  return new TextDecoder().decode(bytes);
}
