/**
 * A small complete chain in memory behind the machine's Host: accounts, tokens, contracts, storage rows, stakes, votes,
 * with an undo log. Enough to run any program; the network's exact stake and reward rules are the ledger's.
 */

import type { Address, BlockId } from '../../../src/primitives/ids.js';
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
} from '../../../src/tvm/host.js';

interface Unfreeze {
  readonly resource: ResourceCode;
  readonly amount: bigint;
  readonly expiresMs: bigint;
}

interface Account {
  balance: bigint;
  isContract: boolean;
  tokens: Map<string, bigint>;
  frozen: [bigint, bigint, bigint];
  delegatedOut: [bigint, bigint, bigint];
  acquired: [bigint, bigint, bigint];
  unfreezes: readonly Unfreeze[];
  votes: readonly Vote[];
  allowance: bigint;
}

interface Energy {
  factor: number;
  usage: number;
}

const EMPTY_CODE = new Uint8Array(0);
const MAX_UNFREEZES = 32;

export class MemoryHost implements Host {
  readonly accounts = new Map<Address, Account>();
  readonly contracts = new Map<Address, ContractRecord & { readonly creator: Address | undefined }>();
  readonly codes = new Map<Address, Uint8Array>();
  readonly rows = new Map<string, bigint>();
  readonly tokens = new Set<string>();
  readonly witnesses = new Set<Address>();
  readonly permissions = new Map<string, AccountPermission>();
  readonly energy = new Map<Address, Energy>();
  readonly delegations = new Map<string, bigint>();
  readonly blackHole = `41${'ee'.repeat(20)}` as Address;
  blockIds = new Map<number, BlockId>();
  nowMs = 1_000_000_000n;
  unfreezeDelayMs = 14n * 86_400_000n;
  readonly #undo: (() => void)[] = [];

  constructor() {
    this.accounts.set(this.blackHole, emptyAccount());
  }

  /** A plain account for a test to start with. */
  addAccount(address: Address, balance = 0n): void {
    this.accounts.set(address, { ...emptyAccount(), balance });
  }

  addContract(address: Address, code: Uint8Array, balance = 0n, version = 0): void {
    this.accounts.set(address, { ...emptyAccount(), balance, isContract: true });
    this.contracts.set(address, { version, trx_hash: '', creator: undefined });
    this.codes.set(address, code);
  }

  addTokens(address: Address, tokenId: string, amount: bigint): void {
    this.tokens.add(tokenId);
    this.accounts.get(address)?.tokens.set(tokenId, amount);
  }

  /** Everything that a transaction can change, for comparing before and after. */
  snapshot(): string {
    const plain = (map: ReadonlyMap<unknown, unknown>) => [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    const accounts = plain(this.accounts).map(([address, account]) => [
      address,
      { ...(account as Account), tokens: plain((account as Account).tokens) },
    ]);
    return JSON.stringify(
      [
        accounts,
        plain(this.contracts),
        plain(this.codes),
        plain(this.rows),
        plain(this.energy),
        plain(this.delegations),
      ],
      (_, value) => (typeof value === 'bigint' ? `${value}n` : value),
    );
  }

  mark(): number {
    return this.#undo.length;
  }

  revert(mark: number): void {
    while (this.#undo.length > mark) this.#undo.pop()?.();
  }

  #set<Key, Value>(map: Map<Key, Value>, key: Key, value: Value | undefined): void {
    const before = map.get(key);
    this.#undo.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  #change(address: Address, change: (account: Account) => void): void {
    const before = this.accounts.get(address);
    if (before === undefined) throw new Error(`no account ${address}`);
    const after: Account = {
      ...before,
      tokens: new Map(before.tokens),
      frozen: [...before.frozen],
      delegatedOut: [...before.delegatedOut],
      acquired: [...before.acquired],
    };
    change(after);
    this.#set(this.accounts, address, after);
  }

  accountExists(address: Address): boolean {
    return this.accounts.has(address);
  }

  balance(address: Address): bigint {
    return this.accounts.get(address)?.balance ?? 0n;
  }

  transfer(from: Address, to: Address, amountSun: bigint): void {
    this.#change(from, (account) => {
      account.balance -= amountSun;
    });
    this.#change(to, (account) => {
      account.balance += amountSun;
    });
  }

  createAccount(address: Address): void {
    this.#set(this.accounts, address, emptyAccount());
  }

  tokenExists(tokenId: bigint): boolean {
    return this.tokens.has(tokenId.toString());
  }

  tokenBalance(address: Address, tokenId: bigint): bigint {
    return this.accounts.get(address)?.tokens.get(tokenId.toString()) ?? 0n;
  }

  transferToken(from: Address, to: Address, tokenId: bigint, amount: bigint): void {
    const id = tokenId.toString();
    this.#change(from, ({ tokens }) => tokens.set(id, (tokens.get(id) ?? 0n) - amount));
    this.#change(to, ({ tokens }) => tokens.set(id, (tokens.get(id) ?? 0n) + amount));
  }

  tokenBalances(address: Address): readonly (readonly [string, bigint])[] {
    return [...(this.accounts.get(address)?.tokens ?? [])];
  }

  transferAllTokens(from: Address, to: Address): void {
    for (const [id, amount] of this.tokenBalances(from)) this.transferToken(from, to, BigInt(id), amount);
  }

  contract(address: Address): ContractRecord | undefined {
    return this.contracts.get(address);
  }

  code(address: Address): Uint8Array {
    return this.codes.get(address) ?? EMPTY_CODE;
  }

  setCode(address: Address, code: Uint8Array): void {
    this.#set(this.codes, address, code);
  }

  /** Contracts here are never older than the hashes of their code. */
  storeCodeHash(): void {}

  creationNonce(): undefined {
    return undefined;
  }

  createContract({ address, creator, version, trxHash }: NewContract): void {
    if (!this.accountExists(address)) this.createAccount(address);
    this.#change(address, (account) => {
      account.isContract = true;
      account.acquired = [0n, 0n, 0n];
    });
    this.#set(this.contracts, address, { version, trx_hash: trxHash, creator });
  }

  deleteContract(address: Address): void {
    this.#set(this.accounts, address, undefined);
    this.#set(this.contracts, address, undefined);
    this.#set(this.codes, address, undefined);
  }

  storageRow(row: string): bigint {
    return this.rows.get(row) ?? 0n;
  }

  setStorageRow(row: string, value: bigint): void {
    this.#set(this.rows, row, value === 0n ? undefined : value);
  }

  blockId(number: number): BlockId | undefined {
    return this.blockIds.get(number);
  }

  contractEnergyFactor(address: Address): number {
    const record = this.energy.get(address);
    if (record === undefined) this.#set(this.energy, address, { factor: 0, usage: 0 });
    return record?.factor ?? 0;
  }

  addContractEnergyUsage(address: Address, energy: number): void {
    const record = this.energy.get(address) ?? { factor: 0, usage: 0 };
    this.#set(this.energy, address, { ...record, usage: record.usage + energy });
  }

  freezeBalanceV2(owner: Address, amount: bigint, resource: ResourceCode): boolean {
    if (resource > 1 || amount < 1_000_000n || amount > this.balance(owner)) return false;
    this.#change(owner, (account) => {
      account.balance -= amount;
      account.frozen[resource] += amount;
    });
    return true;
  }

  unfreezeBalanceV2(owner: Address, amount: bigint, resource: ResourceCode): SidePayment | undefined {
    const account = this.accounts.get(owner);
    if (account === undefined || amount <= 0n || amount > account.frozen[resource]) return undefined;
    if (account.unfreezes.filter(({ expiresMs }) => expiresMs > this.nowMs).length >= MAX_UNFREEZES) return undefined;
    const withdrawnSun = this.#withdrawExpired(owner);
    this.#change(owner, (changed) => {
      changed.frozen[resource] -= amount;
      changed.unfreezes = [...changed.unfreezes, { resource, amount, expiresMs: this.nowMs + this.unfreezeDelayMs }];
    });
    return { withdrawnSun };
  }

  #withdrawExpired(owner: Address): bigint {
    const expired = this.accounts.get(owner)?.unfreezes.filter(({ expiresMs }) => expiresMs <= this.nowMs) ?? [];
    const sum = expired.reduce((total, { amount }) => total + amount, 0n);
    this.#change(owner, (account) => {
      account.balance += sum;
      account.unfreezes = account.unfreezes.filter((entry) => !expired.includes(entry));
    });
    return sum;
  }

  cancelAllUnfreezeV2(owner: Address): CancelledUnfreezes | undefined {
    if (!this.accountExists(owner)) return undefined;
    const withdrawnSun = this.#withdrawExpired(owner);
    const sums: [bigint, bigint, bigint] = [0n, 0n, 0n];
    this.#change(owner, (account) => {
      for (const { resource, amount } of account.unfreezes) {
        account.frozen[resource] += amount;
        sums[resource] += amount;
      }
      account.unfreezes = [];
    });
    return { withdrawnSun, bandwidthSun: sums[0], energySun: sums[1], tronPowerSun: sums[2] };
  }

  withdrawExpireUnfreeze(owner: Address): bigint | undefined {
    return this.accountExists(owner) ? this.#withdrawExpired(owner) : undefined;
  }

  delegateResource(owner: Address, receiver: Address, amount: bigint, resource: ResourceCode): boolean {
    const account = this.accounts.get(owner);
    const target = this.accounts.get(receiver);
    if (account === undefined || target === undefined || target.isContract || owner === receiver) return false;
    if (resource > 1 || amount < 1_000_000n || amount > account.frozen[resource]) return false;
    this.#moveDelegation(owner, receiver, amount, resource);
    return true;
  }

  undelegateResource(owner: Address, receiver: Address, amount: bigint, resource: ResourceCode): boolean {
    if (resource > 1 || amount <= 0n || amount > this.delegatedBalance(owner, receiver, resource)) return false;
    this.#moveDelegation(owner, receiver, -amount, resource);
    return true;
  }

  delegationPartnerCount(owner: Address, receiver: Address): number {
    return [...this.delegations.keys()].filter((key) => key.startsWith(owner) || key.includes(receiver, 1)).length;
  }

  #moveDelegation(owner: Address, receiver: Address, amount: bigint, resource: ResourceCode): void {
    this.#change(owner, (account) => {
      account.frozen[resource] -= amount;
      account.delegatedOut[resource] += amount;
    });
    this.#change(receiver, (account) => {
      account.acquired[resource] += amount;
    });
    const key = `${owner}${receiver}${resource}`;
    this.#set(this.delegations, key, (this.delegations.get(key) ?? 0n) + amount);
  }

  freezeBalance(owner: Address, receiver: Address, amount: bigint, resource: ResourceCode): boolean {
    if (amount < 1_000_000n || amount > this.balance(owner)) return false;
    if (!this.accountExists(receiver)) this.createAccount(receiver);
    this.#change(owner, (account) => {
      account.balance -= amount;
      account.frozen[resource] += amount;
    });
    return true;
  }

  unfreezeBalance(owner: Address, _receiver: Address, resource: ResourceCode): bigint | undefined {
    const amount = this.accounts.get(owner)?.frozen[resource] ?? 0n;
    if (amount === 0n) return undefined;
    this.#change(owner, (account) => {
      account.balance += amount;
      account.frozen[resource] = 0n;
    });
    return amount;
  }

  freezeExpireTimeMs(owner: Address, _target: Address, resource: ResourceCode): bigint {
    return (this.accounts.get(owner)?.frozen[resource] ?? 0n) === 0n ? 0n : this.nowMs;
  }

  mayDestroy(address: Address): boolean {
    const account = this.accounts.get(address);
    if (account === undefined) return true;
    return (
      account.delegatedOut.every((amount) => amount === 0n) && account.unfreezes.every((u) => u.expiresMs <= this.nowMs)
    );
  }

  settleVotes(address: Address): void {
    this.#change(address, (account) => {
      account.balance += account.allowance;
      account.allowance = 0n;
      account.votes = [];
    });
  }

  inheritStakes(owner: Address, heir: Address): SidePayment {
    const { frozen, unfreezes } = this.accounts.get(owner) ?? emptyAccount();
    const withdrawnSun = unfreezes.reduce((total, { amount }) => total + amount, 0n);
    this.#change(heir, (account) => {
      for (const resource of [0, 1, 2] as const) account.frozen[resource] += frozen[resource];
      account.balance += withdrawnSun;
    });
    this.#change(owner, (account) => {
      account.frozen = [0n, 0n, 0n];
      account.unfreezes = [];
    });
    return { withdrawnSun };
  }

  voteWitness(owner: Address, votes: readonly Vote[]): boolean {
    if (votes.length > 30 || votes.some(({ witness, count }) => count < 0n || !this.witnesses.has(witness)))
      return false;
    const sum = votes.reduce((total, { count }) => total + count, 0n);
    if (sum * 1_000_000n > this.tronPower(owner)) return false;
    this.#change(owner, (account) => {
      account.votes = votes.filter(({ count }) => count > 0n);
    });
    return true;
  }

  withdrawReward(owner: Address): bigint | undefined {
    const amount = this.rewardBalance(owner);
    this.#change(owner, (account) => {
      account.balance += amount;
      account.allowance = 0n;
    });
    return amount;
  }

  rewardBalance(address: Address): bigint {
    return this.accounts.get(address)?.allowance ?? 0n;
  }

  isWitness(address: Address): boolean {
    return this.witnesses.has(address);
  }

  votesFor(voter: Address, witness: Address): bigint {
    return this.accounts.get(voter)?.votes.find((vote) => vote.witness === witness)?.count ?? 0n;
  }

  votesCast(address: Address): bigint {
    return this.accounts.get(address)?.votes.reduce((total, { count }) => total + count, 0n) ?? 0n;
  }

  votesReceived(witness: Address): bigint {
    let sum = 0n;
    for (const voter of this.accounts.keys()) sum += this.votesFor(voter, witness);
    return sum;
  }

  tronPower(address: Address): bigint {
    const account = this.accounts.get(address);
    if (account === undefined) return 0n;
    return account.frozen[0] + account.frozen[1] + account.delegatedOut[0] + account.delegatedOut[1];
  }

  chainParameter(code: bigint): bigint {
    return code === 1n ? 43_200_000_000n : code === 3n ? 180_000_000_000n : code === 5n ? 14n : 0n;
  }

  availableUnfreezes(address: Address): bigint {
    const account = this.accounts.get(address);
    return account === undefined ? 0n : BigInt(MAX_UNFREEZES - account.unfreezes.length);
  }

  frozenBalanceV2(address: Address, resource: ResourceCode): bigint {
    return this.accounts.get(address)?.frozen[resource] ?? 0n;
  }

  expiringUnfreezes(address: Address, timeMs: bigint): bigint {
    const entries = this.accounts.get(address)?.unfreezes ?? [];
    return entries.reduce((sum, { amount, expiresMs }) => (expiresMs <= timeMs ? sum + amount : sum), 0n);
  }

  delegatableBalance(address: Address, resource: ResourceCode): bigint {
    return this.frozenBalanceV2(address, resource);
  }

  delegatedBalance(from: Address, to: Address, resource: ResourceCode): bigint {
    return this.delegations.get(`${from}${to}${resource}`) ?? 0n;
  }

  totalResource(address: Address, resource: ResourceCode): bigint {
    return this.frozenBalanceV2(address, resource) + this.totalAcquired(address, resource);
  }

  totalDelegated(address: Address, resource: ResourceCode): bigint {
    return this.accounts.get(address)?.delegatedOut[resource] ?? 0n;
  }

  totalAcquired(address: Address, resource: ResourceCode): bigint {
    return this.accounts.get(address)?.acquired[resource] ?? 0n;
  }

  resourceUsage(): ResourceUsage {
    return { usedSun: 0n, restoreSeconds: 0n };
  }

  permission(address: Address, id: number): AccountPermission | undefined {
    const stored = this.permissions.get(`${address}${id}`);
    if (stored !== undefined || id !== 0 || !this.accountExists(address)) return stored;
    return { threshold: 1n, keys: [{ address, weight: 1n }] };
  }
}

function emptyAccount(): Account {
  return {
    balance: 0n,
    isContract: false,
    tokens: new Map(),
    frozen: [0n, 0n, 0n],
    delegatedOut: [0n, 0n, 0n],
    acquired: [0n, 0n, 0n],
    unfreezes: [],
    votes: [],
    allowance: 0n,
  };
}
