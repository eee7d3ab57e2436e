/** Collects transactions and calls of a devnet for `--port-report FILE`; the report is written when the devnet closes. */

import { writeFileSync } from 'node:fs';
import type { Follower } from '../devnet/running/start.js';
import type { Settings } from '../options/declarations.js';
import { OptionError } from '../options/option-error.js';

/** @returns undefined if no report is requested */
export async function portFollowerOf({ portReport: file, log }: Settings): Promise<Follower | undefined> {
  if (file === undefined) return undefined;
  const [{ PortWatch }, { formOf, reportIn }] = await Promise.all([
    import('../explanation/porting/port-watch.js'),
    import('./report-forms.js'),
  ]);
  const watch = new PortWatch(true);
  return {
    observer: watch.observer,
    controls: {},
    async begin({ chain, calls }) {
      try {
        writeFileSync(file, '', { flag: 'a' });
      } catch (error) {
        throw new OptionError('portReport', `cannot be written: ${(error as Error).message}`);
      }
      watch.begin(chain);
      calls.watch = watch.watchCall;
    },
    end() {
      try {
        const report = watch.report();
        if (report !== undefined) writeFileSync(file, reportIn(formOf(file), report, 'a running devnet'));
      } catch (error) {
        log?.error(`${file}: the port report cannot be written`, error);
      }
    },
  };
}
