/** A gRPC client: @grpc/grpc-js with the services that @grpc/proto-loader creates from Sunup's .proto files. */

import { fileURLToPath } from 'node:url';
import {
  type Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));

export type Json = Record<string, unknown>;

const options = { keepCase: true, longs: String, enums: String, bytes: Buffer, includeDirs: [PROTO] };
const definition = loadSync('api/api.proto', options);
const { protocol } = loadPackageDefinition(definition) as unknown as {
  protocol: Readonly<
    Record<'Wallet' | 'WalletSolidity' | 'Database', new (url: string, credentials: unknown) => Client>
  >;
};
const wallet = definition['protocol.Wallet'] as ServiceDefinition;

/** The bytes of a transaction's `raw_data` in this client's encoding, which it hashes for the id. */
export function rawDataBytes(raw_data: Json): Buffer {
  const bytes = wallet.BroadcastTransaction!.requestSerialize({ raw_data });
  // Preceded by a tag and a length, whose last byte is the first one below 0x80.
  return bytes.subarray(2 + bytes.subarray(1).findIndex((byte) => byte < 0x80));
}

type Unary = (request: Json, metadata: Metadata, done: (error: ServiceError | null, reply: Json) => void) => void;

/** A service at an address. Missing fields of a reply are missing in the result. */
export class ServiceClient {
  readonly client: Client;

  constructor(service: keyof typeof protocol, url: string) {
    this.client = new protocol[service](url, credentials.createInsecure());
  }

  call<Reply extends Json = Json>(method: string, request: Json = {}, metadata = new Metadata()): Promise<Reply> {
    const unary = (this.client as unknown as Record<string, Unary>)[method];
    if (unary === undefined) throw new Error(`the service has no ${method}`);
    return new Promise((resolve, reject) => {
      unary.call(this.client, request, metadata, (error, reply) => (error ? reject(error) : resolve(reply as Reply)));
    });
  }

  close(): void {
    this.client.close();
  }
}

/** A call with message bytes, to any path. */
export function callBytes(client: Client, path: string, request: Uint8Array, settings: Json = {}): Promise<Buffer> {
  const same = (bytes: Buffer) => bytes;
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, same, same, Buffer.from(request), new Metadata(), settings, (error, reply) =>
      error ? reject(error) : resolve(reply as Buffer),
    );
  });
}

/** The status of a call, as text. */
export async function statusOf(call: Promise<unknown>): Promise<[code: string | undefined, details: string]> {
  try {
    await call;
    return ['OK', ''];
  } catch (error) {
    const { code, details } = error as ServiceError;
    return [status[code], details];
  }
}
