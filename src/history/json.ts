/** JSON with 64-bit integers as bare numbers, and with parts that are printed already. */

/** JSON text that goes in as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Members that are undefined are left out. */
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
