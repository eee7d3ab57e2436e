/** For tests: `import { … } from 'sunup/testing'`. */

export {
  type Eip1193Options,
  type Eip1193Provider,
  eip1193Provider,
  ProviderError,
} from './clients/eip1193-provider.js';
export { tronWebProvider } from './clients/tronweb-provider.js';
export {
  assertChangesBalance,
  assertChangesBalances,
  assertChangesTokenBalance,
  assertChangesTokenBalances,
  assertEmits,
  assertMatchesFeeSnapshot,
  assertRevertsWith,
  assertSuccessful,
} from './testing/assertions.js';
export { recordEnergy } from './testing/energy/records.js';
export { loadFixture } from './testing/load-fixture.js';
export { type DevnetMatchers, matchers } from './testing/matchers.js';
export { type Hooks, type UseDevnet, type UsedDevnet, useDevnet } from './testing/use-devnet.js';
