/**
 * Starts a headless Chromium. Linux on x64: the one in the npm package `@sparticuz/chromium`, with the shared libraries
 * and the font of that package, so that a fresh machine needs nothing installed. Elsewhere: Chrome, Edge or Chromium of
 * the system. `SUNUP_BROWSER=chrome` (any channel of Playwright, or a path) uses that one instead.
 *
 * The version of the package is the newest one for Node 20; playwright-core is the one made for the same Chromium.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const require = createRequire(import.meta.url);

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache');

/** Names in `.test` are this machine, for pages of other origins. No other name resolves: nothing leaves the machine. */
const OFFLINE = '--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** @returns the browser; or why there is none */
export async function launchBrowser(): Promise<Browser | string> {
  const asked = process.env.SUNUP_BROWSER;
  if (asked !== undefined) return await launch(path.isAbsolute(asked) ? { executablePath: asked } : { channel: asked });
  if (process.platform === 'linux' && process.arch === 'x64') return await launch(await packagedChromium());
  for (const channel of ['chrome', 'msedge']) {
    try {
      return await launch({ channel });
    } catch (error) {
      if (!String(error).includes('is not found at')) throw error;
    }
  }
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((file) => existsSync(file));
  if (executablePath !== undefined) return await launch({ executablePath });
  return 'no Chrome, Edge or Chromium is installed here; SUNUP_BROWSER=/path/to/browser names one';
}

async function launch(options: LaunchOptions): Promise<Browser> {
  return await chromium.launch({ ...options, args: [OFFLINE, '--font-render-hinting=none'] });
}

/** Unpacks the package's browser once per version (1 s, 200 MB). Several processes may do so at the same time. */
async function packagedChromium(): Promise<LaunchOptions> {
  const entry = require.resolve('@sparticuz/chromium');
  const { version } = require(path.resolve(entry, '../../../package.json')) as { version: string };
  const folder = path.join(CACHE, `chromium-${version}`);
  const executablePath = path.join(folder, 'chromium');
  if (!existsSync(executablePath)) await unpack(entry, folder);
  return {
    executablePath,
    env: {
      ...definedOnly(process.env),
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

/** The package unpacks into the folder for temporary files, and its libraries only on a cloud's machines. */
async function unpack(entry: string, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    const program = 'await (await import(process.argv[1])).default.executablePath()';
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, pathToFileURL(entry).href], {
      env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    });
    await writeFile(path.join(unfinished, 'fonts.conf'), fontsIn(folder));
    // A browser of a copied folder writes its font cache here, under the path that the copy came from.
    if (!existsSync(path.join(folder, 'chromium'))) await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(path.join(folder, 'chromium'))) throw error;
  }
}

/** The system's fonts come after the package's: pages for people ask for a monospaced one, which the package lacks. */
function fontsIn(folder: string): string {
  const folders = [path.join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((name) => `<dir>${name}</dir>`).join('\n')}
<cachedir>${path.join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
