/** Answers about contracts from Sunup's own endpoints: the server's types in their JSON form. */

import type { Json } from '../../primitives/amount-json.js';
import type { ContractEpochs as ServerEpochs } from '../../wallet/contract-epochs.js';
import type { ContractList as ServerList } from '../../wallet/contract-list.js';
import type { ContractStorage as ServerStorage } from '../../wallet/contract-storage.js';

/** `/sunup/contracts` */
export type ContractList = Json<ServerList>;
export type ListedContract = ContractList['contracts'][number];

/** `/sunup/contractepochs` */
export type ContractEpochs = Json<ServerEpochs>;

/** `/sunup/storage`. A struct may contain itself in its members, so its type is named here. */
export interface StoredVariable extends Json<Omit<NonNullable<ServerStorage['found']>, 'members'>> {
  readonly members?: readonly StoredVariable[];
}
export interface ContractStorage extends Json<Omit<ServerStorage, 'variables' | 'found'>> {
  readonly variables?: readonly StoredVariable[];
  readonly found?: StoredVariable;
}
