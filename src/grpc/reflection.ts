import type { StreamingMethod } from './endpoint.js';
export const REFLECTION_SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];
export function reflectionMethod(_services: readonly string[]): StreamingMethod {
  return { replies: async () => new Uint8Array(0) };
}
