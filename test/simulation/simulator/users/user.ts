/** A user: somebody who does one thing with a node, by the choices of the present step. */

import type { World } from '../run/world.js';
import type { Asker } from './asker.js';
import type { People } from './people.js';
import type { Target } from './target.js';

export interface Host {
  readonly world: World;
  readonly asker: Asker;
  readonly people: People;
}

export type User = (host: Host) => Promise<void>;

/** What a user finds in either mode: a simulated node, or a real one (`real/`). */
export interface SharedHost {
  readonly world: Target;
  readonly asker: Pick<Asker, 'post' | 'get' | 'rpc' | 'grpc'>;
  readonly people: People;
}

/** A user that can act in both modes. */
export type SharedUser = (host: SharedHost) => Promise<void>;
