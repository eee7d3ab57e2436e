/** A shared devnet for runners with hooks: node:test, mocha, jest. (vitest has fixtures: `sunup/vitest`.) */

import type { Devnet } from '../devnet/devnet.js';
import type { DevnetOptions } from '../options/declarations.js';
import { HookedTests } from './hooked-test.js';
import { SharedDevnet } from './shared-devnet.js';

type Hook = (run: () => Promise<void>) => unknown;

/** The hooks of a runner, by the names of jest or by those of mocha and node:test. */
export type Hooks = { readonly beforeEach: Hook; readonly afterEach: Hook } & (
  | { readonly before: Hook; readonly after: Hook }
  | { readonly beforeAll: Hook; readonly afterAll: Hook }
);

export interface UseDevnet<Setup> {
  /** Options of the devnet. No port is opened unless `httpPort` is set. */
  readonly options?: DevnetOptions;
  /** Runs once before all tests; its changes to the chain are present in each test. */
  readonly setup?: (devnet: Devnet) => Setup | Promise<Setup>;
  /** Default: the global hooks of jest and mocha. */
  readonly hooks?: Hooks;
}

export interface UsedDevnet<Setup> {
  /** @throws Error outside of tests and of their hooks */
  readonly devnet: Devnet;
  /** The result of `setup`. @throws Error outside of tests and of their hooks */
  readonly setup: Setup;
}

/**
 * A devnet for the tests of a file or a `describe`: started before them, reverted after each, closed at the end.
 *
 * @example
 * import { after, afterEach, before, beforeEach, test } from 'node:test';
 * const chain = useDevnet({
 * hooks: { before, after, beforeEach, afterEach },
 * setup: async (devnet) => ({ token: await devnet.deploy(Token) }),
 * });
 * test('has a supply', async () => assert.equal(await chain.setup.token.read.totalSupply(), 1_000n));
 */
export function useDevnet<Setup = undefined>({
  options = {},
  setup = () => undefined as Setup,
  hooks = globalHooks(),
}: UseDevnet<Setup> = {}): UsedDevnet<Setup> {
  let shared: SharedDevnet<Setup> | undefined;
  const tests = new HookedTests();
  const started = () => {
    if (shared === undefined) throw new Error('the devnet starts before the tests: use it in a test or in a hook');
    return shared;
  };
  const first = 'before' in hooks ? hooks.before : hooks.beforeAll;
  const last = 'after' in hooks ? hooks.after : hooks.afterAll;
  first(async () => {
    shared = await SharedDevnet.start(options, setup);
  });
  // Rest parameters do not count in `length`: jest and mocha treat a counted parameter as a callback.
  hooks.beforeEach(async function (this: unknown, ...[context]: unknown[]) {
    tests.begin(this, context);
    started().beginTest();
  });
  hooks.afterEach(async (...[context]: unknown[]) => {
    tests.end(context);
    await started().endTest();
  });
  last(async function (this: unknown) {
    tests.settle(this);
    await shared?.close();
  });
  return {
    get devnet() {
      return started().devnet;
    },
    get setup() {
      return started().setup;
    },
  };
}

/** @throws TypeError if the runner has none */
function globalHooks(): Hooks {
  const { before, after, beforeAll, afterAll, beforeEach, afterEach } = globalThis as unknown as Record<string, Hook>;
  if (beforeEach !== undefined && afterEach !== undefined) {
    if (beforeAll !== undefined && afterAll !== undefined) return { beforeAll, afterAll, beforeEach, afterEach };
    if (before !== undefined && after !== undefined) return { before, after, beforeEach, afterEach };
  }
  throw new TypeError(
    'this runner has no global hooks: pass useDevnet({ hooks: { before, after, beforeEach, afterEach } })',
  );
}
