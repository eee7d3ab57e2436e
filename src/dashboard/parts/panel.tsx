/** The frames of a screen: titles, panels, facts, and what stands there while an answer is not. */

import type { UseQueryResult } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { AnswerError } from '../chain/ask.js';

export function Screen({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Sunup`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1}>
      <header class="screen-title">
        <h1>{title}</h1>
        {about}
      </header>
      {children}
    </main>
  );
}

export function Panel({
  title,
  aside,
  children,
  isWide,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly isWide?: boolean;
}) {
  return (
    <section class={isWide === true ? 'panel wide' : 'panel'} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside !== undefined && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

/** Names and values, one per line. */
export function Facts({ children }: { readonly children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/**
 * While the node does not answer, the last answer stays. A refusal replaces it: after a revert, what it showed is gone.
 *
 * @param children what to show with an answer
 */
export function Answered<Answer>({
  of,
  children,
}: {
  readonly of: UseQueryResult<Answer, Error>;
  readonly children: (answer: Answer) => ComponentChildren;
}) {
  const { data, error } = of;
  if (data !== undefined && !(error instanceof AnswerError)) return <>{children(data)}</>;
  if (error !== null) return <Problem error={error} />;
  return (
    <p class="loading" role="status">
      Loading …
    </p>
  );
}

export function Problem({ error }: { readonly error: Error }) {
  return (
    <p class="problem" role="alert">
      {error instanceof AnswerError ? error.message : `The node does not answer: ${error.message}`}
    </p>
  );
}
