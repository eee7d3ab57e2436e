/** Opcodes that read the program, its message, other accounts and the block: 0x20, 0x30–0x4a. */

import type { Address } from '../../primitives/ids.js';
import { analysisOf } from '../code-analysis.js';
import { copyCost, hashCost, memoryGrowth, rangeEnd } from '../energy-cost.js';
import { illegalReturnDataCopy } from '../errors.js';
import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import { keccakWord } from '../keccak.js';
import { addressOfWord, MAX_INT, saturatedInt, wordAt, wordOfAddress, wordToHex } from '../words.js';
import { type Operation, operation } from './operation.js';

const KECCAK_BASE = 30;
const EXTERNAL = 20;

/** keccak256 of empty bytes: the code hash of an account without code. */
const EMPTY_HASH = 0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470n;

const push = (value: (frame: Frame) => bigint) => (frame: Frame) => frame.push(value(frame));

/** Copies bytes, with zeros beyond their end; operands: memory offset, source offset, length. */
function copyToMemory(frame: Frame, source: Uint8Array): void {
  const to = frame.pop();
  const from = frame.pop();
  const length = frame.pop();
  if (length !== 0n) frame.memory.write(Number(to), source, saturatedInt(from), Number(length));
}

function copyEnergy(name: string, offsetAt: number, lengthAt: number, base: number) {
  return (frame: Frame): number => {
    const length = frame.peek(lengthAt);
    const growth = memoryGrowth(frame.memory, rangeEnd(frame.peek(offsetAt), length), name);
    return base + growth + copyCost(length);
  };
}

function sha3(frame: Frame): void {
  const offset = frame.pop();
  const length = frame.peek(0);
  frame.poke(0, length === 0n ? EMPTY_HASH : keccakWord(frame.memory.view(Number(offset), Number(length))));
}

function returnDataCopy(frame: Frame): void {
  const to = frame.pop();
  const from = frame.pop();
  const length = frame.pop();
  const available = frame.returnData.length;
  if (saturatedInt(from) + saturatedInt(length) > available) {
    throw illegalReturnDataCopy(wordToHex(from), wordToHex(length), available);
  }
  if (length !== 0n) frame.memory.write(Number(to), frame.returnData, Number(from), Number(length));
}

/** The program of another contract. */
function externalCode(frame: Frame, word: bigint, operation: string): Uint8Array {
  const { execution } = frame;
  const address = addressOfWord(word);
  const code = execution.host.code(address);
  execution.spendCode(address, code, operation);
  return code;
}

/** keccak256("") for an account without code, also during its construction; 0 only for a missing account. */
function externalCodeHash(frame: Frame): void {
  const { host } = frame.execution;
  const address = addressOfWord(frame.peek(0));
  frame.execution.spendAccount(address, 'EXTCODEHASH');
  if (!host.accountExists(address)) {
    frame.poke(0, 0n);
    return;
  }
  const code = externalCode(frame, frame.peek(0), 'EXTCODEHASH');
  const hash = code.length === 0 ? EMPTY_HASH : analysisOf(code).hash;
  host.storeCodeHash(address, wordToHex(hash));
  frame.poke(0, hash);
}

function blockHash(frame: Frame): void {
  const { block, host } = frame.execution;
  const index = saturatedInt(frame.peek(0));
  const inWindow = index < block.number && index >= Math.max(256, block.number) - 256;
  const id = inWindow ? host.blockId(index) : undefined;
  frame.poke(0, id === undefined ? 0n : BigInt(`0x${id}`));
}

/** All 21 bytes: the producer of COINBASE, and ADDRESS and ORIGIN before the multi-signature flag. */
const longWord = (address: Address): bigint => BigInt(`0x${address}`);

export function environment(flags: TvmFlags): Operation[] {
  const wide = flags.multiSign ? wordOfAddress : longWord;
  const shortChainId = flags.optimizedChainId || flags.compatibleEvm;
  const rows = [
    operation(
      0x20,
      'SHA3',
      2,
      1,
      (frame) => {
        const length = frame.peek(1);
        const growth = memoryGrowth(frame.memory, rangeEnd(frame.peek(0), length), 'SHA3');
        return growth + hashCost(length);
      },
      sha3,
      KECCAK_BASE,
    ),
    operation(
      0x30,
      'ADDRESS',
      0,
      1,
      2,
      push((frame) => frame.ownWord),
    ),
    operation(0x31, 'BALANCE', 1, 1, EXTERNAL, (frame) => {
      const address = addressOfWord(frame.peek(0));
      frame.execution.spendAccount(address, 'BALANCE');
      frame.poke(0, BigInt.asUintN(64, frame.execution.host.balance(address)));
    }),
    operation(
      0x32,
      'ORIGIN',
      0,
      1,
      2,
      push((frame) => wide(frame.execution.origin)),
    ),
    operation(
      0x33,
      'CALLER',
      0,
      1,
      2,
      push((frame) => frame.caller),
    ),
    operation(
      0x34,
      'CALLVALUE',
      0,
      1,
      2,
      push((frame) => frame.callValue),
    ),
    operation(0x35, 'CALLDATALOAD', 1, 1, 3, (frame) => {
      const at = frame.peek(0);
      frame.poke(0, at > BigInt(MAX_INT) ? 0n : wordAt(frame.input, Number(at)));
    }),
    operation(
      0x36,
      'CALLDATASIZE',
      0,
      1,
      2,
      push((frame) => BigInt(frame.input.length)),
    ),
    operation(0x37, 'CALLDATACOPY', 3, 0, copyEnergy('CALLDATACOPY', 0, 2, 0), (f) => copyToMemory(f, f.input)),
    operation(
      0x38,
      'CODESIZE',
      0,
      1,
      2,
      push((frame) => BigInt(frame.code.length)),
    ),
    operation(0x39, 'CODECOPY', 3, 0, copyEnergy('CODECOPY', 0, 2, 0), (frame) => copyToMemory(frame, frame.code)),
    operation(
      0x3a,
      'GASPRICE',
      0,
      1,
      2,
      push((f) => (flags.compatibleEvm && f.contractVersion === 1 ? f.execution.block.energyPriceSun : 0n)),
    ),
    operation(0x3b, 'EXTCODESIZE', 1, 1, EXTERNAL, (frame) => {
      frame.poke(0, BigInt(externalCode(frame, frame.peek(0), 'EXTCODESIZE').length));
    }),
    operation(0x3c, 'EXTCODECOPY', 4, 0, copyEnergy('EXTCODECOPY', 1, 3, EXTERNAL), (frame) =>
      copyToMemory(frame, externalCode(frame, frame.pop(), 'EXTCODECOPY')),
    ),
    operation(
      0x3d,
      'RETURNDATASIZE',
      0,
      1,
      2,
      push((frame) => BigInt(frame.returnData.length)),
    ),
    operation(0x3e, 'RETURNDATACOPY', 3, 0, copyEnergy('RETURNDATACOPY', 0, 2, 0), returnDataCopy),
    operation(0x40, 'BLOCKHASH', 1, 1, 20, blockHash),
    operation(
      0x41,
      'COINBASE',
      0,
      1,
      2,
      push(({ execution }) => (execution.block.producer === undefined ? 0n : longWord(execution.block.producer))),
    ),
    operation(
      0x42,
      'TIMESTAMP',
      0,
      1,
      2,
      push((frame) => frame.execution.block.timestampMs / 1000n),
    ),
    operation(
      0x43,
      'NUMBER',
      0,
      1,
      2,
      push((frame) => BigInt(frame.execution.block.number)),
    ),
    operation(
      0x44,
      'DIFFICULTY',
      0,
      1,
      2,
      push(() => 0n),
    ),
    operation(
      0x45,
      'GASLIMIT',
      0,
      1,
      2,
      push(() => 0n),
    ),
  ];
  if (flags.constantinople) rows.push(operation(0x3f, 'EXTCODEHASH', 1, 1, 400, externalCodeHash));
  if (flags.istanbul) {
    rows.push(
      operation(
        0x46,
        'CHAINID',
        0,
        1,
        2,
        push(({ execution: { block } }) => BigInt(`0x${shortChainId ? block.genesisId.slice(56) : block.genesisId}`)),
      ),
      operation(
        0x47,
        'SELFBALANCE',
        0,
        1,
        5,
        push((frame) => BigInt.asUintN(64, frame.execution.host.balance(frame.context))),
      ),
    );
  }
  if (flags.london)
    rows.push(
      operation(
        0x48,
        'BASEFEE',
        0,
        1,
        2,
        push((frame) => frame.execution.block.energyPriceSun),
      ),
    );
  if (flags.blob) {
    rows.push(
      operation(0x49, 'BLOBHASH', 1, 1, 3, (frame) => frame.poke(0, 0n)),
      operation(
        0x4a,
        'BLOBBASEFEE',
        0,
        1,
        2,
        push(() => 0n),
      ),
    );
  }
  return rows;
}
