/** Accounts that one user has for itself, and code that is set there by decree. */

import type { Address } from '../../../../src/primitives/ids.js';
import { strangerAddress } from '../../simulated-chain.js';
import { resultOf } from './asker.js';
import type { Code } from './assembler.js';
import { asked, BLANKS, hexOf } from './instruments.js';
import type { Host } from './user.js';

export const MIRROR = strangerAddress(911);
/** For `machine-rules.ts`: those that call, from the outermost one on. */
export const CALLERS = [921, 922, 923].map(strangerAddress);
export const WASTER = strangerAddress(931);
export const WORKER = strangerAddress(932);
/** Tokens of `renamed-token.ts`, each for once. */
export const RENAMED = Array.from({ length: 8 }, (_, i) => strangerAddress(941 + i));

/** Decrees make contracts of them: no transaction has created these. */
export const DECREED: readonly Address[] = [...BLANKS, MIRROR, ...CALLERS, WASTER, WORKER, ...RENAMED];

/** Sets code. @returns whether it is there, and nothing else is under way */
export async function placed(host: Host, codes: Readonly<Record<Address, Code>>): Promise<boolean> {
  for (const [address, code] of Object.entries(codes))
    if (resultOf(await asked(host, 'tron_setCode', hexOf(address as Address), `0x${code}`)) === undefined) return false;
  return host.world.isQuiet;
}
