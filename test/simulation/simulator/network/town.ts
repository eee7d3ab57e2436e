/**
 * People of a fork's network: what they have done when it is forked, and what they go on doing. They are those who use the
 * fork, with the same keys: stakes, delegations, tokens, contracts that they have there are theirs in the fork.
 */

import fc from 'fast-check';
import type { Devnet } from '../../../../src/devnet/devnet.js';
import type { Node } from '../../../../src/node/node.js';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { deployedContractAddress } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { unsignedTransaction } from '../../../../src/wallet/transactions.js';
import { BEGINNING, learnContracts, type Operation, send, sending } from '../../operations.js';
import { COIN, word } from '../../simulated-chain.js';
import type { Choices } from '../../wild-messages.js';
import { People } from '../users/people.js';
import { programCall, programOf } from '../users/programs.js';
import { notebook } from '../users/promises.js';

const FEE_LIMIT = { feeLimitSun: 1_000n * COIN };
/** Those of a notebook (`promises.ts`). */
const SLOTS = [0n, 1n, 2n, 10n, 11n, 20n, 22n];

export class Town {
  readonly #people: People;
  /** Who has lent to whom from the beginning. */
  readonly loans: (readonly [from: Address, to: Address])[] = [];
  /** The lowest block that was ever replaced: what was read above may be of a block that is gone. */
  replacedFrom = Number.POSITIVE_INFINITY;

  constructor(
    private readonly devnet: Devnet,
    readonly node: Node,
  ) {
    this.#people = new People({
      keys: devnet,
      ledger: node.chain.ledger,
      unsigned: (type, contract, options) => unsignedTransaction(fullContext(node), type, contract, options),
    });
    this.#people.meet();
  }

  async begin(choices: Choices): Promise<void> {
    for (const operation of BEGINNING) await this.#perform(operation);
    this.#people.notebook = await this.#deploy(0, notebook());
    for (const slot of SLOTS) await this.#call(this.#people.notebook, word(slot) + word(BigInt(1 + choices.below(99))));
    for (let i = 1; i <= 3; i++)
      this.#people.programs.push(await this.#deploy(i, programOf(choices, this.#people.programs)));
    for (const program of this.#people.programs) await this.#call(program as Address, programCall(choices));
    for (const resource of choices.of([[0], [1], [0, 1]])) await this.#lend(choices, resource);
    await this.goOn(choices);
  }

  /** They do a few things, of which some are refused; then some blocks are made. */
  async goOn(choices: Choices): Promise<void> {
    for (let count = 3 + choices.below(8); count > 0; count--) {
      const [operation] = fc.sample(sending, { seed: choices.below(2 ** 31), numRuns: 1 });
      await this.#perform(operation as Operation);
    }
    const { notebook: written, programs } = this.#people;
    if (written !== undefined)
      await this.#call(written, word(choices.of(SLOTS)) + word(BigInt(choices.below(2) * choices.below(99))));
    await this.#call(choices.of(programs) as Address, programCall(choices));
    await this.devnet.mine(1 + choices.below(5));
  }

  /** What is taken back may be below the block that was forked: then it is another chain. */
  async takeBack(choices: Choices, depth: number): Promise<void> {
    this.replacedFrom = Math.min(this.replacedFrom, this.node.chain.headNumber - depth + 1);
    await this.devnet.rollback(depth);
    await this.devnet.mine(1 + choices.below(3));
  }

  /** Their contracts are known to those who use the fork. */
  tell(users: People): void {
    users.notebook = this.#people.notebook;
    users.programs.push(...this.#people.programs);
    learnContracts(users, this.#people);
  }

  async #perform(operation: Operation): Promise<void> {
    if (operation.what === 'mine' || operation.what === 'advance') await this.devnet.mine(1);
    else await this.#send(send(this.#people, operation).transaction);
  }

  /** With a lock that ends while a fork goes on, or later. @param resource 0: Bandwidth, 1: Energy */
  async #lend(choices: Choices, resource: number): Promise<void> {
    const lender = choices.below(6);
    const owner_address = this.#people.address(lender);
    const receiver_address = this.#people.address((lender + 1 + choices.below(5)) % 6);
    this.loans.push([owner_address, receiver_address]);
    const stake = { owner_address, frozen_balance: 10n * COIN, resource };
    const [balance, lock_period] = [BigInt(1 + choices.below(5)) * COIN, choices.of([1n, 400n, 0n])];
    const loan = { owner_address, receiver_address, balance, resource, lock: true, lock_period };
    await this.#send(this.#people.send(ContractType.FreezeBalanceV2Contract, stake).transaction);
    await this.#send(this.#people.send(ContractType.DelegateResourceContract, loan).transaction);
  }

  async #deploy(owner: number, bytecode: string): Promise<Address> {
    const owner_address = this.#people.address(owner);
    const new_contract = {
      ...SmartContract.empty,
      ...{ origin_address: owner_address, bytecode, origin_energy_limit: 10_000_000n },
    };
    const { transaction } = this.#people.send(
      ContractType.CreateSmartContract,
      { owner_address, new_contract },
      FEE_LIMIT,
    );
    await this.#send(transaction);
    return deployedContractAddress(transaction.txId, owner_address);
  }

  async #call(contract_address: Address, data: string): Promise<void> {
    const fields = { owner_address: this.#people.address(0), contract_address, data };
    await this.#send(this.#people.send(ContractType.TriggerSmartContract, fields, FEE_LIMIT).transaction);
  }

  async #send(transaction: SignedTransaction): Promise<void> {
    const body = JSON.stringify({ transaction: bytesToHex(transaction.encode()) });
    await this.devnet.post('/wallet/broadcasthex', body);
  }
}
