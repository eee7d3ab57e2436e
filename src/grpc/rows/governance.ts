/** Witnesses, rewards and proposals (grpc.md 1.3, Witnesses, votes, proposals). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getBrokerageInfo,
  getPaginatedProposalList,
  getProposalById,
  getRewardInfo,
  listProposals,
  listWitnesses,
} from '../../wallet/governance.js';
import { query, type RowsOf, unknown } from '../table.js';

export const governanceRows = {
  ListWitnesses: query(listWitnesses),
  GetRewardInfo: query(getRewardInfo, unknown),
  GetBrokerageInfo: query(getBrokerageInfo, unknown),
  ListProposals: query(listProposals),
  GetPaginatedProposalList: query(getPaginatedProposalList),
  GetProposalById: query(getProposalById),
} satisfies RowsOf<typeof Wallet_service>;
