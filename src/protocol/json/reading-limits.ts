/** What bounds the reading of a text that a stranger sent. */

/** How much of a text somebody wants to read. */
export interface ReadingLimits {
  /** Members and elements. */
  readonly values: number;
  /** Characters of quoted texts that are written as an escape, or would be by fastjson. */
  readonly escapes: number;
  readonly refusal: (what: 'values' | 'escapes') => Error;
}
