/**
 * valibot's `record` for untrusted names. The original silently skips `constructor`, `prototype` and `__proto__`; here
 * they are ordinary members, so that name look-ups refuse them.
 */

import * as v from 'valibot';

const PASSED_OVER = ['__proto__', 'prototype', 'constructor'] as const;

type AnyRecord = v.RecordSchema<v.GenericSchema<string, string>, v.GenericSchema<unknown, unknown>, undefined>;
type Run = AnyRecord['~run'];

function runOf({ key, value, '~run': run }: AnyRecord): Run {
  return (dataset, config) => {
    const { value: input } = dataset;
    const result = run(dataset, config);
    if (typeof input !== 'object' || input === null) return result;
    for (const name of PASSED_OVER) if (Object.hasOwn(input, name)) addMember(name, input as object);
    return result;

    function addMember(name: string, object: object): void {
      const given = (object as Readonly<Record<string, unknown>>)[name];
      const item = { type: 'object', origin: 'value', input: object, key: name, value: given } as const;
      const asKey = key['~run']({ value: name }, config);
      const asValue = value['~run']({ value: given }, config);
      const issues = [
        ...(asKey.issues ?? []).map((issue) => ({ ...issue, path: [{ ...item, origin: 'key' }] })),
        ...(asValue.issues ?? []).map((issue) => ({ ...issue, path: [item, ...(issue.path ?? [])] })),
      ];
      const whole = result as { typed: boolean; value: object; issues?: unknown[] };
      if (issues.length > 0) whole.issues = [...(whole.issues ?? []), ...issues];
      if (asKey.typed && asValue.typed)
        Object.defineProperty(whole.value, asKey.value, { value: asValue.value, enumerable: true, writable: true });
      else whole.typed = false;
    }
  };
}

export const record = ((...given: Parameters<typeof v.record>) => {
  const schema = v.record(...given) as unknown as AnyRecord;
  // valibot calls it on the schema: `this` is the one with the key and the value.
  return { ...schema, '~run': runOf({ ...schema, '~run': schema['~run'].bind(schema) }) };
}) as typeof v.record;
