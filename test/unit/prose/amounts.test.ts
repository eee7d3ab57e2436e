import { expect, test } from 'vitest';
import { formatRounded } from '../../../src/prose/amounts.js';

test.each([
  [0, '0'],
  [0.043217, '0.0432'],
  [76.44, '76.4'],
  [999.6, '1,000'],
  [12_345.6, '12,300'],
  [1_234_567_890, '1,230,000,000'],
  [-4_321, '-4,320'],
])('%d is rounded to three significant digits: %s', (value, text) => {
  expect(formatRounded(value)).toBe(text);
  expect(text).toBe(value.toLocaleString('en-US', { maximumSignificantDigits: 3 }));
});
