/**
 * Listeners of a node, on every interface that tells something by itself: what they are told must be what happens, in
 * order, once, or taken back. `listeners/` has one of each kind.
 */

import { startInProcess } from '../../../../src/http/server.js';
import { jsonRpcRoute } from '../../../../src/jsonrpc/endpoint.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { EventStreamListener } from '../listeners/event-stream.js';
import { type FilteredView, FilterListener } from '../listeners/filters.js';
import type { Hearing, Listener } from '../listeners/listener.js';
import { SocketListener } from '../listeners/socket.js';
import { SolidViewListener } from '../listeners/solid-view.js';
import { TriggerListener } from '../listeners/triggers.js';
import { MemorySockets } from '../network/memory-sockets.js';
import { Asker } from '../users/asker.js';
import type { SimulatedProcess } from './process.js';
import { Violation } from './violation.js';
import type { World } from './world.js';

const INVARIANT = 'listeners are told what happened, in order, once';

export class Audience {
  /** Of the library's events: the newest block, and whether the chain is being rolled back by request. */
  #newest = 0;
  rollsBack = false;
  /** Several requests at once replace blocks. */
  replacesSeveralTimes = false;
  #listeners: readonly Listener[] = [];
  #filters: readonly FilterListener[] = [];
  #broken: Violation | undefined;

  constructor(private readonly world: World) {}

  /** A new process: its listeners know nothing yet. */
  async attend(process: SimulatedProcess): Promise<void> {
    this.#listeners = [];
    this.#followLibrary(process);
    const { devnet, node, server } = process;
    const { world } = this;
    const headNow = () => node.chain.headNumber;
    const isServed = () => process.isAlive && !process.isClosing;
    const hearing = (who: string): Hearing => ({
      isServed,
      heard: (text) => world.digest.add(who, text),
      fail: (what) => isServed() && this.#fail(what),
    });
    const openStream = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await devnet.fetch(`http://localhost${path}`, { headers })) as Response;
    const reading = { headNow, forkedAt: node.chain.networkBlocks?.last };
    const stream = new EventStreamListener(openStream, reading, hearing('stream'));
    const slow = new EventStreamListener(openStream, { ...reading, isSlow: true }, hearing('slow stream'));
    const { listenerDialects } = world.shape;
    const sockets = listenerDialects.map(
      (dialect) => new SocketListener(new MemorySockets(server), dialect, headNow, hearing('socket')),
    );
    const solid = new SolidViewListener(node, hearing('solid'));
    const triggers = new TriggerListener(node, solid, hearing('trigger'));
    const opened = await world.settle(Promise.all([stream, slow, ...sockets].map((listener) => listener.connect())));
    const views = [this.#node(process), await this.#solidityPort(process)];
    this.#filters = views.map((view) => new FilterListener(view, hearing(view.name)));
    if ('value' in opened) this.#listeners = [stream, slow, ...sockets, triggers, solid, ...this.#filters];
    if ('refusal' in opened) throw opened.refusal;
  }

  #node({ node: { chain } }: SimulatedProcess): FilteredView {
    const [dialect] = this.world.shape.listenerDialects;
    const asker = new Asker(this.world);
    return {
      name: 'a filter',
      dialect,
      ask: (method, params) => asker.rpc(dialect, method, params),
      heightNow: () => chain.headNumber,
      heightIn: ({ headNumber }) => headNumber,
      pendingNow: () => chain.pool.members().map(({ transaction }) => transaction),
    };
  }

  /** A port of its own, which worlds do not have. */
  async #solidityPort({ node }: SimulatedProcess): Promise<FilteredView> {
    const { chain } = node;
    const route = jsonRpcRoute({ node, view: 'solid', webSockets: false });
    const { post } = await startInProcess({ plugins: [route], durable: () => chain.durability() });
    const asker = new Asker(this.world);
    return {
      name: 'a filter of the solidity port',
      dialect: '/jsonrpc',
      ask: (method, params) => asker.postTo('solidity', post, '/jsonrpc', { jsonrpc: '2.0', id: 1, method, params }),
      heightNow: () => chain.solidHeight,
      heightIn: () => chain.solidHeight,
      pendingNow: () => [],
    };
  }

  /** A snapshot was taken, with which filters are kept. */
  save(id: string): void {
    for (const filters of this.#filters) filters.save(id);
  }

  /** It was reverted to. */
  restore(id: string): void {
    for (const filters of this.#filters) filters.restore(id);
  }

  #followLibrary(process: SimulatedProcess): void {
    const { devnet, node } = process;
    const { world } = this;
    this.rollsBack = false;
    this.#newest = node.chain.headNumber;
    const says = (listener: () => void) => {
      if (process.isAlive) listener();
    };
    devnet.on('block', ({ number, id }) =>
      says(() => {
        world.digest.add('block', id);
        world.counts.blocks++;
        world.tallest = Math.max(world.tallest, number);
        if (number <= this.#newest && !this.rollsBack)
          this.#fail(`block ${number} is announced after block ${this.#newest}`);
        this.#newest = number;
        const other = world.told.block(number, id);
        if (other !== undefined && !this.rollsBack)
          this.#fail(`block ${number} was announced as ${other}, now as ${id}`);
      }),
    );
    const replaced = ({ kind, number }: { readonly kind?: string; readonly number: number }) =>
      says(() => {
        // Blocks of a load that failed were told on its way, and empty ones of the chain are not told one by one.
        if (kind === 'load') {
          world.told.forgetAbove(0);
          world.loadedAt = Math.max(world.loadedAt, number);
        }
        this.#newest = number;
        this.rollsBack &&= this.replacesSeveralTimes;
      });
    devnet.on('reverted', replaced);
    devnet.on('branched', replaced);
    // Each names the head on which it happened, whose block was told before.
    const onHead = (what: string, number: number) =>
      says(() => {
        if (number > this.#newest) this.#fail(`${what} on block ${number} is announced after block ${this.#newest}`);
      });
    devnet.on('mined', ({ number }) => onHead('a request for blocks that ended', number));
    devnet.on('snapshot', ({ number }) => onHead('a snapshot', number));
    devnet.on('changed', ({ number, operation }) => onHead(`an operation, ${operation},`, number));
    devnet.on('dropped', ({ txid, code }) =>
      says(() => {
        world.digest.add('dropped', `${txid} ${code}`);
        world.told.dropped(txid);
      }),
    );
  }

  /** One of the listeners leaves and comes back. */
  async reconnect(): Promise<void> {
    const { choices } = this.world;
    const listener = choices.of([...this.#listeners, undefined]);
    if (listener?.reconnect === undefined) return;
    const asker = new Asker(this.world);
    const isBusy = choices.chance(0.6);
    const meanwhile = async () => {
      if (isBusy) await asker.rpc('/tre', 'hardhat_mine', [`0x${1 + choices.below(3)}`]);
    };
    // A client of filters asks as all do.
    if (listener instanceof FilterListener) return listener.reconnect();
    const outcome = await this.world.settle(listener.reconnect(meanwhile), { what: 'a listener that comes back' });
    if ('refusal' in outcome) throw outcome.refusal;
  }

  #fail(what: string): void {
    this.#broken ??= new Violation(INVARIANT, what);
  }

  /** @throws Violation what a listener was told wrongly */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /** Compares what was told with the chain. @throws Violation */
  async compare(ledger: Ledger): Promise<void> {
    for (const listener of this.#listeners) {
      const wrong = await listener.difference(ledger);
      // Of what a slow one has read now, the first that is wrong.
      this.check();
      if (wrong !== undefined) throw new Violation(INVARIANT, wrong);
    }
  }
}
