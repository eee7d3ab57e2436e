/** Finds and reads the artifacts that a scenario names: from files of the caller, or from Sunup's own. */

import type { Artifact } from '../../artifacts/artifact.js';
import { ArtifactError } from '../../artifacts/artifact.js';
import { readArtifact } from '../../artifacts/read-artifact.js';
import { closest } from '../../primitives/closest-name.js';
import { ownValue } from '../../primitives/outside-names.js';
import { type ArtifactPlace, artifactKey } from '../actions/contracts.js';
import { type Path, type Problem, ScenarioError } from '../format/problems.js';
import type { Scenario, StepPart } from '../format/scenario.js';

/** @returns the content of a file; its name is relative to the scenario's folder */
export type ReadFile = (name: string) => string;

/**
 * Every artifact that a scenario names, by `artifactKey`.
 *
 * @throws ScenarioError for all files that cannot be read or are no artifacts
 */
export async function artifactsOf(scenario: Scenario, read: ReadFile): Promise<ReadonlyMap<string, Artifact>> {
  const problems: Problem[] = [];
  const artifacts = new Map<string, Artifact>();
  for (const { place, path } of placesIn(scenario)) {
    const key = artifactKey(place);
    if (artifacts.has(key)) continue;
    try {
      const artifact = await artifactAt(place, read);
      if (artifact !== undefined) artifacts.set(key, artifact);
    } catch (error) {
      problems.push({ path, message: (error as Error).message });
    }
  }
  if (problems.length > 0) throw new ScenarioError(problems.map(scenario.place));
  return artifacts;
}

interface Named {
  readonly place: ArtifactPlace;
  readonly path: Path;
}

function* placesIn({ contracts, kinds, steps }: Scenario): Iterable<Named> {
  for (const [name, place] of contracts) {
    // An existing contract may have its ABI on the chain.
    const isOnChain = place.address !== undefined && place.fixture === undefined && place.artifact === undefined;
    if (!isOnChain) yield { place, path: ['contracts', name] };
  }
  if (kinds.has('deploy')) yield* placesOfSteps(steps);
}

function* placesOfSteps(parts: Iterable<StepPart>): Iterable<Named> {
  for (const { kind, given, path, steps } of parts) {
    if (kind === 'deploy') yield { place: given as ArtifactPlace, path: [...path, kind] };
    yield* placesOfSteps(steps);
  }
}

async function artifactAt(
  { fixture, artifact, contract }: ArtifactPlace,
  read: ReadFile,
): Promise<Artifact | undefined> {
  if (fixture !== undefined && artifact !== undefined)
    throw new ArtifactError('expected fixture or artifact, not both');
  if (fixture !== undefined) return fixtureArtifact(fixture);
  if (artifact === undefined) throw new ArtifactError('expected fixture or artifact: which contract it is');
  let json: unknown;
  try {
    json = JSON.parse(read(artifact));
  } catch (error) {
    throw new ArtifactError(`cannot read the artifact ${artifact}: ${(error as Error).message}`);
  }
  try {
    return readArtifact(json, contract);
  } catch (error) {
    throw new ArtifactError(`${artifact}: ${(error as Error).message}`);
  }
}

async function fixtureArtifact(name: string): Promise<Artifact> {
  const { FIXTURES } = await import('../actions/fixture-code.js');
  const found = ownValue(FIXTURES, name);
  if (found === undefined) {
    const names = Object.keys(FIXTURES);
    const close = closest(name, names);
    const hint = close === undefined ? `known contracts: ${names.join(', ')}` : `did you mean ${close}?`;
    throw new ArtifactError(`Sunup comes with no contract ${name}; ${hint}`);
  }
  return { ...readArtifact({ abi: JSON.parse(found.abi), bytecode: found.bytecode }), name };
}
