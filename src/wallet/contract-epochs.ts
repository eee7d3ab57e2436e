/**
 * Usage and energy factor of a contract in past epochs, exactly as its calls were charged. A contract's record changes
 * at its calls only, so each value is read from the state at the end of the epoch. Sunup's own.
 */

import { NotFoundError } from '../errors/operation-error.js';
import { PastStateError } from '../errors/past-state-error.js';
import { blockTimeMs } from '../ledger/blocks/blocks.js';
import { dynamicEnergyTerms } from '../ledger/smart-contracts/dynamic-energy.js';
import type { Commits } from '../node/storage/commits.js';
import type { LongProperty } from '../parameters/properties.js';
import type { Address } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import { type ContractEnergyState, caughtUp } from '../resources/dynamic-energy.js';
import { type ChangePlace, changePlace, endOfHeight } from '../state/row-changes.js';
import { TABLES } from '../state/tables.js';
import type { WalletContext } from './context.js';

interface EpochEnergy {
  /** The number of the epoch: reward cycles and epochs are counted together. */
  readonly cycle: number;
  /** At the base price. */
  readonly energyUsage: bigint;
  /** Surcharge in 1/10,000 of the base price. */
  readonly energyFactor: number;
  /** More Energy than this in the epoch raises the factor. */
  readonly threshold: bigint;
}

interface PastEpoch extends EpochEnergy {
  /** Its last block, which has the maintenance. */
  readonly endBlock: number;
  readonly endMs: number;
}

/**
 * Why there are no older epochs in the answer: `limit`, there are, ask with `before`; `creation`, the contract is newer;
 * `genesis`, the chain begins; `fork`, older epochs are of the forked network; `state-history`, older states are not
 * kept.
 */
type EndOfEpochs = 'limit' | 'creation' | 'genesis' | 'fork' | 'state-history';

export interface ContractEpochs {
  /** Base58check. */
  readonly contract: string;
  /** Whether the chain has the dynamic energy model. */
  readonly enabled: boolean;
  /** The running epoch, with pending transactions. */
  readonly current: EpochEnergy & { readonly endsMs: number };
  /** Newest first. */
  readonly epochs: readonly PastEpoch[];
  readonly end: EndOfEpochs;
}

/**
 * @param before only epochs with a smaller number @throws NotFoundError if there is no contract
 */
export function contractEpochs(
  { ledger, node }: WalletContext,
  contract: Address,
  limit: number,
  before = Number.POSITIVE_INFINITY,
): ContractEpochs {
  if (!ledger.state.tables.contracts.has(contract)) {
    throw new NotFoundError(`there is no contract at ${toBase58(contract)}`);
  }
  const terms = dynamicEnergyTerms(ledger);
  const { energy_usage, energy_factor } = caughtUp(ledger.state.tables.contractStates.get(contract), terms);
  const { commits, headNumber } = node.chain;
  const epochs: PastEpoch[] = [];
  const answer = (end: EndOfEpochs): ContractEpochs => ({
    contract: toBase58(contract),
    enabled: ledger.on('ALLOW_DYNAMIC_ENERGY'),
    current: {
      cycle: Number(terms.cycle),
      energyUsage: energy_usage,
      energyFactor: Number(energy_factor),
      threshold: terms.threshold,
      endsMs: Number(ledger.long('NEXT_MAINTENANCE_TIME')),
    },
    epochs,
    end,
  });
  if (!commits.keepsPast) return answer('state-history');
  try {
    for (const { number, before: cycle } of commits.changesOf(TABLES.longs, CYCLE, headNumber)) {
      if (cycle === undefined || cycle >= before) continue;
      if (epochs.length === limit) return answer('limit');
      // Operations after the block are of the next epoch; the maintenance itself may have changed parameters.
      const end = changePlace(number);
      if (commits.rowAfter(end, TABLES.contracts, contract) === undefined) return answer('creation');
      const term = termsAt(commits, endOfHeight(number - 1), cycle);
      const state = caughtUp<ContractEnergyState>(commits.rowAfter(end, TABLES.contractStates, contract), term);
      epochs.push({
        cycle: Number(cycle),
        energyUsage: state.energy_usage,
        energyFactor: Number(state.energy_factor),
        threshold: term.threshold,
        endBlock: number,
        endMs: blockTimeMs(ledger, number) ?? 0,
      });
    }
  } catch (error) {
    if (!(error instanceof PastStateError)) throw error;
    return answer('state-history');
  }
  return answer(node.fork === undefined ? 'genesis' : 'fork');
}

const CYCLE: LongProperty = 'CURRENT_CYCLE_NUMBER';

function termsAt(commits: Commits, place: ChangePlace, cycle: bigint): Parameters<typeof caughtUp>[1] {
  const long = (name: LongProperty) => commits.rowAfter(place, TABLES.longs, name) ?? 0n;
  return {
    cycle,
    threshold: long('DYNAMIC_ENERGY_THRESHOLD'),
    increaseFactor: long('DYNAMIC_ENERGY_INCREASE_FACTOR'),
    maxFactor: long('DYNAMIC_ENERGY_MAX_FACTOR'),
  };
}
