/** Name and password in a URL, for a node behind basic authentication: sent as a header, and never shown. */

interface NodeAddress {
  readonly url: string;
  /** For its requests. */
  readonly authorization?: string;
}

/** @example withoutCredentials('https://me:secret@node.example') // { url: 'https://node.example', authorization: 'Basic …' } */
export function withoutCredentials(address: string): NodeAddress {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.username === '' && url.password === '')) return { url: address };
  const said = `${decoded(url.username)}:${decoded(url.password)}`;
  url.username = url.password = '';
  return { url: url.href.replace(/\/+$/, ''), authorization: `Basic ${Buffer.from(said).toString('base64')}` };
}

/** A percent sign without two hex digits stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
