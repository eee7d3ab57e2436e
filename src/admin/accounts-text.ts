/** TRE's list of accounts, for people and for scripts that parse keys out of it: three sections, keys without `0x`. */

import type { Address, Sun } from '../primitives/ids.js';
import { addressFromPrivateKey, toBase58 } from '../protocol/address.js';
import type { AdminWallet } from './table.js';

/** Notation of addresses: base58check, 21 bytes of hex, or both. */
export type Format = 'base58' | 'hex' | 'all';

export function accountsText(
  { privateKeys, mnemonic, hdPath }: AdminWallet,
  format: Format,
  balanceOf: (address: Address) => Sun,
): string {
  const addresses = privateKeys.map(addressFromPrivateKey);
  const available = addresses.flatMap((address, index) => {
    const shown = format === 'hex' ? address : toBase58(address);
    const line = `(${index}) ${shown} (${trxText(balanceOf(address))} TRX)`;
    return format === 'all' ? [line, `    ${address}`] : [line];
  });
  const keys = privateKeys.map((key, index) => `(${index}) ${key}`);
  const wallet = [`Mnemonic:      ${mnemonic}`, `Base HD Path:  ${hdPath}{account_index}`];
  return `${section('Available Accounts', ['', ...available])}\n${section('Private Keys', ['', ...keys])}\n${section('HD Wallet', wallet)}`;
}

function section(heading: string, lines: readonly string[]): string {
  return `${[heading, '==================', ...lines].join('\n')}\n`;
}

/** `9999.5` */
function trxText(sun: Sun): string {
  const digits = sun.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
