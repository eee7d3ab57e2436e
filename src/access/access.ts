/**
 * Access control: who may call what, decided by the headers of a request or of a WebSocket upgrade. The network's own
 * interface (reads and broadcasts) is open to pages of any origin, as on the network. Control of this chain (mining,
 * snapshots, operations, keys) is open to command lines, to pages of this machine, and to explicitly allowed origins
 * and hosts. The table of each endpoint or method says which of the two it is; paths are unknown here.
 */

import type { IncomingHttpHeaders } from 'node:http';

/** Who may call an endpoint or a method: `anyone`, or only callers that may control the chain. */
export type Callers = 'anyone' | 'trusted';

export interface AccessSettings {
  /** Whether pages of other origins are allowed at all; otherwise only `allowOrigin` and our own pages. */
  readonly cors: boolean;
  /** Origins of pages that may call everything, `https://dapp.example`, `null`; `*` for all. */
  readonly allowOrigin: readonly string[];
  /** Public host names of this node, besides local ones: `devnet.example`; `*` for all. */
  readonly allowHost: readonly string[];
}

const DEFAULT_ACCESS: AccessSettings = { cors: true, allowOrigin: [], allowHost: [] };

/** The headers that identify the caller. */
export type CallerHeaders = Pick<IncomingHttpHeaders, 'host' | 'origin' | 'sec-fetch-site'>;

/** A program of this machine, such as this process: not a page. */
export const LOCAL_CALLER: CallerHeaders = { host: 'localhost' };

export class Access {
  readonly #cors: boolean;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor({ cors, allowOrigin, allowHost }: AccessSettings = DEFAULT_ACCESS) {
    this.#cors = cors;
    this.#origins = new Set(allowOrigin);
    this.#hosts = new Set(allowHost.map((name) => name.toLowerCase()));
  }

  /**
   * Why a call is refused, and the option that allows it; undefined: it is allowed.
   *
   * @param what the called path or method
   * @example access.refusal('trusted', request.headers, '/sunup/mine')
   */
  refusal(callers: Callers, headers: CallerHeaders, what: string): string | undefined {
    if (callers === 'anyone' && this.#cors) return undefined;
    const { host, origin } = headers;
    const hostname = host === undefined ? undefined : nameOf(`http://${host}`);
    const isLocalHost = hostname === undefined || isLocalName(hostname);
    // DNS rebinding: the browser treats a page whose name points here as same-origin.
    if ((host !== undefined && hostname === undefined) || !(isLocalHost || this.#allows(this.#hosts, hostname))) {
      return `${what} is refused for the host name ${host}, which is not known to be this machine: use a local name or an address, or start sunup with --allow-host ${hostname ?? host}`;
    }
    if (origin !== undefined) {
      const isKnown = this.#allows(this.#origins, origin) || isOurOwn(origin, host);
      if (isKnown || (this.#cors && isLocalOrigin(origin))) return undefined;
      return `${what} is refused for pages of ${origin}: start sunup with --allow-origin ${origin} to let them ${this.#cors ? 'control this chain' : 'in'}`;
    }
    const site = headers['sec-fetch-site'];
    if (site === 'cross-site' || (site === 'same-site' && !isLocalHost)) {
      return `${what} is refused for pages of other sites: call it from a page of this machine or from a command line, or start sunup with --allow-origin ORIGIN and let the page send its origin`;
    }
    return undefined;
  }

  /** The origin for CORS headers; undefined: none. */
  readableBy(callers: Callers, { origin }: CallerHeaders): string | undefined {
    return callers === 'anyone' && this.#cors ? '*' : origin;
  }

  #allows(names: ReadonlySet<string>, name: string): boolean {
    return names.has('*') || names.has(name);
  }
}

function nameOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.replace(/\.$/, '').toLowerCase();
  } catch {
    return undefined;
  }
}

/**
 * Whether the caller is on this machine without a proxy between: a proxy adds forwarding headers, or uses another host
 * name.
 *
 * @param address of the other end; undefined: there is no socket
 */
export function isOfThisMachine(headers: IncomingHttpHeaders, address: string | undefined): boolean {
  const { host, origin } = headers;
  if (address !== undefined && !isLoopback(address)) return false;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return [host && `http://${host}`, origin].every((url) => url === undefined || isLoopback(nameOf(url) ?? ''));
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * Whether other machines can use what is allowed for this machine.
 *
 * @param host the listening address
 */
export function isOpenToOthers({
  host,
  allowOrigin,
  allowHost,
}: Pick<AccessSettings, 'allowOrigin' | 'allowHost'> & { readonly host: string }): boolean {
  return !isLoopback(host) || allowOrigin.length > 0 || allowHost.length > 0;
}

function isLoopback(name: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|(::ffff:)127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name);
}

/** A page that this node served; `host` is known to be ours. */
function isOurOwn(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** Names that cannot be pointed at another machine from outside, and addresses. */
function isLocalName(hostname: string): boolean {
  return isAddress(hostname) || isUnregistrable(hostname);
}

function isUnregistrable(hostname: string): boolean {
  return !hostname.includes('.') || /\.(localhost|internal)$/.test(hostname);
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Of this machine, its containers, or its private network; a public address can serve anybody's page. */
function isLocalOrigin(origin: string): boolean {
  if (!/^https?:\/\//.test(origin)) return false;
  const hostname = nameOf(origin);
  if (hostname === undefined) return false;
  return isAddress(hostname) ? isPrivateAddress(hostname) : isUnregistrable(hostname);
}

function isPrivateAddress(hostname: string): boolean {
  if (hostname.startsWith('[')) return /^\[(::1\]|f[cd]|fe[89ab])/.test(hostname);
  const [a, b] = hostname.split('.').map(Number) as [number, number];
  return (
    a === 127 || a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)
  );
}
