/** A setting that cannot be: what is wrong, and what would be right. The command prints both; the library throws it. */

export class OptionError extends Error {
  override readonly name = 'OptionError';

  /**
   * @param option The library's name of the option, e.g. `httpPort`.
   * @param problem What is wrong with the value, e.g. `is 70000, but a port is between 0 and 65535`.
   * @param hint What to do instead, a sentence.
   * @param options `cause`: what it is made of.
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
