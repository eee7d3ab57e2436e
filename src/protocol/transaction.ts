/**
 * A transaction as pool, block and store share it: decoded once, immutable, with the canonical bytes that determine its
 * id. Mirrors the data half of java-tron's TransactionCapsule; permissions and effects belong to the ledger.
 */

import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { Address, TxId } from '../primitives/ids.js';
import { canonicalForm } from './canonical.js';
import { type ContractMessage, ownerOf, unpackContract } from './contract-types.js';
import { ethereumForm } from './ethereum-form.js';
import type { EthereumTransaction } from './ethereum-transaction.js';
import { Transaction, type Transaction_Result, Transaction_raw } from './generated/tron.js';
import { sha256 } from './hashes.js';
import { WireReader } from './wire-reader.js';
import { framed } from './wire-writer.js';

const TAG_RAW_DATA = 10;
const TAG_SIGNATURE = 18;
const TAG_RET = 42;

export class SignedTransaction implements Transaction {
  readonly raw: Transaction_raw;
  /** Canonical `raw_data`, a view into the transaction's own bytes. */
  readonly rawBytes: Uint8Array;
  /** sha256 of {@link rawBytes}. */
  readonly txId: TxId;
  readonly signatures: readonly Hex[];
  readonly ret: readonly Transaction_Result[];
  /** Canonical bytes of the whole transaction, including unknown fields. */
  readonly bytes: Uint8Array;
  /** Range of `ret` in {@link bytes}; unknown fields may follow. */
  readonly #retFrom: number;
  readonly #retTo: number;
  #contract: ContractMessage | undefined;
  #unpacked = false;
  #ethereum: EthereumTransaction | undefined | null = null;

  private constructor(message: Transaction, bytes: Uint8Array) {
    this.raw = message.raw_data ?? Transaction_raw.empty;
    this.signatures = message.signature;
    this.ret = message.ret;
    this.bytes = bytes;
    const reader = new WireReader(bytes);
    let rawBytes = bytes.subarray(0, 0);
    let retFrom = -1;
    let knownTo = 0;
    while (reader.pos < reader.end) {
      const from = reader.pos;
      const tag = reader.tag();
      if (tag === TAG_RAW_DATA) rawBytes = reader.bytes();
      else if (tag === TAG_SIGNATURE) reader.skip(tag);
      else if (tag === TAG_RET) {
        if (retFrom < 0) retFrom = from;
        reader.skip(tag);
      } else break;
      knownTo = reader.pos;
    }
    this.rawBytes = rawBytes;
    this.#retFrom = retFrom < 0 ? knownTo : retFrom;
    this.#retTo = knownTo;
    this.txId = sha256(rawBytes) as TxId;
  }

  /**
   * Decodes a transaction from any protobuf form.
   *
   * @throws JavaException InvalidProtocolBufferException if it is not a transaction
   */
  static decode(bytes: Uint8Array): SignedTransaction {
    const message = Transaction.decode(bytes);
    return new SignedTransaction(message, canonicalForm(Transaction, message, bytes));
  }

  static of(message: Transaction): SignedTransaction {
    return new SignedTransaction(message, Transaction.encode(message));
  }

  /** A transaction built here from parts. */
  static fromRaw(raw: Transaction_raw, signatures: readonly Hex[] = []): SignedTransaction {
    return SignedTransaction.of({ raw_data: raw, signature: signatures, ret: [] });
  }

  /**
   * From the bytes of its `raw_data`, which nodes print beside the JSON.
   *
   * @throws JavaException
   */
  static ofParts(
    rawBytes: Uint8Array,
    signature: readonly Hex[],
    ret: readonly Transaction_Result[],
  ): SignedTransaction {
    const length = framed(TAG_RAW_DATA, rawBytes.length);
    const rest = Transaction.encode({ raw_data: undefined, signature, ret });
    return SignedTransaction.decode(Buffer.concat([length, rawBytes, rest]));
  }

  /**
   * The transaction with another fee limit in sun, but unchanged id, bytes and signatures. For trial runs, never to be
   * sent.
   */
  withFeeLimit(feeLimitSun: bigint): SignedTransaction {
    const raw_data = { ...this.raw, fee_limit: feeLimitSun };
    return new SignedTransaction({ raw_data, signature: this.signatures, ret: this.ret }, this.bytes);
  }

  /** As in the message: a transaction may have none. */
  get raw_data(): Transaction_raw | undefined {
    return this.#rawTo() === 0 ? undefined : this.raw;
  }

  get signature(): readonly Hex[] {
    return this.signatures;
  }

  /** The message, without unknown fields. */
  get message(): Transaction {
    return { raw_data: this.raw_data, signature: this.signatures, ret: this.ret };
  }

  /** The contract's type number; 0 (AccountCreateContract) without a contract, as in java-tron. */
  get contractType(): number {
    return this.raw.contract[0]?.type ?? 0;
  }

  get permissionId(): number {
    return this.raw.contract[0]?.Permission_id ?? 0;
  }

  /** The message of the first contract; `undefined` if it is not the one of its type. */
  get contract(): ContractMessage | undefined {
    if (!this.#unpacked) {
      const first = this.raw.contract[0];
      this.#contract = first === undefined ? undefined : unpackContract(first);
      this.#unpacked = true;
    }
    return this.#contract;
  }

  /** The Ethereum transaction inside, if it came through `/eth`. */
  get ethereum(): EthereumTransaction | undefined {
    if (this.#ethereum === null) this.#ethereum = ethereumForm(this);
    return this.#ethereum;
  }

  /**
   * The owner in the contract, which may be an invalid address. `undefined` if there is none, which java-tron treats as
   * empty bytes.
   */
  get owner(): Address | undefined {
    const owner = ownerOf(this.contract);
    return owner === '' ? undefined : (owner as Address);
  }

  get rawHex(): Hex {
    return bytesToHex(this.rawBytes);
  }

  /** Serialized size in bytes. */
  get size(): number {
    return this.bytes.length;
  }

  get sizeWithoutRet(): number {
    return this.bytes.length - (this.#retTo - this.#retFrom);
  }

  /** Canonical bytes with the given `ret`, or with its own. */
  encode(ret?: readonly Transaction_Result[]): Uint8Array {
    if (ret === undefined || (ret.length === 0 && this.#retFrom === this.#retTo)) return this.bytes;
    const encodedRet = Transaction.encode({ raw_data: undefined, signature: [], ret });
    return Buffer.concat([this.bytes.subarray(0, this.#retFrom), encodedRet, this.bytes.subarray(this.#retTo)]);
  }

  /** sha256 of the whole transaction: its leaf in the block's merkle tree. */
  leafHash(ret?: readonly Transaction_Result[]): Hex {
    return sha256(this.encode(ret));
  }

  withRet(ret: readonly Transaction_Result[]): SignedTransaction {
    return new SignedTransaction({ ...this.message, ret }, this.encode(ret));
  }

  /** A copy with other signatures; unknown fields stay. */
  withSignatures(signatures: readonly Hex[]): SignedTransaction {
    const tail = this.bytes.subarray(this.#retFrom);
    const encoded = Transaction.encode({ raw_data: undefined, signature: signatures, ret: [] });
    return new SignedTransaction(
      { ...this.message, signature: signatures },
      Buffer.concat([this.bytes.subarray(0, this.#rawTo()), encoded, tail]),
    );
  }

  /** End of the framed `raw_data` in {@link bytes}. */
  #rawTo(): number {
    if (this.bytes[0] !== TAG_RAW_DATA) return 0;
    return this.rawBytes.byteOffset - this.bytes.byteOffset + this.rawBytes.length;
  }
}
