/** fastify's JSON schema compilers, loaded with the first route that has a schema: they cost 10 ms at start. */

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
