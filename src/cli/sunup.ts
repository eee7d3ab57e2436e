#!/usr/bin/env node
/**
 * The executable: runs the bundled command with V8's code cache.
 *
 * Compiling is a quarter of the start time. Node's own cache (22.1 and later) keeps modules, but not the functions
 * inside, and Node 20 has none. V8's cache, taken a second after the start of a node or at an earlier end, has every
 * function that a start calls, on every release. It is in the user's cache folder, one file for each release of Node
 * and each of the last builds of the command: projects with different versions must not replace each other's. NODE_DISABLE_COMPILE_CACHE turns it off, like Node's own.
 *
 * CommonJS, like the command: Node's ES module loader would take 6 ms of processor time.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import type { main } from './main.js';

/** The digest of the command's text, set by the build: V8 compares only the length of the text. */
declare const COMMAND_DIGEST: string;

const STORE_AFTER_MS = 1_000;
const KEPT_BUILDS = 4;
const SUFFIX = `-${process.version}-${process.arch}.code`;

const file = path.join(__dirname, 'command.cjs');
const folder = cacheFolder();
const compiled = folder === undefined ? undefined : read(path.join(folder, COMMAND_DIGEST + SUFFIX));
// The module as a function with the module's arguments, in ASCII; the build ensures that.
const script = new Script(readFileSync(file, 'latin1'), {
  filename: file,
  cachedData: compiled,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const command = { exports: {} as { readonly main: typeof main } };
script.runInThisContext()(command.exports, createRequire(file), command, file, __dirname);
command.exports.main(process.argv.slice(2)).then((runs) => {
  // The functions of another subcommand would not help a start.
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

/** The content of a file if its checksum is right; V8 does not detect damage. */
function read(name: string): Buffer | undefined {
  try {
    const bytes = readFileSync(name);
    const data = bytes.subarray(4);
    return bytes.length > 4 && bytes.readUInt32LE(0) === crc32(data) ? data : undefined;
  } catch {
    // No cache yet: the start takes longer.
    return undefined;
  }
}

/** Removes the caches of old builds. If the folder is not writable, starts are only slower. */
function store(folder: string): void {
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(data));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = path.join(folder, COMMAND_DIGEST + SUFFIX);
    const others = readdirSync(folder)
      .map((name) => path.join(folder, name))
      .filter((file) => file.endsWith(SUFFIX) && file !== own)
      .map((file) => ({ file, writtenMs: statSync(file).mtimeMs }));
    const old = others.sort((a, b) => b.writtenMs - a.writtenMs).slice(KEPT_BUILDS - 1);
    for (const { file } of old) rmSync(file, { force: true });
    writeFileSync(`${own}.${process.pid}`, Buffer.concat([checksum, data]));
    renameSync(`${own}.${process.pid}`, own);
  } catch {}
}
