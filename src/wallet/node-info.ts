/**
 * The node's own data (protocol/http-endpoints.md#witnesses-nodes-node-info). Clients read
 * `configNodeInfo.codeVersion`; the figures of machine and peers are those of a process without peers that reads
 * nothing from its platform.
 */

import { blockIdAt } from '../ledger/blocks/block-ids.js';
import type { EmptyMessage } from '../protocol/generated/api.js';
import { NodeList } from '../protocol/generated/api.js';
import { NodeInfo, NodeInfo_ConfigNodeInfo, NodeInfo_MachineInfo } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';

/** java-tron's `committee` settings stay 0, as on a node whose parameters come from proposals. */
export function getNodeInfo({ ledger, node }: WalletContext, _request: EmptyMessage): NodeInfo {
  const describe = (number: number): string => `Num:${number},ID:${blockIdAt(ledger, number) ?? ''}`;
  return NodeInfo.create({
    // The view's newest block minus the unmerged layers.
    beginSyncNum: BigInt(ledger.headNumber - (node.chain.headNumber - node.chain.mergedHeight)),
    block: describe(ledger.headNumber),
    solidityBlock: describe(Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'))),
    configNodeInfo: NodeInfo_ConfigNodeInfo.create({
      codeVersion: node.chain.config.release,
      p2pVersion: '0',
      listenPort: 18_888,
      maxConnectCount: 30,
      sameIpMaxConnectCount: 2,
      backupListenPort: 10_001,
      dbVersion: 2,
      // A thousand times the CPU time: practically unlimited, as in Sunup.
      maxTimeRatio: 1000,
      supportConstant: true,
    }),
    machineInfo: NodeInfo_MachineInfo.create({ cpuCount: 1, javaVersion: '1.8', osName: 'Sunup' }),
  });
}

/** A devnet has no peers. */
export function listNodes(_context: WalletContext, _request: EmptyMessage): NodeList {
  return NodeList.empty;
}
