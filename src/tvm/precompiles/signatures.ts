/** 0x09 BatchValidateSign and 0x0a ValidateMultiSign (tvm.md 3.3), with java-tron's way of reading ABI arrays. */

import { hash } from 'node:crypto';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { indexOutOfBounds, javaFailure, precompileOutOfTime, TvmException, unknownThrowable } from '../errors.js';
import type { TvmFlags } from '../flags.js';
import { addressOfWord, MAX_INT, saturatedInt, wordAt, wordToBytes } from '../words.js';
import type { Precompile, PrecompileCall } from './precompile.js';
import { signerWord } from './standard.js';

const SIGNATURE_ENERGY = 1_500;
const SIGNATURE_BYTES = 65;
const MAX_BATCH = 16;
const MAX_MULTI = 5;
/** Above this java-tron's heap gives up on an array; where exactly depends on the machine. */
const HEAP_LIMIT = 0x1000_0000;

const FALSE = (): Uint8Array => new Uint8Array(32);

/** The input as words: what does not fill one is not seen, reading behind the last is Java's exception. */
class Words {
  readonly count: number;

  constructor(readonly bytes: Uint8Array) {
    this.count = bytes.length >> 5;
  }

  word(index: number): bigint {
    if (index < 0 || index >= this.count) throw indexOutOfBounds(index, this.count);
    return wordAt(this.bytes, index * 32);
  }

  int(index: number): number {
    return saturatedInt(this.word(index));
  }

  /** The place, in words, that a head word points to. */
  offset(index: number): number {
    return this.int(index) >> 5;
  }
}

/** An offset behind the input means an empty array; elements are located word by word, their bytes cut or padded. */
function bytesArray(words: Words, offset: number): Uint8Array[] {
  if (offset > words.count - 1) return [];
  const length = words.int(offset);
  if (length > HEAP_LIMIT) throw unknownThrowable();
  const items: Uint8Array[] = [];
  for (let i = 0; i < length; i++) {
    const itemOffset = words.offset(offset + i + 1);
    const itemLength = words.int(offset + itemOffset + 1);
    items.push(copyOfRange(words.bytes, (itemOffset + offset + 2) * 32, itemLength));
  }
  return items;
}

function copyOfRange(bytes: Uint8Array, from: number, length: number): Uint8Array {
  const to = from + length;
  if (to > MAX_INT) {
    throw javaFailure('java.lang.IllegalArgumentException', `${from} > ${Number(BigInt.asIntN(32, BigInt(to)))}`);
  }
  if (length > HEAP_LIMIT) throw unknownThrowable();
  const copy = new Uint8Array(length);
  copy.set(bytes.subarray(from, to));
  return copy;
}

/** Who signed: r ‖ s ‖ v, where a v below 27 gets 27 added. */
function signer(digest: Uint8Array, signature: Uint8Array): Address | undefined {
  if (signature.length < SIGNATURE_BYTES) return undefined;
  const byte = ((signature[64] as number) << 24) >> 24;
  const word = signerWord(digest, signature.subarray(0, 64), byte < 27 ? byte + 27 : byte);
  return word === undefined ? undefined : addressOfWord(word);
}

function perSignature(wordsPerSignature: number) {
  return ({ input }: PrecompileCall): number =>
    SIGNATURE_ENERGY * Math.trunc((Math.floor(input.length / 32) - 5) / wordsPerSignature);
}

/** TIP-854. */
function hasOsakaLength(input: Uint8Array, wordsPerSignature: number): boolean {
  const rest = input.length / 32 - 5;
  return rest >= wordsPerSignature && rest % wordsPerSignature === 0;
}

/** bytes32 hash, bytes[] signatures, address[] signers: byte i of the answer tells whether signature i is by signer i. */
function batchValidate(input: Uint8Array): Uint8Array {
  const words = new Words(input);
  const digest = wordToBytes(words.word(0));
  const addressesAt = words.offset(2);
  if (words.int(words.offset(1)) > MAX_BATCH || words.int(addressesAt) > MAX_BATCH) return FALSE();
  const signatures = bytesArray(words, words.offset(1));
  const count = words.int(addressesAt);
  if (signatures.length === 0 || signatures.length > MAX_BATCH || signatures.length !== count) return FALSE();
  const answer = FALSE();
  for (const [i, signature] of signatures.entries()) {
    const expected = addressOfWord(words.word(addressesAt + i + 1));
    if (signer(digest, signature) === expected) answer[i] = 1;
  }
  return answer;
}

function batchValidateSign(flags: TvmFlags): Precompile {
  return {
    energy: perSignature(6),
    run({ input }) {
      if (flags.osaka && !hasOsakaLength(input, 6)) return undefined;
      try {
        return batchValidate(input);
      } catch (thrown) {
        // java-tron answers a zero word for whatever goes wrong in here.
        if (thrown instanceof TvmException) return FALSE();
        throw thrown;
      }
    },
  };
}

/** address account, uint permission, bytes32 content, bytes[] signatures: whether their weight reaches the threshold. */
function validateMulti({ input, frame }: PrecompileCall): Uint8Array {
  const words = new Words(input);
  const account = addressOfWord(words.word(0));
  const permissionId = words.int(1);
  const message = Buffer.alloc(21 + 4 + 32);
  message.set(hexToBytes(account));
  message.writeInt32BE(permissionId, 21);
  message.set(wordToBytes(words.word(2)), 25);
  const digest = hash('sha256', message, 'buffer');
  const signatures = bytesArray(words, words.offset(3));
  if (signatures.length === 0 || signatures.length > MAX_MULTI) return FALSE();

  const permission = frame.machine.host.permission(account, permissionId);
  if (permission === undefined) return FALSE();
  const counted = new Map<Address, Uint8Array>();
  let weight = 0n;
  for (const signature of signatures) {
    const address = signer(digest, signature);
    const before = address === undefined ? undefined : counted.get(address);
    if (before !== undefined) {
      if (Buffer.compare(before, signature) === 0) continue;
      // A second signature of one signer makes java-tron look at the clock, and that look always fails.
      throw precompileOutOfTime('0x0a');
    }
    const keyWeight = permission.keys.find((key) => key.address === address)?.weight ?? 0n;
    if (address === undefined || keyWeight === 0n) return FALSE();
    weight += keyWeight;
    counted.set(address, signature);
  }
  return weight >= permission.threshold ? wordToBytes(1n) : FALSE();
}

function validateMultiSign(flags: TvmFlags): Precompile {
  return {
    energy: perSignature(5),
    run: (call) => (flags.osaka && !hasOsakaLength(call.input, 5) ? undefined : validateMulti(call)),
  };
}

export function signatureContracts(flags: TvmFlags): [number, Precompile][] {
  return [
    [0x09, batchValidateSign(flags)],
    [0x0a, validateMultiSign(flags)],
  ];
}
