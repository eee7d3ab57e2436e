/** A step cannot be done as the file has it, which only shows when its turn comes; the message is a sentence. */
export class StepError extends Error {
  override readonly name = 'StepError';
}
