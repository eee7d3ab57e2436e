/**
 * Issues a TRC-10 token, one per account and for a fee (protocol/trade.md#assetissuecontract-6). Mirrors
 * AssetIssueActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { byteLength, hexToUtf8, utf8ToHex } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import { wrapLong } from '../../primitives/java-math.js';
import type { AssetIssueContract as Message } from '../../protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import { isAssetName, putAsset, tokensHaveIds } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { Ledger } from '../ledger.js';
import type { LedgerContract } from './contract.js';

const MAX_URL_BYTES = 256;
const MAX_DESCRIPTION_BYTES = 200;
const MAX_PRECISION = 6;
const DAY_MS = 86_400_000n;

/** Shared with UpdateAssetContract. */
export function checkUrlAndDescription(url: string, description: string): void {
  if (url === '' || byteLength(url) > MAX_URL_BYTES) throw contractValidateException('Invalid url');
  if (byteLength(description) > MAX_DESCRIPTION_BYTES) throw contractValidateException('Invalid description');
}

/** Shared with UpdateAssetContract. The issuer's grants for each holder and in total, in bytes a day. */
export function checkFreeLimits(ledger: Ledger, perHolder: bigint, inAll: bigint): void {
  const cap = ledger.long('ONE_DAY_NET_LIMIT');
  if (perHolder < 0n || perHolder >= cap) throw contractValidateException('Invalid FreeAssetNetLimit');
  if (inAll < 0n || inAll >= cap) throw contractValidateException('Invalid PublicFreeAssetNetLimit');
}

function checkNames(ledger: Ledger, { name, abbr, precision }: Sent<Message>): void {
  if (!isAssetName(name)) throw contractValidateException('Invalid assetName');
  if (tokensHaveIds(ledger)) {
    if (hexToUtf8(name).toLowerCase() === 'trx') throw contractValidateException("assetName can't be trx");
    if (precision < 0 || precision > MAX_PRECISION) throw contractValidateException('precision cannot exceed 6');
  }
  if (abbr !== '' && !isAssetName(abbr)) throw contractValidateException('Invalid abbreviation for token');
}

function checkSale(ledger: Ledger, { start_time: start, end_time: end }: Sent<Message>): void {
  if (start === 0n) throw contractValidateException('Start time should be not empty');
  if (end === 0n) throw contractValidateException('End time should be not empty');
  if (end <= start) throw contractValidateException('End time should be greater than start time');
  if (start <= ledger.headTimeMs) throw contractValidateException('Start time should be greater than HeadBlockTime');
}

function checkFrozenSupply(ledger: Ledger, { total_supply, frozen_supply }: Sent<Message>): void {
  const minDays = ledger.long('MIN_FROZEN_SUPPLY_TIME');
  const maxDays = ledger.long('MAX_FROZEN_SUPPLY_TIME');
  let left = total_supply;
  for (const { frozen_amount: amount, frozen_days: days } of frozen_supply) {
    if (amount <= 0n) throw contractValidateException('Frozen supply must be greater than 0!');
    if (amount > left) throw contractValidateException('Frozen supply cannot exceed total supply');
    if (days < minDays || days > maxDays) {
      throw contractValidateException(`frozenDuration must be less than ${maxDays} days and more than ${minDays} days`);
    }
    left -= amount;
  }
}

export const assetIssueContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.AssetIssueContract,

  validate(ledger, contract) {
    const { owner_address: owner } = contract;
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    checkNames(ledger, contract);
    checkUrlAndDescription(contract.url, contract.description);
    checkSale(ledger, contract);
    if (!tokensHaveIds(ledger) && ledger.state.tables.assetsByName.has(contract.name)) {
      throw contractValidateException('Token exists');
    }
    if (contract.total_supply <= 0n) throw contractValidateException('TotalSupply must greater than 0!');
    if (contract.trx_num <= 0) throw contractValidateException('TrxNum must greater than 0!');
    if (contract.num <= 0) throw contractValidateException('Num must greater than 0!');
    if (contract.public_free_asset_net_usage !== 0n) {
      throw contractValidateException('PublicFreeAssetNetUsage must be 0!');
    }
    if (BigInt(contract.frozen_supply.length) > ledger.long('MAX_FROZEN_SUPPLY_NUMBER')) {
      throw contractValidateException('Frozen supply list length is too long');
    }
    checkFreeLimits(ledger, contract.free_asset_net_limit, contract.public_free_asset_net_limit);
    checkFrozenSupply(ledger, contract);
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account not exists');
    if (account.asset_issued_name !== '') throw contractValidateException('An account can only issue one asset');
    if (account.balance < ledger.long('ASSET_ISSUE_FEE')) throw contractValidateException('No enough balance for fee!');
  },

  execute(ledger, contract, { charges, result }) {
    const owner = contract.owner_address;
    const number = ledger.long('TOKEN_ID_NUM') + 1n;
    ledger.setLong('TOKEN_ID_NUM', number);
    const id = number.toString();
    putAsset(ledger, { ...contract, id });
    payFee(ledger, charges, owner, ledger.long('ASSET_ISSUE_FEE'), 'asset-issue');

    const frozenTotal = contract.frozen_supply.reduce((sum, { frozen_amount }) => sum + frozen_amount, 0n);
    const liquid = contract.total_supply - frozenTotal;
    const account = existingAccount(ledger, owner);
    putAccount(ledger, {
      ...account,
      asset_issued_name: contract.name,
      asset_issued_ID: utf8ToHex(id),
      ...(!tokensHaveIds(ledger) && { asset: new Map(account.asset).set(hexToUtf8(contract.name), liquid) }),
      assetV2: new Map(account.assetV2).set(id, liquid),
      frozen_supply: [
        ...account.frozen_supply,
        ...contract.frozen_supply.map(({ frozen_amount, frozen_days }) => ({
          frozen_balance: frozen_amount,
          expire_time: wrapLong(contract.start_time + frozen_days * DAY_MS),
        })),
      ],
    });
    result.assetIssueID = id;
  },
};
