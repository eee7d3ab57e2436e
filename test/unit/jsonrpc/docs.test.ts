import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { file, jsonRpcDocs } from '../../../scripts/json-rpc-docs.js';

test('docs/reference/json-rpc.md is what the table of methods says (npx tsx scripts/json-rpc-docs.ts writes it)', () => {
  expect(readFileSync(file, 'utf8')).toBe(jsonRpcDocs());
  expect(jsonRpcDocs()).not.toContain('undefined');
});
