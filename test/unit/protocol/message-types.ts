/** Every message that was generated. */

import { readdirSync } from 'node:fs';
import type { MessageCodec, MessageType } from '../../../src/protocol/message-type.js';

const folder = new URL('../../../src/protocol/generated/', import.meta.url);

const modules: readonly Record<string, unknown>[] = await Promise.all(
  readdirSync(folder).map((name) => import(new URL(name, folder).href)),
);

function isCodec(value: unknown): value is MessageCodec<object> {
  return typeof value === 'object' && value !== null && 'encodeHex' in value;
}

export const messageTypes: readonly MessageType[] = modules
  .flatMap((module) => Object.values(module))
  .filter(isCodec)
  .map((codec) => codec.type);
