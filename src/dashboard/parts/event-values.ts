/** The values of a decoded event in one line. */

import type { EventEntry } from '../chain/answers.js';
import { toBase58 } from './address-forms.js';

/**
 * Values stand in the answer by position and by name; names say more.
 *
 * @example eventValues(entry) // 'from: TWer2Ygk…, to: TPjjvMwj…, value: 5'
 */
export function eventValues({ result, result_type: types }: EventEntry): string {
  return Object.entries(types)
    .map(
      ([name, type]) =>
        `${name}: ${type === 'address' ? (toBase58(result[name] ?? '') ?? result[name]) : result[name]}`,
    )
    .join(', ');
}
