/** The last time of a chain, in the year 2286: many date and number formats fail beyond it. */
export const LAST_MOMENT_MS = 9_999_999_999_999n;
