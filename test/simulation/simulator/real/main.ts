/** The process that lives worlds of real nodes: one for each worker. The command is its first argument. */

import { obey } from '../run/orders.js';
import { live } from './real-life.js';

const [, , command] = process.argv;
if (command === undefined) throw new Error('the command is missing');
obey((seed, steps, begins) => live(command, seed, steps, begins));
// What the world has started ends with it, at the event `exit`.
process.on('SIGTERM', () => process.exit(1));
process.on('disconnect', () => process.exit(1));
