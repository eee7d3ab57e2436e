/** The files of the page at `/docs`: Swagger UI from the package, with the address of the description. */

import { readFile } from 'node:fs/promises';
import { ownValue } from '../primitives/outside-names.js';
import { ICON, START, STYLE } from './page-files.js';

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array | string;
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sunup: HTTP API</title>
<link rel="icon" href="docs/icon.svg">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Beside the bundle in the package; from source, in the package that they are of. */
const PLACES = ['./api-page/', '../../node_modules/swagger-ui-dist/'];

const LIBRARY: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** @param name below /docs/; empty: the page itself @returns undefined for what is not there */
export async function pageFile(name: string): Promise<PageFile | undefined> {
  if (name === '') return { type: 'text/html; charset=utf-8', body: HTML };
  if (name === 'start.js') return { type: 'text/javascript; charset=utf-8', body: START };
  if (name === 'page.css') return { type: 'text/css; charset=utf-8', body: STYLE };
  if (name === 'icon.svg') return { type: 'image/svg+xml', body: ICON };
  const type = ownValue(LIBRARY, name);
  return type === undefined ? undefined : { type, body: await libraryFile(name) };
}

async function libraryFile(name: string): Promise<Uint8Array> {
  for (const place of PLACES) {
    try {
      return await readFile(new URL(`${place}${name}`, import.meta.url));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(`${name} of Swagger UI is not in the package`);
}
