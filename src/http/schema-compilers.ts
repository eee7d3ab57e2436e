/** fastify's compilers of JSON schemas, loaded with the first route that brings one: they cost 10 ms at start. */

import { createRequire } from 'node:module';
import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';

const require = createRequire(import.meta.url);

export const lazySchemaCompilers: {
  readonly buildValidator: BuildCompilerFromPool;
  readonly buildSerializer: SerializerFactory;
} = {
  buildValidator: (...schemas) => require('@fastify/ajv-compiler')()(...schemas),
  buildSerializer: (...schemas) => require('@fastify/fast-json-stringify-compiler')()(...schemas),
};
