/** Answers about contracts from Sunup's own endpoints: the server's types in their JSON form. */

import type { Json } from '../../primitives/amount-json.js';
import type { ContractEpochs as ServerEpochs } from '../../wallet/contract-epochs.js';
import type { ContractList as ServerList } from '../../wallet/contract-list.js';

/** `/sunup/contracts` */
export type ContractList = Json<ServerList>;
export type ListedContract = ContractList['contracts'][number];

/** `/sunup/contractepochs` */
export type ContractEpochs = Json<ServerEpochs>;
