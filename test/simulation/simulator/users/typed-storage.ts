/**
 * Somebody who looks at the storage of a contract by its variables. The words are written one by one as the compiler
 * packs them (docs.soliditylang.org, "Layout of State Variables in Storage"), here a second time; each value is then read
 * by its path.
 */

import type { StorageLayout, StorageType, StorageVariable } from '../../../../src/artifacts/storage-layout.js';
import { type ReadSlot, storedAt, storedVariables } from '../../../../src/artifacts/storage-values.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { keccak256OfHex } from '../../../../src/protocol/hashes.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { getStorageAt } from '../../../../src/wallet/contracts.js';
import { word } from '../../simulated-chain.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { asked, BLANKS, hexOf } from './instruments.js';
import type { User } from './user.js';

const NAME = 'a variable is read as it was packed';
const WORD = 32;

const contentOf = (slot: bigint): bigint => BigInt(`0x${keccak256OfHex(word(slot))}`);

/** A type, and how its values are stored. */
interface Packed {
  /** Its key in the layout's types. */
  readonly key: string;
  readonly bytes: number;
  /** Shares a slot with its neighbours. */
  readonly isSmall: boolean;
  /** Writes a value. */
  store(slot: bigint, offset: number, path: readonly string[]): void;
}

class Packer {
  readonly types = new Map<string, StorageType>();
  readonly words = new Map<bigint, bigint>();
  readonly values: (readonly [path: readonly string[], text: string])[] = [];

  constructor(private readonly choices: Choices) {}

  #write(slot: bigint, offset: number, bytes: number, value: bigint): void {
    const at = slot % (1n << 256n);
    const shift = BigInt(8 * offset);
    const mask = ((1n << BigInt(8 * bytes)) - 1n) << shift;
    this.words.set(at, ((this.words.get(at) ?? 0n) & ~mask) | (value << shift));
  }

  #bytes(count: number): bigint {
    const hex = Array.from({ length: count }, () => this.choices.below(256).toString(16).padStart(2, '0')).join('');
    return this.choices.chance(0.1) ? 0n : BigInt(`0x${hex}`);
  }

  #small(): Packed {
    const { choices } = this;
    const bytes = choices.chance(0.5) ? choices.of([1, 16, 16, 32]) : 1 + choices.below(WORD);
    const shownAs: Readonly<Record<string, (value: bigint) => string>> = {
      [`uint${8 * bytes}`]: String,
      [`int${8 * bytes}`]: (value) => String(BigInt.asIntN(8 * bytes, value)),
      [`bytes${bytes}`]: (value) => `0x${value.toString(16).padStart(2 * bytes, '0')}`,
      ...(bytes === 20 && { address: (value) => toBase58(`41${value.toString(16).padStart(40, '0')}` as never) }),
    };
    const label = choices.of(Object.keys(shownAs));
    const key = `t_${label}`;
    this.types.set(key, { encoding: 'inplace', label, numberOfBytes: BigInt(bytes) });
    return {
      ...{ key, bytes, isSmall: true },
      store: (slot, offset, path) => {
        const value = this.#bytes(bytes);
        this.#write(slot, offset, bytes, value);
        this.values.push([path, (shownAs[label] as (value: bigint) => string)(value)]);
      },
    };
  }

  #text(): Packed {
    this.types.set('t_string', { encoding: 'bytes', label: 'string', numberOfBytes: BigInt(WORD) });
    return {
      ...{ key: 't_string', bytes: WORD, isSmall: false },
      store: (slot, _, path) => {
        const text = 'abcdefghij'.repeat(8).slice(0, this.choices.of([0, 1, 30, 31, 32, 33, 64, 65]));
        const hex = Buffer.from(text).toString('hex');
        const isShort = text.length < WORD;
        this.#write(slot, 0, WORD, isShort ? BigInt(`0x${hex.padEnd(2 * WORD, '0')}`) : 1n);
        this.#write(slot, 0, isShort ? 1 : WORD, BigInt(2 * text.length + (isShort ? 0 : 1)));
        for (let at = 0n; !isShort && at * 64n < BigInt(hex.length); at++)
          this.#write(
            contentOf(slot) + at,
            0,
            WORD,
            BigInt(
              `0x${hex
                .slice(Number(at) * 64)
                .slice(0, 64)
                .padEnd(64, '0')}`,
            ),
          );
        this.values.push([path, text]);
      },
    };
  }

  #array(depth: number): Packed {
    const { choices } = this;
    const base = this.any(depth - 1);
    const isDynamic = choices.chance(0.5);
    const length = choices.below(6) + (isDynamic ? 0 : 1);
    const perSlot = base.isSmall ? Math.floor(WORD / base.bytes) : 1;
    const slotsEach = Math.ceil(base.bytes / WORD);
    const bytes = isDynamic ? WORD : Math.ceil(length / perSlot) * slotsEach * WORD;
    const label = `${this.types.get(base.key)?.label}[${isDynamic ? '' : length}]`;
    const key = `t_array(${base.key})${isDynamic ? 'dyn' : length}`;
    const encoding = isDynamic ? 'dynamic_array' : 'inplace';
    this.types.set(key, { encoding, label, numberOfBytes: BigInt(bytes), base: base.key });
    return {
      ...{ key, bytes, isSmall: false },
      store: (slot, _, path) => {
        const held = isDynamic ? choices.below(6) : length;
        if (isDynamic) this.#write(slot, 0, WORD, BigInt(held));
        const start = isDynamic ? contentOf(slot) : slot;
        for (let at = 0; at < held; at++) {
          const inSlot = BigInt(Math.floor(at / perSlot) * slotsEach);
          base.store(start + inSlot, base.isSmall ? (at % perSlot) * base.bytes : 0, [...path, String(at)]);
        }
      },
    };
  }

  #struct(depth: number): Packed {
    const { members, slots, store } = this.variables(depth - 1, 1 + this.choices.below(4));
    const key = `t_struct(S)${this.types.size}`;
    const label = `struct Some.S${this.types.size}`;
    this.types.set(key, { encoding: 'inplace', label, numberOfBytes: BigInt(slots * WORD), members });
    return { ...{ key, bytes: slots * WORD, isSmall: false }, store: (slot, _, path) => store(slot, path) };
  }

  any(depth: number): Packed {
    const kind = depth > 0 ? this.choices.below(6) : 0;
    if (kind < 3) return this.#small();
    if (kind === 3) return this.#text();
    return kind === 4 ? this.#array(depth) : this.#struct(depth);
  }

  /** One after the other, several in a slot while there is room. */
  variables(depth: number, count: number) {
    const members: StorageVariable[] = [];
    const stores: ((start: bigint, path: readonly string[]) => void)[] = [];
    let slot = 0;
    let offset = 0;
    for (let i = 0; i < count; i++) {
      const packed = this.any(depth);
      if (offset > 0 && (!packed.isSmall || offset + packed.bytes > WORD)) {
        slot++;
        offset = 0;
      }
      const [at, from, label] = [BigInt(slot), offset, `v${i}`];
      members.push({ label, offset: from, slot: at, type: packed.key });
      stores.push((start, path) => packed.store(start + at, from, [...path, label]));
      if (packed.isSmall) offset += packed.bytes;
      else slot += packed.bytes / WORD;
    }
    const store = (start: bigint, path: readonly string[]) => {
      for (const one of stores) one(start, path);
    };
    return { members, slots: slot + Number(offset > 0), store };
  }
}

export const readTypedStorage: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  // A fork would first have to fetch the account that is looked at.
  if (!world.isQuiet || world.shape.isFork) return;
  const contract = choices.of(BLANKS);
  const packer = new Packer(choices);
  const { members, store } = packer.variables(2, 1 + choices.below(6));
  store(0n, []);
  for (const [slot, value] of packer.words) {
    const change = [hexOf(contract), `0x${slot.toString(16)}`, `0x${word(value)}`] as const;
    await asked(host, 'tron_setStorageAt', ...change);
  }
  if (!world.isQuiet || world.diskFails) return;
  const layout: StorageLayout = { contract: 'Some', variables: members, types: packer.types };
  const context = fullContext(world.node);
  const read: ReadSlot = (slot) => (packer.words.has(slot) ? (getStorageAt(context, contract, slot) ?? 0n) : 0n);
  const names = storedVariables(layout, read).map(({ name }) => name);
  if (names.join() !== members.map(({ label }) => label).join()) throw new Violation(NAME, `variables ${names}`);
  for (const [path, text] of packer.values) {
    const { value, type } = storedAt(layout, path, read, { offset: 0n, limit: 10 });
    if (value !== text)
      throw new Violation(
        NAME,
        `${path.join('.')} of ${toBase58(contract)}, a ${type}, is ${value}, and ${text} was stored`,
      );
  }
};
