/**
 * The signed transactions of a long chain, block by block: transfers to new accounts, and one call that writes logs. Made
 * in a process of their own, because signing leaves the signer in the cache of recovered signatures, and the chain is to
 * pay for recovering it.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Hex, utf8ToHex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { TriggerSmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { keccak256OfHex, sha256OfHex } from '../../src/protocol/hashes.js';
import { type Reference, signed, signedTransfer } from './signed-transactions.js';
import { word } from './token.js';

export const TRANSFERS_PER_BLOCK = 500;
export const LOGS_PER_BLOCK = 50;
/** Blocks that are made while the chain applies another one. */
const AHEAD = 4;
const FEE_LIMIT_SUN = 1_000_000_000n;
const WRITE_SELECTOR = keccak256OfHex(utf8ToHex('write(uint256,uint256)')).slice(0, 8);

export interface WantedBlocks {
  readonly privateKey: Hex;
  readonly reference: Reference;
  /** The contract that writes logs. */
  readonly contract: Address;
  /** The blocks of this kind that the chain has. */
  readonly from: number;
  readonly blocks: number;
}

/** The receiver of a transfer: a uniformly distributed address that no other transfer has. */
export function receiverOf(transfer: number): Address {
  return `41${sha256OfHex(transfer.toString(16).padStart(16, '0')).slice(0, 40)}` as Address;
}

/** The transactions of each block, as bytes. */
export async function* signedBlocks(wanted: WantedBlocks): AsyncIterable<readonly Uint8Array[]> {
  if (wanted.blocks === 0) return;
  const child = fork(fileURLToPath(new URL('./long-chain-signer.js', import.meta.url)), ['sign'], {
    execArgv: [],
    serialization: 'advanced',
  });
  child.send(wanted);
  for (let asked = 0; asked < AHEAD; asked++) child.send('next');
  try {
    let received = 0;
    for await (const [transactions] of on(child, 'message')) {
      yield transactions as readonly Uint8Array[];
      if (++received === wanted.blocks) return;
      child.send('next');
    }
  } finally {
    child.kill();
  }
}

function blockOf({ privateKey, reference, contract, from }: WantedBlocks, block: number): Uint8Array[] {
  const number = from + block;
  const transactions: Uint8Array[] = [];
  for (let index = 0; index < TRANSFERS_PER_BLOCK; index++) {
    const transfer = number * TRANSFERS_PER_BLOCK + index;
    transactions.push(signedTransfer(privateKey, receiverOf(transfer), 1n, { reference, nonce: transfer }).bytes);
  }
  const data = `${WRITE_SELECTOR}${word((number * LOGS_PER_BLOCK).toString(16))}${word(LOGS_PER_BLOCK.toString(16))}`;
  const call = TriggerSmartContract.create({
    owner_address: addressFromPrivateKey(privateKey),
    contract_address: contract,
    data,
  });
  const nonce = { reference, nonce: number };
  transactions.push(signed(privateKey, ContractType.TriggerSmartContract, call, nonce, FEE_LIMIT_SUN).bytes);
  return transactions;
}

function sign(parent: Pick<ChildProcess, 'send'> & NodeJS.Process): void {
  let wanted: WantedBlocks | undefined;
  let block = 0;
  parent.on('message', (message: WantedBlocks | 'next') => {
    if (message !== 'next') wanted = message;
    else if (wanted !== undefined && block < wanted.blocks) parent.send(blockOf(wanted, block++));
  });
}

if (process.argv[2] === 'sign') sign(process as never);
