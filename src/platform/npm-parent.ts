/**
 * Whether npm, npx or a runner like them started this process, and whether they are still there. They hand a signal on to
 * the shell between them and us, which ends without us: nobody else tells us that whoever started us has gone.
 */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

interface RunningProcess {
  readonly parent: number;
  /** What it was started with; in one text where the system does not tell words apart, or it has a title. */
  readonly words: readonly string[];
}

/**
 * The processes between whom we are to stay: the runner, and the shell that it runs us with.
 *
 * @returns undefined where something else started us, where a shell has put us into the background, and on Windows, where
 *   a process does not learn of its parent's end
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
    // It has gone already, so it was not waiting for us; or nothing here tells of processes.
    return undefined;
  }
}

/** Whether they are all there: the first of them is our parent. */
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

/** npm gives itself a title, `npm exec sunup`; others are scripts that Node runs. */
function isRunner(words: readonly string[], runner: string | undefined): boolean {
  const [title = ''] = words;
  return (
    /^np[mx]( |$)/.test(title) || words.some((word) => word === runner || /(^|[/\\])np[mx](-cli\.js)?$/.test(word))
  );
}

/** `sh -c TEXT` that waits for what it has begun. What `&` has put into the background is to outlive the shell. */
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
  // The name, in brackets, may have any characters.
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    parent: Number(parent),
    words: line
      .split('\0')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  };
}
