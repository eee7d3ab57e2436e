/** Contracts that say what they are told, on the chain: their deployment through the library, their handles, calls of them. */

// Loaded before the first world: how long that takes is the machine's affair.
import 'tronweb';
import type { AbiEntry } from '../../../../src/contracts/abi.js';
import type { DeployedContract, Receipt, WriteOptions } from '../../../../src/contracts/deployed-contract.js';
import { TransactionRefusedError } from '../../../../src/contracts/failures.js';
import { deployedAddress } from '../../../../src/contracts/predicted-addresses.js';
import type { Devnet } from '../../../../src/devnet/devnet.js';
import { operationsAfter } from '../../../../src/ledger/operations/operation.js';
import type { InvariantName } from '../invariants/invariants.js';
import { Violation } from '../run/violation.js';
import { allOf, type Sample, sampleOf, textOf } from './abi-values.js';
import { resultOf } from './asker.js';
import { type Speaker, speakerOf } from './speaker.js';
import type { Host } from './user.js';

const MOST = 4;
/** The network of a fork does not answer, or is another one. */
const OUT_OF_REACH = /^The fork could not read /;

/** A deployed speaker. */
export interface Met {
  readonly speaker: Speaker;
  readonly address: string;
  /** The handle belongs to a process. */
  readonly of: Devnet;
  readonly handle: DeployedContract;
}

/** @returns undefined if that cannot be known: the process has ended, the node refuses the transaction */
export async function asked<Value>(host: Host, what: string, work: () => Promise<Value>): Promise<Value | undefined> {
  const { world, asker } = host;
  let value: Value | undefined;
  let isDone = false;
  const answer = asker
    .library(what, async () => {
      try {
        value = await work();
      } catch (error) {
        if (!(error instanceof TransactionRefusedError) && !OUT_OF_REACH.test((error as Error).message)) throw error;
      }
      return textOf(value ?? null);
    })
    .finally(() => {
      isDone = true;
    });
  // It may be refused while its block is made.
  answer.catch(() => {});
  // What is pending waits for its block.
  while (!isDone && world.isRunning && world.miningMode === 'manual') {
    await world.quiet();
    if (!isDone && world.isRunning && world.node.chain.pool.size > 0) await asker.rpc('/tre', 'evm_mine', []);
  }
  await answer;
  return world.isQuiet ? value : undefined;
}

export function require(
  what: string,
  shown: unknown,
  expected: unknown,
  invariant: InvariantName = 'a handle shows what its contract says',
): void {
  if (textOf(shown) !== textOf(expected))
    throw new Violation(invariant, `${what} is ${textOf(shown)}, and should be ${textOf(expected)}`);
}

export const samplesOf = (
  { world }: Host,
  { inputs = [] }: AbiEntry,
): Sample & Readonly<Record<keyof Sample, unknown[]>> =>
  allOf(
    inputs.map((input) => sampleOf(world.choices, input)),
    (values) => values,
  ) as Sample & Readonly<Record<keyof Sample, unknown[]>>;

export async function deployed(host: Host): Promise<void> {
  const { world, people, asker } = host;
  const { choices, devnet } = world;
  const speaker = speakerOf(choices);
  const { abi, constructorInputs, creation, ethers } = speaker;
  const args = samplesOf(host, { type: 'constructor', inputs: constructorInputs });
  const options = {
    from: people.text(choices.below(6)),
    userFeePercent: choices.below(101),
    originEnergyLimit: 70_000,
  };
  const artifact = { abi, bytecode: creation, contractName: 'Speaker' };
  const handle = await asked(host, 'deploy', () => deployedOrPoor(devnet, artifact, { ...options, args: args.given }));
  const receipt = handle?.deployment;
  if (handle === undefined || receipt === undefined) return;
  const value = { value: handle.addressHex };
  const contract = await asker.post('/wallet/getcontract', value);
  const transaction = await asker.post('/wallet/gettransactionbyid', { value: receipt.txid });
  if (!contract?.startsWith('200 {"') || !transaction?.startsWith('200 {"') || !world.isQuiet) return;
  const shown = JSON.parse(contract.slice(4)) as Readonly<Record<string, unknown>>;
  require('what the deployer does not pay', shown.consume_user_resource_percent ?? 0, options.userFeePercent);
  require("the deployer's limit", shown.origin_energy_limit, options.originEnergyLimit);
  const bytecode = creation + ethers.encodeDeploy(args.forEthers).slice(2);
  require('code with arguments', /"bytecode": ?"(\w*)"/.exec(transaction)?.[1], bytecode);
  require('the address', handle.address, deployedAddress({ txid: receipt.txid, owner: receipt.from }).address);
  people.speakers.push({ speaker, address: handle.address, of: devnet, handle });
  if (people.speakers.length > MOST) people.speakers.shift();
}

type Deploy = Devnet['deploy'];

/** Undefined: it ended otherwise than by itself, such as by a lack of Energy. */
async function deployedOrPoor(devnet: Devnet, ...given: Parameters<Deploy>): Promise<DeployedContract | undefined> {
  try {
    return (await devnet.deploy(...given)) as DeployedContract;
  } catch (error) {
    const { receipt } = error as { readonly receipt?: Receipt };
    if (receipt === undefined || receipt.result === 'REVERT') throw error;
    return undefined;
  }
}

/** The handle of a known speaker, if the chain still has it. */
export async function met(host: Host): Promise<Met | undefined> {
  const { world, people, asker } = host;
  const { choices, devnet } = world;
  const known = choices.of(people.speakers);
  const address = `0x${known.handle.addressHex.slice(2)}`;
  const code = resultOf<string>(await asker.rpc('/eth', 'eth_getCode', [address, 'latest']));
  if (code !== `0x${known.speaker.runtime}`) {
    people.speakers.splice(people.speakers.indexOf(known), 1);
    return undefined;
  }
  const { abi } = known.speaker;
  // The chain has no components of tuples.
  const sources = /tuple/.test(textOf(abi)) ? [abi] : [abi, undefined];
  if (known.of === devnet && choices.chance(0.7)) return known;
  const handle = await asked(host, 'contractAt', () => devnet.contractAt(choices.of(sources), known.address));
  return handle && { ...known, of: devnet, handle: handle as DeployedContract };
}

type Way = 'read' | 'simulate' | 'write' | 'estimate';
type Method = (args: readonly unknown[], options?: object) => Promise<unknown>;

export const methodOf = (handle: DeployedContract, way: Way, name: string): Method =>
  (handle[way] as Readonly<Record<string, Method>>)[name] as Method;

/** A receipt, and whether nothing else happened to the chain since the call was made. */
export interface Written {
  readonly receipt: Receipt;
  readonly energyFeeSun: bigint;
  readonly isAlone: boolean;
}

/** Sends a call. @returns undefined if it ended otherwise than by itself, such as by a lack of Energy */
export async function written(
  host: Host,
  { handle, address }: Met,
  name: string,
  args: readonly unknown[],
  given: Omit<WriteOptions, 'allowFailure'> = {},
): Promise<Written | undefined> {
  const { world, people, asker } = host;
  const { from = people.text(world.choices.below(6)), callValue = 0 } = given;
  const write = methodOf(handle, 'write', name);
  const { headNumber } = world;
  const options = { ...given, from, allowFailure: true };
  const receipt = (await asked(host, `write ${name}`, () => write(args, options))) as Receipt | undefined;
  if (receipt === undefined || (receipt.result !== 'SUCCESS' && receipt.result !== 'REVERT')) return undefined;
  const answer = await asker.post('/wallet/gettransactioninfobyid', { value: receipt.txid });
  if (!answer?.startsWith('200 {"') || !world.isQuiet) return undefined;
  const info = JSON.parse(answer.slice(4)) as Readonly<Record<string, unknown>>;
  const { energy_usage_total: energy = 0, energy_fee = 0 } = info.receipt as Readonly<Record<string, number>>;
  const energyFeeSun = BigInt(energy_fee);
  require('fee', receipt.feeSun, BigInt((info.fee ?? 0) as number));
  require('Energy', receipt.energy, BigInt(energy));
  require('sender', receipt.from, from);
  require('contract', receipt.contractAddress, address);
  require('block', receipt.blockNumber, info.blockNumber);
  const later = await asked(host, 'receipt', () => world.devnet.receipt(receipt.txid));
  if (later !== undefined) require('the receipt, asked later,', later, receipt);
  const isNext = receipt.blockNumber === headNumber + 1 && operationsAfter(world.ledger, headNumber) === 0;
  const block = isNext && (await asker.post('/wallet/gettransactioncountbyblocknum', { num: receipt.blockNumber }));
  const isAlone = block && /"count": ?1\b/.test(block) && world.headNumber === receipt.blockNumber;
  if (!isAlone) return { receipt, energyFeeSun, isAlone: false };
  const change = await asked(host, 'balanceChange', () => receipt.balanceChange(from));
  const paid = receipt.feeSun + (receipt.succeeded ? BigInt(callValue) : 0n);
  if (change !== undefined) require('change of the balance', change, -paid);
  return { receipt, energyFeeSun, isAlone };
}
