/**
 * gRPC's reflection protocol, v1 and v1alpha, which differ in name alone: how grpcurl and its like find out what a port
 * serves (grpc.md 4.3). Reads and writes its few messages by hand; the files it hands out are generated and are loaded
 * when somebody asks. Texts and codes are grpc-java's.
 */

import { WireReader } from '../protocol/wire-reader.js';
import { WireWriter } from '../protocol/wire-writer.js';
import type { StreamingMethod } from './endpoint.js';
import type { FileDescriptor } from './file-descriptors.js';
import { Status } from './status.js';

export const REFLECTION_SERVICES: readonly string[] = [
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
];

const NOT_FOUND = 5;

/** What a request asks, by the tag of its field. */
const Asked = { HOST: 10, FILE: 26, SYMBOL: 34, EXTENSION: 42, EXTENSIONS_OF: 50, SERVICES: 58 } as const;

interface Request {
  readonly bytes: Uint8Array;
  readonly host: string;
  readonly asked: number | undefined;
  readonly name: string;
}

function readRequest(bytes: Uint8Array): Request {
  const reader = new WireReader(bytes);
  let host = '';
  let asked: number | undefined;
  let name = '';
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    switch (tag) {
      case Asked.HOST:
        host = reader.string();
        break;
      case Asked.FILE:
      case Asked.SYMBOL:
      case Asked.EXTENSIONS_OF:
      case Asked.SERVICES:
        asked = tag;
        name = reader.string();
        break;
      case Asked.EXTENSION:
        asked = tag;
        reader.skip(tag);
        break;
      default:
        reader.skip(tag);
    }
  }
  return { bytes, host, asked, name };
}

/** @param services full names of what the port serves */
export function reflectionMethod(services: readonly string[]): StreamingMethod {
  return {
    replies: async (bytes) => {
      const { FILE_DESCRIPTORS } = await import('./file-descriptors.js');
      return replyTo(readRequest(bytes), services, FILE_DESCRIPTORS);
    },
  };
}

function replyTo(request: Request, services: readonly string[], files: readonly FileDescriptor[]): Uint8Array {
  const { asked, name } = request;
  const withSymbol = () => files.find(({ symbols }) => symbols.split(' ').includes(name));
  switch (asked) {
    case Asked.SERVICES:
      return reply(request, (writer) => writeServices(writer, services));
    case Asked.FILE:
      return filesReply(
        request,
        files,
        files.find((file) => file.name === name),
        'File not found.',
      );
    case Asked.SYMBOL:
      return filesReply(request, files, withSymbol(), 'Symbol not found.');
    case Asked.EXTENSIONS_OF:
      return withSymbol() === undefined
        ? errorReply(request, NOT_FOUND, 'Type not found.')
        : reply(request, (writer) => writeNoExtensions(writer, name));
    case Asked.EXTENSION:
      return errorReply(request, NOT_FOUND, 'Extension not found.');
    default:
      return errorReply(request, Status.UNIMPLEMENTED, 'not implemented MESSAGEREQUEST_NOT_SET');
  }
}

/** The file with everything that it imports, directly or not. */
function filesReply(
  request: Request,
  files: readonly FileDescriptor[],
  asked: FileDescriptor | undefined,
  absent: string,
): Uint8Array {
  if (asked === undefined) return errorReply(request, NOT_FOUND, absent);
  const found = new Set([asked]);
  for (const { imports } of found) {
    for (const name of imports) {
      const file = files.find((file) => file.name === name);
      if (file !== undefined) found.add(file);
    }
  }
  return reply(request, (writer) => {
    framed(writer, 34, (answer) => {
      for (const { base64 } of [...found].reverse()) {
        framed(answer, 10, (file) => file.raw(Buffer.from(base64, 'base64')));
      }
    });
  });
}

function errorReply(request: Request, code: number, text: string): Uint8Array {
  return reply(request, (writer) => {
    framed(writer, 58, (error) => {
      error.string(18, text);
      error.int32(8, code);
    });
  });
}

function writeServices(writer: WireWriter, services: readonly string[]): void {
  framed(writer, 50, (list) => {
    for (const name of [...services].reverse()) framed(list, 10, (service) => service.string(10, name));
  });
}

/** The network's messages have none. */
function writeNoExtensions(writer: WireWriter, baseType: string): void {
  framed(writer, 42, (answer) => answer.string(10, baseType));
}

/** A reply repeats the request in front of its answer; the writer goes from the end to the beginning. */
function reply({ bytes, host }: Request, writeAnswer: (writer: WireWriter) => void): Uint8Array {
  const writer = new WireWriter();
  writeAnswer(writer);
  framed(writer, 18, (original) => original.raw(bytes));
  writer.string(10, host);
  return writer.toBytes();
}

function framed(writer: WireWriter, tag: number, write: (writer: WireWriter) => void): void {
  const before = writer.size;
  write(writer);
  writer.frame(tag, before);
}
