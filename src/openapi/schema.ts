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
  readonly maxItems?: number;
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
