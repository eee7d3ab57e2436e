/**
 * Loops around one precompiled contract each, against anvil (`compared-programs.ts`). TRON's own contracts for
 * signatures stand beside as many recoveries by 0x01; the first call of the curves is that of a new process.
 */

import { createHash } from 'node:crypto';
import { bn254 } from '@noble/curves/bn254.js';
import { secp256k1 } from '../../src/protocol/secp256k1.js';
import { type Bench, median } from './bench.js';
import { comparePrograms, type Program, type ProgramCommand, startProgramCommand } from './compared-programs.js';
import { compiledContract } from './contract-source.js';

const COMPATIBLE_EVM = ['--param', 'getAllowTvmCompatibleEvm=1'];
const CALLS = 11;

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

/** The seed is the first argument. */
const program = (name: string, method: string, ...rest: number[]): Program => ({
  name,
  method,
  args: (seed) => [seed, ...rest].map(BigInt),
});

/** A contract that takes an address first, since TRON has Ethereum's contract at another. */
const at = (tron: number, ethereum: number, { name, method, args }: Program): Program => ({
  name,
  method,
  args: (seed) => [address(tron), ...args(seed)],
  onAnvil: (seed) => [address(ethereum), ...args(seed)],
});

/** Ten checks; `known` points of the second group are the same in all of them, the others are new in each. */
const pairings = (name: string, pairs: number, known = 0, checks = 10): Program => ({
  name,
  method: 'pairings',
  args(seed) {
    const points = Array.from({ length: pairs * checks }, (_, i) => {
      const factor = i % pairs < known ? 2 + (i % pairs) : 100 + seed * pairs * checks + i;
      const { x, y } = bn254.G2.Point.BASE.multiply(BigInt(factor)).toAffine();
      return [x.c1, x.c0, y.c1, y.c0];
    });
    return [BigInt(seed), points, BigInt(pairs)];
  },
});

const PROGRAMS: readonly Program[] = [
  program('5,000 sha256 of 64 bytes', 'sha', 5_000),
  at(0x02, 0x02, program('1,000 sha256 of 4,096 bytes', 'bytesTo', 4_096, 1_000)),
  at(0x20003, 0x03, program('1,000 ripemd160 of 64 bytes', 'bytesTo', 64, 1_000)),
  at(0x20003, 0x03, program('200 ripemd160 of 4,096 bytes', 'bytesTo', 4_096, 200)),
  at(0x04, 0x04, program('5,000 identity of 64 bytes', 'bytesTo', 64, 5_000)),
  at(0x04, 0x04, program('1,000 identity of 4,096 bytes', 'bytesTo', 4_096, 1_000)),
  at(0x20009, 0x09, program('1,000 blake2f of 12 rounds', 'compress', 12, 1_000)),
  at(0x20009, 0x09, program('10 blake2f of 10,000 rounds', 'compress', 10_000, 10)),
  program('500 modexp of 32 bytes', 'power', 32, 500),
  program('20 modexp of 128 bytes', 'power', 128, 20),
  program('10 modexp of 256 bytes', 'power', 256, 10),
  program('200 ecrecover', 'recover', 200),
  program('100 ecAdd (bn254)', 'curveAdd', 100),
  program('1,000 ecAdd (bn254)', 'curveAdd', 1_000),
  program('100 ecMul (bn254)', 'curveMul', 100),
  pairings('10 pairings of two pairs (bn254)', 2),
  pairings('10 pairings of four pairs (bn254)', 4),
  pairings('10 pairings of four pairs, three with points of a key (bn254)', 4, 3),
];

const FIRST_OF_A_PROCESS: readonly Program[] = [
  program('the first ecAdd of a process', 'curveAdd', 1),
  program('the first ecMul of a process', 'curveMul', 1),
  pairings('the first pairing of a process', 2, 0, 1),
];

export const bench: Bench = {
  about: 'precompiled contracts in loops, as eth_call, against anvil',

  async *measure(progress) {
    const compiled = compiledContract('Precompiles');
    const ours = await startProgramCommand(compiled, COMPATIBLE_EVM);
    yield* comparePrograms(compiled, PROGRAMS, ours, progress);

    const batch = await medianOf(ours, program('', 'batch', 16, 20));
    yield {
      name: '20 batchvalidatesign of 16 signatures',
      value: batch,
      unit: 'ms',
      reference: { name: '320 ecrecover', value: await medianOf(ours, program('', 'recover', 320)) },
    };
    yield {
      name: '50 validatemultisign of one signature',
      value: await medianOf(ours, multiSignature(ours)),
      unit: 'ms',
      reference: { name: '50 ecrecover', value: await medianOf(ours, program('', 'recover', 50)) },
    };
    await ours.command.stop();

    for (const { name, method, args } of FIRST_OF_A_PROCESS) {
      progress(name);
      const { command, call } = await startProgramCommand(compiled);
      // What else of the command runs for the first time is not the question.
      await call('sha', [1n, 100n]);
      const first = await call(method, args(1));
      yield {
        name,
        value: first,
        unit: 'ms',
        reference: { name: 'the second', value: await call(method, args(2)) },
      };
      await command.stop();
    }
  },
};

async function medianOf(node: ProgramCommand, { method, args }: Program): Promise<number> {
  await node.call(method, args(1));
  const times: number[] = [];
  for (let seed = 100; seed < 100 + CALLS; seed++) times.push(await node.call(method, args(seed)));
  return median(times);
}

/** Signed by the owner of the first account: permission 0. */
function multiSignature({ command }: ProgramCommand): Program {
  const [signer] = command.accounts;
  if (signer === undefined) throw new Error('the command has funded no account');
  const { addressHex, privateKey } = signer;
  const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  return {
    name: '',
    method: 'multi',
    args(seed) {
      const contents = Array.from({ length: 50 }, (_, i) => sha256(Buffer.from(`${seed} ${i}`)));
      const signatures = contents.map((content) => {
        const digest = sha256(Buffer.from(addressHex, 'hex'), Buffer.alloc(4), content);
        const { rs, recoveryId } = secp256k1().sign(digest, Buffer.from(privateKey, 'hex'));
        return `0x${Buffer.from(rs).toString('hex')}${(27 + recoveryId).toString(16)}`;
      });
      return [`0x${addressHex.slice(2)}`, contents.map((content) => `0x${content.toString('hex')}`), signatures];
    },
  };
}
