/** Generates requests from a node's OpenAPI description: valid and invalid ones. */

import fc from 'fast-check';
import type { OpenApiDocument } from '../../src/openapi/document.js';
import type { Operation } from '../../src/openapi/operation.js';
import { ADDRESS_FORMAT, type Schema } from '../../src/openapi/schema.js';

export interface GeneratedRequest {
  readonly values: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Maximum lengths that are useful for tests. */
const ARBITRARY_DEPTH = 3;

export class RequestGenerator {
  readonly #address: fc.Arbitrary<string>;

  /** @param addresses base58 addresses, where a checksum is required */
  constructor(
    private readonly document: OpenApiDocument,
    addresses: readonly { readonly address: string; readonly addressHex: string }[],
  ) {
    this.#address = fc.oneof(
      fc.constantFrom(...addresses.flatMap(({ address, addressHex }) => [address, addressHex])),
      fc.stringMatching(/^(0x)?(41)?[0-9a-fA-F]{40}$/),
    );
  }

  /** Requests that the schemas allow. */
  allowed({ parameters = [], requestBody }: Operation): fc.Arbitrary<GeneratedRequest> {
    const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
    const values = parameters.map(({ name, in: place, schema, content }) => {
      if (schema === undefined) return [name, this.value(content!['application/json']!.schema).map(json)] as const;
      const value = this.value(schema);
      // Clients resolve path segments for the current or parent folder.
      return [name, place === 'path' ? value.filter((one) => !/^\.{0,2}$/.test(String(one))) : value] as const;
    });
    const schema = requestBody?.content['application/json']?.schema;
    return fc.record({
      values: fc.record(Object.fromEntries(values), { requiredKeys: required }),
      body: schema === undefined ? fc.constant(undefined) : this.value(schema),
    });
  }

  /** Any values in all places. */
  anything({ parameters = [], requestBody }: Operation): fc.Arbitrary<GeneratedRequest> {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 8 }), fc.integer().map(String));
    const values = parameters.map(
      ({ name, in: place }) => [name, place === 'path' ? text.filter((one) => !/^\.{0,2}$/.test(one)) : text] as const,
    );
    return fc.record({
      values: fc.record(Object.fromEntries(values)),
      body: requestBody === undefined ? fc.constant(undefined) : fc.jsonValue({ maxDepth: 3 }),
    });
  }

  /** A value that the schema allows, often at a limit. */
  value(schema: Schema, depth = ARBITRARY_DEPTH): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined)
      return this.value(this.document.components.schemas[schema.$ref.split('/').at(-1)!]!, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.slice(0, 8).map((one) => this.value(one, depth)));
    if (schema.format === ADDRESS_FORMAT) return this.#address;
    if (schema.format === `${ADDRESS_FORMAT}-list`)
      return fc.array(this.#address, { minLength: 1, maxLength: 20 }).map((list) => list.join(','));
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case 'integer':
        return integers(schema);
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'string': {
        const { pattern, minLength = 0 } = schema;
        if (pattern !== undefined)
          return fc.oneof(
            fc.stringMatching(new RegExp(pattern)),
            fc.stringMatching(new RegExp(pattern), { size: 'xsmall' }),
          );
        const any = fc.string({ minLength });
        return minLength > 0 ? any : fc.oneof(this.#address, any);
      }
      case 'array':
        return depth === 0 || schema.items === undefined
          ? fc.constant([])
          : fc.array(this.value(schema.items, depth - 1), { maxLength: 2 });
      case 'object': {
        const { required = [], properties = {} } = schema;
        const wanted = Object.entries(properties).filter(([name]) => depth > 0 || required.includes(name));
        const members = wanted.map(([name, one]) => [name, this.value(one, Math.max(depth - 1, 0))]);
        return fc.record<Record<string, unknown>>(Object.fromEntries(members), { requiredKeys: [...required] });
      }
      default:
        return fc.jsonValue({ maxDepth: 1 });
    }
  }
}

function integers({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const [min, max] = [minimum ?? -Number.MAX_SAFE_INTEGER, maximum ?? Number.MAX_SAFE_INTEGER];
  const edges = [0, 1, -1, 2 ** 31, min, max].filter((one) => one >= min && one <= max);
  return fc.oneof(fc.constantFrom(...edges), fc.integer({ min: Math.max(min, -5), max: Math.min(max, 1_000_000) }));
}

const json = (value: unknown): string => JSON.stringify(value);
