/**
 * What must come of trade in the contracts of fixtures/contracts/simulator/Bazaar.sol: a model of their balances, allowances,
 * owners and events. It reads a value of the chain when it first needs it, and keeps none from one transaction to the next:
 * so it follows every rollback.
 */

import type { Hex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { callData, eventTopic, word } from '../../simulated-chain.js';

/** Contracts of one bazaar. */
export interface Bazaar {
  readonly coins: readonly [Address, Address];
  readonly deeds: Address;
  readonly exchange: Address;
}

/** A value that a contract tells: the contract, and the call that asks for it. */
export interface Value {
  readonly contract: Address;
  readonly data: Hex;
}

export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The contract refuses the call. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

const NOBODY = `41${'0'.repeat(40)}` as Address;
const TRANSFER = eventTopic('Transfer(address,address,uint256)');
const APPROVAL = eventTopic('Approval(address,address,uint256)');

export const balanceOf = (contract: Address, holder: Address): Value => ({
  contract,
  data: callData('balanceOf(address)', holder),
});
export const totalSupply = (contract: Address): Value => ({ contract, data: callData('totalSupply()') });
const allowance = (contract: Address, owner: Address, spender: Address): Value => ({
  contract,
  data: callData('allowance(address,address)', owner, spender),
});
const ownerOf = (contract: Address, id: bigint): Value => ({ contract, data: callData('ownerOf(uint256)', id) });
const approvedFor = (contract: Address, id: bigint): Value => ({
  contract,
  data: callData('getApproved(uint256)', id),
});

export class Books {
  readonly #values = new Map<string, { readonly value: Value; readonly before: bigint; now: bigint }>();
  readonly logs: Log[] = [];

  /** @param read what the chain says before the transaction */
  constructor(private readonly read: (value: Value) => Promise<bigint>) {}

  /** Values that the transaction concerns. */
  values(): readonly { readonly value: Value; readonly before: bigint; readonly now: bigint }[] {
    return [...this.#values.values()];
  }

  async mint(coin: Address, by: Address, amount: bigint): Promise<void> {
    await this.#add(totalSupply(coin), amount);
    await this.#add(balanceOf(coin, by), amount);
    this.#log(coin, TRANSFER, [NOBODY, by], word(amount));
  }

  async burn(coin: Address, by: Address, amount: bigint): Promise<void> {
    await this.#add(balanceOf(coin, by), -amount);
    await this.#add(totalSupply(coin), -amount);
    this.#log(coin, TRANSFER, [by, NOBODY], word(amount));
  }

  async transfer(coin: Address, from: Address, to: Address, amount: bigint): Promise<void> {
    await this.#add(balanceOf(coin, from), -amount);
    await this.#add(balanceOf(coin, to), amount);
    this.#log(coin, TRANSFER, [from, to], word(amount));
  }

  async approve(coin: Address, by: Address, spender: Address, amount: bigint): Promise<void> {
    await this.#set(allowance(coin, by, spender), amount);
    this.#log(coin, APPROVAL, [by, spender], word(amount));
  }

  async transferFrom(coin: Address, by: Address, from: Address, to: Address, amount: bigint): Promise<void> {
    await this.#add(allowance(coin, from, by), -amount);
    await this.transfer(coin, from, to, amount);
  }

  async mintDeed({ deeds }: Bazaar, by: Address, id: bigint): Promise<void> {
    if ((await this.#get(ownerOf(deeds, id))) !== 0n) throw new Refused();
    await this.#set(ownerOf(deeds, id), numberOf(by));
    await this.#add(balanceOf(deeds, by), 1n);
    this.#log(deeds, TRANSFER, [NOBODY, by, id], '');
  }

  async approveDeed({ deeds }: Bazaar, by: Address, to: Address, id: bigint): Promise<void> {
    if ((await this.#get(ownerOf(deeds, id))) !== numberOf(by)) throw new Refused();
    await this.#set(approvedFor(deeds, id), numberOf(to));
    this.#log(deeds, APPROVAL, [by, to, id], '');
  }

  async transferDeed({ deeds }: Bazaar, by: Address, from: Address, to: Address, id: bigint): Promise<void> {
    if ((await this.#get(ownerOf(deeds, id))) !== numberOf(from)) throw new Refused();
    if (by !== from && (await this.#get(approvedFor(deeds, id))) !== numberOf(by)) throw new Refused();
    await this.#set(approvedFor(deeds, id), 0n);
    await this.#set(ownerOf(deeds, id), numberOf(to));
    await this.#add(balanceOf(deeds, from), -1n);
    await this.#add(balanceOf(deeds, to), 1n);
    this.#log(deeds, TRANSFER, [from, to, id], '');
  }

  async give({ coins: [first, second], exchange }: Bazaar, by: Address, one: bigint, other: bigint): Promise<void> {
    await this.transferFrom(first, exchange, by, exchange, one);
    await this.transferFrom(second, exchange, by, exchange, other);
  }

  async swap(
    { coins: [first, second], exchange }: Bazaar,
    by: Address,
    isFirst: boolean,
    amount: bigint,
  ): Promise<void> {
    const [paid, got] = isFirst ? [first, second] : [second, first];
    const there = await this.#get(balanceOf(got, exchange));
    const divisor = (await this.#get(balanceOf(paid, exchange))) + amount;
    if (divisor === 0n) throw new Refused();
    await this.transferFrom(paid, exchange, by, exchange, amount);
    await this.transfer(got, exchange, by, (there * amount) / divisor);
  }

  async #get(value: Value): Promise<bigint> {
    const key = `${value.contract} ${value.data}`;
    const known = this.#values.get(key);
    if (known !== undefined) return known.now;
    const before = await this.read(value);
    this.#values.set(key, { value, before, now: before });
    return before;
  }

  async #set(value: Value, now: bigint): Promise<void> {
    await this.#get(value);
    this.#values.get(`${value.contract} ${value.data}`)!.now = now;
  }

  /** Amounts are far from the largest number: only below zero is refused. */
  async #add(value: Value, amount: bigint): Promise<void> {
    const now = (await this.#get(value)) + amount;
    if (now < 0n) throw new Refused();
    await this.#set(value, now);
  }

  #log(contract: Address, topic: Hex, indexed: readonly (Address | bigint)[], data: Hex): void {
    this.logs.push({ address: contract.slice(2), topics: [topic, ...indexed.map(word)], data });
  }
}

function numberOf(address: Address): bigint {
  return BigInt(`0x${address.slice(2)}`);
}
