/**
 * Supported releases of java-tron. Parameters, members and answers that a release added declare it (`since`). No code
 * compares releases otherwise.
 */

/** In order, with the version in their block headers (java-tron's ForkBlockVersionEnum). */
const HEADER_VERSIONS = {
  '4.8.0': 32,
  '4.8.0.1': 33,
  '4.8.1': 34,
  '4.8.2': 36,
} as const;

export type Release = keyof typeof HEADER_VERSIONS;

export const RELEASES = Object.keys(HEADER_VERSIONS) as readonly Release[];

/** The release of the recorded chains. */
export const FIRST_RELEASE: Release = '4.8.0';

/** Whether a node of `release` has a feature added in `since`; undefined: always. */
export function isSince(since: Release | undefined, release: Release): boolean {
  return since === undefined || RELEASES.indexOf(since) <= RELEASES.indexOf(release);
}

/**
 * The version in block headers; a chain of a release has passed every fork up to it
 * (protocol/blocks.md#fork-versions).
 */
export function headerVersionOf(release: Release): number {
  return HEADER_VERSIONS[release];
}

/** The newest release with this block version; networks older than the first release count as the first. */
export function releaseOfHeader(version: number): Release {
  return RELEASES.findLast((release) => HEADER_VERSIONS[release] <= version) ?? FIRST_RELEASE;
}
