/** The trace exceeds its size limit. The execution ends before the trace fills the memory. */
export class TraceTooLong extends Error {
  override readonly name = 'TraceTooLong';
}
