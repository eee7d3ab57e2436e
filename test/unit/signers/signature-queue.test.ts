/** The queue between the ledger's thread and a thread that recovers signers; here one thread is both sides. */

import { expect, test } from 'vitest';
import type { Hex } from '../../../src/primitives/hex.js';
import type { Address } from '../../../src/primitives/ids.js';
import { type Recover, SignatureQueue, shareSignatures } from '../../../src/signers/signature-queue.js';
import { SignerThreads } from '../../../src/signers/threads.js';

const DIGEST = 'd1'.repeat(32);
/** The signer says which signature it was made of. */
const signature = (index: number): Hex => `${'00'.repeat(63)}${index.toString(16).padStart(4, '0')}`;
const signerOf = (text: Hex): Address => `41${text.slice(-4).padStart(40, '0')}` as Address;

function queue(): { readonly ledger: SignatureQueue; readonly recovered: Hex[] } {
  const recovered: Hex[] = [];
  const recover: Recover = (digest, text) => {
    expect(digest).toBe(DIGEST);
    recovered.push(text);
    return text.startsWith('ff') ? undefined : signerOf(text);
  };
  return { ledger: new SignatureQueue(shareSignatures(), recover), recovered };
}

test('bytes after the 65th do not matter', () => {
  const { ledger, recovered } = queue();
  const slot = ledger.ask(DIGEST, `${signature(1)}00`)!;
  expect(ledger.isAnswered(slot)).toBe(false);
  expect(ledger.help()).toBe(true);
  expect(ledger.take(slot)).toBe(signerOf(signature(1)));
  expect(recovered).toEqual([signature(1)]);
});

test('what nobody has begun is left to the ledger, and not recovered later', () => {
  const { ledger, recovered } = queue();
  const slot = ledger.ask(DIGEST, signature(1))!;
  expect(ledger.take(slot)).toBeUndefined();
  expect(ledger.help()).toBe(false);
  expect(recovered).toEqual([]);
});

test('the ledger helps with the newest, once each', () => {
  const { ledger, recovered } = queue();
  const slots = [1, 2, 3].map((index) => ledger.ask(DIGEST, signature(index))!);
  expect(ledger.help()).toBe(true);
  expect(slots.map((slot) => ledger.isAnswered(slot))).toEqual([false, false, true]);
  expect(ledger.help() && ledger.help()).toBe(true);
  expect(ledger.help()).toBe(false);
  expect(slots.map((slot) => ledger.take(slot))).toEqual([1, 2, 3].map((index) => signerOf(signature(index))));
  expect(recovered).toEqual([3, 2, 1].map(signature));
});

test('a signature without a signer is answered, and has none', () => {
  const { ledger } = queue();
  const slot = ledger.ask(DIGEST, 'ff'.repeat(65))!;
  expect(ledger.help()).toBe(true);
  expect(ledger.isAnswered(slot)).toBe(true);
  expect(ledger.take(slot)).toBeUndefined();
});

test('what is no signature, or finds no room, is left to the ledger; slots are used again', () => {
  const { ledger } = queue();
  expect(ledger.ask(DIGEST, 'ab'.repeat(64))).toBeUndefined();
  const slots: number[] = [];
  for (let slot = ledger.ask(DIGEST, signature(0)); slot !== undefined; ) {
    slots.push(slot);
    slot = ledger.ask(DIGEST, signature(slots.length));
  }
  expect(new Set(slots).size).toBe(slots.length);
  while (ledger.help());
  expect(ledger.take(slots[0]!)).toBe(signerOf(signature(0)));
  expect(ledger.ask(DIGEST, signature(7))).toBe(slots[0]);
  expect(ledger.help()).toBe(true);
  expect(ledger.take(slots[0]!)).toBe(signerOf(signature(7)));
});

test('taken back while somebody recovers it: no answer, and the slot is used again when that has finished', () => {
  let whileRecovering: Address | undefined = signerOf(signature(9));
  const ledger: SignatureQueue = new SignatureQueue(shareSignatures(), (_digest, text) => {
    whileRecovering = ledger.take(slot);
    expect(ledger.isAnswered(slot)).toBe(false);
    return signerOf(text);
  });
  const slot = ledger.ask(DIGEST, signature(1))!;
  expect(ledger.help()).toBe(true);
  expect(whileRecovering).toBeUndefined();
  expect(ledger.isAnswered(slot)).toBe(false);
  const others: (number | undefined)[] = [];
  do others.push(ledger.ask(DIGEST, signature(2)));
  while (others.at(-1) !== undefined && others.at(-1) !== slot);
  expect(others.at(-1)).toBe(slot);
});

test('more signatures than a permission can have keys are not asked for: the ledger refuses them by their number', async () => {
  const threads = new SignerThreads();
  const signatures = Array.from({ length: 6 }, (_, index) => signature(index));
  expect(threads.ahead({ digest: DIGEST, signatures })).toBeUndefined();
  expect(threads.ahead({ digest: DIGEST, signatures: signatures.slice(1) })).toBeTypeOf('function');
  await threads.close();
});
