/**
 * For jest: `import 'sunup/jest'` in a file of `setupFilesAfterEnv`, or in a test. Adds the matchers to `expect`, and
 * their types to those of `@types/jest`.
 */

import { type DevnetMatchers, matchers } from './testing/matchers.js';

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as @types/jest declares it
    interface Matchers<R, T = {}> extends DevnetMatchers<R> {}
  }
}

const { expect } = globalThis as unknown as { readonly expect?: { extend(added: typeof matchers): void } };
if (expect === undefined)
  throw new TypeError(
    'there is no global expect: jest with injectGlobals, or expect.extend(matchers) of sunup/testing',
  );
expect.extend(matchers);
