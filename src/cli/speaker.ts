/** Where a command says what it has to say: standard output and standard error, or what a test hands over. */

export interface Speaker {
  out(text: string): void;
  err(text: string): void;
}
