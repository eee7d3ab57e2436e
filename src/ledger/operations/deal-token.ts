import { JavaException } from '../../errors/java-exception.js';
import { OperationError } from '../../errors/operation-error.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { TracedFrame, Tracer } from '../../tvm/trace.js';
import { WorkBudget } from '../../tvm/work.js';
import type { Ledger } from '../ledger.js';
import { ConstantCalls } from '../smart-contracts/constant-call.js';
import { setSlot } from '../smart-contracts/storage-slots.js';

const BALANCE_OF = '70a08231';
const SLOAD = 0x54;
/** Another account, whose balance must not change. */
const BYSTANDER = `41${'5a'.repeat(20)}` as Address;
const OTHER_BYSTANDER = `41${'a5'.repeat(20)}` as Address;
const NO_TRANSACTION = '0'.repeat(64) as TxId;

interface Slot {
  readonly contract: Address;
  readonly slot: bigint;
}

/**
 * Sets an account's balance of a TRC-20 token: writes the word that `balanceOf` reads for it. The total supply stays.
 *
 * @param amount in the token's smallest unit
 * @throws OperationError if there is no such token, and if no single word is the balance
 * @example dealToken(ledger, { account, token, amount: 5_000_000n })
 */
export function dealToken(
  ledger: Ledger,
  { account, token, amount }: { readonly account: Address; readonly token: Address; readonly amount: bigint },
): void {
  const probe = new BalanceProbe(ledger, token);
  const bystander = account === BYSTANDER ? OTHER_BYSTANDER : BYSTANDER;
  const slots: Slot[] = [];
  const before = probe.balanceOf(account, slots);
  if (before === undefined)
    throw new OperationError(`balanceOf of ${toBase58(token)} returns no value: is it a token?`);
  if (before === amount) return;
  const others = probe.balanceOf(bystander);
  const found = slots.find((slot) =>
    ledger.state.dryRun(() => {
      setSlot(ledger, slot.contract, slot.slot, amount);
      return probe.balanceOf(account) === amount && probe.balanceOf(bystander) === others;
    }),
  );
  if (found === undefined) {
    throw new OperationError(
      `${toBase58(token)} stores the balance of ${toBase58(account)} in no storage word that can be set to ${amount}: use a transfer or mint function of the contract`,
    );
  }
  setSlot(ledger, found.contract, found.slot, amount);
}

/** Reads balances; all calls together share the time limit of one transaction. */
class BalanceProbe {
  readonly #calls = new ConstantCalls();
  readonly #work: WorkBudget | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly token: Address,
  ) {
    this.#work = WorkBudget.of(ledger.config.vmLimit);
  }

  /** @param read collects the slots that were read, each once */
  balanceOf(account: Address, read?: Slot[]): bigint | undefined {
    const call = TriggerSmartContract.create({
      owner_address: account,
      contract_address: this.token,
      data: BALANCE_OF + account.slice(2).padStart(64, '0'),
    });
    const tracer: Tracer =
      read === undefined ? {} : { step: (frame, opcode) => opcode === SLOAD && noteSlot(read, frame) };
    try {
      const run = this.#calls.run(this.ledger, call, { txId: NO_TRANSACTION, tracer, work: this.#work });
      if (run.runtimeError !== undefined || run.output.length < 32) return undefined;
      return BigInt(`0x${bytesToHex(run.output.subarray(0, 32))}`);
    } catch (error) {
      if (error instanceof JavaException) return undefined;
      throw error;
    }
  }
}

function noteSlot(slots: Slot[], frame: TracedFrame): void {
  const { context: contract } = frame;
  const slot = frame.peek(0);
  if (!slots.some((known) => known.contract === contract && known.slot === slot)) slots.push({ contract, slot });
}
