/**
 * Witnesses who vote proposals through: they propose, approve, take approvals back and delete; time passes over the
 * expiration and the maintenances. Each of these has to do what the protocol says, and the lists show it. Most visits are
 * reverted, because other users reckon with the parameters.
 */

import { PARAMETERS } from '../../../../src/parameters/definitions.js';
import type { Address } from '../../../../src/primitives/ids.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Proposal,
  Proposal_State,
} from '../../../../src/protocol/generated/tron.js';
import { numberKey } from '../../../../src/state/tables.js';
import { COIN } from '../../simulated-chain.js';
import { epochReportsStay } from '../invariants/epoch-reports.js';
import { maintenanceAgrees } from '../invariants/maintenances.js';
import { Violation } from '../run/violation.js';
import { revertedTo, snapshotTaken } from './developers.js';
import { passTo } from './permitted.js';
import { LASTING, type Range, someParameters, someRange } from './proposal-values.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'a proposal does what was voted';
const MOST_BLOCKS = 4;
const RICH_SUN = 1_000n * COIN;

/** Nothing else is under way: not even a call of the disk at which the process will end. */
function canGoOn({ world }: Host): boolean {
  return world.isQuiet && world.node.chain.pool.size === 0;
}

/** In a block of its own. @returns whether it is there */
async function done(host: Host, type: number, fields: Readonly<Record<string, unknown>>): Promise<boolean> {
  const { world, people, asker } = host;
  if (!canGoOn(host)) return false;
  const transaction = await composed(host, () => people.send(type, fields));
  if (transaction === undefined || !canGoOn(host)) return false;
  const answer = await sendHex(host, transaction);
  if (!world.isQuiet) return false;
  if (/CONTRACT_VALIDATE_ERROR/.test(answer ?? ''))
    throw new Violation('what may be done is accepted', `by a witness: ${transaction.txId}: ${answer}`);
  if (world.miningMode === 'manual') await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
  return isAccepted(answer) && canGoOn(host);
}

function rowOf({ world }: Host, id: bigint): Proposal | undefined {
  return world.ledger.state.tables.proposals.get(numberKey(id));
}

/** Witnesses whose keys are known, and who can pay. */
async function voters(host: Host): Promise<readonly Address[]> {
  const { world, people } = host;
  const { witnesses, accounts, contracts } = world.ledger.state.tables;
  const known = witnesses.entries().map(([address]) => address as Address);
  const able: Address[] = [];
  for (const address of known.filter((one) => people.keyOf(one) !== undefined)) {
    const { balance = 0n } = accounts.get(address) ?? {};
    // Nobody may go without paying.
    const giver = people.addresses.find((one) => (accounts.get(one)?.balance ?? 0n) >= 3n * RICH_SUN);
    const gift = { owner_address: giver, to_address: address, amount: RICH_SUN };
    // A decree may have made it a contract, to which no coin is sent.
    const isGiven = async () =>
      giver !== undefined && !contracts.has(address) && (await done(host, ContractType.TransferContract, gift));
    if (balance >= RICH_SUN || (await isGiven())) able.push(address);
  }
  return able;
}

/** @returns its id; undefined: it could not be made */
async function propose(host: Host, witnesses: readonly Address[], range: Range): Promise<bigint | undefined> {
  const { world } = host;
  const { choices, ledger } = world;
  const owner_address = choices.of(witnesses);
  const parameters = someParameters(ledger, choices, range);
  if (parameters.size === 0) return undefined;
  if (!(await done(host, ContractType.ProposalCreateContract, { owner_address, parameters }))) return undefined;
  const proposal_id = world.ledger.long('LATEST_PROPOSAL_NUM');
  const likely = choices.of([0.3, 0.9, 1]);
  for (const witness of witnesses) {
    if (!choices.chance(likely)) continue;
    // Somebody may have arranged the time of the next block before.
    if ((rowOf(host, proposal_id)?.expiration_time ?? 0n) <= world.ledger.headTimeMs) return undefined;
    const approval = { owner_address: witness, proposal_id, is_add_approval: true };
    if (!(await done(host, ContractType.ProposalApproveContract, approval))) return undefined;
    if (!choices.chance(0.1)) continue;
    const back = { ...approval, is_add_approval: false };
    if (!(await done(host, ContractType.ProposalApproveContract, back))) return undefined;
  }
  const isDeleted =
    choices.chance(0.1) && (await done(host, ContractType.ProposalDeleteContract, { owner_address, proposal_id }));
  const proposal = rowOf(host, proposal_id);
  const state = isDeleted ? Proposal_State.CANCELED : Proposal_State.PENDING;
  if (canGoOn(host) && proposal?.state !== state)
    throw new Violation(NAME, `proposal ${proposal_id} has to be ${state}, and is ${proposal?.state}`);
  return canGoOn(host) ? proposal_id : undefined;
}

/** In one block, which has only the first of the maintenances due, or seldom with each of them. */
async function goTo(host: Host, timeMs: bigint): Promise<void> {
  const { world, asker } = host;
  if (timeMs > world.ledger.headTimeMs) {
    if (world.choices.chance(0.1)) return passTo(host, timeMs);
    await asker.rpc('/tre', 'tron_setNextBlockTimestamp', [Number(timeMs)]);
  }
  if (world.isRunning) await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
}

/** Some time before, then the first maintenances at which they may be decided. */
async function waitForDecision(host: Host, ids: readonly bigint[]): Promise<void> {
  const { world } = host;
  const { choices } = world;
  const last = ids.reduce((latest, id) => {
    const { expiration_time: expirationMs = 0n } = rowOf(host, id) ?? {};
    return expirationMs > latest ? expirationMs : latest;
  }, 0n);
  const aheadMs = BigInt(1 + choices.below(86_400_000));
  const stops = choices.of([[], [last - aheadMs], [last - 1n], [last - 3_000n]]);
  for (const stop of [...stops, last]) {
    await goTo(host, stop);
    if (!canGoOn(host)) return;
    maintenanceAgrees(world, world.headNumber);
  }
  const isOpen = (id: bigint) => rowOf(host, id)?.state === Proposal_State.PENDING;
  for (let i = 0; i < MOST_BLOCKS && canGoOn(host) && ids.some(isOpen); i++) {
    await goTo(host, world.ledger.long('NEXT_MAINTENANCE_TIME'));
    if (canGoOn(host)) maintenanceAgrees(world, world.headNumber);
  }
  const open = ids.filter(isOpen);
  if (open.length > 0 && canGoOn(host)) throw new Violation(NAME, `proposals ${open} expired, and are not decided`);
}

interface Shown {
  readonly proposal_id: number;
  readonly proposer_address: string;
  readonly parameters: readonly { readonly key: number; readonly value?: number }[];
  readonly approvals?: readonly string[];
  readonly state?: string;
}

const textOfShown = ({ proposal_id, proposer_address, parameters, approvals = [], state = 'PENDING' }: Shown) =>
  [proposal_id, proposer_address, parameters.map(({ key, value = 0 }) => `${key}=${value}`), approvals, state].join();

const textOfRow = ({ proposal_id, proposer_address, parameters, approvals, state }: Proposal) =>
  [
    ...[proposal_id, proposer_address, [...parameters].map(([key, value]) => `${key}=${value}`)],
    ...[approvals, Object.entries(Proposal_State).find(([, one]) => one === state)?.[0]],
  ].join();

/** What is asked about proposals and parameters is what the rows say. */
async function requireAnswers(host: Host, ids: readonly bigint[]): Promise<void> {
  const { world, asker } = host;
  const { ledger } = world;
  const list = await asker.post('/wallet/listproposals', {});
  const singles = await Promise.all(ids.map((id) => asker.post('/wallet/getproposalbyid', { id: Number(id) })));
  const shown = await asker.post('/wallet/getchainparameters', {});
  if (!canGoOn(host)) return;
  const read = (answer: string | undefined) => JSON.parse(answer?.slice('200 '.length) ?? '{}') as object;
  const { proposals = [] } = read(list) as { readonly proposals?: readonly Shown[] };
  for (const [i, id] of ids.entries()) {
    const row = rowOf(host, id) as Proposal;
    const listed = proposals.find(({ proposal_id }) => proposal_id === Number(id));
    for (const one of [listed, read(singles[i]) as Shown])
      if (one === undefined || textOfShown(one) !== textOfRow(row))
        throw new Violation(NAME, `proposal ${id} is ${textOfRow(row)}, and is shown as ${JSON.stringify(one)}`);
  }
  const { chainParameter = [] } = read(shown) as {
    readonly chainParameter?: readonly { readonly key: string; readonly value?: number }[];
  };
  for (const { key, value = 0 } of chainParameter) {
    const parameter = PARAMETERS.find((one) => one.key === key);
    if (parameter === undefined) throw new Violation(NAME, `${key} is no parameter`);
    const is = ledger.long(parameter.property) / parameter.storedScale;
    if (Number(is) !== value) throw new Violation(NAME, `${key} is ${is}, and is shown as ${value}`);
  }
}

async function voteOnce(host: Host, range: Range): Promise<boolean> {
  const { world } = host;
  const witnesses = await voters(host);
  if (witnesses.length === 0 || !canGoOn(host)) return false;
  const ids: bigint[] = [];
  for (let count = 1 + world.choices.below(3); count > 0; count--) {
    const id = canGoOn(host) ? await propose(host, witnesses, range) : undefined;
    if (id !== undefined) ids.push(id);
  }
  // One that was decided hides all older ones; a deleted one is never decided.
  if (ids.length === 0 || !canGoOn(host)) return false;
  await waitForDecision(host, ids);
  if (canGoOn(host)) await requireAnswers(host, ids);
  if (canGoOn(host)) await epochReportsStay(host);
  return canGoOn(host);
}

export const voteThrough: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  // A fork has no keys of its network's witnesses. Where the process may end in between, nothing would be reverted.
  if (world.shape.isFork || !canGoOn(host) || world.headNumber === 0 || world.disk.onCall !== undefined) return;
  if (choices.chance(0.3)) {
    await voteOnce(host, LASTING);
    return;
  }
  const height = world.headNumber;
  const id = await snapshotTaken(host);
  if (id === undefined) return;
  // What was voted for is the ground for the next.
  const range = someRange(choices);
  for (let count = 1 + choices.below(3); count > 0; count--) if (!(await voteOnce(host, range))) break;
  if (!world.isRunning) return;
  if (!(await revertedTo(host, id, height)) && world.isQuiet)
    throw new Violation(NAME, `snapshot ${id} of block ${height} is refused`);
};
