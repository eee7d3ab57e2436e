import { useEffect, useState } from 'preact/hooks';

/** A button that copies text. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    // Without HTTPS, only pages of this machine have a clipboard.
    navigator.clipboard?.writeText(text).then(() => setCopied(true));
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={copy}
      aria-label={copied ? `${what} copied` : `Copy ${what}`}
      title={`Copy ${what}`}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {copied ? <path d="M3 8.5 6.5 12 13 4.5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
      </svg>
    </button>
  );
}
