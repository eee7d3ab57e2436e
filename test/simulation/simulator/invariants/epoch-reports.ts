/**
 * What a node reports of the ended epochs of a contract stays what it was, and is what the rows of those heights say: also
 * where a proposal has changed the parameters of dynamic Energy in the block that ended the epoch.
 */

import { blockTimeMs } from '../../../../src/ledger/blocks/blocks.js';
import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import type { Host } from '../users/user.js';
import { isPast, type Moment, momentNow } from './moment.js';

const NAME = 'the report of an ended epoch stays';
const KEPT = 8;
const MOST_EPOCHS = 10;
const CONTRACTS_AT_A_TIME = 2;

interface Epoch {
  readonly cycle: number;
  readonly energyUsage: number;
  readonly energyFactor: number;
  readonly threshold: number;
  readonly endBlock: number;
  readonly endMs: number;
}

/** What was reported while a block was the newest. */
export interface ReportedEpochs extends Moment {
  readonly contract: Address;
  readonly epochs: readonly Epoch[];
}

async function reported({ asker }: Host, contract: Address, before = ''): Promise<readonly Epoch[] | undefined> {
  const path = `/sunup/contractepochs?contract=${toBase58(contract)}&limit=${MOST_EPOCHS}${before}`;
  const answer = await asker.get(path);
  if (!answer?.startsWith('200 ')) return undefined;
  return (JSON.parse(answer.slice('200 '.length)) as { readonly epochs: readonly Epoch[] }).epochs;
}

/** @returns what is wrong */
function differsFromRows({ node: { chain } }: World, contract: Address, epoch: Epoch): string | undefined {
  const { endBlock } = epoch;
  if (endBlock - 1 < chain.commits.stateFrom) return undefined;
  // The block that ends an epoch runs with the parameters of before, and may change them afterwards.
  const before = chain.ledgerAt(endBlock - 1);
  const cycle = before.long('CURRENT_CYCLE_NUMBER');
  const said = `epoch ${JSON.stringify(epoch)} of ${toBase58(contract)}`;
  if (BigInt(epoch.cycle) !== cycle) return `${said} was epoch ${cycle}`;
  const threshold = before.long('DYNAMIC_ENERGY_THRESHOLD');
  if (BigInt(epoch.threshold) !== threshold) return `${said} had a threshold of ${threshold}`;
  const endMs = blockTimeMs(chain.ledger, endBlock);
  if (epoch.endMs !== endMs) return `${said} ended at ${endMs}`;
  // A decree after the block may have set the record.
  if (operationsAfter(chain.ledger, endBlock) > 0) return undefined;
  const record = chain.ledgerAt(endBlock).state.tables.contractStates.get(contract);
  if (record?.update_cycle !== cycle)
    return epoch.energyUsage === 0 ? undefined : `${said} had no call, its record is of ${record?.update_cycle}`;
  return BigInt(epoch.energyUsage) === record.energy_usage && BigInt(epoch.energyFactor) === record.energy_factor
    ? undefined
    : `${said} has a record with usage ${record.energy_usage} and factor ${record.energy_factor}`;
}

/** An epoch that is there now, and was there then. */
function differsFromThen(now: readonly Epoch[], then: readonly Epoch[]): string | undefined {
  for (const epoch of now) {
    const old = then.find(({ cycle }) => cycle === epoch.cycle);
    if (old !== undefined && JSON.stringify(old) !== JSON.stringify(epoch))
      return `it was ${JSON.stringify(old)}, and is ${JSON.stringify(epoch)}`;
  }
  return undefined;
}

function contractsOf({ world, people }: Host): readonly Address[] {
  const { contracts } = world.ledger.state.tables;
  const all = [...people.programs, people.notebook, ...(people.bazaar?.coins ?? [])];
  return all.filter((one): one is Address => one !== undefined && contracts.has(one as Address));
}

export async function epochReportsStay(host: Host): Promise<void> {
  const { world } = host;
  const { choices, rememberedEpochs } = world;
  // Rows of a fork's past are its network's.
  if (world.shape.isFork || !world.isRunning) return;
  const old = rememberedEpochs.length === 0 ? undefined : choices.of(rememberedEpochs);
  if (old !== undefined && (await isPast(world, old))) {
    const [newest] = old.epochs;
    const now = newest && (await reported(host, old.contract, `&before=${newest.cycle + 1}`));
    const wrong = now && differsFromThen(now, old.epochs);
    if (wrong !== undefined && (await isPast(world, old)))
      throw new Violation(NAME, `${toBase58(old.contract)}: ${wrong}`);
  }
  for (let count = 0; count < CONTRACTS_AT_A_TIME && world.isRunning; count++) {
    const contracts = contractsOf(host);
    if (contracts.length === 0) return;
    const contract = choices.of(contracts);
    const { headId } = world.node.chain;
    const epochs = await reported(host, contract);
    if (epochs === undefined || !world.isRunning || world.node.chain.headId !== headId) return;
    for (const epoch of epochs) {
      const wrong = differsFromRows(world, contract, epoch);
      if (wrong !== undefined) throw new Violation(NAME, wrong);
    }
    const moment = await momentNow(world);
    if (moment?.blockId !== headId || epochs.length === 0) return;
    rememberedEpochs.push({ ...moment, contract, epochs });
    if (rememberedEpochs.length > KEPT) rememberedEpochs.splice(choices.below(KEPT), 1);
  }
}
