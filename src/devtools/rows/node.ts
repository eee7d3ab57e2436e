/** What tools ask the node about itself. */

import { type DevRow, row } from '../table.js';

/** The release of TRE whose methods these are, with what hardhat-tron's image adds to it. */
const TRE_VERSION = 'v1.0.4-oz-tron';

export const nodeRows: readonly DevRow[] = [
  row({
    name: 'tron_treVersion',
    about: 'the release of TRE whose methods this node has',
    parameters: [],
    example: [],
    aliases: ['tre_version'],
    answer: () => TRE_VERSION,
  }),
];
