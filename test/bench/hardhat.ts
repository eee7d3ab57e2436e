/** Hardhat 3 as people get it from npm, in this process, as its tests run it. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const VERSION = '3.18.0';
/** Its machine, by name: npm leaves it out where a registry lacks the package of some other platform. */
const MACHINE_VERSION = '0.22.0';

function machine(): string {
  const build = process.platform === 'linux' ? '-gnu' : process.platform === 'win32' ? '-msvc' : '';
  return `@nomicfoundation/edr-${process.platform}-${process.arch}${build}@${MACHINE_VERSION}`;
}

export interface Hardhat {
  request(asked: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
  close(): Promise<void>;
}

/** Installed on first use and not among the project's packages, as anvil is. Undefined where there is none. */
export async function startHardhat(): Promise<Hardhat | undefined> {
  const cache = path.resolve('node_modules/.cache/hardhat');
  const entry = path.join(cache, 'node_modules/hardhat/dist/src/hre.js');
  if (!existsSync(entry)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(path.join(cache, 'package.json'), '{ "private": true, "type": "module" }');
    spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `hardhat@${VERSION}`, machine()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  if (!existsSync(entry)) return undefined;
  const { createHardhatRuntimeEnvironment } = await import(pathToFileURL(entry).href);
  const { network } = await createHardhatRuntimeEnvironment({}, {}, cache);
  const connection = await network.create();
  return { request: (asked) => connection.provider.request(asked), close: () => connection.close() };
}
