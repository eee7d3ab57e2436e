/** Files that somebody else may have put there: no pipe is waited for, and no more is read than was there at the beginning. */

import { constants, open } from 'node:fs/promises';

/** Of a pipe: without it opening one waits for whoever writes into it. Windows has none. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** @throws Error for what is no file, and for a longer one */
export async function textOfFile(file: string, mostBytes: number): Promise<string> {
  const handle = await open(file, O_RDONLY | O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > mostBytes) throw new Error(`it has ${found.size} bytes`);
    const bytes = Buffer.allocUnsafe(found.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    await handle.close();
  }
}
