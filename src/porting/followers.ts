/** Followers of a devnet from its start: a recording, a port report. */

import type { Follower } from '../devnet/running/start.js';
import type { Settings } from '../options/declarations.js';
import { recordingOf } from '../scenario/record/follower.js';
import { portFollowerOf } from './follower.js';

export async function followersOf(settings: Settings): Promise<readonly Follower[]> {
  const followers = await Promise.all([recordingOf(settings), portFollowerOf(settings)]);
  return followers.filter((follower) => follower !== undefined);
}
