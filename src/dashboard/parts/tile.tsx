import type { ComponentChildren } from 'preact';

/** One value with its name and a note. */
export function Tile({
  name,
  value,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class="tile" aria-label={name}>
      <h2>{name}</h2>
      <p class="value number">{value}</p>
      <p class="note">{children}</p>
    </section>
  );
}
