/** Requests of tools about the node itself. */

import type { Node } from '../../node/node.js';
import { VERSION } from '../../platform/version.js';
import type { BlockId } from '../../primitives/ids.js';
import { getChainParameters } from '../../wallet/chain.js';
import { fullContext } from '../../wallet/context.js';
import { blockGasLimit, isForPorting } from '../../wallet/ethereum.js';
import { energyPrice } from '../../wallet/prices.js';
import { truth } from '../kinds.js';
import { alias, type DevMethod, method, parameter } from '../table.js';
import { done } from './answers.js';

/** TRE's release with these methods, and the additions of hardhat-tron's image. */
const TRE_VERSION = 'v1.0.4-oz-tron';

const chainIdOf = (genesisId: BlockId) => Number(`0x${genesisId.slice(-8)}`);

function instanceOf({ instanceId, chain, snapshotHeights, fork }: Node) {
  const { headNumber, headId, config } = chain;
  return {
    clientVersion: `Sunup/v${VERSION}`,
    chainId: chainIdOf(config.genesisId),
    instanceId: `0x${instanceId}`,
    latestBlockNumber: headNumber,
    latestBlockHash: `0x${headId}`,
    snapshots: Object.fromEntries(snapshotHeights),
    ...(fork !== undefined && {
      forkedNetwork: {
        chainId: chainIdOf(fork.genesisId),
        forkBlockNumber: fork.blockNumber,
        forkBlockHash: `0x${fork.blockId}`,
      },
    }),
  };
}

/** In anvil's form; values that TRON does not have are zero or empty. */
function infoOf(node: Node) {
  const { chain, producer, operations, fork } = node;
  const wallet = fullContext(node);
  const parameters = getChainParameters(wallet, {}).chainParameter;
  const parameterOf = (key: string) => Number(parameters.find((parameter) => parameter.key === key)?.value ?? 0n);
  const { cycle, nextMaintenanceTimeMs } = operations.epoch();
  const price = `0x${energyPrice(wallet).toString(16)}`;
  return {
    currentBlockNumber: `0x${chain.headNumber.toString(16)}`,
    currentBlockTimestamp: Number(chain.headTimeMs / 1_000n),
    currentBlockHash: `0x${chain.headId}`,
    hardFork: 'TRON',
    transactionOrder: 'fifo',
    environment: {
      baseFee: price,
      chainId: chainIdOf(chain.config.genesisId),
      gasLimit: `0x${blockGasLimit(wallet).toString(16)}`,
      gasPrice: price,
    },
    forkConfig: {
      forkUrl: fork?.url ?? null,
      forkBlockNumber: fork?.blockNumber ?? null,
      forkRetryBackoff: null,
    },
    network: 'tron',
    tron: {
      version: VERSION,
      mining: producer.mode,
      energyFee: parameterOf('getEnergyFee'),
      transactionFee: parameterOf('getTransactionFee'),
      cycle,
      nextMaintenanceTime: nextMaintenanceTimeMs,
      solidifiedBlock: chain.confirmedHeight,
      // Whether something came through /eth: no network would take such a chain.
      porting: isForPorting(wallet),
    },
  };
}

export const nodeMethods: readonly DevMethod[] = [
  method({
    name: 'tron_nodeInfo',
    about: 'returns the head block, prices, epoch and block production settings',
    parameters: [],
    example: [],
    aliases: ['anvil_nodeInfo', 'hardhat_nodeInfo'],
    answer: ({ node }) => infoOf(node),
  }),
  method({
    name: 'tron_setLogging',
    about: 'turns the log lines of the command on or off',
    parameters: [parameter('on', truth)],
    example: [true],
    aliases: ['anvil_setLoggingEnabled', 'hardhat_setLoggingEnabled'],
    aliasAnswer: done,
    answer: ({ node }, on) => {
      node.operations.setLogging(on);
      return { logging: on };
    },
  }),
  method({
    name: 'tron_treVersion',
    about: 'returns the TRE release whose methods this node has',
    parameters: [],
    example: [],
    aliases: ['tre_version'],
    answer: () => TRE_VERSION,
  }),
  method({
    name: 'tron_instance',
    about: 'returns an id of this node that changes with each start and reset',
    parameters: [],
    example: [],
    otherAliases: [
      alias('tre_instanceId', [], ({ node }) => `0x${node.instanceId}`),
      ...['anvil_metadata', 'hardhat_metadata'].map((name) => alias(name, [], ({ node }) => instanceOf(node))),
    ],
    answer: ({ node }) => instanceOf(node),
  }),
];
