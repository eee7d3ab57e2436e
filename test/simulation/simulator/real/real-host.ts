/** What users and faults of a real node find. */

import type { SharedHost } from '../users/user.js';
import type { RealAsker } from './real-asker.js';
import type { RealWorld } from './real-world.js';

export interface RealHost extends SharedHost {
  readonly world: RealWorld;
  readonly asker: RealAsker;
}

export type RealUser = (host: RealHost) => Promise<void>;
