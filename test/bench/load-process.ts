/** The process of `runLoadElsewhere`. */

import { type Load, runLoad } from './load.js';

process.once('message', async (load: Load) => {
  process.send?.(await runLoad(load));
});
