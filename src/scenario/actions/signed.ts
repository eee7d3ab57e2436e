/** The transaction of a step: built on the current chain, signed with the keys that are known. */

import type { Node } from '../../node/node.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { ContractMessage } from '../../protocol/contract-types.js';
import type { TransactionInfo } from '../../protocol/generated/tron.js';
import { NO_SIGNATURE, rememberSigner, sign } from '../../protocol/signature.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { fullContext } from '../../wallet/context.js';
import { unsignedTransaction } from '../../wallet/transactions.js';
import type { Parties } from '../parties.js';
import type { Was } from '../results/result.js';

/** A transaction that a step wants to be made, signed and sent. */
export interface Sending {
  readonly contractType: number;
  readonly message: ContractMessage;
  readonly from: string;
  readonly to?: Address | undefined;
  readonly method?: string | undefined;
  readonly feeLimitSun?: bigint | undefined;
  readonly memo?: Hex | undefined;
  readonly permission: number;
  readonly signers: readonly string[];
  readonly made?: ((info: TransactionInfo) => void) | undefined;
  readonly was?: Was | undefined;
}

export function signed(
  node: Node,
  parties: Parties,
  { contractType, message, feeLimitSun, memo, permission, signers }: Sending,
): SignedTransaction {
  const unsigned = SignedTransaction.of(
    unsignedTransaction(fullContext(node), contractType, message, {
      permissionId: permission,
      ...(feeLimitSun !== undefined && { feeLimitSun }),
      ...(memo !== undefined && { extraData: memo }),
    }),
  );
  const { txId } = unsigned;
  const signatures = signers.flatMap((name) => {
    const { privateKey, address, isOfNetwork } = parties.get(name);
    // An account without a known key sends unsigned; the transaction is valid if the account is impersonated.
    if (privateKey === undefined) return isOfNetwork ? [NO_SIGNATURE] : [];
    const signature = sign(txId, privateKey);
    rememberSigner(txId, signature, address);
    return [signature];
  });
  return signatures.length === 0 ? unsigned : unsigned.withSignatures(signatures);
}
