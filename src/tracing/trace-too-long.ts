/** There is no room for the whole trace: what would hold it is given up before it fills the memory. */
export class TraceTooLong extends Error {
  override readonly name = 'TraceTooLong';
}
