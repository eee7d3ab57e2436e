import { Copy } from './copy.js';

/** Text that can be copied. */
export function Code({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <figure class="code">
      <figcaption>
        {title} <Copy text={text} what={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </figure>
  );
}
