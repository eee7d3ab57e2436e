/** A proxy on a real socket in front of a node's gRPC, with the faults of networks. */

import {
  Client,
  credentials,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { Wallet_service } from '../../src/protocol/generated/services.js';
import { callBytes } from './grpc-client.js';

export interface ProxiedCall {
  /** Method of `protocol.Wallet`. */
  readonly method: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What happens to a call: `pass` answers it from the node, changed bytes, or a status. */
export type CallFault =
  | 'pass'
  | 'never'
  | { readonly code: number; readonly details: string; readonly metadata?: Readonly<Record<string, string>> }
  | { readonly instead: (bytes: Buffer) => Uint8Array };

const same = (bytes: Buffer): Buffer => bytes;

export class FaultyGrpcProxy {
  readonly seen: ProxiedCall[] = [];
  /** Decides for each call. */
  fault: (call: ProxiedCall) => CallFault = () => 'pass';
  readonly #server = new Server();
  readonly #client: Client;
  #port = 0;

  private constructor(target: string) {
    this.#client = new Client(target, credentials.createInsecure());
    const methods = Object.keys(Wallet_service.methods);
    const definition = Object.fromEntries(
      methods.map((method) => [
        method,
        {
          path: `/${Wallet_service.fullName}/${method}`,
          requestStream: false,
          responseStream: false,
          requestSerialize: same,
          requestDeserialize: same,
          responseSerialize: same,
          responseDeserialize: same,
        },
      ]),
    ) as ServiceDefinition;
    this.#server.addService(definition, Object.fromEntries(methods.map((method) => [method, this.#answerer(method)])));
  }

  static async open(target: string, secrets?: ServerCredentials): Promise<FaultyGrpcProxy> {
    const proxy = new FaultyGrpcProxy(target);
    proxy.#port = await new Promise((resolve, reject) =>
      proxy.#server.bindAsync('127.0.0.1:0', secrets ?? ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  #answerer(method: string): handleUnaryCall<Buffer, Buffer> {
    return ({ request, metadata }, done) => {
      const call = { method, metadata: metadata.getMap() };
      this.seen.push(call);
      const fault = this.fault(call);
      if (fault === 'never') return;
      if (typeof fault === 'object' && 'code' in fault) {
        const trailer = new Metadata();
        for (const [name, text] of Object.entries(fault.metadata ?? {})) trailer.set(name, text);
        done({ code: fault.code, details: fault.details, metadata: trailer });
        return;
      }
      callBytes(this.#client, `/${Wallet_service.fullName}/${method}`, request).then(
        (bytes) => done(null, fault === 'pass' ? bytes : Buffer.from(fault.instead(bytes))),
        ({ code, details }: ServerErrorResponse) => done({ code: code as number, details: details as string }),
      );
    };
  }

  close(): void {
    this.#client.close();
    this.#server.forceShutdown();
  }
}
