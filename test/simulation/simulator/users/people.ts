/** The people of a simulated world: their keys, and transactions that they sign. What they send goes over `Asker`. */

import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { DevAccount } from '../../../../src/options/dev-accounts.js';
import { type Hex, utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { contractCodec } from '../../../../src/protocol/contract-types.js';
import { sign } from '../../../../src/protocol/signature.js';
import { SignedTransaction } from '../../../../src/protocol/transaction.js';
import type { Sender } from '../../operations.js';
import type { SendOptions } from '../../simulated-chain.js';
import type { Bazaar } from './bazaar-books.js';
import type { Met } from './speakers.js';
import type { Target } from './target.js';

interface KeyHolder {
  readonly addressHex: Address;
  readonly privateKey: Hex;
}

export class People implements Sender<{ readonly transaction: SignedTransaction }> {
  #nonce = 0n;
  /** Of earlier processes: accounts and witnesses stay the same. */
  #accounts: readonly DevAccount[] = [];
  #witnesses: readonly KeyHolder[] = [];
  /** The last transactions that were sent, for those who ask about them. */
  readonly sent: SignedTransaction[] = [];
  /** Addresses of generated programs, deployed or refused. */
  readonly programs: string[] = [];
  /** The address of the present notebook (`promises.ts`). */
  notebook: Address | undefined;
  /** The address of the present steward (`steward.ts`). */
  steward: Address | undefined;
  /** The present contracts of `bazaar.ts`. */
  bazaar: Bazaar | undefined;
  /** The present contracts of `speakers.ts`. */
  readonly speakers: Met[] = [];
  /** When somebody last used up the API key (`callers.ts`), by the machine's clock. */
  keyUsedMs: bigint | undefined;
  /** The last day of the machine's clock on which the other was used. */
  keyUsedOnDay: bigint | undefined;

  constructor(private readonly world: Pick<Target, 'keys' | 'ledger' | 'unsigned'>) {}

  /** Learns the keys of a devnet that has started. */
  meet(): void {
    const { accounts, witnesses } = this.world.keys;
    this.#accounts = accounts;
    this.#witnesses = witnesses.flatMap(({ addressHex, privateKey }) =>
      privateKey === undefined ? [] : [{ addressHex, privateKey }],
    );
  }

  get ledger(): Ledger {
    return this.world.ledger;
  }

  get addresses(): readonly Address[] {
    return [...this.#accounts, ...this.#witnesses].map(({ addressHex }) => addressHex);
  }

  address(i: number): Address {
    return (this.#accounts[i] as DevAccount).addressHex;
  }

  /** Base58check. */
  text(i: number): string {
    return (this.#accounts[i] as DevAccount).address;
  }

  witness(i: number): Address {
    // The keys of a fork's witnesses are its network's.
    return this.#witnesses[i % this.#witnesses.length]?.addressHex ?? this.address(0);
  }

  keyOf(address: string): Hex | undefined {
    return [...this.#accounts, ...this.#witnesses].find(({ addressHex }) => addressHex === address)?.privateKey;
  }

  /** Signs it; sending it is the caller's. */
  send(
    type: number,
    fields: Readonly<Record<string, unknown>>,
    { feeLimitSun = 0n, permissionId = 0, memo = '' }: SendOptions = {},
  ): { readonly transaction: SignedTransaction } {
    const codec = contractCodec(type);
    if (codec === undefined) throw new Error(`contract type ${type} has no message`);
    const unsigned = this.world.unsigned(type, codec.create(fields as never), {
      feeLimitSun,
      permissionId,
      extraData: utf8ToHex(memo),
    });
    const raw = unsigned.raw_data!;
    const transaction = SignedTransaction.fromRaw({ ...raw, timestamp: raw.timestamp + ++this.#nonce });
    const key = this.keyOf(fields.owner_address as string) ?? this.#accounts[0]!.privateKey;
    return { transaction: transaction.withSignatures([sign(transaction.txId, key)]) };
  }
}
