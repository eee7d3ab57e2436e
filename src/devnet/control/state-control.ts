/** Accounts, contracts and stakes as they are wanted: the part of `DevnetControl` that is about the state. */

import type { Sun } from '../../primitives/ids.js';

/** An address in base58 (`T…`), as 21 bytes of hex (`41…`) or as Ethereum writes it (`0x…`). */
export type AnyAddress = string;
/** A whole number; text where it is more than 2^53: decimal, or hex with `0x`. */
export type WholeNumber = number | bigint | string;

/** In sun. */
export interface Stakes<Value = Sun> {
  readonly bandwidth: Value;
  readonly energy: Value;
  readonly tronPower: Value;
}

export interface ContractEnergy<Energy = bigint, Count = number> {
  /** Penalty in 1/10,000 of the price: 0 is the normal one. */
  readonly energyFactor: Count;
  /** Energy at the normal price, used in the cycle. */
  readonly energyUsage: Energy;
  readonly updateCycle: Count;
  /** What a step costs, in 1/10,000: 10,000 + energyFactor. */
  readonly effectiveFactor: Count;
}

export interface PermissionPatch {
  readonly permission_name?: string;
  readonly threshold: WholeNumber;
  readonly keys: readonly { readonly address: AnyAddress; readonly weight: WholeNumber }[];
  /** 32 bytes of hex, a bit for each contract type; of active permissions only. */
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
  /** What a withdrawal of rewards pays. */
  readonly allowance?: WholeNumber;
  readonly votes?: readonly { readonly vote_address: AnyAddress; readonly vote_count: WholeNumber }[] | null;
  readonly owner_permission?: PermissionPatch | null;
  readonly witness_permission?: PermissionPatch | null;
  readonly active_permission?: readonly PermissionPatch[] | null;
  /** TRC-10 tokens by id, of which others stay; or all of them as `getaccount` lists them. */
  readonly assetV2?:
    | Readonly<Record<string, WholeNumber | null>>
    | readonly { readonly key: string; readonly value: WholeNumber }[]
    | null;
  /** Coins on their way out of a stake. */
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
   * Gives an account so much coin, no more and no less; makes it if it is not there.
   *
   * @param balanceSun 0 to 2^63 - 1 sun; a TRX is 1,000,000 sun
   * @example await devnet.setBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  setBalance(address: AnyAddress, balanceSun: WholeNumber): Promise<{ readonly balance: Sun }>;

  /**
   * Gives an account so much more coin; a negative amount takes it away.
   *
   * @throws OperationError where the balance would be less than 0 or more than 2^63 - 1 sun
   * @example await devnet.addBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  addBalance(address: AnyAddress, amountSun: WholeNumber): Promise<{ readonly balance: Sun }>;

  /**
   * Gives an address code that runs, whatever it had before; storage, coin and ABI stay. The account becomes a contract:
   * its permissions are cleared, and whoever calls it pays.
   *
   * @param code as it runs (`deployedBytecode`), not what deploys it; hex. `0x` takes the contract away
   * @throws OperationError for an account that uses stake 1.0 of others
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
   * Lets contracts count what they create, so that CREATE gives the address that Ethereum would give. No TRON network does.
   *
   * @example await devnet.setCreateNonces(true)
   */
  setCreateNonces(on: boolean): Promise<{ readonly on: boolean }>;

  /**
   * Writes a word of a contract's storage. An address without a contract becomes one, without code.
   *
   * @param slot as Solidity counts them; of a mapping's entry keccak256(key ‖ slot)
   * @param value a word: hex of 32 bytes at most, or a whole number
   * @example await devnet.setStorageAt(token, 0, '0x2a')
   */
  setStorageAt(
    address: AnyAddress,
    slot: WholeNumber,
    value: WholeNumber,
  ): Promise<{ readonly slot: string; readonly value: string }>;

  /**
   * Gives an account so much stake (2.0), no more and no less, out of nothing: its balance stays. What it has lent is part
   * of it. Less than its votes need cuts the votes, as unstaking does.
   *
   * @param stakes in sun, by resource; a resource that is not named stays
   * @param options `adjustTotals: false`: the network's totals stay as they are, and others have staked the less
   * @returns what is staked then, in sun
   * @throws OperationError for less than the delegated amount, and on a chain without stake 2.0
   * @example await devnet.setStake(alice, { energy: 5_000_000_000 })
   */
  setStake(
    address: AnyAddress,
    stakes: Partial<Stakes<WholeNumber>>,
    options?: { readonly adjustTotals?: boolean },
  ): Promise<Stakes>;

  /**
   * Makes an account lend another so much of its stake (2.0), no more and no less. What comes back brings usage along, as
   * when it is taken back by a transaction.
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
   * Sets what an account has used of Energy and bandwidth; from then on it comes back.
   *
   * @param used Energy and bytes; `at`: as of when, in ms or `"now"` (default); `energyWindow`, `netWindow`: in how many
   *   slots all of it comes back, 1 to those of a day, 28,800 of 3 s (default)
   * @returns as `getaccountresource`, zeros included
   * @throws OperationError for a time to come
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
   * Sets the dynamic-energy record of a contract: how much dearer than the price its steps are.
   *
   * @param record what is not named stays; `updateCycle` is the running cycle by default. Cycle 0 keeps no record for the
   *   next one
   * @throws OperationError where there is no contract; for a factor above 100,000
   * @example await devnet.setContractEnergy(token, { energyFactor: 12_000 }) // 2.2 times the price
   */
  setContractEnergy(
    address: AnyAddress,
    record: Partial<Omit<ContractEnergy<WholeNumber, WholeNumber>, 'effectiveFactor'>>,
  ): Promise<ContractEnergy>;

  /**
   * The dynamic-energy record of a contract: as it was last written, as it stands in the running cycle, and how much
   * Energy more raises it in the next.
   *
   * @throws OperationError where there is no contract
   * @example const { current } = await devnet.getContractEnergy(token)
   */
  getContractEnergy(address: AnyAddress): Promise<{
    /** Whether this chain has the model at all. */
    readonly enabled: boolean;
    /** null: the contract was never called. */
    readonly stored: ContractEnergy | null;
    readonly current: ContractEnergy;
    /** Energy in a cycle above which the factor rises. */
    readonly threshold: bigint;
    readonly toThreshold: bigint;
  }>;

  /**
   * Changes fields of an account; makes it if it is not there. The fields are those of `getaccount` with `visible`: names
   * are text (hex with `0x`), addresses in any form. What is not named stays; null takes away.
   *
   * @returns the account as `getaccount` shows it
   * @throws OperationError for what a transaction that sets the field would be refused for: votes beyond the tron power, a
   *   permission whose keys do not reach its threshold, somebody else's id. Fields that have rows of their own (stakes, what
   *   is lent, usages, code) are refused
   * @example await devnet.setAccount(alice, { allowance: 5_000_000, owner_permission: { threshold: 1, keys: [{ address: bob, weight: 1 }] } })
   */
  setAccount(address: AnyAddress, patch: AccountPatch): Promise<Readonly<Record<string, unknown>>>;

  /**
   * Gives an account so many of a TRC-10 token, no more and no less. The token's record, its total supply too, stays.
   *
   * @param amount in the token's smallest unit
   * @param options `force`: also of a token that nobody has issued
   * @throws OperationError for a token that does not exist
   * @example await devnet.setTrc10Balance(alice, 1_000_001, 500)
   */
  setTrc10Balance(
    address: AnyAddress,
    tokenId: WholeNumber,
    amount: WholeNumber,
    options?: { readonly force?: boolean },
  ): Promise<{ readonly tokenId: string; readonly balance: bigint }>;

  /**
   * Gives an account so many of a TRC-20 token, no more and no less: finds the word that `balanceOf` reads for the account
   * by watching it, writes it, and asks again. The total supply stays.
   *
   * @param amount in the token's smallest unit
   * @throws OperationError where there is no token, and where no one word is the balance (shares, rebasing tokens)
   * @example await devnet.dealTrc20(alice, token, 1_000_000)
   */
  dealTrc20(account: AnyAddress, token: AnyAddress, amount: WholeNumber): Promise<{ readonly balance: bigint }>;
}
