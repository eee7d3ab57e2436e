/** The step cannot be executed, which only its execution shows. The message is a sentence. */
export class StepError extends Error {
  override readonly name = 'StepError';
}
