/** A name and a password in an address, as of a node behind basic authentication: said in a header, and shown to nobody. */

interface NodeAddress {
  readonly url: string;
  /** Of questions to it. */
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

/** A per cent sign that begins nothing stays one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
