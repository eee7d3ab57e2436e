/** On a fork: what is the network's, and what is the fork's own. On other chains there are no marks. */

import type { ForkAnswer } from '../chain/answers.js';
import { sunup } from '../chain/ask.js';
import { useAnswer, useSettings } from '../chain/chain-context.js';
import { formatUnits } from './amounts.js';

const WORDS = {
  network: ['network', 'As on the forked network'],
  changed: ['changed on the fork', "The network's, changed on this fork"],
  fork: ['fork', 'Only on this fork'],
} as const;

function Mark({ origin }: { readonly origin: keyof typeof WORDS }) {
  const [text, title] = WORDS[origin];
  return (
    <span class={`mark ${origin}`} title={title}>
      {text}
    </span>
  );
}

/** Beside the state of the connection. */
export function ForkBadge() {
  const fork = useSettings()?.fork;
  if (fork === undefined) return null;
  const block = formatUnits(fork.block);
  return (
    <span
      class="fork-badge"
      title={`Blocks up to ${block}, and what they contain, are of ${fork.network ?? 'the network'}. Later ones are of this fork.`}
    >
      Fork<span class="wide-only"> of {fork.network ?? 'a network'}</span> at {block}
    </span>
  );
}

/** @param onlyNetwork for lists, in which most blocks are the fork's own */
export function BlockMark({ number, onlyNetwork }: { readonly number: number; readonly onlyNetwork?: boolean }) {
  const fork = useSettings()?.fork;
  if (fork === undefined || (onlyNetwork === true && number > fork.block)) return null;
  return <Mark origin={number > fork.block ? 'fork' : 'network'} />;
}

/** Needs developer methods. */
export function AddressMark({ address, of }: { readonly address: string; readonly of: 'account' | 'contract' }) {
  const settings = useSettings();
  const isAsked = settings?.fork !== undefined && settings.devMethods;
  const { data } = useAnswer(['origin', address, isAsked], async () =>
    isAsked ? sunup<ForkAnswer>('fork', { address }) : null,
  );
  const origin = data?.[of];
  return origin === undefined ? null : <Mark origin={origin} />;
}

/** Chain parameters that the fork has changed, by key, with the network's value. */
export function useChangedParameters(): ReadonlyMap<string, string> {
  const settings = useSettings();
  const isAsked = settings?.fork !== undefined && settings.devMethods;
  const { data } = useAnswer(['fork', isAsked], async () => (isAsked ? sunup<ForkAnswer>('fork') : null));
  return new Map(data?.parameters?.map(({ key, network }) => [key, formatUnits(network)]));
}
