/** The live chain for all screens, and questions that are repeated when it changes. */

import { QueryClient, QueryClientProvider, type UseQueryResult, useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type NodeSettings, nodeSettings } from './ask.js';
import { emptyChain, followChain, type LiveChain } from './follow.js';

const ChainContext = createContext<LiveChain>(emptyChain);

/** The next block repeats a question that failed. */
const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });

/** While blocks come in quick succession, questions are repeated once in this time. */
const REPEAT_MS = 500;

export function ChainProvider({ children }: { readonly children: ComponentChildren }) {
  const [chain, setChain] = useState(emptyChain);
  useEffect(() => followChain(setChain), []);
  const repeated = useRef(0);
  const { head, era } = chain;
  useEffect(() => {
    if (head === undefined) return;
    const repeat = () => {
      repeated.current = Date.now();
      queries.invalidateQueries({ predicate: ({ meta }) => meta?.lasting !== true });
    };
    const timer = setTimeout(repeat, Math.max(0, repeated.current + REPEAT_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [head?.id]);
  useEffect(() => {
    if (era > 0) queries.invalidateQueries();
  }, [era]);
  return (
    <QueryClientProvider client={queries}>
      <ChainContext.Provider value={chain}>{children}</ChainContext.Provider>
    </QueryClientProvider>
  );
}

export const useChain = (): LiveChain => useContext(ChainContext);

/**
 * An answer of the node: asked again with each new block, after a revert and after a restart of the node. The last
 * answer stays on the screen meanwhile.
 *
 * @param key what the answer depends on
 * @param isAskable false while the key is not complete
 * @example const { data, error } = useAnswer(['account', address], () => wallet('getaccount', { address }))
 */
export function useAnswer<Answer>(
  key: readonly unknown[],
  ask: () => Promise<Answer>,
  isAskable = true,
): UseQueryResult<Answer, Error> {
  return useQuery<Answer, Error>({ queryKey: key, queryFn: ask, enabled: isAskable });
}

/**
 * An answer that further blocks do not change, such as the steps of a transaction: asked again only after a revert and
 * after a restart of the node.
 */
export function useLastingAnswer<Answer>(
  key: readonly unknown[],
  ask: () => Promise<Answer>,
): UseQueryResult<Answer, Error> {
  return useQuery<Answer, Error>({ queryKey: key, queryFn: ask, meta: { lasting: true }, staleTime: Infinity });
}

/**
 * The settings; until they are known, nothing is left out and nothing is asked. They last as long as the node: each row of
 * a table may use them.
 */
export function useSettings(): NodeSettings | undefined {
  return useLastingAnswer(['settings'], nodeSettings).data;
}

/** Repeats all questions, after a change that made no block. */
export const askAgain = (): Promise<void> => queries.invalidateQueries();
