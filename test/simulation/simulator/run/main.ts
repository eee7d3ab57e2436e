/** The process that lives simulated worlds: one for each worker. */

import { live } from './life.js';
import { obey } from './orders.js';
import { beginPulse } from './pulse.js';

beginPulse();
obey(live);
// An error that nobody waits for: a failure of the present world, unless its process has ended.
process.on('unhandledRejection', (error) => {
  if ((error as Error).name !== 'ProcessEndedError') throw error;
});
