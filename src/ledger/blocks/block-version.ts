/** The header version of release 4.8.0: every fork up to it has passed (ledger.md 6.8). */
export const BLOCK_VERSION = 32;
