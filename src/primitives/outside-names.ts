/**
 * Look-ups by names that others wrote: of files, requests, ABIs and command lines. Every object of JavaScript answers to
 * `constructor`, `toString` and `__proto__` without having them, so `table[name]` finds what nobody put there.
 */

/** What a table has under a name of its own. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A table that takes any name, `__proto__` too. */
export function emptyTable<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

/**
 * A member of an object that a program handed in, which may be an instance of a class: inherited members count, but not
 * those that all objects have.
 */
export function memberOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  if (name in Object.prototype && !Object.hasOwn(object, name)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name];
}
