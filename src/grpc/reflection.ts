/**
 * gRPC's reflection, v1 and v1alpha: how grpcurl and its like find out what a port serves
 * (protocol/grpc.md#reflection-details-that-tools-notice). The library and the files that it hands out are
 * loaded when somebody asks; this is what stands in their place until then.
 */

import type { handleBidiStreamingCall, MethodDefinition, Server, ServerDuplexStream } from '@grpc/grpc-js';
import type { ReflectionMethod } from './reflection-methods.js';
import { Status } from './status.js';

const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'] as const;

/**
 * @param services full names of what the port serves
 * @param onInternalError told of failures that are ours
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
        // Messages are read and written only when the handler takes them, which is when this is there.
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

/** The library answers as fast as it is asked; a client that does not read its answers is not read either. */
function readNoFasterThanWritten(stream: ServerDuplexStream<object, object>): void {
  stream.on('data', () => {
    if (!stream.writableNeedDrain) return;
    stream.pause();
    stream.once('drain', () => stream.resume());
  });
}
