/** Limits for reading untrusted text. */

/** Maximum content of a text. */
export interface ReadingLimits {
  /** Members and elements. */
  readonly values: number;
  /** Characters of quoted texts that are escaped, or that fastjson would escape. */
  readonly escapes: number;
  readonly refusal: (what: 'values' | 'escapes') => Error;
}
