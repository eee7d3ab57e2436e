/**
 * Queries of contracts about votes and stakes, 0x1000005–0x1000015 (protocol/precompiles.md#table), and the stake
 * extension of 0x100000b.
 *
 * For a wrong input length or a missing account they return zero words with success.
 */

import type { TvmFlags } from '../flags.js';
import type { Host, ResourceCode } from '../host.js';
import { freezeBalanceV2 } from '../opcodes/staking.js';
import { addressOfWord, MAX_LONG, saturatedLong, wordAt, wordToBytes } from '../words.js';
import { type Precompile, type PrecompileCall, priced } from './precompile.js';

/** The same as for opcode 0xda, which has the same effect. */
const STAKE_EXTENSION_ENERGY = 10_000;
const MIN_STAKE_SUN = 1_000_000n;
const SUN_PER_VOTE = 1_000_000n;

type Query = (host: Host, words: readonly bigint[]) => bigint | readonly bigint[];

function encode(values: readonly bigint[]): Uint8Array {
  const bytes = new Uint8Array(32 * values.length);
  for (const [i, value] of values.entries()) bytes.set(wordToBytes(BigInt.asUintN(64, value)), 32 * i);
  return bytes;
}

/** A query with `inputs` words of input and `outputs` words of output. */
function query(energy: number, inputs: number, outputs: number, ask: Query): Precompile {
  return priced(energy, ({ input, frame }) => {
    if (input.length !== 32 * inputs) return new Uint8Array(32 * outputs);
    const words = Array.from({ length: inputs }, (_, i) => wordAt(input, 32 * i));
    const answer = ask(frame.execution.host, words);
    return encode(typeof answer === 'bigint' ? [answer] : answer);
  });
}

/** 0 bandwidth, 1 Energy, 2 TRON power; undefined for higher words. */
function resource(word: bigint | undefined, last: ResourceCode): ResourceCode | undefined {
  return word !== undefined && word <= BigInt(last) ? (Number(word) as ResourceCode) : undefined;
}

/** A query by address and resource. */
function byResource(
  last: ResourceCode,
  ask: (host: Host, address: ReturnType<typeof addressOfWord>, resource: ResourceCode) => bigint,
): Precompile {
  return query(50, 2, 1, (host, [address, type]) => {
    const code = resource(type, last);
    return code === undefined ? 0n : ask(host, addressOfWord(address as bigint), code);
  });
}

const byAddress = (energy: number, ask: (host: Host, address: ReturnType<typeof addressOfWord>) => bigint) =>
  query(energy, 1, 1, (host, [address]) => ask(host, addressOfWord(address as bigint)));

/** Which part of a delegation could be taken back unused, which part is in use, and until when. */
function checkUndelegate(host: Host, [target, amountWord, type]: readonly bigint[]): readonly bigint[] {
  const code = resource(type, 1);
  const requested = saturatedLong(amountWord as bigint);
  if (code === undefined || requested <= 0n) return [0n, 0n, 0n];
  const address = addressOfWord(target as bigint);
  const limit = host.totalResource(address, code);
  const { usedSun, restoreSeconds } = host.resourceUsage(address, code);
  const amount = requested < limit ? requested : limit;
  if (limit <= usedSun) return [0n, amount, restoreSeconds];
  const clean = BigInt(Math.trunc(Number(amount) * (Number(limit - usedSun) / Number(limit))));
  return [clean, amount - clean, restoreSeconds];
}

const voteQueries: [number, Precompile][] = [
  [0x1000005, priced(500, ({ frame, caller }) => encode([frame.execution.host.rewardBalance(caller)]))],
  [0x1000006, byAddress(20, (host, address) => (host.isWitness(address) ? 1n : 0n))],
  [
    0x1000007,
    query(500, 2, 1, (host, [voter, witness]) =>
      host.votesFor(addressOfWord(voter as bigint), addressOfWord(witness as bigint)),
    ),
  ],
  [0x1000008, byAddress(20, (host, address) => host.votesCast(address))],
  [0x1000009, byAddress(20, (host, address) => host.votesReceived(address))],
  [0x100000a, byAddress(20, (host, address) => host.tronPower(address) / SUN_PER_VOTE)],
];

/**
 * Whether a call stakes instead of querying: a DELEGATECALL with exactly two words, amount and resource, that the
 * calling contract can afford. java-tron defines no meaning for such input (it returns a zero word for 50 Energy);
 * calls that would stake nothing still get that result.
 */
function isStake({ isDelegate, input, frame }: PrecompileCall): boolean {
  if (!isDelegate || input.length !== 64 || frame.isStatic || resource(wordAt(input, 32), 1) === undefined)
    return false;
  const amount = wordAt(input, 0);
  return amount >= MIN_STAKE_SUN && amount <= frame.execution.host.balance(frame.context);
}

/** GetChainParameter, and the stake extension. */
const chainParameter: Precompile = {
  energy: (call) => (isStake(call) ? STAKE_EXTENSION_ENERGY : 50),
  run(call) {
    const { frame, input } = call;
    if (isStake(call)) return encode([freezeBalanceV2(frame, wordAt(input, 0), wordAt(input, 32)) ? 1n : 0n]);
    if (input.length !== 32) return encode([0n]);
    return encode([frame.execution.host.chainParameter(saturatedLong(wordAt(input, 0)))]);
  },
};

const stakeQueries: [number, Precompile][] = [
  [0x100000b, chainParameter],
  [0x100000c, byAddress(50, (host, address) => host.availableUnfreezes(address))],
  [0x100000d, byResource(2, (host, address, code) => host.frozenBalanceV2(address, code))],
  [
    0x100000e,
    query(50, 2, 1, (host, [address, seconds]) => {
      const timeMs = saturatedLong(seconds as bigint) * 1000n;
      return host.expiringUnfreezes(addressOfWord(address as bigint), timeMs > MAX_LONG ? MAX_LONG : timeMs);
    }),
  ],
  [0x100000f, byResource(1, (host, address, code) => host.delegatableBalance(address, code))],
  [
    0x1000010,
    query(50, 3, 1, (host, [target, from, type]) => {
      const code = resource(type, 2);
      if (code === undefined) return 0n;
      const to = addressOfWord(target as bigint);
      const giver = addressOfWord(from as bigint);
      if (giver === to) return host.frozenBalanceV2(to, code);
      return code === 2 ? 0n : host.delegatedBalance(giver, to, code);
    }),
  ],
  [0x1000011, query(50, 3, 3, checkUndelegate)],
  [
    0x1000012,
    query(50, 2, 2, (host, [address, type]) => {
      const code = resource(type, 1);
      if (code === undefined) return [0n, 0n];
      const { usedSun, restoreSeconds } = host.resourceUsage(addressOfWord(address as bigint), code);
      return [usedSun, restoreSeconds];
    }),
  ],
  [0x1000013, byResource(1, (host, address, code) => host.totalResource(address, code))],
  [0x1000014, byResource(1, (host, address, code) => host.totalDelegated(address, code))],
  [0x1000015, byResource(1, (host, address, code) => host.totalAcquired(address, code))],
];

export function chainQueries(flags: TvmFlags): [number, Precompile][] {
  return [...(flags.vote ? voteQueries : []), ...(flags.freezeV2 ? stakeQueries : [])];
}
