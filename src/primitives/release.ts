/**
 * The releases of java-tron that Sunup can be. What came with one says so where it is declared (`since`): a chain
 * parameter, a row of an interface, a form of an answer. Nothing asks which release it is.
 */

/** In their order, with the version that their block headers carry (java-tron's ForkBlockVersionEnum). */
const HEADER_VERSIONS = {
  '4.8.0': 32,
  '4.8.0.1': 33,
  '4.8.1': 34,
  '4.8.2': 36,
} as const;

export type Release = keyof typeof HEADER_VERSIONS;

export const RELEASES = Object.keys(HEADER_VERSIONS) as readonly Release[];

/** What recorded chains were made with. */
export const FIRST_RELEASE: Release = '4.8.0';

/** Whether a node of `release` has what came with `since`; what says nothing of it has always been there. */
export function isSince(since: Release | undefined, release: Release): boolean {
  return since === undefined || RELEASES.indexOf(since) <= RELEASES.indexOf(release);
}

/**
 * The version in the headers of blocks; a chain of a release has passed every fork up to it
 * (protocol/blocks.md#fork-versions).
 */
export function headerVersionOf(release: Release): number {
  return HEADER_VERSIONS[release];
}

/** The newest release that a block of this version can be of; older networks than the first are taken for that. */
export function releaseOfHeader(version: number): Release {
  return RELEASES.findLast((release) => HEADER_VERSIONS[release] <= version) ?? FIRST_RELEASE;
}
