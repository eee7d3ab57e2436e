/**
 * A user who asks what a transaction will cost, sends it, and compares: a preview is what then happens, an estimate of
 * Energy is what a call then uses, the fee limit that is said to suffice suffices, and one sun less does not.
 */

import { Wallet } from 'ethers';
import fc from 'fast-check';
import { bytesToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { SmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { send, sending } from '../../operations.js';
import { COIN, word } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { type Answer, DIALECTS, resultOf } from './asker.js';
import { OP, push } from './assembler.js';
import { type FactorCase, type FactorLimits, higherFactorsAgree } from './higher-factors.js';
import { programCall } from './programs.js';
import { isAlone } from './promises.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'a transaction costs what was said beforehand';

type Amount = number | string;
type Members = Readonly<Record<string, unknown>>;

interface Preview {
  readonly charges: readonly Members[];
  readonly outcome: { readonly result: string };
  readonly block: { readonly number: number; readonly timestampMs: number };
  readonly energy?: Members;
  readonly bandwidth?: Members;
  readonly feeSun: Amount;
  readonly receipt: Members;
  readonly limits?: FactorLimits & { readonly now?: CaseOfCall };
}

/** What a call costs; without a stake (`burnAllSun`); and without the deployer's part, too (`burnAloneSun`). */
interface CaseOfCall extends FactorCase {
  readonly feeLimitSun: Amount;
  readonly result: string;
  readonly missingSun: Amount;
  readonly stakedEnergy: Amount;
  readonly energyFeeSun: Amount;
  readonly burnAllSun: Amount;
  readonly burnAloneSun: Amount;
  readonly deployerEnergy: Amount;
}

/** So many previews, one after another. */
const STAKES = 4;
const SUM_OF_TRX = 1_000n * COIN;

function preview({ asker }: Host, transaction: SignedTransaction, ...options: readonly object[]): Promise<Answer> {
  return asker.rpc('/tre', 'tron_preview', [bytesToHex(transaction.encode()), ...options]);
}

/** Sends one. @returns whether it is in the next block; undefined: that cannot be known */
async function sentNow(host: Host, transaction: SignedTransaction): Promise<boolean | undefined> {
  const { world } = host;
  const { headNumber } = world;
  const answer = await sendHex(host, transaction);
  if (answer === undefined || !world.isRunning || world.diskFails) return undefined;
  if (!isAccepted(answer)) return /"code": ?"(SIGERROR|SERVER_BUSY)"/.test(answer) ? undefined : false;
  return world.headNumber === headNumber + 1 ? true : undefined;
}

function wrong(transaction: { readonly txId: string }, what: string): Violation {
  return new Violation(NAME, `transaction ${transaction.txId}: ${what}`);
}

/** @throws Violation */
function differ(transaction: SignedTransaction, part: string, beforehand: unknown, afterwards: unknown): void {
  const [expected, found] = [beforehand, afterwards].map((value) => JSON.stringify(value));
  if (expected !== found) throw wrong(transaction, `${part} was previewed as ${expected}, and is ${found}`);
}

/** Without a stake, a caller burns TRX for all that the deployer does not pay. */
function burnsAgree(transaction: SignedTransaction, { limits }: Preview): void {
  if (limits?.now === undefined) return;
  const { now } = limits;
  const [fee, all, alone] = [BigInt(now.energyFeeSun), BigInt(now.burnAllSun), BigInt(now.burnAloneSun)];
  const deployerPays = BigInt(now.deployerEnergy) > 0n && alone > 0n;
  const isStaked = BigInt(now.stakedEnergy) > 0n;
  if ((deployerPays ? all < alone : all === alone) && (isStaked ? fee <= all : fee === all)) return;
  throw wrong(transaction, `${fee} sun for Energy with a stake, ${all} without, ${alone} without the deployer's part`);
}

/** Stores what it knows of its block: to store anything costs more than to store 0. */
const KEEPS_ITS_BLOCK = [OP.COINBASE, OP.NUMBER, OP.TIMESTAMP].map((op, slot) => op + push(slot) + OP.SSTORE).join('');

/** A call of a generated program, or what people send otherwise. */
function anySent(host: Host): Promise<SignedTransaction | undefined> {
  const { world, people } = host;
  const { choices } = world;
  const { programs } = people;
  if (choices.chance(0.2)) {
    const owner = people.address(choices.below(6));
    const terms = { origin_address: owner, origin_energy_limit: 1_000_000n };
    const new_contract = { ...SmartContract.empty, ...terms, bytecode: KEEPS_ITS_BLOCK };
    const fields = { owner_address: owner, new_contract };
    return composed(host, () => people.send(ContractType.CreateSmartContract, fields, { feeLimitSun: 1_000n * COIN }));
  }
  if (programs.length > 0 && choices.chance(0.5)) {
    const fields = {
      owner_address: people.address(choices.below(6)),
      contract_address: choices.of(programs),
      data: programCall(choices),
      call_value: BigInt(choices.of([0, 0, 1])),
    };
    const feeLimitSun = choices.of([1_000n, 1_000n, 5n]) * COIN;
    return composed(host, () => people.send(ContractType.TriggerSmartContract, fields, { feeLimitSun }));
  }
  const [operation] = fc.sample(sending, { seed: choices.below(2 ** 31), numRuns: 1 });
  return composed(host, () => send(people, operation as never));
}

/** The preview of a transaction is its explanation, once it is in the next block. */
const previewed: User = async (host) => {
  const { world, asker } = host;
  const transaction = await anySent(host);
  if (transaction === undefined || !isAlone(host)) return;
  const told = await preview(host, transaction);
  if (told === undefined || !isAlone(host)) return;
  const beforehand = resultOf<Preview>(told);
  const refusal = /the transaction would be refused/.test(told);
  if (beforehand === undefined && !refusal) return;
  if (beforehand !== undefined) burnsAgree(transaction, beforehand);
  const isSent = await sentNow(host, transaction);
  if (isSent === undefined) return;
  if (isSent === refusal)
    throw wrong(transaction, `previewed as ${told.slice(0, 300)}, it was ${isSent ? '' : 'not '}accepted`);
  if (beforehand === undefined) return;
  const answer = await asker.get(`/sunup/explain?txid=${transaction.txId}`);
  const info = await asker.post('/wallet/gettransactioninfobyid', { value: transaction.txId, visible: true });
  if (!answer?.startsWith('200 ') || !info?.startsWith('200 {') || !world.isRunning) return;
  const afterwards = JSON.parse(answer.slice(4)) as Preview;
  // The machine's clock may have gone on between.
  if (world.shape.byClock && afterwards.block.timestampMs !== beforehand.block.timestampMs) return;
  const receipt = JSON.parse(info.slice(4)) as Members;
  for (const part of ['charges', 'outcome', 'block', 'feeSun', 'energy', 'bandwidth'] as const)
    differ(transaction, part, beforehand[part], afterwards[part]);
  differ(transaction, 'receipt', beforehand.receipt, receipt);
};

/** Of an answer of `getaccount`. */
interface EnergyStakes {
  readonly frozenV2?: readonly { readonly type?: string; readonly amount?: number }[];
  readonly account_resource?: {
    readonly frozen_balance_for_energy?: { readonly frozen_balance?: number };
    readonly delegated_frozenV2_balance_for_energy?: number;
    readonly acquired_delegated_frozenV2_balance_for_energy?: number;
    readonly acquired_delegated_frozen_balance_for_energy?: number;
  };
}

/** Stake 2.0 with what is lent of it, and what counts beside it; sun. */
function energyStakesOf({ frozenV2 = [], account_resource: energy = {} }: EnergyStakes) {
  const free = BigInt(frozenV2.find(({ type }) => type === 'ENERGY')?.amount ?? 0);
  const lent = BigInt(energy.delegated_frozenV2_balance_for_energy ?? 0);
  const beside = [
    energy.frozen_balance_for_energy?.frozen_balance,
    energy.acquired_delegated_frozenV2_balance_for_energy,
    energy.acquired_delegated_frozen_balance_for_energy,
  ].reduce((sum, sun) => sum + BigInt(sun ?? 0), 0n);
  return { staked: free + lent, lent, beside };
}

const previewedWithStakes: User = async (host) => {
  for (let left = STAKES; left > 0 && isAlone(host); left--) await previewedWithAStake(host);
};

/** A preview with another stake: the sum of all stakes is another one, too. */
const previewedWithAStake: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  const owner = people.address(choices.below(6));
  const called = people.notebook ?? people.programs.at(-1);
  if (called === undefined || !isAlone(host)) return;
  const account = await asker.post('/wallet/getaccount', { address: owner });
  const resources = await asker.post('/wallet/getaccountresource', { address: owner });
  if (account?.startsWith('200 {') !== true || account.includes('"Error"')) return;
  const { staked, lent, beside } = energyStakesOf(JSON.parse(account.slice(4)));
  // Less than it is, or mostly more; of a part of a TRX, a call has no Energy.
  const most = choices.of([Number(staked / COIN) || 1, 1_000_000]);
  const sun = BigInt(1 + choices.below(most)) * COIN + choices.of([0n, 1n, 500_000n, 999_999n]);
  const [total, weight = 0] = ['TotalEnergyLimit', 'TotalEnergyWeight'].map((name) => memberOf(resources, name));
  const call = { from: `0x${owner.slice(2)}`, to: `0x${called.slice(2)}`, data: `0x${word(0n)}${word(1n)}` };
  const coins = `${sun / COIN}.${String(sun % COIN).padStart(6, '0')} TRX`;
  const changes = { [`accounts.${toBase58(owner)}.stake.energy`]: coins };
  const answer = await asker.rpc('/tre', 'tron_preview', [call, { changes }]);
  const { energy } = resultOf<Preview>(answer) ?? {};
  if (energy === undefined || total === undefined || !isAlone(host)) return;
  const { stake } = energy.caller as { readonly stake: { readonly limit: Amount } };
  const limit = (((sun - lent + beside) / COIN) * BigInt(total)) / (BigInt(weight) - staked / COIN + sun / COIN);
  // Before a proposal, the share is calculated in doubles.
  const difference = BigInt(stake.limit) - limit;
  if (difference > 1n || difference < -1n)
    throw new Violation(
      NAME,
      `with a stake of ${coins}, ${staked} sun before, ${lent} lent, ${beside} beside it, of ${weight} TRX of all, a preview has ${stake.limit} Energy; ${total} are shared, so it would be ${limit}`,
    );
};

/** What all interfaces estimate for a call whose way does not depend on its Energy. */
const estimated: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  const { notebook } = people;
  const owner = people.address(choices.below(6));
  if (notebook === undefined || !isAlone(host)) return;
  const data = word(BigInt(choices.below(3) * 10)) + word(BigInt(choices.below(2) * choices.below(1_000)));
  const call = { owner_address: owner, contract_address: notebook, data };
  const constant = await asker.post('/wallet/triggerconstantcontract', call);
  const estimate = await asker.post('/wallet/estimateenergy', call);
  const energy = memberOf(constant, 'energy_used');
  const required = memberOf(estimate, 'energy_required');
  const parameters = await asker.post('/wallet/getchainparameters', {});
  const price = Number(/"getEnergyFee",\s*"value": ?(\d+)/.exec(parameters ?? '')?.[1] ?? 0);
  if (energy === undefined || required === undefined || price === 0 || !isAlone(host)) return;
  const coinOfEnergy = Math.ceil(Number(COIN) / price);
  if (required < energy || required > energy + coinOfEnergy)
    throw new Violation(NAME, `estimateenergy requires ${required} for ${data}; a constant call uses ${energy}`);
  const asEthereum = { from: `0x${owner.slice(2)}`, to: `0x${notebook.slice(2)}`, data: `0x${data}` };
  for (const dialect of DIALECTS) {
    const gas = resultOf<string>(await asker.rpc(dialect, 'eth_estimateGas', [asEthereum]));
    // On `/eth` bytes are gas, too.
    const most = dialect === '/eth' ? Number.POSITIVE_INFINITY : energy + coinOfEnergy;
    if (gas !== undefined && isAlone(host) && (Number(gas) < energy || Number(gas) > most))
      throw new Violation(
        NAME,
        `eth_estimateGas on ${dialect} is ${Number(gas)} for ${data}; a constant call uses ${energy}`,
      );
  }
  if (choices.chance(0.3)) await sentWithGas(host, owner, asEthereum);
  else await sentWithLimit(host, call, energy);
};

function memberOf(answer: Answer, member: string): number | undefined {
  const found = new RegExp(`"${member}": ?(\\d+)`).exec(answer ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** With the fee limit that suffices it succeeds and uses what was estimated; one sun less is too little. */
async function sentWithLimit(host: Host, fields: Members, energy: number): Promise<void> {
  const { people, asker } = host;
  const withLimit = (feeLimitSun: bigint) =>
    composed(host, () => people.send(ContractType.TriggerSmartContract, fields, { feeLimitSun }));
  const first = await withLimit(SUM_OF_TRX);
  const answer = first && resultOf<Preview>(await preview(host, first, { higherFactors: true }));
  const limits = answer?.limits?.now;
  if (answer?.limits !== undefined && isAlone(host))
    higherFactorsAgree(host.world.ledger, `a call of ${first?.txId}`, answer.limits);
  if (limits === undefined || limits.result !== 'SUCCESS' || BigInt(limits.missingSun) > 0n || !isAlone(host)) return;
  const enough = BigInt(limits.feeLimitSun);
  const [less, exact] = [await withLimit(enough - 1n), await withLimit(enough)];
  if (exact === undefined || less === undefined || !isAlone(host)) return;
  const outcome = enough === 0n ? undefined : resultOf<Preview>(await preview(host, less))?.outcome.result;
  if (outcome !== undefined && outcome !== 'OUT_OF_ENERGY' && isAlone(host))
    throw wrong(
      less,
      `a fee limit of ${enough} sun is said to be the smallest one; with one sun less it ends in ${outcome}`,
    );
  if ((await sentNow(host, exact)) !== true) return;
  const info = await asker.post('/wallet/gettransactioninfobyid', { value: exact.txId });
  if (!info?.startsWith('200 {')) return;
  const used = memberOf(info, 'energy_usage_total');
  if (!/"result": ?"SUCCESS"/.test(info) || used !== energy)
    throw wrong(exact, `with the fee limit ${enough} and an estimate of ${energy} its receipt is ${info}`);
}

/** A wallet of Ethereum sends with the gas that it is told. */
async function sentWithGas(
  { world, people, asker }: Host,
  owner: Address,
  call: { readonly to: string; readonly data: string },
) {
  const wallet = new Wallet(`0x${people.keyOf(owner)}`);
  const from = { ...call, from: wallet.address };
  const gas = resultOf<string>(await asker.rpc('/eth', 'eth_estimateGas', [from]));
  const nonce = resultOf<string>(await asker.rpc('/eth', 'eth_getTransactionCount', [wallet.address, 'pending']));
  const gasPrice = resultOf<string>(await asker.rpc('/eth', 'eth_gasPrice', []));
  if (gas === undefined || nonce === undefined || gasPrice === undefined || !world.isRunning) return;
  const signed = await wallet.signTransaction({
    ...call,
    nonce: Number(nonce),
    gasLimit: BigInt(gas),
    gasPrice: BigInt(gasPrice),
    chainId: BigInt(world.chainId),
  });
  const hash = resultOf<string>(await asker.rpc('/eth', 'eth_sendRawTransaction', [signed]));
  if (hash === undefined || world.diskFails) return;
  const answer = await asker.rpc('/eth', 'eth_getTransactionReceipt', [hash]);
  const receipt = resultOf<Readonly<Record<'status' | 'gasUsed' | 'effectiveGasPrice', string>> | null>(answer);
  if (!receipt) return;
  // The gas of a receipt has a price of its own: what is paid counts.
  const [paid, most] = [Number(receipt.gasUsed) * Number(receipt.effectiveGasPrice), Number(gas) * Number(gasPrice)];
  if (receipt.status !== '0x1' || paid > most)
    throw new Violation(
      NAME,
      `with the estimated gas ${Number(gas)}, ${hash} has the receipt ${JSON.stringify(receipt)}`,
    );
}

/** A call without a transaction gives the same wherever it is asked, also traced. */
const calledEverywhere: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (people.programs.length === 0) return;
  const owner = people.address(choices.below(6));
  const contract = choices.of(people.programs);
  const data = programCall(choices);
  const moment = () => `${world.headNumber} ${world.node.chain.headId} ${world.node.chain.pool.size}`;
  const asked = moment();
  const constant = await asker.post('/wallet/triggerconstantcontract', {
    ...{ owner_address: owner, contract_address: contract, data },
  });
  const answered = /"constant_result": ?\["([0-9a-f]*)"\]/.exec(constant ?? '')?.[1];
  if (answered === undefined) return;
  const isDone = !/"ret": ?"FAILED"/.test(constant ?? '');
  const call = { from: `0x${owner.slice(2)}`, to: `0x${contract.slice(2)}`, data: `0x${data}` };
  const dialect = choices.of(['/jsonrpc', '/tre'] as const);
  const result = await asker.rpc(dialect, 'eth_call', [call, 'latest']);
  const trace = await asker.rpc('/tre', 'debug_traceCall', [call, 'latest', { tracer: 'callTracer' }]);
  if (result === undefined || trace === undefined || moment() !== asked || world.diskFails) return;
  const output = resultOf<string>(result);
  const traced = resultOf<{ readonly output?: string; readonly gasUsed: string; readonly error?: string }>(trace);
  const energy = memberOf(constant, 'energy_used');
  const about = `a call of ${contract} with ${data} by ${owner}: /wallet ${constant?.slice(0, 500)}`;
  if (isDone !== (output !== undefined) || (isDone && output !== `0x${answered}`))
    throw new Violation(NAME, `${about}; ${dialect} ${result}`);
  if (traced === undefined) return;
  if (
    Number(traced.gasUsed) !== energy ||
    (traced.error === undefined) !== isDone ||
    (traced.output ?? '0x') !== `0x${answered}`
  )
    throw new Violation(NAME, `${about}; traced ${JSON.stringify(traced)}`);
};

export const askBeforehand: User = (host) =>
  host.world.choices.of([
    previewed,
    previewed,
    previewedWithStakes,
    previewedWithStakes,
    estimated,
    estimated,
    calledEverywhere,
  ])(host);
