/**
 * One field for anything that has a name on the chain: block number or id, transaction id, Ethereum hash, address in any
 * form; contracts by their name and by the names of their methods, as a list while the reader writes.
 */

import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { BlockAnswer, TransactionAnswer } from '../chain/answers.js';
import { AnswerError, sunup, wallet } from '../chain/ask.js';
import { useAnswer, useSettings } from '../chain/chain-context.js';
import type { ContractList } from '../chain/contract-answers.js';
import { toBase58 } from '../parts/address-forms.js';
import { formatUnits, shortened } from '../parts/amounts.js';

const SHOWN = 8;
/** Between two keys of a reader who writes. */
const PAUSE_MS = 120;

interface Match {
  readonly to: string;
  readonly name: string;
  readonly detail: string;
}

export function Search() {
  const id = useId();
  const settings = useSettings();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const asked = useSettled(text.trim());
  const isListed = isOpen && settings?.devMethods === true && isName(asked);
  const answer = useAnswer(['search', isListed ? asked : ''], async () => (isListed ? await matching(asked) : []));
  const matches = (isListed && answer.data) || [];
  const last = matches.length - 1;

  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const open = (place: string) => {
    setText('');
    setProblem(undefined);
    close();
    go(place);
  };
  const search = async (event: Event) => {
    event.preventDefault();
    const wanted = text.trim();
    const chosen = matches[active];
    if (chosen !== undefined) return open(chosen.to);
    if (wanted === '') return;
    try {
      const found = await find(wanted);
      if (found !== undefined) return open(found);
      const named = settings?.devMethods === true ? await matching(wanted) : [];
      const [only] = named;
      if (only !== undefined && named.length === 1) return open(only.to);
      setProblem(only === undefined ? `Nothing on this chain is called “${wanted.slice(0, 70)}”.` : undefined);
      setOpen(only !== undefined);
    } catch (error) {
      setProblem(error instanceof AnswerError ? error.message : 'The node does not answer.');
    }
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return close();
    const next = { ArrowDown: active === last ? -1 : active + 1, ArrowUp: active === -1 ? last : active - 1 }[
      event.key
    ];
    if (next === undefined || matches.length === 0) return;
    event.preventDefault();
    setActive(next);
  };
  return (
    <search class="search">
      <form onSubmit={search}>
        <input
          type="search"
          role="combobox"
          aria-label="Search"
          aria-expanded={matches.length > 0}
          aria-controls={`${id}-matches`}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          placeholder="Transaction, block, address, contract, method"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onKeyDown={move}
          onBlur={close}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(undefined);
            setOpen(true);
            setActive(-1);
          }}
        />
        {matches.length > 0 && (
          <div id={`${id}-matches`} class="search-matches" role="listbox" aria-label="Contracts that match">
            {matches.map(({ to, name, detail }, at) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
              <div
                key={to}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === active}
                // The field keeps the focus, so the list is still there when the button is released.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => open(to)}
              >
                <b>{name}</b>
                <span class="muted">{detail}</span>
              </div>
            ))}
          </div>
        )}
        {problem !== undefined && (
          <p class="search-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </search>
  );
}

/** The value when it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Rather than a number, an id or an address. */
const isName = (text: string): boolean =>
  text.length > 1 && !/^[\d,]+$/.test(text) && !/^(0x)?[0-9a-f]{64}$/i.test(text) && toBase58(text) === undefined;

/** Contracts and methods of this name, and where the rest of them are. */
async function matching(text: string): Promise<readonly Match[]> {
  const { contracts, total } = await sunup<ContractList>('contracts', { search: text, limit: SHOWN });
  const matches = contracts.flatMap(({ address, name, methods = [] }): readonly Match[] => {
    const title = name === '' ? shortened(address) : name;
    const [method, ...others] = methods;
    if (method === undefined) return [{ to: `/contracts/${address}`, name: title, detail: shortened(address) }];
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    const to = `/contracts/${address}?method=${encodeURIComponent(method)}`;
    return [{ to, name: title, detail: `${method}${more} · ${shortened(address)}` }];
  });
  if (total <= matches.length) return matches;
  const all = `/contracts?search=${encodeURIComponent(text)}`;
  return [...matches, { to: all, name: `All ${formatUnits(total)} contracts that match`, detail: '' }];
}

/** @returns the address of a screen; undefined if the chain has no such thing */
async function find(text: string): Promise<string | undefined> {
  const number = text.replaceAll(',', '');
  if (/^\d{1,15}$/.test(number)) return blockAt({ num: Number(number) }, 'getblockbynum');
  const hex = text.toLowerCase().replace(/^0x/, '');
  if (/^[0-9a-f]{64}$/.test(hex)) {
    return (await transaction(hex)) ?? (await ethereumHash(hex)) ?? (await blockAt({ value: hex }, 'getblockbyid'));
  }
  const address = toBase58(text);
  return address && `/accounts/${address}`;
}

async function blockAt(body: Readonly<Record<string, unknown>>, method: string): Promise<string | undefined> {
  const { block_header: header } = await wallet<Partial<BlockAnswer>>(method, body);
  return header && `/blocks/${header.raw_data.number ?? 0}`;
}

async function transaction(id: string): Promise<string | undefined> {
  const { txID } = await wallet<Partial<TransactionAnswer>>('gettransactionbyid', { value: id });
  return txID && `/transactions/${txID}`;
}

/** A transaction that came through `/eth` has Ethereum's hash beside its id. */
async function ethereumHash(hash: string): Promise<string | undefined> {
  const found = await sunup<{ readonly txid: string }>('explain', { txid: hash }).catch(() => undefined);
  return found && `/transactions/${found.txid}`;
}
