/**
 * A file that is written in parts and takes its place when it is complete: until then there is the old file, or none.
 * A pipe or a device is written directly.
 */

import { realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

export class ReplacedFile {
  private constructor(
    /** Undefined: it is written directly. */
    private readonly to: string | undefined,
    private readonly written: string,
    private readonly handle: FileHandle,
  ) {}

  /** @throws errors of the file system */
  static async open(file: string): Promise<ReplacedFile> {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return new ReplacedFile(undefined, file, await open(file, 'w'));
    // A link stays a link.
    const to = found === undefined ? file : realpathSync(file);
    const written = `${to}.${process.pid}.part`;
    return new ReplacedFile(to, written, await open(written, 'wx', found?.mode ?? 0o666));
  }

  /** @throws errors of the file system */
  async write(part: Uint8Array): Promise<void> {
    for (let at = 0; at < part.length; ) at += (await this.handle.write(part, at)).bytesWritten;
  }

  /** @throws errors of the file system */
  async complete(): Promise<void> {
    await this.handle.close();
    if (this.to !== undefined) await rename(this.written, this.to);
  }

  /** Leaves what was there before. */
  async discard(): Promise<void> {
    await this.handle.close().catch(() => {});
    if (this.to !== undefined) await rm(this.written, { force: true });
  }
}
