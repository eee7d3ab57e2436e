/** The published package, installed in a separate folder. */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildIfStale } from '../../scripts/build.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Packs the package, and installs it into an empty folder. */
export async function installPackage(folder: string): Promise<void> {
  await buildIfStale({ declarations: true });
  const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root);
  const [{ filename }] = JSON.parse(packed.stdout);
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  // Without install scripts, as many companies have it: the package must not need any.
  await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`], folder);
}

export function npm(words: readonly string[], cwd: string): Promise<{ stdout: string }> {
  return run('npm', [...words, '--loglevel=error'], { cwd, env: { ...process.env, NODE_ENV: '' } });
}
