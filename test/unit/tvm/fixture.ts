/** A contract at 0x…aa, one at 0x…bb, nobody at 0x…cc, and a way to run the first: what the check vectors assume. */

import type { Address, BlockId, TxId } from '../../../src/primitives/ids.js';
import type { ExecutionContext } from '../../../src/tvm/execution.js';
import type { TvmFlags } from '../../../src/tvm/flags.js';
import type { BlockEnvironment } from '../../../src/tvm/host.js';
import { type ExecutionResult, runCall, runCreate } from '../../../src/tvm/run.js';
import { MAINNET_FLAGS } from './mainnet-flags.js';
import { MemoryHost } from './memory-host.js';

export const address = (lastByte: number): Address => `41${lastByte.toString(16).padStart(40, '0')}` as Address;

export const OWNER = address(0x01);
export const AA = address(0xaa);
export const BB = address(0xbb);
export const CC = address(0xcc);
export const TXID = '7a'.repeat(32) as TxId;

export const BLOCK: BlockEnvironment = {
  number: 1000,
  timestampMs: 1_700_000_003_000n,
  producer: address(0x99),
  genesisId: `${'00'.repeat(28)}2b6653dc` as BlockId,
  energyPriceSun: 100n,
};

export const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

export interface Scene {
  readonly code: string;
  readonly callee?: string;
  readonly input?: string;
  readonly energyLimit?: number;
  readonly balance?: bigint;
  readonly calleeBalance?: bigint;
  readonly flags?: Partial<TvmFlags>;
  readonly version?: number;
  readonly context?: Partial<ExecutionContext>;
  readonly prepare?: (host: MemoryHost) => void;
}

export function contextWith(flags: Partial<TvmFlags> = {}, more: Partial<ExecutionContext> = {}): ExecutionContext {
  return { flags: { ...MAINNET_FLAGS, ...flags }, block: BLOCK, txid: TXID, ...more };
}

export function hostOf(scene: Scene): MemoryHost {
  const host = new MemoryHost();
  host.addAccount(OWNER, 1_000_000_000n);
  host.addContract(AA, bytes(scene.code), scene.balance ?? 10n, scene.version ?? 0);
  if (scene.callee !== undefined)
    host.addContract(BB, bytes(scene.callee), scene.calleeBalance ?? 0n, scene.version ?? 0);
  scene.prepare?.(host);
  return host;
}

export function run(scene: Scene): ExecutionResult & { readonly host: MemoryHost } {
  const host = hostOf(scene);
  const result = runCall(host, contextWith(scene.flags, scene.context), {
    owner: OWNER,
    contract: AA,
    data: bytes(scene.input ?? ''),
    callValueSun: 0n,
    tokenId: 0n,
    tokenValue: 0n,
    energyLimit: scene.energyLimit ?? 1_000_000,
  });
  return { ...result, host };
}

/** Deploys init code at 0x…aa the way a CreateSmartContract transaction does. */
export function deploy(initCode: string, flags: Partial<TvmFlags> = {}, energyLimit = 1_000_000) {
  const host = new MemoryHost();
  host.addAccount(OWNER, 1_000_000_000n);
  host.createContract({ address: AA, creator: OWNER, version: 0, trxHash: '' });
  const result = runCreate(host, contextWith(flags), {
    owner: OWNER,
    contract: AA,
    initCode: bytes(initCode),
    callValueSun: 0n,
    tokenId: 0n,
    tokenValue: 0n,
    energyLimit,
  });
  return { ...result, host };
}

export const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');

/** Code that returns the word on top of the stack. */
export const RETURN_TOP = '5f5260205ff3';
