/** The last moment that a chain may come to, in the year 2286: beyond it nobody's dates and few people's numbers work. */
export const LAST_MOMENT_MS = 9_999_999_999_999n;
