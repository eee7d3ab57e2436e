/** What an account's balance was at a block (http-api.md 5.21). Mirrors Wallet.getAccountBalance. */

import { illegalArgumentException } from '../errors/java-exception.js';
import { accountAt } from '../ledger/accounts/accounts.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import {
  type AccountBalanceRequest,
  AccountBalanceResponse,
  type BlockBalanceTrace_BlockIdentifier as BlockIdentifier,
} from '../protocol/generated/balance-contract.js';
import type { Account } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';

function checkBlock(context: WalletContext, block: BlockIdentifier | undefined): BlockIdentifier {
  if (block === undefined || (block.hash === '' && block.number === 0n)) {
    throw illegalArgumentException('block_identifier null');
  }
  if (block.number < 0n) throw illegalArgumentException('block_identifier number less than 0');
  if (block.hash.length !== 64) throw illegalArgumentException('block_identifier hash length not equals 32');
  const { chain } = context.node;
  const known = block.number <= BigInt(chain.headNumber) ? blockIdAt(chain.ledger, Number(block.number)) : undefined;
  if (known !== block.hash) throw illegalArgumentException('number and hash do not match');
  return block;
}

/**
 * The balance, with the newest block up to the asked one that changed it.
 *
 * @throws JavaException IllegalArgumentException with java-tron's texts
 */
export function getAccountBalance(context: WalletContext, request: AccountBalanceRequest): AccountBalanceResponse {
  const { account_identifier: account, block_identifier } = request;
  if (account === undefined) throw illegalArgumentException('account_identifier is null');
  if (account.address === '') throw illegalArgumentException('account_identifier address is null');
  const asked = checkBlock(context, block_identifier);
  const { chain } = context.node;
  let later = accountAt(chain.ledgerAt(chain.headNumber), account.address);
  for (const { number, before } of chain.commits.changesOf('accounts', account.address)) {
    const earlier = before as Account | undefined;
    if (number <= Number(asked.number) && (earlier?.balance ?? 0n) !== (later?.balance ?? 0n)) {
      return answer(context, later, number);
    }
    later = earlier;
  }
  return later === undefined ? AccountBalanceResponse.create({ block_identifier: asked }) : answer(context, later, 0);
}

function answer({ node }: WalletContext, account: Account | undefined, number: number): AccountBalanceResponse {
  const hash = blockIdAt(node.chain.ledger, number) ?? '';
  return AccountBalanceResponse.create({
    balance: account?.balance ?? 0n,
    block_identifier: { hash, number: BigInt(number) },
  });
}
