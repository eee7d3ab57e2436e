/** Of property tests that do not say how many runs they have: as many as SUNUP_RUNS says, instead of 100. Nightly. */

import fc from 'fast-check';

fc.configureGlobal({ numRuns: Number(process.env.SUNUP_RUNS) });
