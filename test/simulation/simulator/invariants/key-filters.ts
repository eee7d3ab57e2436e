/** The filters that answer for absent rows, as a start reads them: a stored row that they do not know would be absent. */

import { WrittenKeys } from '../../../../src/node/storage/written-keys.js';
import { withoutChecksum } from '../../../../src/state/row-checksum.js';
import type { Cold } from '../disk/stored-rows.js';
import { Violation } from '../run/violation.js';
import type { SharedHost } from '../users/user.js';

const INVARIANT = 'the filters know every stored key';

export async function filtersKnowAllKeys(_: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  const { database } = await cold();
  const filters = new WrittenKeys({
    get: (key) => {
      const stored = database.getSync(key);
      return stored && withoutChecksum(key, stored);
    },
    missing: (key) => new Violation(INVARIANT, `${key} is missing`),
  });
  if (!filters.readAll()) return;
  const unknown = database.keys().find((key) => !filters.mayHave(key));
  if (unknown !== undefined) throw new Violation(INVARIANT, `${unknown} is stored, and not in the filters`);
}
