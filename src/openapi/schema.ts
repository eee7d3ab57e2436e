/** JSON Schema 2020-12, as far as the descriptions here need it: what OpenAPI 3.1 calls a schema. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
}

export const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) });
export const hex = (description?: string): Schema => ({
  type: 'string',
  pattern: '^[0-9a-fA-F]*$',
  ...(description && { description }),
});
export const integer = (description?: string): Schema => ({
  type: 'integer',
  format: 'int64',
  ...(description && { description }),
});
/** Not negative, and no larger than a double counts exactly. */
export const count = (description?: string): Schema => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  ...(description && { description }),
});
/** Text of one form. */
export const matching = (pattern: string, description?: string): Schema => ({
  type: 'string',
  pattern,
  ...(description && { description }),
});

/** Base58check, whose checksum a pattern cannot tell, or hex with `41`, `0x41` or `0x` in front of the 20 bytes. */
export const ADDRESS_PATTERN = 'T[1-9A-HJ-NP-Za-km-z]{33}|(0x)?(41)?[0-9a-fA-F]{40}';
/** Names the rule that `ADDRESS_PATTERN` cannot tell, for whoever generates requests. */
export const ADDRESS_FORMAT = 'tron-address';
export const address = (description?: string): Schema => ({
  ...matching(`^(${ADDRESS_PATTERN})$`, description),
  format: ADDRESS_FORMAT,
});

export const truth = (description?: string): Schema => ({ type: 'boolean', ...(description && { description }) });
export const list = (items: Schema): Schema => ({ type: 'array', items });
/** Nothing but these members, any of which may be missing. */
export const members = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
/** Nothing but these members, all of which are there. */
export const allMembers = (properties: Readonly<Record<string, Schema>>): Schema => ({
  ...members(properties),
  required: Object.keys(properties),
});
/** These members, and whatever else somebody sends. */
export const body = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

export function component(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
