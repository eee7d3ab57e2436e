/**
 * Accounts, their resources and their balance history (protocol/http.md#accounts-and-resources,
 * protocol/http-endpoints.md#getaccount, #getaccountnet, #validateaddress, #balance-history).
 */

import { hexToUtf8 } from '../../primitives/hex.js';
import { AccountNetMessage, AccountResourceMessage } from '../../protocol/generated/api.js';
import {
  AccountBalanceRequest,
  AccountBalanceResponse,
  BlockBalanceTrace,
  BlockBalanceTrace_BlockIdentifier,
} from '../../protocol/generated/balance-contract.js';
import { Account } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { compactMembers, compactObject, printMessage } from '../../protocol/json/message-printer.js';
import { fastjsonString, textMember } from '../../protocol/json/value.js';
import type { Sent } from '../../protocol/message-type.js';
import { getAccount, getAccountById } from '../../wallet/accounts.js';
import { getAccountBalance, getBlockBalance } from '../../wallet/balance-history.js';
import type { WalletContext } from '../../wallet/context.js';
import { getAccountNet, getAccountResource } from '../../wallet/resources.js';
import { addressOrEmpty, CONFIRMED, type HttpEndpoint, queryEndpoint, type ReadRequest, WALLET } from '../table.js';
import { validateAddress } from '../validate-address.js';
import type { WireRequest } from '../wire-request.js';

/**
 * The issuer of a TRC-10 token is printed in the compact layout if requested in hex, with its token's id as text; all
 * other accounts are printed in the ordinary layout.
 */
function printAccount(account: Sent<Account>, visible: boolean, { longs }: WireRequest): string {
  if (visible || account.asset_issued_ID === '') {
    return printMessage(Account, account, visible, longs);
  }
  const members = compactMembers(Account, account, false, longs);
  return compactObject(
    members.map(([name, json]) =>
      name === 'asset_issued_ID' ? [name, fastjsonString(hexToUtf8(account.asset_issued_ID))] : [name, json],
    ),
  );
}

/** getaccountresource reads `address` itself, so it accepts a number as text. */
function readResourceRequest(request: WireRequest): ReadRequest<Sent<Account>> {
  const { object, visible } = request.bodyOrForm;
  const address = textMember(object, 'address');
  return {
    message: Account.create({ address: visible ? addressOrEmpty(address) : readHex(address ?? '') }),
    visible,
  };
}

export const accountEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    name: 'getaccount',
    services: CONFIRMED,
    body: 'form',
    request: Account,
    query: { address: 'json' },
    operation: getAccount,
    response: Account,
    print: printAccount,
  }),
  queryEndpoint({
    name: 'getaccountbyid',
    services: CONFIRMED,
    body: 'form',
    request: Account,
    query: { account_id: 'json' },
    operation: getAccountById,
    response: Account,
    print: printAccount,
  }),
  queryEndpoint({
    name: 'getaccountresource',
    body: 'form',
    request: Account,
    query: { address: 'address' },
    readPost: readResourceRequest,
    operation: getAccountResource,
    response: AccountResourceMessage,
  }),
  queryEndpoint({
    name: 'getaccountnet',
    body: 'form',
    request: Account,
    query: { address: 'address' },
    operation: getAccountNet,
    response: AccountNetMessage,
  }),
  queryEndpoint({
    name: 'getaccountbalance',
    body: 'form',
    request: AccountBalanceRequest,
    operation: getAccountBalance,
    response: AccountBalanceResponse,
    servlet: 'GetAccountBalanceServlet',
  }),
  queryEndpoint({
    name: 'getblockbalance',
    body: 'form',
    request: BlockBalanceTrace_BlockIdentifier,
    operation: getBlockBalance,
    response: BlockBalanceTrace,
    servlet: 'GetBlockBalanceServlet',
  }),
  {
    name: 'validateaddress',
    services: WALLET,
    get: 'answers',
    parameters: ['address'],
    post: 'answers',
    callers: 'anyone',
    answer: (_view, request) => validateAddress(request),
  },
];
