import { type Hex, hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { keccak256 } from '../../protocol/hashes.js';
import type { Ledger } from '../ledger.js';
import { LedgerHost } from '../smart-contracts/host.js';
import { contractAt, removeContract } from './contract-account.js';

/**
 * Sets the runtime code at an address; its storage, TRX and ABI stay. Empty code turns a contract back into an
 * account.
 *
 * @param code runtime code, not creation code; hex
 * @returns the code's hash
 * @example setCode(ledger, { address, code: '6001600155' })
 */
export function setCode(ledger: Ledger, { address, code }: { readonly address: Address; readonly code: Hex }): Hex {
  const bytes = hexToBytes(code);
  if (bytes.length === 0) removeContract(ledger, address);
  else {
    contractAt(ledger, address);
    new LedgerHost(ledger, { timestampMs: ledger.headTimeMs }).setCode(address, bytes);
  }
  return keccak256(bytes);
}
