/** One field for anything that has a name on the chain: block number or id, transaction id, address in any form. */

import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { BlockAnswer, TransactionAnswer } from '../chain/answers.js';
import { AnswerError, sunup, wallet } from '../chain/ask.js';
import { toBase58 } from '../parts/address-forms.js';

export function Search() {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [, go] = useLocation();
  const search = async (event: Event) => {
    event.preventDefault();
    const asked = text.trim();
    if (asked === '') return;
    try {
      const found = await find(asked);
      setProblem(found === undefined ? `Nothing on this chain is called “${asked.slice(0, 70)}”.` : undefined);
      if (found === undefined) return;
      setText('');
      go(found);
    } catch (error) {
      setProblem(error instanceof AnswerError ? error.message : 'The node does not answer.');
    }
  };
  return (
    <search class="search">
      <form onSubmit={search}>
        <input
          type="search"
          aria-label="Search"
          placeholder="Transaction, block, address"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setProblem(undefined);
          }}
        />
        {problem !== undefined && (
          <p class="search-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </search>
  );
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
