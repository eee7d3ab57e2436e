/** A web server of the test's own, for pages that are not the node's. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SiteFile {
  readonly type: string;
  /** Absent: the answer has a head, and no end. */
  readonly body?: string;
}

export interface Site {
  readonly port: number;
  close(): Promise<void>;
}

/** For the head of a page: a complete Chrome, unlike the headless shell, asks for `/favicon.ico` otherwise. */
export const NO_ICON = '<link rel="icon" href="data:,">';

/**
 * @param files by path; may change while the site is open
 * @param policy the Content-Security-Policy of all pages
 */
export async function openSite(files: Readonly<Record<string, SiteFile>>, policy: string): Promise<Site> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url as string, 'http://site').pathname];
    if (file === undefined) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { 'content-type': file.type, 'content-security-policy': policy });
      if (file.body === undefined) response.flushHeaders();
      else response.end(file.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
