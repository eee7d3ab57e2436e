/** Something in a recording that is not understood: what came of it would be another chain. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
