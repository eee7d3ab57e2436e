/**
 * Buys tokens from their issuer at the price of the issue, during its sale
 * (protocol/trade.md#participateassetissuecontract-9). Mirrors ParticipateAssetIssueActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { hexToUtf8 } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import { addExact, multiplyExact } from '../../primitives/java-math.js';
import type {
  AssetIssueContract,
  ParticipateAssetIssueContract as Message,
} from '../../protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { addTokens, assetOf, holdsTokens, takeTokens } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { LedgerContract } from './contract.js';

/** `trx_num` sun buy `num` of the smallest unit of the token. @throws ArithmeticOverflow `long overflow` */
function tokensFor({ num, trx_num }: AssetIssueContract, amountSun: bigint): bigint {
  return multiplyExact(amountSun, BigInt(num)) / BigInt(trx_num);
}

export const participateAssetIssueContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ParticipateAssetIssueContract,

  validate(ledger, { owner_address: owner, to_address: issuer, asset_name: token, amount }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    if (!isAddress(issuer)) throw contractValidateException('Invalid toAddress');
    if (amount <= 0n) throw contractValidateException('Amount must greater than 0!');
    if (owner === issuer) throw contractValidateException('Cannot participate asset Issue yourself !');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist!');
    if (account.balance < amount) throw contractValidateException('No enough balance !');
    const asset = assetOf(ledger, token);
    // ByteArray.toStr of no bytes is null.
    if (asset === undefined)
      throw contractValidateException(`No asset named ${token === '' ? null : hexToUtf8(token)}`);
    if (asset.owner_address !== issuer) throw contractValidateException(`The asset is not issued by ${issuer}`);
    const now = ledger.headTimeMs;
    if (now >= asset.end_time || now < asset.start_time) throw contractValidateException('No longer valid period!');
    const tokens = refuseOverflow(() => tokensFor(asset, amount));
    if (tokens <= 0n) throw contractValidateException('Can not process the exchange!');
    const seller = ledger.state.tables.accounts.get(issuer);
    if (seller === undefined) throw contractValidateException('To account does not exist!');
    if (!holdsTokens(ledger, seller, token, tokens)) throw contractValidateException('Asset balance is not enough !');
  },

  execute(ledger, { owner_address, to_address, asset_name: token, amount }) {
    const asset = assetOf(ledger, token);
    if (asset === undefined) throw new Error(`token ${token} does not exist: validation should have refused`);
    const tokens = tokensFor(asset, amount);
    const buyer = existingAccount(ledger, owner_address);
    const seller = existingAccount(ledger, to_address);
    putAccount(ledger, addTokens(ledger, { ...buyer, balance: buyer.balance - amount }, token, tokens));
    putAccount(ledger, takeTokens(ledger, { ...seller, balance: addExact(seller.balance, amount) }, token, tokens));
  },
};
