/**
 * The chain for the virtual machine: `tvm/host.ts` over a ledger's journaled state. Owns accounts, TRX, tokens,
 * contracts, storage and the dynamic-energy record for opcodes. Stake, vote and query opcodes are in the files beside
 * this one.
 */

import { type Hex, utf8ToHex } from '../../primitives/hex.js';
import type { Address, BlockId } from '../../primitives/ids.js';
import { ArithmeticOverflow, addExact, wrapLong } from '../../primitives/java-math.js';
import { ContractState, SmartContract } from '../../protocol/generated/smart-contract.js';
import { Account, AccountType } from '../../protocol/generated/tron.js';
import { keccak256 } from '../../protocol/hashes.js';
import { javaMapOrder } from '../../protocol/json/java-map-order.js';
import { numberKey } from '../../state/tables.js';
import type {
  AccountPermission,
  CancelledUnfreezes,
  ContractRecord,
  Host,
  NewContract,
  ResourceCode,
  ResourceUsage,
  SidePayment,
  Vote,
} from '../../tvm/host.js';
import { asContract, newAccount } from '../accounts/accounts.js';
import { addTokens, assetOf, type TokenKey, takeTokens, tokenBalance } from '../accounts/assets.js';
import { changedAccount } from '../accounts/changed-account.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { takeCreationNonce } from '../accounts/ethereum.js';
import { permissionById } from '../accounts/permissions.js';
import { blockIdAt } from '../blocks/block-ids.js';
import type { BlockPlace } from '../blocks/block-place.js';
import type { Ledger } from '../ledger.js';
import { partnersOf } from '../stake/delegation-index.js';
import { queryReward } from '../voting/voter-rewards.js';
import { contractEnergyState } from './dynamic-energy.js';
import * as queries from './resource-queries.js';
import * as selfDestruct from './self-destruct.js';
import * as stakes from './stake-operations.js';
import * as stakesV1 from './stake-v1-operations.js';
import { storedWord, storeWord } from './storage-slots.js';
import * as votes from './vote-operations.js';

const NO_CODE = new Uint8Array(0);

function tokenKey(tokenId: bigint): TokenKey {
  return utf8ToHex(tokenId.toString());
}

export class LedgerHost implements Host {
  readonly #destroyed: Address[] = [];

  /**
   * @param block the block that is being built; rewards are withdrawn at its time, everything else uses the head's
   * time
   */
  constructor(
    private readonly ledger: Ledger,
    private readonly block: Pick<BlockPlace, 'timestampMs'>,
  ) {}

  mark(): number {
    return this.ledger.state.mark();
  }

  revert(mark: number): void {
    this.ledger.state.revert(mark);
  }

  get blackHole(): Address {
    return this.ledger.config.blackhole;
  }

  /** Whether calls may carry TRC-10 tokens. */
  get tokensInCalls(): boolean {
    return this.ledger.on('ALLOW_TVM_TRANSFER_TRC10');
  }

  accountExists(address: Address): boolean {
    return this.ledger.state.tables.accounts.has(address);
  }

  balance(address: Address): bigint {
    return this.ledger.state.tables.accounts.get(address)?.balance ?? 0n;
  }

  transfer(from: Address, to: Address, amountSun: bigint): void {
    if (amountSun === 0n || from === to) return;
    const sender = existingAccount(this.ledger, from);
    const receiver = existingAccount(this.ledger, to);
    putAccount(this.ledger, changedAccount(sender, { balance: sender.balance - amountSun }));
    putAccount(this.ledger, changedAccount(receiver, { balance: addExact(receiver.balance, amountSun) }));
  }

  createAccount(address: Address): void {
    putAccount(this.ledger, newAccount(this.ledger, address));
  }

  tokenExists(tokenId: bigint): boolean {
    return assetOf(this.ledger, tokenKey(tokenId)) !== undefined;
  }

  tokenBalance(address: Address, tokenId: bigint): bigint {
    const account = this.ledger.state.tables.accounts.get(address);
    return (account && tokenBalance(this.ledger, account, tokenKey(tokenId))) ?? 0n;
  }

  transferToken(from: Address, to: Address, tokenId: bigint, amount: bigint): void {
    if (amount === 0n || from === to) return;
    const key = tokenKey(tokenId);
    putAccount(this.ledger, takeTokens(this.ledger, existingAccount(this.ledger, from), key, amount));
    putAccount(this.ledger, addTokens(this.ledger, existingAccount(this.ledger, to), key, amount));
  }

  /** In order of arrival; with a store of their own, in the order of a Java HashMap made of it. */
  tokenBalances(address: Address): readonly (readonly [string, bigint])[] {
    const tokens = [...(this.ledger.state.tables.accounts.get(address)?.assetV2 ?? [])];
    if (!this.ledger.on('ALLOW_ASSET_OPTIMIZATION')) return tokens;
    return javaMapOrder(tokens.map(([tokenId]) => tokenId)).map((at) => tokens[at] as (typeof tokens)[number]);
  }

  /** By id in both modes, unchecked; tokens of which the sender holds 0 are added to the receiver with 0. */
  transferAllTokens(from: Address, to: Address): void {
    const sender = existingAccount(this.ledger, from);
    const receiver = existingAccount(this.ledger, to);
    if (sender.assetV2.size === 0) return;
    const left = new Map(sender.assetV2);
    const given = new Map(receiver.assetV2);
    for (const [tokenId, amount] of this.tokenBalances(from)) {
      left.set(tokenId, 0n);
      given.set(tokenId, wrapLong((given.get(tokenId) ?? 0n) + amount));
    }
    putAccount(this.ledger, { ...sender, assetV2: left });
    putAccount(this.ledger, { ...receiver, assetV2: given });
  }

  contract(address: Address): ContractRecord | undefined {
    return this.ledger.state.tables.contracts.get(address);
  }

  code(address: Address): Uint8Array {
    return this.ledger.state.tables.codes.get(address) ?? NO_CODE;
  }

  setCode(address: Address, code: Uint8Array): void {
    const { codes, contracts } = this.ledger.state.tables;
    codes.set(address, code);
    const contract = contracts.get(address);
    if (contract === undefined) throw new Error(`code for ${address}, which is no contract`);
    if (!this.ledger.on('ALLOW_TVM_CONSTANTINOPLE')) return;
    contracts.set(address, { ...contract, code_hash: keccak256(code) });
  }

  storeCodeHash(address: Address, hash: Hex): void {
    const { contracts } = this.ledger.state.tables;
    const contract = contracts.get(address);
    if (contract?.code_hash === '') contracts.set(address, { ...contract, code_hash: hash });
  }

  creationNonce(creator: Address): bigint | undefined {
    return takeCreationNonce(this.ledger, creator);
  }

  createContract({ address, creator, version, trxHash }: NewContract): void {
    const { accounts, contracts } = this.ledger.state.tables;
    const existing = accounts.get(address);
    putAccount(
      this.ledger,
      existing === undefined
        ? Account.create({ address, type: AccountType.Contract, account_name: utf8ToHex('CreatedByContract') })
        : asContract(existing),
    );
    contracts.set(
      address,
      SmartContract.create({
        contract_address: address,
        consume_user_resource_percent: 100n,
        origin_address: creator,
        version,
        trx_hash: trxHash,
      }),
    );
  }

  /** Only recorded: the contract still pays, and is then removed by {@link removeDestroyed}. */
  deleteContract(address: Address): void {
    this.#destroyed.push(address);
  }

  /** After the bill is paid, as in TransactionTrace.finalization. */
  removeDestroyed(): void {
    const { accounts, contracts, codes, abis } = this.ledger.state.tables;
    for (const address of this.#destroyed) {
      accounts.delete(address);
      contracts.delete(address);
      codes.delete(address);
      abis.delete(address);
    }
  }

  storageRow(row: string, contract: Address, slot: bigint): bigint {
    return storedWord(this.ledger, row, contract, slot);
  }

  setStorageRow(row: string, value: bigint): void {
    storeWord(this.ledger, row, value);
  }

  blockId(number: number): BlockId | undefined {
    const { ledger } = this;
    if (number < ledger.config.beginsAt) return ledger.state.tables.earlierBlockIds.get(numberKey(number));
    return blockIdAt(ledger, number);
  }

  contractEnergyFactor(address: Address): number {
    const { contractStates } = this.ledger.state.tables;
    const state = contractEnergyState(this.ledger, address);
    if (state !== contractStates.get(address)) contractStates.set(address, ContractState.create(state));
    return Number(state.energy_factor);
  }

  addContractEnergyUsage(address: Address, energy: number): void {
    const { contractStates } = this.ledger.state.tables;
    const state = contractStates.get(address);
    if (state === undefined) throw new Error(`contract ${address} used Energy before its factor was asked`);
    const { energy_usage, energy_factor, update_cycle } = state;
    // At the end of each frame: a spread would take as long as all other bookkeeping of a call.
    contractStates.set(address, { energy_usage: energy_usage + BigInt(energy), energy_factor, update_cycle });
  }

  permission(address: Address, id: number): AccountPermission | undefined {
    const account = this.ledger.state.tables.accounts.get(address);
    const permission = account && permissionById(account, id);
    return permission as AccountPermission | undefined;
  }

  freezeBalanceV2(owner: Address, amountSun: bigint, resource: ResourceCode): boolean {
    return stakes.freezeBalanceV2(this.ledger, owner, amountSun, resource);
  }

  unfreezeBalanceV2(owner: Address, amountSun: bigint, resource: ResourceCode): SidePayment | undefined {
    return stakes.unfreezeBalanceV2(this.ledger, owner, amountSun, resource);
  }

  cancelAllUnfreezeV2(owner: Address): CancelledUnfreezes | undefined {
    return stakes.cancelAllUnfreezeV2(this.ledger, owner);
  }

  withdrawExpireUnfreeze(owner: Address): bigint | undefined {
    return stakes.withdrawExpireUnfreeze(this.ledger, owner);
  }

  delegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean {
    return stakes.delegateResource(this.ledger, owner, receiver, amountSun, resource);
  }

  undelegateResource(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean {
    return stakes.undelegateResource(this.ledger, owner, receiver, amountSun, resource);
  }

  delegationPartnerCount(owner: Address, receiver: Address): number {
    return partnersOf(this.ledger, 2, 'to', owner).length + partnersOf(this.ledger, 2, 'from', receiver).length;
  }

  freezeBalance(owner: Address, receiver: Address, amountSun: bigint, resource: ResourceCode): boolean {
    return stakesV1.freezeBalance(this.ledger, owner, receiver, amountSun, resource);
  }

  unfreezeBalance(owner: Address, receiver: Address, resource: ResourceCode): bigint | undefined {
    return stakesV1.unfreezeBalance(this.ledger, owner, receiver, resource);
  }

  freezeExpireTimeMs(owner: Address, target: Address, resource: ResourceCode): bigint {
    return stakesV1.freezeExpireTimeMs(this.ledger, owner, target, resource);
  }

  mayDestroy(address: Address): boolean {
    return selfDestruct.mayDestroy(this.ledger, address);
  }

  settleVotes(address: Address): void {
    selfDestruct.settleVotes(this.ledger, address, this.#withdrawTimeMs);
  }

  inheritStakes(owner: Address, heir: Address): SidePayment {
    return selfDestruct.inheritStakes(this.ledger, owner, heir);
  }

  voteWitness(owner: Address, cast: readonly Vote[]): boolean {
    return this.#allOrNothing(() => votes.voteWitness(this.ledger, owner, cast)) ?? false;
  }

  withdrawReward(owner: Address): bigint | undefined {
    return this.#allOrNothing(() => votes.withdrawReward(this.ledger, owner, this.#withdrawTimeMs));
  }

  rewardBalance(address: Address): bigint {
    return queryReward(this.ledger, address, { inContract: true });
  }

  isWitness(address: Address): boolean {
    return this.ledger.state.tables.witnesses.has(address);
  }

  votesFor(voter: Address, witness: Address): bigint {
    return votes.votesFor(this.ledger, voter, witness);
  }

  votesCast(address: Address): bigint {
    return votes.votesCast(this.ledger, address);
  }

  votesReceived(witness: Address): bigint {
    return this.ledger.state.tables.witnesses.get(witness)?.voteCount ?? 0n;
  }

  tronPower(address: Address): bigint {
    return votes.tronPowerOf(this.ledger, address);
  }

  chainParameter(code: bigint): bigint {
    return queries.chainParameter(this.ledger, code);
  }

  availableUnfreezes(address: Address): bigint {
    return queries.availableUnfreezes(this.ledger, address);
  }

  frozenBalanceV2(address: Address, resource: ResourceCode): bigint {
    return queries.frozenBalanceV2(this.ledger, address, resource);
  }

  expiringUnfreezes(address: Address, timeMs: bigint): bigint {
    return queries.expiringUnfreezes(this.ledger, address, timeMs);
  }

  delegatableBalance(address: Address, resource: ResourceCode): bigint {
    return queries.delegatableBalance(this.ledger, address, resource);
  }

  delegatedBalance(from: Address, to: Address, resource: ResourceCode): bigint {
    return queries.delegatedBalance(this.ledger, from, to, resource);
  }

  totalResource(address: Address, resource: ResourceCode): bigint {
    return queries.totalResource(this.ledger, address, resource);
  }

  totalDelegated(address: Address, resource: ResourceCode): bigint {
    return queries.totalDelegated(this.ledger, address, resource);
  }

  totalAcquired(address: Address, resource: ResourceCode): bigint {
    return queries.totalAcquired(this.ledger, address, resource);
  }

  resourceUsage(address: Address, resource: ResourceCode): ResourceUsage {
    return queries.resourceUsage(this.ledger, address, resource);
  }

  /** The machine's time is in seconds. */
  get #withdrawTimeMs(): bigint {
    return (this.block.timestampMs / 1000n) * 1000n;
  }

  /** A refused opcode, or one with an overflow, has settled rewards before: these changes are reverted, too. */
  #allOrNothing<Result>(work: () => Result): Result | undefined {
    const mark = this.mark();
    let result: Result | undefined;
    try {
      result = work();
    } catch (error) {
      if (!(error instanceof ArithmeticOverflow)) throw error;
    }
    if (result === undefined || result === false) this.revert(mark);
    return result;
  }
}
