/** An account: a node's answer with its tokens, and some addresses in base58 (protocol/v1.md#get-v1accountsaddress). */

import { hexToUtf8 } from '../../primitives/hex.js';
import { Account } from '../../protocol/generated/tron.js';
import { compactMembers } from '../../protocol/json/message-printer.js';
import { type Json, JsonText } from '../json.js';

/** Members with addresses in base58. */
const IN_BASE58 = new Set(['votes', 'owner_permission', 'witness_permission', 'active_permission']);

export function accountRecord(account: Account, trc20: readonly Json[]): Json {
  const inBase58 = new Map(compactMembers(Account, account, true));
  const members = compactMembers(Account, account, false).map(([name, json]): [string, Json] => {
    if (name === 'asset_issued_ID') return [name, hexToUtf8(account.asset_issued_ID)];
    return [name, new JsonText(IN_BASE58.has(name) ? (inBase58.get(name) ?? json) : json)];
  });
  return { ...Object.fromEntries(members), trc20 };
}
