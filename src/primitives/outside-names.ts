/**
 * Look-ups by untrusted names: of files, requests, ABIs and command lines. Every JavaScript object answers to
 * `constructor`, `toString` and `__proto__`, so `table[name]` finds members that nobody added.
 */

/** The own member of a table. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A table that accepts any name, including `__proto__`. */
export function emptyTable<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

/**
 * A member of an object from a program, which may be a class instance: inherited members count, except those of all
 * objects.
 */
export function memberOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  if (name in Object.prototype && !Object.hasOwn(object, name)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name];
}
