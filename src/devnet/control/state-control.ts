/** Accounts, contracts and stakes: the part of `DevnetControl` that sets the state. */

import type { Sun } from '../../primitives/ids.js';
import type { WholeNumber } from '../../primitives/whole-number.js';

/** An address in base58 (`T…`), as 21 bytes of hex (`41…`) or in Ethereum's form (`0x…`). */
export type AnyAddress = string;

/** In sun. */
export interface Stakes<Value = Sun> {
  readonly bandwidth: Value;
  readonly energy: Value;
  readonly tronPower: Value;
}

export interface ContractEnergy<Energy = bigint, Count = number> {
  /** Penalty in 1/10,000 of the base price: 0 means the base price. */
  readonly energyFactor: Count;
  /** Energy at the base price, used in the cycle. */
  readonly energyUsage: Energy;
  readonly updateCycle: Count;
  /** Total price of a step, in 1/10,000 of the base price: 10,000 + energyFactor. */
  readonly effectiveFactor: Count;
}

export interface PermissionPatch {
  readonly permission_name?: string;
  readonly threshold: WholeNumber;
  readonly keys: readonly { readonly address: AnyAddress; readonly weight: WholeNumber }[];
  /** 32 bytes of hex, a bit for each contract type; only for active permissions. */
  readonly operations?: string;
}

/** Fields of `getaccount` that can be set; times in ms, amounts in sun. */
export interface AccountPatch {
  readonly balance?: WholeNumber;
  readonly account_name?: string | null;
  readonly account_id?: string | null;
  readonly type?: 'Normal' | 'AssetIssue' | 'Contract';
  readonly create_time?: WholeNumber;
  readonly latest_opration_time?: WholeNumber;
  readonly latest_withdraw_time?: WholeNumber;
  /** The amount of a reward withdrawal. */
  readonly allowance?: WholeNumber;
  readonly votes?: readonly { readonly vote_address: AnyAddress; readonly vote_count: WholeNumber }[] | null;
  readonly owner_permission?: PermissionPatch | null;
  readonly witness_permission?: PermissionPatch | null;
  readonly active_permission?: readonly PermissionPatch[] | null;
  /** TRC-10 tokens by id, leaving others unchanged; or all of them as `getaccount` lists them. */
  readonly assetV2?:
    | Readonly<Record<string, WholeNumber | null>>
    | readonly { readonly key: string; readonly value: WholeNumber }[]
    | null;
  /** Pending unstakings. */
  readonly unfrozenV2?:
    | readonly {
        readonly type?: 'BANDWIDTH' | 'ENERGY' | 'TRON_POWER';
        readonly unfreeze_amount: WholeNumber;
        readonly unfreeze_expire_time: WholeNumber;
      }[]
    | null;
}

export interface StateControl {
  /**
   * Sets the balance of an account; creates the account if it does not exist.
   *
   * @param balanceSun 0 to 2^63 - 1 sun; a TRX is 1,000,000 sun
   * @example await devnet.setBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  setBalance(address: AnyAddress, balanceSun: WholeNumber): Promise<{ readonly balance: Sun }>;

  /**
   * Adds to the balance of an account; a negative amount is subtracted.
   *
   * @throws OperationError if the balance would be less than 0 or more than 2^63 - 1 sun
   * @example await devnet.addBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  addBalance(address: AnyAddress, amountSun: WholeNumber): Promise<{ readonly balance: Sun }>;

  /**
   * Sets the runtime code at an address; storage, balance and ABI stay. The account becomes a contract: its
   * permissions are cleared, and callers pay all Energy.
   *
   * @param code runtime code (`deployedBytecode`), not creation code; hex. `0x` removes the contract
   * @throws OperationError for an account with Stake 1.0 from others
   * @example await devnet.setCode('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', '0x602a60005260206000f3')
   */
  setCode(address: AnyAddress, code: string): Promise<{ readonly codeHash: string; readonly bytes: number }>;

  /**
   * Sets the nonce of an account's next transaction through `/eth`.
   *
   * @throws OperationError for less than it is
   * @example await devnet.setNonce(alice, 5)
   */
  setNonce(address: AnyAddress, nonce: WholeNumber): Promise<{ readonly nonce: string }>;

  /**
   * Computes the addresses of CREATE as Ethereum does, from the creator's address and nonce. No TRON network does.
   *
   * @example await devnet.setCreateNonces(true)
   */
  setCreateNonces(on: boolean): Promise<{ readonly on: boolean }>;

  /**
   * Sets a word of a contract's storage. An address without a contract becomes one without code.
   *
   * @param slot as in Solidity; for a mapping's entry keccak256(key ‖ slot)
   * @param value a word: hex of at most 32 bytes, or a whole number
   * @example await devnet.setStorageAt(token, 0, '0x2a')
   */
  setStorageAt(
    address: AnyAddress,
    slot: WholeNumber,
    value: WholeNumber,
  ): Promise<{ readonly slot: string; readonly value: string }>;

  /**
   * Sets the Stake 2.0 of an account without a change of its balance; delegated amounts are included. If the votes
   * need more stake, they are cut, as by unstaking.
   *
   * @param stakes in sun, by resource; omitted resources stay
   * @param options `adjustTotals: false`: the network's totals stay, and the stake of other accounts changes instead
   * @returns the stakes, in sun
   * @throws OperationError for less than the delegated amount, and on a chain without Stake 2.0
   * @example await devnet.setStake(alice, { energy: 5_000_000_000 })
   */
  setStake(
    address: AnyAddress,
    stakes: Partial<Stakes<WholeNumber>>,
    options?: { readonly adjustTotals?: boolean },
  ): Promise<Stakes>;

  /**
   * Sets the delegation of Stake 2.0 from one account to another. A reduction returns a part of the usage, as an
   * undelegation does.
   *
   * @param delegated in sun; `lockUntil`: end of the lock of these amounts, in ms; without it there is no lock
   * @returns all delegated amounts, in sun
   * @throws OperationError for more than the undelegated stake, and for a contract as receiver
   * @example await devnet.setDelegation(alice, bob, { energy: 2_000_000_000 })
   */
  setDelegation(
    from: AnyAddress,
    to: AnyAddress,
    delegated: { readonly energy?: WholeNumber; readonly bandwidth?: WholeNumber; readonly lockUntil?: WholeNumber },
  ): Promise<Omit<Stakes, 'tronPower'>>;

  /**
   * Sets the used Energy and Bandwidth of an account; they recover from then on.
   *
   * @param used Energy and bytes; `at`: time of the usage, in ms or `"now"` (default); `energyWindow`, `netWindow`:
   * slots until full recovery, from 1 to a day of 28,800 slots of 3 s (default)
   * @returns as `getaccountresource`, zeros included
   * @throws OperationError for a future time
   * @example await devnet.setAccountResources(alice, { energyUsage: 0, netUsage: 0, freeNetUsage: 0 })
   */
  setAccountResources(
    address: AnyAddress,
    used: {
      readonly energyUsage?: WholeNumber;
      readonly netUsage?: WholeNumber;
      readonly freeNetUsage?: WholeNumber;
      readonly energyWindow?: WholeNumber;
      readonly netWindow?: WholeNumber;
      readonly at?: 'now' | WholeNumber;
    },
  ): Promise<Readonly<Record<string, bigint | Readonly<Record<string, bigint>>>>>;

  /**
   * Sets the dynamic-energy record of a contract: the penalty on the price of its steps.
   *
   * @param record omitted values stay; `updateCycle` is the current cycle by default. Cycle 0 has no record for the
   * next one
   * @throws OperationError if there is no contract; for a factor above 100,000
   * @example await devnet.setContractEnergy(token, { energyFactor: 12_000 }) // 2.2 times the base price
   */
  setContractEnergy(
    address: AnyAddress,
    record: Partial<Omit<ContractEnergy<WholeNumber, WholeNumber>, 'effectiveFactor'>>,
  ): Promise<ContractEnergy>;

  /**
   * The dynamic-energy record of a contract: as last written, in the current cycle, and the Energy until the next
   * cycle raises the factor.
   *
   * @throws OperationError if there is no contract
   * @example const { current } = await devnet.getContractEnergy(token)
   */
  getContractEnergy(address: AnyAddress): Promise<{
    /** Whether this chain has the dynamic energy model. */
    readonly enabled: boolean;
    /** null: the contract was never called. */
    readonly stored: ContractEnergy | null;
    readonly current: ContractEnergy;
    /** Energy in a cycle above which the factor rises. */
    readonly threshold: bigint;
    readonly toThreshold: bigint;
  }>;

  /**
   * Changes fields of an account; creates it if it does not exist. The fields are those of `getaccount` with
   * `visible`: names are text (hex with `0x`), addresses in any form. Omitted fields stay; null removes values.
   *
   * @returns the account as `getaccount` shows it
   * @throws OperationError where a transaction that sets the field would be refused: votes beyond the TRON Power, a
   * permission whose keys do not reach its threshold, an id of another account. Fields with their own methods (stakes,
   * delegations, usages, code) are refused
   * @example await devnet.setAccount(alice, { allowance: 5_000_000, owner_permission: { threshold: 1, keys: [{
   * address: bob, weight: 1 }] } })
   */
  setAccount(address: AnyAddress, patch: AccountPatch): Promise<Readonly<Record<string, unknown>>>;

  /**
   * Sets the balance of a TRC-10 token. The token's record and total supply stay.
   *
   * @param amount in the token's smallest unit
   * @param options `force`: also if no such token was issued
   * @throws OperationError for an unknown token
   * @example await devnet.setTrc10Balance(alice, 1_000_001, 500)
   */
  setTrc10Balance(
    address: AnyAddress,
    tokenId: WholeNumber,
    amount: WholeNumber,
    options?: { readonly force?: boolean },
  ): Promise<{ readonly tokenId: string; readonly balance: bigint }>;

  /**
   * Sets the balance of a TRC-20 token: finds the word that `balanceOf` reads for the account, writes it, and reads
   * the balance again. The total supply stays.
   *
   * @param amount in the token's smallest unit
   * @throws OperationError if there is no token, or if no single word is the balance (shares, rebasing tokens)
   * @example await devnet.dealTrc20(alice, token, 1_000_000)
   */
  dealTrc20(account: AnyAddress, token: AnyAddress, amount: WholeNumber): Promise<{ readonly balance: bigint }>;
}
