/** Runs a process of a job as it stands in a file: its command, its environment, nothing else of this machine but PATH. */

import { spawn } from 'node:child_process';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Place {
  readonly folder: string;
  /** In front of the machine's PATH: commands that the image or the workflow has installed. */
  readonly bin: string;
}

export function runProcess(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
  { folder, bin }: Place,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, {
      cwd: folder,
      env: { ...env, PATH: `${bin}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject).on('close', (code) => resolve({ code, out, err }));
  });
}
