/** What a devnet's owner may do to its chain without a transaction: the rows of `devtools/` as methods with types. */

/** An address in base58 (`T…`), as 21 bytes of hex (`41…`) or as Ethereum writes it (`0x…`). */
export type AnyAddress = string;
/** A whole number; text where it is more than 2^53: decimal, or hex with `0x`. */
export type WholeNumber = number | bigint | string;

/**
 * Each change is a step of the chain's history: it is there at once and without a block, `revert` takes it back, and it
 * is made again when the chain is replayed. All throw OperationError (ParametersError for parameters that make no sense),
 * and then nothing has happened.
 */
export interface DevnetControl {
  /**
   * Gives an account so much coin, no more and no less; makes it if it is not there.
   *
   * @param balanceSun 0 to 2^63 - 1 sun; a TRX is 1,000,000 sun
   * @example await devnet.setBalance('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', 5_000_000)
   */
  setBalance(address: AnyAddress, balanceSun: WholeNumber): Promise<{ readonly balance: string }>;
}

/** The methods over whatever calls rows by their names. */
export abstract class Control implements DevnetControl {
  readonly setBalance: DevnetControl['setBalance'] = this.row('tron_setBalance');

  protected abstract callRow(name: string, parameters: readonly unknown[]): Promise<unknown>;

  private row(name: string): (...parameters: unknown[]) => Promise<never> {
    return (...parameters) => this.callRow(name, parameters) as Promise<never>;
  }
}
