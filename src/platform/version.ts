/** The version of this software, equal to package.json, which is not part of the bundle; a test compares them. */
export const VERSION = '0.1.0';
