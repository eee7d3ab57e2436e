/**
 * Charges the bandwidth of a transaction (protocol/bandwidth.md). Mirrors the writing half of java-tron's
 * BandwidthProcessor; the payer is chosen in `resources/bandwidth.ts`.
 */

import {
  accountResourceInsufficient,
  contractValidateException,
  tooBigTransaction,
  tooBigTransactionResult,
} from '../../errors/refusals.js';
import { byteLength } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { movesNothing } from '../../protocol/ethereum-form.js';
import type { TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type { TransferContract } from '../../protocol/generated/balance-contract.js';
import {
  type Account,
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result,
} from '../../protocol/generated/tron.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import { framed } from '../../protocol/wire-writer.js';
import { type BandwidthLeft, type BandwidthTerms, payBandwidth } from '../../resources/bandwidth.js';
import { BANDWIDTH } from '../../resources/metered-account.js';
import { resourceTotals } from '../../resources/rules.js';
import { RESULT_ALLOWANCE_BYTES, SIGNATURE_BYTES } from '../../resources/transaction-size.js';
import { accountAt } from '../accounts/accounts.js';
import { changedAccount, withUsage } from '../accounts/changed-account.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { rulesOf } from '../stake/staking.js';
import { issuerGrant, useGrant } from './asset-bandwidth.js';
import type { Charge } from './charges.js';
import { disposeOfFee } from './fees.js';

/** Of `contractRet` in a result. */
const OUTCOME_BYTES = 2;

/**
 * Charged bytes of a transaction: its size without `ret`, plus room for the result if the VM is on. Additional bytes of an
 * Ethereum transaction are not charged: on the network the same transaction is sent without them.
 */
export function chargedBytes({ vmOn }: Pick<Ledger, 'vmOn'>, transaction: SignedTransaction): number {
  const bytes = vmOn ? transaction.sizeWithoutRet + RESULT_ALLOWANCE_BYTES : transaction.size;
  return bytes - bytesOfTerms(transaction);
}

function bytesOfTerms({ ethereum, raw, rawBytes }: SignedTransaction): number {
  if (ethereum === undefined) return 0;
  const terms = fieldBytes(byteLength(raw.scripts));
  return fieldBytes(rawBytes.length) - fieldBytes(rawBytes.length - terms);
}

/** With tag and length; tags of both fields are one byte. */
function fieldBytes(length: number): number {
  return framed(0, length).length + length;
}

/**
 * Charges the bandwidth of `transaction`.
 *
 * @throws JavaException AccountResourceInsufficientException if no source can pay
 */
export function consumeBandwidth(
  ledger: Ledger,
  transaction: SignedTransaction,
  charges: Charge[],
  inBlock: boolean,
): void {
  const { contractType, owner } = transaction;
  if (contractType === ContractType.ShieldedTransferContract) return;
  checkResultSize(transaction, inBlock);
  const account = owner === undefined ? undefined : ledger.state.tables.accounts.get(owner);
  if (owner === undefined || account === undefined) {
    throw contractValidateException(`account [${toBase58(owner ?? '')}] does not exist`);
  }
  const creating = createsAccount(ledger, transaction);
  if (creating) checkCreateAccountSize(ledger, transaction, inBlock);
  const charge = payForBytes(ledger, {
    payer: owner,
    bytes: BigInt(chargedBytes(ledger, transaction)),
    createsAccount: creating,
    tokenTransfer:
      contractType === ContractType.TransferAssetContract ? (transaction.contract as TransferAssetContract) : undefined,
  });
  charges.push(charge);
}

/** The network's values for the decision, from the dynamic properties. */
export function bandwidthTerms(ledger: Ledger): BandwidthTerms {
  return {
    totals: resourceTotals((name) => ledger.long(name)),
    rules: rulesOf(ledger),
    freeLimit: ledger.long('FREE_NET_LIMIT'),
    publicLimit: ledger.long('PUBLIC_NET_LIMIT'),
    publicUsage: { usage: ledger.long('PUBLIC_NET_USAGE'), lastSlot: ledger.long('PUBLIC_NET_TIME') },
    bytePriceSun: ledger.long('TRANSACTION_FEE'),
    accountCreationRate: ledger.long('CREATE_NEW_ACCOUNT_BANDWIDTH_RATE'),
    accountCreationFeeSun: ledger.long('CREATE_ACCOUNT_FEE'),
  };
}

/**
 * The `ret` of a transaction may not exceed the room that is charged for it; a broadcast is measured as if its outcome
 * were included. With the VM on, the `ret` of a broadcast is removed before (protocol/pipeline.md#broadcast).
 */
function checkResultSize({ ret, raw, txId }: SignedTransaction, inBlock: boolean): void {
  if (ret.length === 0) return;
  const allowed = RESULT_ALLOWANCE_BYTES * raw.contract.length;
  if (!inBlock) {
    const bytes = ret.reduce(
      (sum, result) => sum + Transaction_Result.encodedSize({ ...result, contractRet: 0 }) + OUTCOME_BYTES,
      0,
    );
    if (bytes > allowed) {
      throw tooBigTransactionResult(
        `Too big transaction result, TxId ${txId}, the result size is ${bytes} bytes, maxResultSize ${RESULT_ALLOWANCE_BYTES}`,
      );
    }
  }
  if (ret.reduce((sum, result) => sum + Transaction_Result.encodedSize(result), 0) > allowed) {
    throw tooBigTransactionResult('too big transaction result');
  }
}

/**
 * Whether the transaction creates its receiver, which has another price
 * (protocol/bandwidth.md#account-creating-transactions).
 */
export function createsAccount(ledger: Ledger, transaction: SignedTransaction): boolean {
  const { contractType, contract } = transaction;
  if (contractType === ContractType.AccountCreateContract) return true;
  if (contractType !== ContractType.TransferContract && contractType !== ContractType.TransferAssetContract)
    return false;
  if (movesNothing(transaction)) return false;
  const { to_address } = contract as TransferContract | TransferAssetContract;
  return accountAt(ledger, to_address) === undefined;
}

function checkCreateAccountSize(ledger: Ledger, transaction: SignedTransaction, inBlock: boolean): void {
  if (inBlock && !ledger.on('CONSENSUS_LOGIC_OPTIMIZATION')) return;
  const maxBytes = ledger.long('MAX_CREATE_ACCOUNT_TX_SIZE');
  const bytes = transaction.sizeWithoutRet - SIGNATURE_BYTES * transaction.signatures.length;
  if (BigInt(bytes) > maxBytes) {
    throw tooBigTransaction(
      `Too big new account transaction, TxId ${transaction.txId}, the size is ${bytes} bytes, maxTxSize ${maxBytes}`,
    );
  }
}

export interface BytesToPay {
  readonly payer: Address;
  readonly bytes: bigint;
  readonly createsAccount: boolean;
  /** A token transfer, for which the issuer may pay. */
  readonly tokenTransfer?: TransferAssetContract | undefined;
}

/** Pays for a number of bytes and returns the source. @throws JavaException AccountResourceInsufficientException */
export function payForBytes(ledger: Ledger, { payer, bytes, createsAccount, tokenTransfer }: BytesToPay): Charge {
  const terms = bandwidthTerms(ledger);
  const sender = existingAccount(ledger, payer);
  const grant = tokenTransfer === undefined || createsAccount ? undefined : issuerGrant(ledger, tokenTransfer);
  const payment = payBandwidth({ bytes, sender, createsAccount, grant, nowSlot: ledger.headSlot }, terms);
  const latest_opration_time = ledger.headTimeMs;
  switch (payment.source) {
    case 'staked':
      putAccount(ledger, withUsage(sender, BANDWIDTH, payment.window, { latest_opration_time }));
      return { payer, resource: 'bandwidth', source: 'staked', amount: payment.netUsage, reason: 'bandwidth' };
    case 'free':
      putAccount(
        ledger,
        changedAccount(sender, {
          free_net_usage: payment.freeUsage.usage,
          latest_consume_free_time: payment.freeUsage.lastSlot,
          latest_opration_time,
        }),
      );
      ledger.setLong('PUBLIC_NET_USAGE', payment.publicUsage.usage);
      ledger.setLong('PUBLIC_NET_TIME', payment.publicUsage.lastSlot);
      return { payer, resource: 'bandwidth', source: 'free', amount: payment.netUsage, reason: 'bandwidth' };
    case 'coin': {
      takeCoin(ledger, sender, payment.feeSun);
      const source = disposeOfFee(ledger, payment.feeSun, 'poolable');
      ledger.addToLong('TOTAL_TRANSACTION_COST', payment.feeSun);
      return {
        payer,
        resource: 'coin',
        source,
        amount: payment.feeSun,
        reason: 'bandwidth',
        units: bytes,
        unitPriceSun: terms.bytePriceSun,
        left: leftInWords(payment.left),
      };
    }
    case 'account-creation-coin': {
      takeCoin(ledger, sender, payment.feeSun);
      const source = disposeOfFee(ledger, payment.feeSun);
      ledger.addToLong('TOTAL_CREATE_ACCOUNT_COST', payment.feeSun);
      const left = leftInWords(payment.left);
      return { payer, resource: 'coin', source, amount: payment.feeSun, reason: 'account-creation-bandwidth', left };
    }
    case 'issuer': {
      if (tokenTransfer === undefined) throw new Error('an issuer paid, and no token is sent');
      const issuer = useGrant(ledger, tokenTransfer, payment);
      return { payer: issuer, resource: 'bandwidth', source: 'issuer', amount: payment.netUsage, reason: 'bandwidth' };
    }
    case 'none':
      throw accountResourceInsufficient(
        `account [${toBase58(payer)}] has insufficient bandwidth[${bytes}] and balance[${payment.feeSun}] to create new account`,
      );
  }
}

/**
 * A price of 0 leaves the account unchanged, including its time of the last operation: java-tron writes no change by
 * 0.
 */
function takeCoin(ledger: Ledger, account: Account, feeSun: bigint): void {
  if (feeSun === 0n) return;
  const balance = account.balance - feeSun;
  putAccount(ledger, changedAccount(account, { balance, latest_opration_time: ledger.headTimeMs }));
}

function leftInWords(left: BandwidthLeft): Record<string, bigint> {
  const words: Record<string, bigint> = {};
  if (left.staked !== undefined) words['staked bandwidth'] = left.staked;
  if (left.public !== undefined) words["the network's free bandwidth"] = left.public;
  else if (left.free !== undefined) words['free bandwidth'] = left.free;
  return words;
}
