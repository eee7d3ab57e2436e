import { formatUnits } from './amounts.js';
import { Copy } from './copy.js';

/** A longer text makes a browser stutter, and nobody reads it. */
const MAX_SHOWN = 50_000;

/** Text that can be copied: whole, although only the beginning of a long one is shown. */
export function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="code">
      <figcaption>
        {title} <Copy text={text} what={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard */}
      <pre tabIndex={0}>{text.slice(0, MAX_SHOWN)}</pre>
      {text.length > MAX_SHOWN && (
        <p class="muted">{formatUnits(text.length - MAX_SHOWN)} more characters. The copy has all of them.</p>
      )}
    </figure>
  );
}
