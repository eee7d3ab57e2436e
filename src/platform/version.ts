/** The version of this software: the same as in package.json, which is not part of the bundle; a test compares them. */
export const VERSION = '0.1.0';
