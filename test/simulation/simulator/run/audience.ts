/**
 * Listeners of a node: what they are told must be what happens, in order, once, or taken back. One follows the library's
 * events, one the stream `/sunup/events`, which names removed blocks.
 */

import type { SimulatedProcess } from './process.js';
import { Violation } from './violation.js';
import type { World } from './world.js';

const INVARIANT = 'listeners are told what happened, in order, once';

export class Audience {
  /** Of the library's events: the newest block, and whether the chain is being rolled back by request. */
  #newest = 0;
  rollsBack = false;
  #chain: StreamedChain | undefined;
  #broken: Violation | undefined;

  constructor(private readonly world: World) {}

  /** A new process: its listeners know nothing yet. */
  async attend(process: SimulatedProcess): Promise<void> {
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
        if (number <= this.#newest && !this.rollsBack)
          this.#fail(`block ${number} is announced after block ${this.#newest}`);
        this.#newest = number;
        const other = world.told.block(number, id);
        if (other !== undefined && !this.rollsBack)
          this.#fail(`block ${number} was announced as ${other}, now as ${id}`);
      }),
    );
    const replaced = ({ number }: { readonly number: number }) =>
      says(() => {
        this.#newest = number;
        this.rollsBack = false;
      });
    devnet.on('reverted', replaced);
    devnet.on('branched', replaced);
    devnet.on('dropped', ({ txid, code }) => says(() => world.digest.add('dropped', `${txid} ${code}`)));
    const outcome = await world.settle(devnet.fetch('http://localhost/sunup/events?events=block,removed'));
    if (!('value' in outcome)) return;
    this.#chain = new StreamedChain(node.chain.headNumber);
    this.#read(process, this.#chain, outcome.value as Response).catch((error: Error) => {
      // A node that is closed ends its streams.
      if (process.isAlive && !process.isClosing) this.#fail(`the stream was cut: ${error.message}`);
    });
  }

  async #read(process: SimulatedProcess, chain: StreamedChain, { body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
      if (!process.isAlive) return;
      const wrong = chain.read(decoder.decode(part, { stream: true }));
      if (wrong !== undefined) this.#fail(wrong);
    }
  }

  #fail(what: string): void {
    this.#broken ??= new Violation(INVARIANT, what);
  }

  /** @throws Violation what a listener was told wrongly */
  check(): void {
    if (this.#broken !== undefined) throw this.#broken;
  }

  /**
   * Compares what the stream has told with the chain.
   *
   * @param idAt of the chain; undefined: no such block
   * @throws Violation
   */
  compare(head: number, idAt: (number: number) => string | undefined): void {
    const wrong = this.#chain?.difference(head, idAt);
    if (wrong !== undefined) throw new Violation(INVARIANT, wrong);
  }
}

/** The chain as a reader of the stream knows it: of blocks made together only the last. In both modes. */
export class StreamedChain {
  #text = '';
  readonly #ids = new Map<number, string>();
  #head: number;

  constructor(head: number) {
    this.#head = head;
  }

  /** The newest block that it knows. */
  get head(): number {
    return this.#head;
  }

  /** @returns what is wrong with the events */
  read(text: string): string | undefined {
    this.#text += text;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const of = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2);
      const name = of('event');
      const wrong = name === undefined ? undefined : this.#event(name, JSON.parse(of('data') ?? '{}'));
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  #event(name: string, data: Readonly<Record<string, unknown>>): string | undefined {
    if (name === 'removed') {
      const { from, to } = data as { readonly from: number; readonly to: number };
      if (to > this.#head) return `the stream removes blocks up to ${to}, and has announced ${this.#head}`;
      for (const number of this.#ids.keys()) if (number >= from) this.#ids.delete(number);
      this.#head = from - 1;
      return undefined;
    }
    const {
      number,
      id,
      parentId,
      emptyBlocks = 1,
    } = data as {
      readonly number: number;
      readonly id: string;
      readonly parentId: string;
      readonly emptyBlocks?: number;
    };
    if (number - emptyBlocks !== this.#head)
      return `the stream announces ${emptyBlocks} blocks up to ${number} after block ${this.#head}`;
    const parent = this.#ids.get(number - 1);
    if (parent !== undefined && parent !== parentId) return `block ${number} of the stream does not follow ${parent}`;
    this.#head = number;
    this.#ids.set(number, id);
    return undefined;
  }

  difference(head: number, idAt: (number: number) => string | undefined): string | undefined {
    if (this.#head !== head) return `the stream has told block ${this.#head}, the head is ${head}`;
    for (const [number, id] of this.#ids)
      if (idAt(number) !== id) return `the stream has told ${id} as block ${number}, the chain has ${idAt(number)}`;
    return undefined;
  }
}
