#!/usr/bin/env node
/**
 * The executable: runs the bundled command with what V8 has compiled of it before.
 *
 * Compiling is a quarter of what a start costs. Node's own cache (22.1 and later) keeps modules, not what is called
 * inside of them, and Node 20 has none; V8's, taken a second after a node has started or when it ends before, has every
 * function that a start calls, on every release. It lies in the user's folder for caches, one file for each release of
 * Node and each build of the command. NODE_DISABLE_COMPILE_CACHE, which switches off Node's own, switches it off too.
 *
 * CommonJS, like the command: Node's loader of modules would take 6 ms of processor time.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { main } from './main.js';

/** Of the command's text: V8 itself tells two texts apart by their lengths only. Put in by the build. */
declare const COMMAND_DIGEST: string;

const STORE_AFTER_MS = 1_000;
const SUFFIX = `-${process.version}-${process.arch}.code`;

const file = path.join(__dirname, 'command.cjs');
const folder = cacheFolder();
const compiled = folder === undefined ? undefined : read(path.join(folder, COMMAND_DIGEST + SUFFIX));
// A function of what a module is given, in ASCII, which the build has seen to.
const script = new Script(readFileSync(file, 'latin1'), {
  filename: file,
  cachedData: compiled,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const command = { exports: {} as { readonly main: typeof main } };
script.runInThisContext()(command.exports, createRequire(file), command, file, __dirname);
command.exports.main(process.argv.slice(2)).then((runs) => {
  // What another subcommand calls would be of no use to a start.
  if (runs && folder !== undefined && (compiled === undefined || script.cachedDataRejected === true)) keep(folder);
});

function keep(folder: string): void {
  const storeOnce = () => {
    clearTimeout(timer);
    process.off('exit', storeOnce);
    store(folder);
  };
  const timer = setTimeout(storeOnce, STORE_AFTER_MS).unref();
  process.once('exit', storeOnce);
}

function cacheFolder(): string | undefined {
  const { env, platform } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const caches =
    platform === 'win32'
      ? env.LOCALAPPDATA
      : platform === 'darwin'
        ? path.join(homedir(), 'Library', 'Caches')
        : env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  return caches && path.join(caches, 'sunup');
}

/** What a file holds behind its checksum; V8 does not look for damage. */
function read(name: string): Buffer | undefined {
  try {
    const bytes = readFileSync(name);
    const data = bytes.subarray(4);
    return bytes.length > 4 && bytes.readUInt32LE(0) === crc32(data) ? data : undefined;
  } catch {
    // Not there yet: the start takes longer.
    return undefined;
  }
}

/** Takes the place of what was kept of other builds. A folder that cannot be written to costs time, nothing else. */
function store(folder: string): void {
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(data));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (name.endsWith(SUFFIX)) rmSync(path.join(folder, name), { force: true });
    const name = path.join(folder, COMMAND_DIGEST + SUFFIX);
    writeFileSync(`${name}.${process.pid}`, Buffer.concat([checksum, data]));
    renameSync(`${name}.${process.pid}`, name);
  } catch {}
}
