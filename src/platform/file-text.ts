/** Reads untrusted files: does not wait for pipes, and reads at most the initial size. */

import { constants, open } from 'node:fs/promises';

/** For pipes: without it, open waits for a writer. Windows has no such flag. */
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** @throws Error if it is not a file, or too long */
export async function textOfFile(file: string, mostBytes: number): Promise<string> {
  const handle = await open(file, O_RDONLY | O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new Error('it is not a file');
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
