/** JSON with 64-bit integers as plain numbers, and with parts that are already JSON text. */

/** JSON text that is inserted unchanged. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Undefined members are omitted. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonText
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export function jsonText(value: Json): string {
  if (value instanceof JsonText) return value.text;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(jsonText).join(',')}]`;
  const members: string[] = [];
  for (const [name, member] of Object.entries(value as { readonly [name: string]: Json | undefined }))
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${jsonText(member)}`);
  return `{${members.join(',')}}`;
}
