/** All endpoints of the HTTP API: java-tron's and Sunup's own. All other paths are unknown. */

import type { WalletContext } from '../wallet/context.js';
import { accountEndpoints } from './endpoints/accounts.js';
import { assetEndpoints } from './endpoints/assets.js';
import { blockEndpoints } from './endpoints/blocks.js';
import { builderEndpoints } from './endpoints/builders.js';
import { chainEndpoints } from './endpoints/chain.js';
import { contractReportEndpoints } from './endpoints/contract-reports.js';
import { contractEndpoints } from './endpoints/contracts.js';
import { devnetEndpoints } from './endpoints/devnet.js';
import { exchangeEndpoints } from './endpoints/exchange.js';
import { explainEndpoints } from './endpoints/explain.js';
import { forkReportEndpoints } from './endpoints/fork-reports.js';
import { governanceEndpoints } from './endpoints/governance.js';
import { marketEndpoints } from './endpoints/market.js';
import { poolReportEndpoints } from './endpoints/pool-reports.js';
import { resourceEndpoints } from './endpoints/resources.js';
import { transactionEndpoints } from './endpoints/transactions.js';
import type { HttpEndpoint } from './table.js';

export const httpEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  ...accountEndpoints,
  ...assetEndpoints,
  ...blockEndpoints,
  ...builderEndpoints,
  ...chainEndpoints,
  ...contractEndpoints,
  ...contractReportEndpoints,
  ...devnetEndpoints,
  ...exchangeEndpoints,
  ...explainEndpoints,
  ...forkReportEndpoints,
  ...governanceEndpoints,
  ...marketEndpoints,
  ...poolReportEndpoints,
  ...resourceEndpoints,
  ...transactionEndpoints,
];
