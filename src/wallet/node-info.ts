/**
 * What a node says of itself (protocol/http-endpoints.md#witnesses-nodes-node-info). Clients read
 * `configNodeInfo.codeVersion`; the figures of machine and peers are those of a process that has no peers and asks its
 * platform for nothing.
 */

import { blockIdAt } from '../ledger/blocks/block-ids.js';
import type { EmptyMessage } from '../protocol/generated/api.js';
import { NodeList } from '../protocol/generated/api.js';
import { NodeInfo, NodeInfo_ConfigNodeInfo, NodeInfo_MachineInfo } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';

/** What java-tron tells of its `committee` settings stays 0, as on a node whose parameters come from proposals. */
export function getNodeInfo({ ledger, node }: WalletContext, _request: EmptyMessage): NodeInfo {
  const describe = (number: number): string => `Num:${number},ID:${blockIdAt(ledger, number) ?? ''}`;
  return NodeInfo.create({
    // The view's newest block less the layers that are not merged yet.
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
      // A thousand times the CPU time: practically no limit, which is what Sunup has.
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
