/** A proxy on a real socket in front of a node, with the faults of networks. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxied {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

/** What happens to a request: `pass` answers it from the node, a function changes the text, or an answer of its own. */
export type Fault =
  | 'pass'
  | 'cut'
  | 'never'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string }
  | { readonly instead: (text: string) => string };

export class FaultyProxy {
  readonly seen: Proxied[] = [];
  /** Decides for each request. */
  fault: (request: Proxied, count: number) => Fault | Promise<Fault> = () => 'pass';
  mostAtOnce = 0;
  #atOnce = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(public target: string) {}

  static async open(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const proxied = { path: request.url ?? '', body: Buffer.concat(parts).toString(), headers: request.headers };
    this.seen.push(proxied);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    response.on('close', () => this.#atOnce--);
    const fault = await this.fault(proxied, this.seen.length);
    if (fault === 'never') return;
    if (typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.text);
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const { method = 'POST' } = request;
    const asked = { method, headers, ...(method === 'POST' && { body: proxied.body }) };
    const answer = await fetch(this.target + proxied.path, asked).catch(() => undefined);
    // The node behind the proxy is gone.
    if (answer === undefined) return void response.destroy();
    const text = await answer.text();
    if (fault === 'cut') {
      // The header announces the full length.
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
      return;
    }
    response.writeHead(answer.status, headers).end(fault === 'pass' ? text : fault.instead(text));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}
