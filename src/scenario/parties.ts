/**
 * Who takes part: accounts and contracts by their names. The key of an account is given, or made of the scenario's seed
 * and the account's name; nobody should send real coin to it.
 */

import { closest } from '../primitives/closest-name.js';
import { type Hex, utf8ToHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { addressFromPrivateKey, toBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import { addressOfText } from '../protocol/address-text.js';
import { sha256OfHex } from '../protocol/hashes.js';
import { CURVE_ORDER } from '../protocol/scalars.js';

export interface Party {
  /** Base58check where it has no name. */
  readonly name: string;
  readonly address: Address;
  readonly privateKey?: Hex;
  /** An account that was there before, whose key nobody here has: it counts without, and what it sends is as long. */
  readonly isOfNetwork?: true;
}

export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
}

export function keyOf(seed: string, name: string): Hex {
  let key = sha256OfHex(utf8ToHex(`sunup scenario\n${seed}\n${name}`));
  while (BigInt(`0x${key}`) === 0n || BigInt(`0x${key}`) >= CURVE_ORDER) key = sha256OfHex(key);
  return key;
}

export class Parties {
  readonly #byName = new Map<string, Party>();
  readonly #names = new Map<Address, string>();

  constructor(private readonly seed: string) {}

  /** An account whose key is at hand. */
  addAccount(name: string, privateKey: Hex = keyOf(this.seed, name)): Party {
    return this.#add({ name, address: addressFromPrivateKey(privateKey), privateKey });
  }

  /** A contract, or an account that others have the key of. */
  addAddress(name: string, address: Address): Party {
    return this.#add({ name, address });
  }

  /** Somebody of the network, who is impersonated. */
  addStranger(name: string, address: Address): Party {
    return this.#add({ name, address, isOfNetwork: true });
  }

  #add(party: Party): Party {
    this.#byName.set(party.name, party);
    this.#names.set(party.address, party.name);
    return party;
  }

  named(name: string): Party | undefined {
    return this.#byName.get(name);
  }

  find(nameOrAddress: string): Party | undefined {
    const known = this.#byName.get(nameOrAddress);
    if (known !== undefined) return known;
    const address = addressOfText(nameOrAddress);
    if (address === undefined) return undefined;
    return this.#byName.get(this.nameOf(address)) ?? { name: toBase58(address), address };
  }

  /** @throws UnknownNameError */
  get(nameOrAddress: string): Party {
    const found = this.find(nameOrAddress);
    if (found !== undefined) return found;
    const close = closest(nameOrAddress, [...this.#byName.keys()]);
    throw new UnknownNameError(
      `nobody is called ${nameOrAddress}${close === undefined ? addressFault(nameOrAddress) : `; did you mean ${close}?`}`,
    );
  }

  /** What the scenario calls an address; else base58check. */
  nameOf(address: Address): string {
    return this.#names.get(address) ?? toBase58(address);
  }
}
