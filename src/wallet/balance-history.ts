/**
 * An account's balance at a block, and the balance changes of a block (protocol/http-endpoints.md#balance-history).
 * Mirrors Wallet.getAccountBalance and Wallet.getBlockBalance.
 */

import { illegalArgumentException } from '../errors/java-exception.js';
import { accountAt } from '../ledger/accounts/accounts.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt } from '../ledger/blocks/blocks.js';
import type { Address, BlockId } from '../primitives/ids.js';
import {
  type AccountBalanceRequest,
  AccountBalanceResponse,
  BlockBalanceTrace,
  type BlockBalanceTrace_BlockIdentifier as BlockIdentifier,
  TransactionBalanceTrace,
  type TransferContract,
} from '../protocol/generated/balance-contract.js';
import {
  type Account,
  Transaction_Contract_ContractType_type as ContractType,
  Transaction_Result_contractResult_type as Outcome,
  Transaction_Result_contractResult,
} from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { TABLES } from '../state/tables.js';
import { type BalanceStep, balanceSteps } from './balance-trace.js';
import type { WalletContext } from './context.js';

const { SUCCESS } = Transaction_Result_contractResult;

function checkBlock(context: WalletContext, block: BlockIdentifier): BlockIdentifier {
  if (block.number < 0n) throw illegalArgumentException('block_identifier number less than 0');
  if (block.hash.length !== 64) throw illegalArgumentException('block_identifier hash length not equals 32');
  const { chain } = context.node;
  const known = block.number <= BigInt(chain.headNumber) ? blockIdAt(chain.ledger, Number(block.number)) : undefined;
  if (known !== block.hash) throw illegalArgumentException('number and hash do not match');
  return block;
}

/**
 * The balance, with the newest block up to the requested one that changed it.
 *
 * @throws JavaException IllegalArgumentException with java-tron's texts
 */
export async function getAccountBalance(
  context: WalletContext,
  request: AccountBalanceRequest,
): Promise<AccountBalanceResponse> {
  const { account_identifier: account, block_identifier } = request;
  if (account === undefined) throw illegalArgumentException('account_identifier is null');
  if (account.address === '') throw illegalArgumentException('account_identifier address is null');
  if (block_identifier === undefined || (block_identifier.hash === '' && block_identifier.number === 0n)) {
    throw illegalArgumentException('block_identifier null');
  }
  const asked = checkBlock(context, block_identifier);
  const { chain } = context.node;
  const height = Number(asked.number);
  let later = accountAt(chain.ledgerAt(height), account.address);
  for await (const { number, before: earlier } of inTurns(
    context,
    chain.commits.changesOf(TABLES.accounts, account.address, height),
  )) {
    if ((earlier?.balance ?? 0n) !== (later?.balance ?? 0n)) return answer(context, later, number);
    later = earlier;
  }
  return later === undefined ? AccountBalanceResponse.create({ block_identifier: asked }) : answer(context, later, 0);
}

/**
 * Runs long work with turns for others.
 *
 * @throws JavaException if the chain was rolled back meanwhile
 */
async function* inTurns<Step>({ node }: WalletContext, steps: Iterable<Step>): AsyncIterable<Step> {
  const { revision } = node.chain.back;
  for (const step of steps) {
    yield step;
    await node.yieldTurn();
    if (node.chain.back.revision !== revision) throw illegalArgumentException('number and hash do not match');
  }
}

function answer({ node }: WalletContext, account: Account | undefined, number: number): AccountBalanceResponse {
  const hash = blockIdAt(node.chain.ledger, number) ?? '';
  return AccountBalanceResponse.create({
    balance: account?.balance ?? 0n,
    block_identifier: { hash, number: BigInt(number) },
  });
}

/**
 * Balance changes of each transaction of a block; transactions without any are omitted.
 *
 * @throws JavaException IllegalArgumentException with java-tron's texts
 */
export async function getBlockBalance(context: WalletContext, asked: BlockIdentifier): Promise<BlockBalanceTrace> {
  const block_identifier = checkBlock(context, asked);
  const { chain } = context.node;
  const number = Number(block_identifier.number);
  const block = blockAt(chain.ledger, number);
  const raw = block?.block_header?.raw_data;
  if (block === undefined || raw === undefined) throw new Error(`block ${number} is not in the store`);
  const { transactions } = block;
  const steps =
    number === 0
      ? transactions.map(genesisSteps)
      : balanceSteps(chain.ownLedgerAt(number - 1), {
          id: block_identifier.hash as BlockId,
          number,
          timestampMs: raw.timestamp,
          producer: raw.witness_address as Address,
          transactions,
        });
  const traces: TransactionBalanceTrace[] = [];
  for await (const one of inTurns(context, steps))
    traces.push(traceOf(transactions[traces.length] as SignedTransaction, one));
  return BlockBalanceTrace.create({
    block_identifier,
    timestamp: raw.timestamp,
    transaction_balance_trace: traces.filter(({ operation }) => operation.length > 0),
  });
}

/** The genesis block also lists transfers of 0. */
function genesisSteps({ contract }: SignedTransaction): readonly BalanceStep[] {
  const { to_address, amount } = contract as unknown as TransferContract;
  return [{ address: to_address as Address, amountSun: amount }];
}

function traceOf(
  { txId, contractType, ret }: SignedTransaction,
  steps: readonly BalanceStep[],
): TransactionBalanceTrace {
  return TransactionBalanceTrace.create({
    transaction_identifier: txId,
    operation: steps.map(({ address, amountSun }, index) => ({
      operation_identifier: BigInt(index),
      address,
      amount: amountSun,
    })),
    type: ContractType.nameOf(contractType) ?? '',
    status: Outcome.nameOf(ret[0]?.contractRet || SUCCESS) ?? '',
  });
}
