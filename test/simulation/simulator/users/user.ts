/** A user: somebody who does one thing with a node, by the choices of the present step. */

import type { World } from '../run/world.js';
import type { Asker } from './asker.js';
import type { People } from './people.js';

export interface Host {
  readonly world: World;
  readonly asker: Asker;
  readonly people: People;
}

export type User = (host: Host) => Promise<void>;
