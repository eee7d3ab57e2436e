/** For tests: `import { … } from 'sunup/testing'`. */

export {
  type Eip1193Options,
  type Eip1193Provider,
  eip1193Provider,
  ProviderError,
} from './clients/eip1193-provider.js';
export { tronWebProvider } from './clients/tronweb-provider.js';
