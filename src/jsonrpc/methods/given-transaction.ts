/** Common parts of buildTransaction and eth_sendTransaction: members of the transaction object. */

import { utf8ToHex } from '../../primitives/hex.js';
import { SmartContract_ABI } from '../../protocol/generated/smart-contract.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { readMessage } from '../../protocol/json/message-reader.js';
import type { BuildOptions } from '../../wallet/transactions.js';
import type { BuildObject } from '../arguments.js';

export function isAbsent(text: string | null | undefined): text is null | undefined | '' | '0x' {
  return text === null || text === undefined || text === '' || text === '0x';
}

export function permissionOf({ permissionId }: BuildObject): Pick<BuildOptions, 'permissionId'> {
  return permissionId > 0n ? { permissionId: Number(permissionId) } : {};
}

export function memoOf({ extraData, visible }: BuildObject): Pick<BuildOptions, 'extraData'> {
  if (!extraData) return {};
  return { extraData: visible ? utf8ToHex(extraData) : readHex(extraData) };
}

/** @throws JavaException if it is not an ABI */
export function abiOf({ abi, visible }: BuildObject): SmartContract_ABI {
  return abi ? readMessage(SmartContract_ABI, `{"entrys":${abi}}`, visible) : SmartContract_ABI.empty;
}
