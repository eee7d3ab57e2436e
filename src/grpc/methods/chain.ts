/** The chain's parameters, prices and the node itself (protocol/grpc.md#node-prices-fees). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import { getChainParameters, getNextMaintenanceTime } from '../../wallet/chain.js';
import { getNodeInfo, listNodes } from '../../wallet/node-info.js';
import { getBandwidthPrices, getBurnTrx, getEnergyPrices, getMemoFee } from '../../wallet/prices.js';
import { internal, type MethodsOf, query, unknown } from '../table.js';

export const chainMethods = {
  GetChainParameters: query(getChainParameters),
  GetNextMaintenanceTime: query(getNextMaintenanceTime),
  GetEnergyPrices: query(getEnergyPrices, internal),
  GetBandwidthPrices: query(getBandwidthPrices, internal),
  GetMemoFee: query(getMemoFee, internal),
  GetBurnTrx: query(getBurnTrx, unknown),
  GetNodeInfo: query(getNodeInfo, internal),
  ListNodes: query(listNodes),
} satisfies MethodsOf<typeof Wallet_service>;
