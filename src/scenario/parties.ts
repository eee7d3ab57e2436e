/**
 * Accounts and contracts by name. The key of an account is given, or derived from the scenario's seed and the
 * account's name. Derived keys are public knowledge: never send real TRX to them.
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
  /** Base58check if the account has no name. */
  readonly name: string;
  readonly address: Address;
  readonly privateKey?: Hex;
  /**
   * An existing account with an unknown key: it sends without a valid signature, but its transactions have the length
   * of signed ones.
   */
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

  /** An account with a known key. */
  addAccount(name: string, privateKey: Hex = keyOf(this.seed, name)): Party {
    return this.#add({ name, address: addressFromPrivateKey(privateKey), privateKey });
  }

  /** A contract, or an account whose key is unknown. */
  addAddress(name: string, address: Address): Party {
    return this.#add({ name, address });
  }

  /** An account of the forked network; it is impersonated. */
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
      `no account or contract is called ${nameOrAddress}${close === undefined ? addressFault(nameOrAddress) : `; did you mean ${close}?`}`,
    );
  }

  /** The scenario's name of an address, or base58check. */
  nameOf(address: Address): string {
    return this.#names.get(address) ?? toBase58(address);
  }
}
