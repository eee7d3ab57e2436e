/**
 * Whether npm, npx or a similar runner started this process, and is still running. A runner passes a signal to the
 * shell between, and the shell ends without signalling us: nothing else reports that the runner is gone.
 */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

interface RunningProcess {
  readonly parent: number;
  /** Arguments of a process; a single text if the system does not separate them, or the process set a title. */
  readonly words: readonly string[];
}

/**
 * The processes above this one: the runner, and its shell.
 *
 * @returns undefined if something else started this process, if a shell put it into the background, and on Windows,
 * where a process does not learn of its parent's end
 */
export async function npmAboveUs(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly number[] | undefined> {
  const { npm_command: command, npm_lifecycle_event: event, npm_execpath: runner } = environment;
  if (process.platform === 'win32' || (command ?? event) === undefined) return undefined;
  try {
    const own = process.ppid;
    const parent = await processOf(own);
    if (isRunner(parent.words, runner)) return [own];
    if (!isShellInForeground(parent.words)) return undefined;
    return isRunner((await processOf(parent.parent)).words, runner) ? [own, parent.parent] : undefined;
  } catch {
    // It ended already, so it does not wait for this process; or the system does not list processes.
    return undefined;
  }
}

/** Whether all are running; the first of them is the parent. */
export function areThere([parent, ...others]: readonly number[]): boolean {
  return process.ppid === parent && others.every(isThere);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** npm sets a title, `npm exec sunup`; other runners are Node scripts. */
function isRunner(words: readonly string[], runner: string | undefined): boolean {
  const [title = ''] = words;
  return (
    /^np[mx]( |$)/.test(title) || words.some((word) => word === runner || /(^|[/\\])np[mx](-cli\.js)?$/.test(word))
  );
}

/** `sh -c TEXT` that waits for its command. A command that `&` put into the background shall outlive the shell. */
function isShellInForeground([shell = '', ...words]: readonly string[]): boolean {
  const at = words.indexOf('-c');
  if (at < 0 || !/^-?(ba|da|z|k|a)?sh$/.test(path.basename(shell))) return false;
  const text = words.slice(at + 1).join(' ');
  const unquoted = text.replace(/'[^']*'|"(\\.|[^"\\])*"|\\./gs, '');
  return !/(^|[^&<>])&(?![&>])/.test(unquoted);
}

async function processOf(pid: number): Promise<RunningProcess> {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)]);
    const [parent, ...words] = stdout.trim().split(/\s+/);
    return { parent: Number(parent), words };
  }
  const [line, stat] = await Promise.all(
    ['cmdline', 'stat'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')) as [Promise<string>, Promise<string>],
  );
  // The name in parentheses may contain any characters.
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(parent),
    words: line
      .split('\0')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  };
}
