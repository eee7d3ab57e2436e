/**
 * gRPC reflection, v1 and v1alpha, for tools such as grpcurl (protocol/grpc.md#reflection-details-that-tools-notice).
 * The library and the descriptors are loaded with the first request; this file is a placeholder until then.
 */

import type { handleBidiStreamingCall, MethodDefinition, Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { ReflectionMethod } from './reflection-methods.js';
import { Status } from './status.js';

const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'] as const;

/**
 * @param services full names of the port's services
 * @param onInternalError called for internal errors
 */
export function reflection(
  services: readonly string[],
  onInternalError: ((error: unknown, path: string) => void) | undefined,
): { addTo(server: Server): void } {
  let methods: Promise<ReadonlyMap<string, ReflectionMethod>> | undefined;
  const load = () => {
    methods ??= import('./reflection-methods.js').then(({ reflectionMethods }) =>
      reflectionMethods([...services, ...SERVICES]),
    );
    return methods;
  };
  return {
    addTo: (server) => {
      for (const service of SERVICES) {
        const path = `/${service}/ServerReflectionInfo`;
        // Messages are decoded and encoded only in the handler, after the library is loaded.
        let loaded: ReflectionMethod | undefined;
        const codec = () => {
          if (loaded === undefined) throw new Error('a reflection request was read before its method was loaded');
          return loaded.definition;
        };
        const definition: MethodDefinition<object, object> = {
          path,
          requestStream: true,
          responseStream: true,
          requestSerialize: (message) => codec().requestSerialize(message),
          requestDeserialize: (bytes) => codec().requestDeserialize(bytes),
          responseSerialize: (message) => codec().responseSerialize(message),
          responseDeserialize: (bytes) => codec().responseDeserialize(bytes),
        };
        const handler: handleBidiStreamingCall<object, object> = async (stream) => {
          stream.on('error', () => {});
          try {
            loaded ??= (await load()).get(path);
            if (loaded === undefined) throw new Error(`the reflection library has no ${path}`);
            loaded.handler(stream);
            readNoFasterThanWritten(stream);
          } catch (error) {
            onInternalError?.(error, path);
            stream.emit('error', { code: Status.INTERNAL, details: 'Reflection is not available' });
          }
        };
        server.addService({ ServerReflectionInfo: definition }, { ServerReflectionInfo: handler });
      }
    },
  };
}

/** The library answers at the speed of requests: requests of a client that does not read its answers must wait. */
function readNoFasterThanWritten(stream: ServerDuplexStream<object, object>): void {
  stream.on('data', () => {
    if (!stream.writableNeedDrain) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
}
