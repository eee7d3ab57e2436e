/** Witnesses, rewards and proposals (protocol/grpc.md#witnesses-votes-proposals). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getBrokerageInfo,
  getPaginatedNowWitnessList,
  getPaginatedProposalList,
  getProposalById,
  getRewardInfo,
  listProposals,
  listWitnesses,
} from '../../wallet/governance.js';
import { internal, type MethodsOf, query, unknown } from '../table.js';

export const governanceMethods = {
  ListWitnesses: query(listWitnesses),
  GetPaginatedNowWitnessList: { ...query(getPaginatedNowWitnessList, internal), since: '4.8.1' },
  GetRewardInfo: query(getRewardInfo, unknown),
  GetBrokerageInfo: query(getBrokerageInfo, unknown),
  ListProposals: query(listProposals),
  GetPaginatedProposalList: query(getPaginatedProposalList),
  GetProposalById: query(getProposalById),
} satisfies MethodsOf<typeof Wallet_service>;
