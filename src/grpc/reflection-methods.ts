/** @grpc/reflection over the descriptors of Sunup's .proto files; loaded with the first request. */

import type { handleBidiStreamingCall, MethodDefinition, ServiceDefinition, UntypedHandleCall } from '@grpc/grpc-js';
import type { PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { FILE_DESCRIPTORS } from './file-descriptors.js';

/** A method in the library's form. */
export interface ReflectionMethod {
  readonly definition: MethodDefinition<object, object>;
  readonly handler: handleBidiStreamingCall<object, object>;
}

/**
 * The methods of both versions by path.
 *
 * The library expects a package in proto-loader's form, of which it only reads the files.
 */
export function reflectionMethods(services: readonly string[]): ReadonlyMap<string, ReflectionMethod> {
  const fileDescriptorProtos = FILE_DESCRIPTORS.map((base64) => Buffer.from(base64, 'base64'));
  const files = { files: { fileDescriptorProtos } } as unknown as PackageDefinition;
  const methods = new Map<string, ReflectionMethod>();
  new ReflectionService(files, { services: [...services] }).addToServer({
    addService: (definitions: ServiceDefinition, handlers: Record<string, UntypedHandleCall>) => {
      for (const [name, definition] of Object.entries(definitions)) {
        methods.set(definition.path, { definition, handler: handlers[name] } as ReflectionMethod);
      }
    },
  });
  return methods;
}
