/**
 * 0x09 BatchValidateSign and 0x0a ValidateMultiSign (protocol/precompiles.md#signature-checks-0x09-and-0x0a), which
 * read ABI arrays as java-tron does.
 */

import { hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { sha256Bytes } from '../../protocol/hashes.js';
import { indexOutOfBounds, precompileOutOfTime, TvmException } from '../errors.js';
import type { TvmFlags } from '../flags.js';
import { addressOfWord, saturatedInt, wordAt, wordToBytes } from '../words.js';
import { JavaBytes, JavaHeap } from './java-arrays.js';
import type { Precompile, PrecompileCall } from './precompile.js';
import { signerWord } from './standard.js';

const SIGNATURE_ENERGY = 1_500;
const SIGNATURE_BYTES = 65;
const MAX_BATCH = 16;
const MAX_MULTI = 5;

const FALSE = (): Uint8Array => new Uint8Array(32);

/** The input as words. An incomplete word is ignored; a read behind the last one is Java's exception. */
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

  /** The position in words that a head word points to. */
  offset(index: number): number {
    return this.int(index) >> 5;
  }
}

/**
 * An offset behind the input means an empty array; elements are located by words, and their bytes are cut or padded.
 */
function bytesArray(words: Words, offset: number): JavaBytes[] {
  if (offset > words.count - 1) return [];
  const heap = new JavaHeap();
  const length = words.int(offset);
  heap.references(length);
  const items: JavaBytes[] = [];
  for (let i = 0; i < length; i++) {
    const itemOffset = words.offset(offset + i + 1);
    const itemLength = words.int(offset + itemOffset + 1);
    heap.bytes(itemLength);
    items.push(new JavaBytes(words.bytes, (itemOffset + offset + 2) * 32, itemLength));
  }
  return items;
}

/** The signer: r ‖ s ‖ v, where 27 is added to a v below 27. */
function signer(digest: Uint8Array, signature: JavaBytes): Address | undefined {
  if (signature.length < SIGNATURE_BYTES) return undefined;
  const bytes = signature.head(SIGNATURE_BYTES);
  const byte = ((bytes[64] as number) << 24) >> 24;
  const word = signerWord(digest, bytes.subarray(0, 64), byte < 27 ? byte + 27 : byte);
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

/**
 * bytes32 hash, bytes[] signatures, address[] signers: byte i of the output tells whether signer i made signature i.
 */
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
        // java-tron returns a zero word for all failures here.
        if (thrown instanceof TvmException) return FALSE();
        throw thrown;
      }
    },
  };
}

/**
 * address account, uint permission, bytes32 content, bytes[] signatures: whether the weights of the signers reach the
 * threshold.
 */
function validateMulti({ input, frame }: PrecompileCall): Uint8Array {
  const words = new Words(input);
  const account = addressOfWord(words.word(0));
  const permissionId = words.int(1);
  const message = Buffer.alloc(21 + 4 + 32);
  message.set(hexToBytes(account));
  message.writeInt32BE(permissionId, 21);
  message.set(wordToBytes(words.word(2)), 25);
  const digest = sha256Bytes(message);
  const signatures = bytesArray(words, words.offset(3));
  if (signatures.length === 0 || signatures.length > MAX_MULTI) return FALSE();

  const permission = frame.execution.host.permission(account, permissionId);
  if (permission === undefined) return FALSE();
  const counted = new Map<Address, JavaBytes>();
  let weight = 0n;
  for (const signature of signatures) {
    const address = signer(digest, signature);
    const before = address === undefined ? undefined : counted.get(address);
    if (before !== undefined) {
      if (before.equals(signature)) continue;
      // For a second signature of one signer, java-tron checks the clock, and that check always fails.
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
