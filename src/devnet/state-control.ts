/** Accounts, contracts and stakes as they are wanted: the part of `DevnetControl` that is about the state. */

/** An address in base58 (`T…`), as 21 bytes of hex (`41…`) or as Ethereum writes it (`0x…`). */
export type AnyAddress = string;
/** A whole number; text where it is more than 2^53: decimal, or hex with `0x`. */
export type WholeNumber = number | bigint | string;

export interface StateControl {
  /**
   * Gives an account so much coin, no more and no less; makes it if it is not there.
   *
   * @param balanceSun 0 to 2^63 - 1 sun; a TRX is 1,000,000 sun
   * @example await devnet.setBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  setBalance(address: AnyAddress, balanceSun: WholeNumber): Promise<{ readonly balance: string }>;

  /**
   * Gives an account so much more coin; a negative amount takes it away.
   *
   * @throws OperationError where the balance would be less than 0 or more than 2^63 - 1 sun
   * @example await devnet.addBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  addBalance(address: AnyAddress, amountSun: WholeNumber): Promise<{ readonly balance: string }>;

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
}
