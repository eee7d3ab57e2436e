/** A gRPC reflection client with @grpc/grpc-js and the protocol's own .proto files. */

import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));

export interface ReflectionReply {
  readonly valid_host: string;
  readonly original_request: Record<string, unknown>;
  readonly file_descriptor_response?: { readonly file_descriptor_proto: Buffer[] };
  readonly list_services_response?: { readonly service: { readonly name: string }[] };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}

/** Sends all requests in one stream, and collects the replies in order. */
export function askReflection(
  url: string,
  version: 'v1' | 'v1alpha',
  ...requests: object[]
): Promise<ReflectionReply[]> {
  const definition = loadSync(`grpc/reflection/${version}/reflection.proto`, {
    keepCase: true,
    includeDirs: [PROTO],
  });
  const loaded = loadPackageDefinition(definition) as unknown as {
    grpc: { reflection: Record<string, { ServerReflection: new (url: string, credentials: unknown) => Client }> };
  };
  const client = new loaded.grpc.reflection[version]!.ServerReflection(url, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const replies: ReflectionReply[] = [];
    const stream = (client as unknown as { ServerReflectionInfo(): NodeJS.ReadWriteStream }).ServerReflectionInfo();
    stream.on('data', (reply: ReflectionReply) => replies.push(reply));
    stream.on('error', reject);
    stream.on('end', () => {
      client.close();
      resolve(replies);
    });
    for (const request of requests) stream.write(request as never);
    stream.end();
  });
}
