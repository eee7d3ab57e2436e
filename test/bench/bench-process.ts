/** The process of one bench: `scripts/bench.ts` names it, and is sent its figures one by one. */

import type { Bench } from './bench.js';

const { bench } = (await import(new URL(`./${process.argv[2]}.js`, import.meta.url).href)) as { readonly bench: Bench };
for await (const figure of bench.measure((text) => process.send?.({ progress: text }))) process.send?.({ figure });
process.disconnect?.();
