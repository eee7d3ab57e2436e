/**
 * A token whose name is in its storage. Its transfers are listed with its name; somebody takes the chain back, gives it
 * another name, and sends again: the list has the name of now.
 */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN, callData, eventTopic } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { resultOf } from './asker.js';
import { bytesIn, OP, push, pushPlace } from './assembler.js';
import { revertedTo, snapshotTaken } from './developers.js';
import { asked, hexOf } from './instruments.js';
import { placed, RENAMED } from './places.js';
import { sentAlone } from './promises.js';
import type { Host, User } from './user.js';

const TRANSFER = eventTopic('Transfer(address,address,uint256)');
const NAMES = [
  ['One', 'Two'],
  ['Two', 'Six'],
] as const;
const NAME_LENGTH = 3;

/** The storage's first word as a text. */
const TELL = [
  ...[push(32), push(0), OP.MSTORE, push(NAME_LENGTH), push(32), OP.MSTORE],
  ...[push(0), OP.SLOAD, push(64), OP.MSTORE, push(96), push(0), OP.RETURN],
].join('');
const SEND = [
  ...[push(36), OP.CALLDATALOAD, push(0), OP.MSTORE],
  ...[push(4), OP.CALLDATALOAD, OP.CALLER, push({ hex: TRANSFER }), push(32), push(0), OP.LOG3],
].join('');
const hasArguments = (to: number) => OP.CALLDATASIZE + push(4) + OP.LT + pushPlace(to) + OP.JUMPI;
const CODE = hasArguments(bytesIn(hasArguments(0) + TELL)) + TELL + OP.JUMPDEST + SEND + OP.STOP;

async function named(host: Host, token: Address, name: string): Promise<boolean> {
  const word = Buffer.from(name).toString('hex').padEnd(64, '0');
  return resultOf(await asked(host, 'tron_setStorageAt', hexOf(token), '0x0', `0x${word}`)) !== undefined;
}

/** @returns the name that the newest transfer is listed with; undefined: it was not sent, or is not told */
async function listedName(host: Host, token: Address, amount: bigint): Promise<string | undefined> {
  const { people, asker } = host;
  const owner_address = people.address(0);
  const data = callData('transfer(address,uint256)', people.address(1), amount);
  const fields = { owner_address, contract_address: token, data };
  if ((await sentAlone(host, ContractType.TriggerSmartContract, fields, 1_000n * COIN)) === undefined) return undefined;
  const path = `/v1/accounts/${toBase58(owner_address)}/transactions/trc20?limit=1&contract_address=${toBase58(token)}`;
  const answer = await asker.get(path);
  if (answer?.startsWith('200 ') !== true) return undefined;
  const { data: items } = JSON.parse(answer.slice(4)) as {
    readonly data: readonly { readonly value: string; readonly token_info: { readonly name?: string } }[];
  };
  const [newest] = items;
  return newest?.value === String(amount) ? newest.token_info.name : undefined;
}

export const renameAToken: User = async (host) => {
  const { world } = host;
  const { choices } = world;
  if (!world.isQuiet || world.shape.isFork || world.withoutHistory || world.node.chain.pool.size > 0) return;
  const [first, second] = choices.of(NAMES);
  // The name of a token is read once, while the chain has the block of then.
  const { codes } = world.ledger.state.tables;
  const token = RENAMED.find((address) => !codes.has(address));
  if (token === undefined || !(await placed(host, { [token]: CODE }))) return;
  const height = world.headNumber;
  const id = await snapshotTaken(host);
  if (id === undefined || !(await named(host, token, first))) return;
  const amount = BigInt(choices.below(1_000_000));
  await listedName(host, token, amount);
  if (!world.isQuiet || !(await revertedTo(host, id, height)) || !(await named(host, token, second))) return;
  const shown = await listedName(host, token, amount + 1n);
  if (shown === undefined || !world.isQuiet || shown === second) return;
  throw new Violation('an answer is the same on all interfaces', `a token named ${second} is listed as ${shown}`);
};
