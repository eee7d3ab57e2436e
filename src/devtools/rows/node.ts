/** What tools ask the node about itself. */

import type { Node } from '../../node/node.js';
import { VERSION } from '../../platform/version.js';
import { alias, type DevRow, row } from '../table.js';

/** The release of TRE whose methods these are, with what hardhat-tron's image adds to it. */
const TRE_VERSION = 'v1.0.4-oz-tron';

function instanceOf({ instanceId, chain }: Node) {
  const { headNumber, headId, config } = chain;
  return {
    clientVersion: `Sunup/v${VERSION}`,
    chainId: Number(`0x${config.genesisId.slice(-8)}`),
    instanceId: `0x${instanceId}`,
    latestBlockNumber: headNumber,
    latestBlockHash: `0x${headId}`,
  };
}

export const nodeRows: readonly DevRow[] = [
  row({
    name: 'tron_treVersion',
    about: 'the release of TRE whose methods this node has',
    parameters: [],
    example: [],
    aliases: ['tre_version'],
    answer: () => TRE_VERSION,
  }),
  row({
    name: 'tron_instance',
    about: 'tells this node from others, and from itself before it was started or reset',
    parameters: [],
    example: [],
    otherAliases: [
      alias('tre_instanceId', [], ({ node }) => `0x${node.instanceId}`),
      ...['anvil_metadata', 'hardhat_metadata'].map((name) => alias(name, [], ({ node }) => instanceOf(node))),
    ],
    answer: ({ node }) => instanceOf(node),
  }),
];
