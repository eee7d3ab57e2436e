/** An invalid option: the fault, and what to do. The command prints both; the library throws it. */

export class OptionError extends Error {
  override readonly name = 'OptionError';

  /**
   * @param option the library's name of the option, e.g. `httpPort`
   * @param problem the fault of the value, e.g. `is 70000, but a port is between 0 and 65535`
   * @param hint what to do instead, a sentence
   * @param options `cause`: the original error
   */
  constructor(
    readonly option: string,
    readonly problem: string,
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(`option ${option} ${problem}${hint === undefined ? '' : `. ${hint}`}`, options);
  }
}
