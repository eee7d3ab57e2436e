/**
 * Programmers who use contracts through the library's handles: calls with and without a transaction, events and errors.
 * The contracts say what they are told (`speaker.ts`), so what a handle must show is known beforehand; ethers encodes it a
 * second time.
 */

import { EventFragment } from 'ethers';
import type { AbiEntry } from '../../../../src/contracts/abi.js';
import type { EmittedEvent, Estimate, Receipt } from '../../../../src/contracts/deployed-contract.js';
import { CallFailedError } from '../../../../src/contracts/failures.js';
import { signatureOf } from '../../../../src/contracts/fragments.js';
import { create2Address } from '../../../../src/contracts/predicted-addresses.js';
import { textOf } from './abi-values.js';
import { shownEventsAgree } from './shown-events.js';
import { asked, deployed, type Met, met, methodOf, require, samplesOf, written } from './speakers.js';
import type { Host, User } from './user.js';

/** A log that a contract was told to write. */
export interface Said {
  readonly by: Met;
  readonly event: AbiEntry;
  readonly values: readonly unknown[];
  readonly topics: readonly string[];
  readonly data: string;
}

const recordOf = ({ inputs = [] }: AbiEntry, values: readonly unknown[]): object =>
  Object.fromEntries(inputs.map(({ name }, i) => [name || i, values[i]]));

/** A function that returns its arguments. */
async function echo(host: Host, known: Met): Promise<void> {
  const { choices } = host.world;
  const { speaker, handle } = known;
  const entry = choices.of(speaker.echoes);
  const isAlone = speaker.echoes.filter(({ name }) => name === entry.name).length === 1;
  const name = isAlone && choices.chance(0.5) ? (entry.name as string) : signatureOf(entry);
  const { given, forEthers, shown } = samplesOf(host, entry);
  const result = shown.length > 1 ? shown : shown[0];
  const reads = /view|pure/.test(entry.stateMutability ?? '');
  const method = methodOf(handle, reads ? 'read' : 'simulate', name);
  const told = await asked(host, name, async () => ({ told: await method(given) }));
  if (told !== undefined) require(`${name} of ${textOf(given)}`, told.told, result);
  if (reads) return;
  const options = { from: host.people.text(choices.below(6)), callValue: choices.of([0, 0, 1, 1_000n]) };
  const estimate = (await asked(host, `estimate ${name}`, () => methodOf(handle, 'estimate', name)(given, options))) as
    | Estimate
    | undefined;
  // The smallest one that suffices.
  const feeLimit = estimate !== undefined && estimate.missingSun === 0n && choices.chance(0.5) && estimate.feeLimitSun;
  // Where the stake pays for all, it is 0, and no limit.
  const isLimited = typeof feeLimit === 'bigint' && feeLimit > 0n;
  const sent = await written(host, known, name, given, { ...options, ...(isLimited && { feeLimit }) });
  if (sent === undefined || !sent.receipt.succeeded) return;
  const { receipt, energyFeeSun, isAlone: isAsEstimated } = sent;
  const returned = speaker.ethers.encodeFunctionResult(signatureOf(entry), forEthers);
  require(`data of ${name}`, `0x${receipt.returnData}`, returned);
  if (estimate === undefined || !isAsEstimated) return;
  require(`Energy of ${name}`, receipt.energy, estimate.energy);
  require(`the fee for Energy of ${name}`, energyFeeSun, estimate.energyFeeSun);
}

/** What a contract shall log: one of its own events, with values. */
function toSay(host: Host, by: Met): Said {
  const event = host.world.choices.of(by.speaker.events);
  const { forEthers, shown } = samplesOf(host, event);
  const { topics, data } = by.speaker.ethers.encodeEventLog(EventFragment.from(event), forEthers);
  let topic = 1;
  const values = (event.inputs ?? []).map(({ type, indexed }, i) => {
    const word = indexed ? topics[topic++] : undefined;
    return indexed && /^(string|bytes)$/.test(type) ? word : shown[i];
  });
  return { by, event, values, topics, data };
}

function emitted({ by, event, values, topics, data }: Said): EmittedEvent {
  return {
    ...{ address: by.address, topics: topics.map((topic) => topic.slice(2)), data: data.slice(2) },
    ...{
      name: event.name,
      signature: signatureOf(event),
      args: recordOf(event, values) as EmittedEvent['args'],
      values,
    },
  };
}

/** Logs, of its own or of another one that it calls. */
async function say(host: Host, known: Met): Promise<void> {
  const { choices } = host.world;
  const other = choices.chance(0.3) ? await met(host) : undefined;
  const said = toSay(host, other ?? known);
  const name = `log${said.topics.length}`;
  const args = [...said.topics, said.data];
  const sent = await (other === undefined
    ? written(host, known, name, args)
    : written(host, known, 'relay', [other.address, other.speaker.ethers.encodeFunctionData(name, args)]));
  const receipt = sent?.receipt;
  if (!receipt?.succeeded || (other !== undefined && receipt.events.length === 0)) return;
  require(`events of ${receipt.txid}`, receipt.events, [emitted(said)]);
  await shownEventsAgree(host, receipt.txid, said);
}

/** An error, with and without a transaction. */
async function fail(host: Host, known: Met): Promise<void> {
  const { speaker, handle } = known;
  const error = host.world.choices.of(speaker.errors);
  const { forEthers, shown } = samplesOf(host, error);
  const data = speaker.ethers.encodeErrorResult(signatureOf(error), forEthers);
  const expected = { error: error.name, args: recordOf(error, shown), values: shown, data: data.slice(2) };
  const parts = (failure: Receipt['failure']) =>
    failure && { error: failure.error, args: failure.args, values: failure.values, data: failure.data };
  for (const way of ['simulate', 'estimate'] as const) {
    const failure = await asked(host, `${way} fail`, () =>
      methodOf(
        handle,
        way,
        'fail',
      )([data]).then(
        () => undefined,
        (refusal) => {
          if (refusal instanceof CallFailedError) return refusal.failure;
          throw refusal;
        },
      ),
    );
    if (failure !== undefined) require(`the error of ${way}`, parts(failure), expected);
  }
  const receipt = (await written(host, known, 'fail', [data]))?.receipt;
  if (receipt?.result === 'REVERT') require(`the error of ${receipt.txid}`, parts(receipt.failure), expected);
}

/** A contract that another one makes, and its address beforehand. */
async function make(host: Host, { handle, speaker }: Met): Promise<void> {
  const { choices } = host.world;
  const terms = { deployer: handle.address, salt: BigInt(choices.below(1_000)), initCode: speaker.creation };
  const simulated = await asked(host, 'make', () => methodOf(handle, 'simulate', 'make')([terms.salt, terms.initCode]));
  if (simulated !== undefined) require('the address of CREATE2', simulated, create2Address(terms).address);
}

export const useHandles: User = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  if (!world.isQuiet) return;
  if (world.node.chain.pool.size > 0) await host.asker.rpc('/tre', 'evm_mine', []);
  if (!world.isQuiet || world.node.chain.pool.size > 0) return;
  for (let missing = 2 - people.speakers.length + Number(choices.chance(0.2)); missing > 0; missing--)
    if (world.isQuiet) await deployed(host);
  for (let count = 2 + choices.below(3); count > 0 && world.isQuiet && people.speakers.length > 0; count--) {
    const known = await met(host);
    if (known !== undefined) await choices.of([echo, say, say, say, fail, make])(host, known);
  }
};
