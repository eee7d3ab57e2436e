/** A name and a password in an address, as of a node behind basic authentication: said in a header, and shown to nobody. */

export interface Address {
  readonly url: string;
  /** Of questions to it. */
  readonly authorization?: string;
}

/** @example withoutCredentials('https://me:secret@node.example') // { url: 'https://node.example', authorization: 'Basic …' } */
export function withoutCredentials(address: string): Address {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.username === '' && url.password === '')) return { url: address };
  const said = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = url.password = '';
  return { url: url.href.replace(/\/+$/, ''), authorization: `Basic ${Buffer.from(said).toString('base64')}` };
}
