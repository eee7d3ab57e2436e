/** What kind of world a seed makes: parameters of its chain and of its node. */

import type { DevnetOptions } from '../../../../src/options/declarations.js';
import type { Choices } from '../../wild-messages.js';
import { NETWORK_URL } from '../network/simulated-network.js';
import { DIALECTS, type Dialect } from '../users/asker.js';
import { API_KEY, API_KEY_OF_DAYS } from '../users/callers.js';

export interface Shape {
  readonly options: DevnetOptions;
  /** Whether the chain follows the machine's clock. */
  readonly byClock: boolean;
  readonly startMs: number;
  /** Whether the market is open: whoever buys from itself there loses coin (protocol/trade.md#market-order-book). */
  readonly market: boolean;
  /** Whether the chain is a fork of the simulated network. */
  readonly isFork: boolean;
  /** Where listeners subscribe; clients of filters ask at the first. */
  readonly listenerDialects: readonly [Dialect, ...Dialect[]];
}

/** 2026-01-01T00:00:00Z */
const START_MS = 1_767_225_600_000;
export const ACCOUNTS = 6;

export function shapeOf(choices: Choices): Shape {
  const mining = choices.of(['instant', 'instant', 'manual', 'interval'] as const);
  const byClock = mining === 'interval' || choices.chance(0.3);
  const market = choices.chance(0.4);
  const stateHistory = choices.of(['all', 'all', 256] as const);
  const witnesses = choices.of([1, 3, 3]);
  const isFork = choices.chance(0.2);
  // Rules that the network does not have yet.
  const isLater = choices.chance(0.2);
  const dialect = choices.of(DIALECTS);
  const others = DIALECTS.filter((one) => one !== dialect);
  const listenerDialects: Shape['listenerDialects'] = [dialect, ...(choices.chance(0.7) ? [choices.of(others)] : [])];
  // Seldom full, but when somebody fills it.
  const poolSize = choices.chance(0.3) ? { poolSize: 60 } : {};
  if (isFork)
    return {
      ...{ byClock, market: false, isFork, listenerDialects, startMs: START_MS },
      options: {
        accounts: ACCOUNTS,
        balance: 1_000_000,
        mining,
        ...poolSize,
        stateHistory: 'all',
        fork: NETWORK_URL,
        // java-tron serves the storage of its head, /eth that of the forked block.
        ...(choices.chance(0.5) && { forkJsonrpc: `${NETWORK_URL}/eth` }),
        history: true,
      },
    };
  return {
    byClock,
    market,
    isFork,
    listenerDialects,
    startMs: START_MS,
    options: {
      accounts: ACCOUNTS,
      balance: 1_000_000,
      mining,
      ...poolSize,
      stateHistory,
      // Slots are counted from it, and it need not be a multiple of one.
      genesisTime: START_MS - 60_000 - choices.of([0, 0, 1_700]),
      networkStake: choices.of(['none', 'none', 'mainnet']),
      solidified: choices.of(['head', 'head', 'network']),
      createNonces: choices.chance(0.3),
      history: true,
      ...(isLater && { nodeVersion: '4.8.2' as const }),
      metrics: choices.chance(0.5),
      pbft: choices.chance(0.3),
      ...(choices.chance(0.3) && {
        apiKeys: [
          `${API_KEY.name}=${API_KEY.perSecond}`,
          `${API_KEY_OF_DAYS.name}=${API_KEY_OF_DAYS.perSecond}/${API_KEY_OF_DAYS.perDay}`,
        ],
      }),
      parameters: {
        MAINTENANCE_TIME_INTERVAL: 600_000,
        UNFREEZE_DELAY_DAYS: 1,
        // Without pay of witnesses no coin is minted, and the sum of all is the same to the last sun.
        ...(choices.chance(0.5) && { WITNESS_PAY_PER_BLOCK: 0, WITNESS_127_PAY_PER_BLOCK: 0 }),
        ...(market && { ALLOW_MARKET_TRANSACTION: 1 }),
        ...(choices.chance(0.2) && { ALLOW_TRANSACTION_FEE_POOL: 1 }),
        ...(choices.chance(0.2) && { ALLOW_NEW_RESOURCE_MODEL: 1 }),
        ...(choices.chance(0.2) && { ALLOW_TVM_COMPATIBLE_EVM: 1 }),
        ...(isLater && { ALLOW_TVM_OSAKA: 1, ALLOW_HARDEN_EXCHANGE_CALCULATION: 1 }),
        ...(isLater && choices.chance(0.5) && { ALLOW_TVM_SELFDESTRUCT_RESTRICTION: 1 }),
      },
      ...(witnesses > 1 && {
        genesis: {
          witnesses: Array.from({ length: witnesses }, (_, i) => ({
            privateKey: String(i + 1).padStart(64, '0'),
            url: `http://witness${i}`,
            voteCount: 100 - i,
          })),
        },
      }),
    },
  };
}
