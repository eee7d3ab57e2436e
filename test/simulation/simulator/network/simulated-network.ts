/**
 * The live network of a fork: a devnet of its own behind a wire that fails. It answers over HTTP, as a node does that the
 * fork's options name; faults decide what becomes of a request.
 */

import type { Devnet } from '../../../../src/devnet/devnet.js';
import { startHosted } from '../../../../src/devnet/running/start.js';
import type { Node } from '../../../../src/node/node.js';
import { settingsForLibrary } from '../../../../src/options/settings.js';
import type { Machine } from '../../../../src/platform/machine.js';
import type { Choices } from '../../wild-messages.js';
import type { SimulatedClock } from '../clock/simulated-clock.js';
import { MemoryPorts } from '../network/memory-ports.js';
import { Town } from './town.js';

export const NETWORK_URL = 'http://network.simulated';

/**
 * The connection ends; a limit, with and without its pause; half of an answer; late, or too late; no answer of a node; and
 * no fault at all: the network's time passes between two answers.
 */
export const WIRE_FAULTS = [
  'cut',
  'busy',
  'pause',
  'half',
  'slow',
  'silent',
  'down',
  'page',
  'nothing',
  'moves',
] as const;

/** Of a network that does not stand still while somebody reads. */
const PASSES_MS = 7_200_000;

/** What becomes of the next requests. */
export interface WireFault {
  readonly what: (typeof WIRE_FAULTS)[number];
  /** So many requests. */
  requests: number;
}

export class SimulatedNetwork {
  readonly faults: WireFault[] = [];
  /** Another chain answers at the same address. */
  isElsewhere = false;
  /** Until then, nobody answers. */
  #awayUntilMs = 0;
  /** Who uses the network. Undefined: this world's chain is no fork. */
  town: Town | undefined;
  #chain: Devnet | undefined;
  #other: Devnet | undefined;

  constructor(
    private readonly clock: SimulatedClock,
    private readonly startMs: number,
  ) {}

  /** Two chains: the network, and another that may stand behind its address. */
  async open(choices: Choices): Promise<void> {
    const { devnet, node } = await this.#devnet(this.startMs);
    this.#chain = devnet;
    this.#other = (await this.#devnet(this.startMs - 3_600_000)).devnet;
    this.town = new Town(devnet, node);
    await this.town.begin(choices);
    for (const { address } of devnet.accounts) await devnet.setBalance(address, choices.below(2 ** 40));
    await devnet.mine(3 + choices.below(30));
    await this.#other.mine(50);
    // A fork first asks some 17 times what the network is, and then for its people.
    const requests = choices.of([1 + choices.below(100), 18 + choices.below(8), 18 + choices.below(8)]);
    if (choices.chance(0.75)) this.faults.push({ what: 'moves', requests });
  }

  #devnet(genesisTime: number): Promise<{ readonly devnet: Devnet; readonly node: Node }> {
    const clock = this.clock.forProcess(() => true);
    const machine: Machine = {
      clock,
      random: { bytes: (length) => new Uint8Array(length) },
      fetch: () => Promise.reject(new TypeError('fetch failed')),
      listen: new MemoryPorts().listen,
    };
    return startHosted(settingsForLibrary({ httpPort: false, genesisTime, networkStake: 'none' }), { machine });
  }

  /** Undefined: this world's chain is no fork. */
  get chain(): Devnet | undefined {
    return this.#chain;
  }

  goAway(forMs: number): void {
    this.#awayUntilMs = this.clock.passedMs + forMs;
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const devnet = this.isElsewhere ? this.#other : this.#chain;
    if (devnet === undefined || this.clock.passedMs < this.#awayUntilMs) throw new TypeError('fetch failed');
    const fault = this.#next();
    if (fault === 'cut') throw new TypeError('fetch failed');
    if (fault === 'busy') return new Response('{"Error":"too many requests"}', { status: 429 });
    if (fault === 'pause')
      return new Response('{"Error":"exceeds the frequency"}', { status: 429, headers: { 'retry-after': '3' } });
    if (fault === 'down') return new Response('upstream connect error', { status: 503 });
    if (fault === 'page') return new Response('<html><body>welcome</body></html>', { status: 200 });
    if (fault === 'nothing') return new Response('', { status: 200 });
    if (fault === 'silent') return this.#silence(init.signal);
    if (fault === 'moves') await devnet.mine({ advanceMs: PASSES_MS });
    if (fault === 'slow') await new Promise<void>((go) => this.clock.after(4_000, go));
    const { signal: _, ...request } = init;
    const answer = await devnet.fetch(url, request);
    if (fault !== 'half') return answer as Response;
    const text = await (answer as Response).text();
    return new Response(text.slice(0, text.length >>> 1), { status: 200 });
  };

  /** Until whoever asked gives up. */
  #silence(signal: AbortSignal | null | undefined): Promise<Response> {
    return new Promise((_, reject) => {
      const end = () => reject(signal?.reason ?? new TypeError('fetch failed'));
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    });
  }

  #next(): WireFault['what'] | undefined {
    const [fault] = this.faults;
    if (fault === undefined) return undefined;
    if (--fault.requests <= 0) this.faults.shift();
    // Once, after some.
    return fault.what === 'moves' && fault.requests > 0 ? undefined : fault.what;
  }
}
