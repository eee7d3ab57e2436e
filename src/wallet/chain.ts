/** The chain's parameters and the time of their next change (protocol/http-endpoints.md#getchainparameters). */

import { chainParameters } from '../parameters/definitions.js';
import type { BlockId } from '../primitives/ids.js';
import type { EmptyMessage, NumberMessage } from '../protocol/generated/api.js';
import type { ChainParameters } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';

/** The id of the first block, whose last four bytes are the chain id for Ethereum tools. */
export function getGenesisId({ ledger }: WalletContext): BlockId {
  return ledger.config.genesisId;
}

/** All chain parameters by their keys, in java-tron's order; values in the unit of a proposal. */
export function getChainParameters({ ledger }: WalletContext, _request: EmptyMessage): ChainParameters {
  return { chainParameter: chainParameters((property) => ledger.long(property), ledger.config.release) };
}

/** Time of the next maintenance, in ms. */
export function getNextMaintenanceTime({ ledger }: WalletContext, _request: EmptyMessage): NumberMessage {
  return { num: ledger.long('NEXT_MAINTENANCE_TIME') };
}
