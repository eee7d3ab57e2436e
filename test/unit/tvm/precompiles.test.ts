/** Precompiled contracts: prices, outputs, failures, and the rules of calling them (protocol/precompiles.md). */

import { createHash, sign as cryptoSign, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressFromPrivateKey } from '../../../src/protocol/address.js';
import { sign } from '../../../src/protocol/signature.js';
import { ContractResult } from '../../../src/tvm/errors.js';
import { AA, BB, hex, OWNER, run, type Scene } from './fixture.js';
import { callPrecompile } from './precompile-call.js';

const word = (value: number | bigint | string): string => BigInt(value).toString(16).padStart(64, '0');
const KEY = '11'.repeat(32);
const SIGNER = addressFromPrivateKey(KEY);
const DIGEST = 'ab'.repeat(32);
const signature = sign(DIGEST, KEY);
const v = 27 + Number(signature.slice(128));
const recoverInput = DIGEST + word(v) + signature.slice(0, 128);

test('ecrecover answers the 21-byte address', () => {
  expect(callPrecompile(1, recoverInput)).toMatchObject({
    success: true,
    energy: 3000,
    output: SIGNER.padStart(64, '0'),
  });
});

test('ecrecover answers nothing to what is no signature, and succeeds', () => {
  expect(callPrecompile(1, DIGEST + word(29) + signature.slice(0, 128))).toMatchObject({ success: true, output: '' });
  expect(callPrecompile(1, recoverInput.slice(0, 190))).toMatchObject({ success: true, output: '' });
  expect(callPrecompile(1, DIGEST + word(v) + word(0) + signature.slice(64, 128))).toMatchObject({
    success: true,
    output: '',
  });
});

test('sha256, its double in the place of RIPEMD-160, identity', () => {
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const data = Buffer.from('00'.repeat(33), 'hex');
  expect(callPrecompile(2, hex(data))).toMatchObject({ energy: 60 + 24, output: sha(data).toString('hex') });
  expect(callPrecompile(3, hex(data))).toMatchObject({
    energy: 600 + 240,
    output: sha(sha(data).subarray(0, 20)).toString('hex'),
  });
  expect(callPrecompile(4, '0102')).toMatchObject({ energy: 18, output: '0102' });
});

test('RIPEMD-160 and BLAKE2 stand elsewhere, under the compatible-EVM switch', () => {
  const flags = { compatibleEvm: true };
  const ripemd = createHash('ripemd160').update('abc').digest('hex');
  expect(callPrecompile(0x20003, '616263', flags)).toMatchObject({ energy: 720, output: ripemd.padStart(64, '0') });
  // EIP-152, test vector 5: the one compression of blake2b('abc').
  const state =
    '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
    'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b';
  const input = `0000000c${state}${'616263'.padEnd(256, '0')}${'03'.padEnd(32, '0')}01`;
  expect(callPrecompile(0x20009, input, flags)).toMatchObject({
    success: true,
    energy: 12,
    output: createHash('blake2b512').update('abc').digest('hex'),
  });
  expect(callPrecompile(0x20009, input.slice(2), flags).success).toBe(false);
});

test('BLAKE2 that fails leaves a zero word in memory, unless its price was not covered', () => {
  // Calls with the whole input and an output range of no length over a word of ones, then returns that word.
  const code = '365f5f375f19610100525f610100365f62020009620186a0fa6020610100f3';
  const wordAfter = (input: string) => hex(run({ code, input, flags: { compatibleEvm: true } }).output);
  const ones = 'ff'.repeat(32);
  expect(wordAfter('00')).toBe(word(0));
  expect(wordAfter(`${'00'.repeat(212)}02`)).toBe(word(0));
  expect(wordAfter(`ffffffff${'00'.repeat(209)}`)).toBe(ones);
});

test('MODEXP: EIP-198 prices, an empty answer for modulus 0', () => {
  const lengths = (base: number, exponent: number, modulus: number) => word(base) + word(exponent) + word(modulus);
  expect(callPrecompile(5, `${lengths(1, 1, 2)}03050007`)).toMatchObject({ success: true, energy: 0, output: '0005' });
  expect(callPrecompile(5, `${lengths(1, 1, 1)}030500`)).toMatchObject({ success: true, output: '' });
  const exponent = 'ff'.repeat(32);
  // 64² · 255 / 20: EIP-198 counts the exponent's highest bit.
  expect(callPrecompile(5, lengths(64, 32, 64) + '01'.repeat(64) + exponent + '05'.repeat(64)).energy).toBe(52_224);
});

test('MODEXP under OSAKA', () => {
  const input = `${word(1)}${word(1)}${word(2)}03050007`;
  expect(callPrecompile(5, input, { osaka: true })).toMatchObject({ energy: 500, output: '0005' });
  expect(callPrecompile(5, `${word(1)}${word(1)}${word(1025)}0305`, { osaka: true }).success).toBe(false);
  expect(callPrecompile(5, `${word(1)}${word(1)}${word(2)}0305`, { osaka: true }).output).toBe('0000');
});

test('BN128: points add, multiply and pair; what is no point fails', () => {
  const G = word(1) + word(2);
  const doubled =
    '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd315ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4';
  expect(callPrecompile(6, G + G)).toMatchObject({ success: true, energy: 150, output: doubled });
  expect(callPrecompile(7, G + word(2))).toMatchObject({ success: true, energy: 6000, output: doubled });
  expect(callPrecompile(8, '')).toMatchObject({ success: true, energy: 45_000, output: word(1) });
  expect(callPrecompile(6, word(1) + word(1)).success).toBe(false);
  expect(callPrecompile(8, '00').success).toBe(false);
});

const bytesArray = (items: readonly string[]): string => {
  const size = (item: string) => Math.ceil(item.length / 64) + 1;
  let offset = items.length;
  const offsets = items.map((item) => {
    const at = offset * 32;
    offset += size(item);
    return word(at);
  });
  const bodies = items.map((item) => word(item.length / 2) + item.padEnd((size(item) - 1) * 64, '0'));
  return word(items.length) + offsets.join('') + bodies.join('');
};

test('0x09 tells for each signature whether it is by the address named', () => {
  const signatures = bytesArray([signature, signature]);
  const addresses = word(2) + word(`0x${SIGNER.slice(2)}`) + word(5);
  const input = DIGEST + word(0x60) + word(0x60 + signatures.length / 2) + signatures + addresses;
  const words = input.length / 64;
  expect(callPrecompile(9, input)).toMatchObject({
    success: true,
    energy: 1500 * Math.trunc((words - 5) / 6),
    output: `01${'00'.repeat(31)}`,
  });
  expect(callPrecompile(9, DIGEST)).toMatchObject({ success: true, output: word(0) });
});

function multiSignInput(signatures: readonly string[]): string {
  return word(`0x${OWNER.slice(2)}`) + word(2) + DIGEST + word(0x80) + bytesArray(signatures);
}

test('0x09 and 0x0a under OSAKA: whole records of the price only, otherwise they fail with all that they were given', () => {
  const osaka = { osaka: true };
  for (const [target, words] of [
    [9, 6],
    [10, 5],
  ] as const) {
    const zeros = (count: number) => word(0).repeat(count);
    for (const [count, answers] of [
      [5, false],
      [5 + words - 1, false],
      [5 + words, true],
      [5 + words + 1, false],
      [5 + 2 * words, true],
    ] as const) {
      const input = zeros(count);
      expect([count, callPrecompile(target, input, osaka).success]).toEqual([count, answers]);
      expect(callPrecompile(target, input)).toMatchObject({ success: true, output: word(0) });
    }
    expect(callPrecompile(target, `${zeros(5 + words)}00`, osaka).success).toBe(false);
    expect(callPrecompile(target, '', osaka).result.energyUsed).toBeGreaterThan(880_000);
  }
});

test('P256VERIFY under OSAKA answers 1 to a signature by the key, and otherwise nothing', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const message = Buffer.from('a message');
  const rs = cryptoSign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('hex');
  const digest = createHash('sha256').update(message).digest('hex');
  const key = [x, y].map((part) => Buffer.from(part!, 'base64url').toString('hex').padStart(64, '0')).join('');
  const ask = (input: string) => callPrecompile(0x100, input, { osaka: true });
  expect(ask(digest + rs + key)).toMatchObject({ success: true, energy: 6_900, output: word(1) });
  expect(ask(DIGEST + rs + key)).toMatchObject({ success: true, energy: 6_900, output: '' });
  for (const input of ['', digest + rs, `${digest}${rs}${key}00`, digest + word(0) + word(0) + key])
    expect(ask(input)).toMatchObject({ success: true, energy: 6_900, output: '' });
  // Before there is no such contract, only an account without code.
  expect(callPrecompile(0x100, digest + rs + key)).toMatchObject({ success: true, output: '', energy: Number.NaN });
});

test('0x0a weighs signatures against a permission', () => {
  const message = Buffer.concat([
    Buffer.from(OWNER, 'hex'),
    Buffer.from('00000002', 'hex'),
    Buffer.from(DIGEST, 'hex'),
  ]);
  const digest = createHash('sha256').update(message).digest('hex');
  const other = '22'.repeat(32);
  const permit: Scene['prepare'] = (host) =>
    host.permissions.set(`${OWNER}2`, {
      threshold: 3n,
      keys: [
        { address: SIGNER, weight: 2n },
        { address: addressFromPrivateKey(other), weight: 1n },
      ],
    });
  const ask = (signatures: readonly string[]) =>
    callPrecompile(10, multiSignInput(signatures), {}, { prepare: permit });
  const first = sign(digest, KEY);
  const second = sign(digest, other);
  expect(ask([first, second]).output).toBe(word(1));
  expect(ask([first]).output).toBe(word(0));
  expect(ask([first, first, second]).output).toBe(word(1));
  expect(ask([sign(digest, '33'.repeat(32)), first, second]).output).toBe(word(0));
  // One signer with two different signatures: the v of the second says the same in another way.
  const twice = ask([first, first.slice(0, 128) + (27 + Number(first.slice(128))).toString(16)]);
  expect(twice.result).toMatchObject({
    contractResult: ContractResult.OUT_OF_TIME,
    runtimeError: 'CPU timeout for 0x0a executing',
    energyUsed: 900_000,
  });
});

test.each([
  ['', 0, 0],
  [word(1), 1, 1],
  [word(1).repeat(3), 3, 3],
])('0x0a with malformed input %#: the calling frame fails with the JVM text', (input, index, length) => {
  expect(callPrecompile(10, input).result).toMatchObject({
    contractResult: ContractResult.UNKNOWN,
    runtimeError: `Index ${index} out of bounds for length ${length}`,
    energyUsed: 900_000,
  });
});

/** Account, permission, content, one signature array with the count and the elements' lengths as given. */
function claimedSignatures(count: number, lengths: readonly number[]): string {
  const offsets = lengths.map((_, i) => word(32 * (lengths.length + i)));
  const items = lengths.map((length) => word(length));
  return word(`0x${OWNER.slice(2)}`) + word(2) + DIGEST + word(0x80) + word(count) + offsets.join('') + items.join('');
}

const MAX_ARRAY = 0x7fff_fffd;

test.each([
  // An array as long as any may be; what is said to be in it is then looked for.
  [MAX_ARRAY, [], 'Index 5 out of bounds for length 5', 900_000],
  [0x1000_0001, [], 'Index 5 out of bounds for length 5', 900_000],
  [MAX_ARRAY + 1, [], 'Unknown Throwable', 900_000],
  [0x7fff_ffff, [], 'Unknown Throwable', 900_000],
  [1, [MAX_ARRAY + 1], 'Unknown Throwable', 900_000],
  [13, new Array(13).fill(MAX_ARRAY), 'Unknown Throwable', 900_000],
])('0x0a with a claim of %i elements of %j bytes', (count, lengths, runtimeError, energyUsed) => {
  expect(callPrecompile(10, claimedSignatures(count, lengths)).result).toMatchObject({ runtimeError, energyUsed });
  // 0x09 answers whatever goes wrong with a zero word.
  expect(callPrecompile(9, DIGEST + word(0x60) + word(0x60) + word(count))).toMatchObject({
    success: true,
    output: word(0),
  });
});

test('0x0a with elements that are only said to be long', () => {
  expect(callPrecompile(10, claimedSignatures(2, [MAX_ARRAY, 0x1000_0000]))).toMatchObject({
    success: true,
    output: word(0),
  });
});

test('MODEXP with numbers that are only said to be long', () => {
  const ask = (base: number, exponent: number, modulus: number, digits: string) =>
    callPrecompile(5, word(base) + word(exponent) + word(modulus) + digits);
  // Neither base nor modulus: the exponent costs nothing, but Java reads it.
  expect(ask(0, 0x7fff_ffff, 0, '01').result).toMatchObject({ runtimeError: 'Unknown Throwable', energyUsed: 900_000 });
  const tooLarge = { runtimeError: 'BigInteger would overflow supported range', energyUsed: 900_000 };
  expect(ask(0, 0x1000_0000, 0, '80').result).toMatchObject(tooLarge);
  expect(ask(0, 0x1000_0002, 0, '0001').result).toMatchObject(tooLarge);
  expect(ask(0, 0x1000_0000, 0, '7f')).toMatchObject({ success: true, energy: 0, output: '' });
  expect(ask(0, MAX_ARRAY, 0, '00')).toMatchObject({ success: true, energy: 0, output: '' });
  expect(ask(0, 0x7fff_ffff, 0, '')).toMatchObject({ success: true, energy: 0, output: '' });
});

test('MODEXP is the power', () => {
  const two = (value: number | bigint) => BigInt(value).toString(16).padStart(4, '0');
  fc.assert(
    fc.property(fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff), (base, exponent, modulus) => {
      let power = 1n;
      for (let i = 0; i < exponent % 300; i++) power *= BigInt(base);
      const { output } = callPrecompile(
        5,
        word(2) + word(2) + word(2) + two(base) + two(exponent % 300) + two(modulus),
      );
      expect(output).toBe(modulus === 0 ? '' : two(power % BigInt(modulus)));
    }),
  );
});

test('the operand is matched on all 32 bytes', () => {
  const prefixed = (0x41n << 160n) + 4n;
  const result = run({ code: `5f5f60205f75${prefixed.toString(16).padStart(44, '0')}5afa3d5f5260205ff3` });
  expect(hex(result.output)).toBe(word(0));
});

test('the whole output is copied, whatever room the caller named, and that memory is free', () => {
  const size = (code: string) => hex(run({ code: `${code}595f5260205ff3` }).output);
  expect(size('5f608060605f60045afa')).toBe(word(0x80 + 0x60));
  // The price is that of the input's 96 bytes alone.
  expect(run({ code: '5f608060605f60045afa' }).energyUsed).toBe(2 + 3 + 3 + 2 + 3 + 2 + 40 + 9 + 24);
});

test('value for a precompiled contract without an account ends the calling frame', () => {
  expect(run({ code: '5f5f5f5f600160045af1' })).toMatchObject({
    contractResult: ContractResult.UNKNOWN,
    runtimeError: 'transfer failure',
    energyUsed: 1_000_000,
  });
});

test('too little Energy fails the call and costs what was forwarded', () => {
  const result = run({ code: '5f5f5f5f60016103e8fa' });
  expect(result).toMatchObject({ contractResult: ContractResult.SUCCESS, energyUsed: 4 * 2 + 3 + 3 + 40 + 1000 });
});

const stakeCode = (opcode: string) => `365f5f375f5f365f630100000b5a${opcode}3d5f5f3e3d5ff3`;
const stakeInput = (amount: bigint, resource: number) => word(amount) + word(resource);

test('DELEGATECALL of 0x100000b with two words stakes for the calling contract', () => {
  const { host, output, internalTransactions, energyUsed } = run({
    code: stakeCode('f4'),
    input: stakeInput(5_000_000n, 1),
    balance: 7_000_000n,
  });
  expect(hex(output)).toBe(word(1));
  expect(host.balance(AA)).toBe(2_000_000n);
  expect(host.frozenBalanceV2(AA, 1)).toBe(5_000_000n);
  expect(internalTransactions).toMatchObject([
    { note: 'freezeBalanceV2ForEnergy', callValueSun: 5_000_000n, rejected: false },
  ]);
  expect(energyUsed).toBeGreaterThan(10_000);
});

test.each([
  ['CALL family other than DELEGATECALL', 'fa', stakeInput(5_000_000n, 1)],
  ['less than one coin', 'f4', stakeInput(999_999n, 1)],
  ['more than the balance', 'f4', stakeInput(7_000_001n, 1)],
  ['no such resource', 'f4', stakeInput(5_000_000n, 2)],
  ['three words', 'f4', `${stakeInput(5_000_000n, 1)}${word(0)}`],
])('0x100000b answers as java-tron: %s', (_, opcode, input) => {
  const { host, output, internalTransactions, energyUsed } = run({
    code: stakeCode(opcode),
    input,
    balance: 7_000_000n,
  });
  expect(hex(output)).toBe(word(0));
  expect(host.balance(AA)).toBe(7_000_000n);
  expect(internalTransactions).toEqual([]);
  expect(energyUsed).toBeLessThan(1_000);
});

test('0x100000b answers chain parameters to one word, for every call opcode', () => {
  for (const opcode of ['fa', 'f4']) {
    expect(hex(run({ code: stakeCode(opcode), input: word(5) }).output)).toBe(word(14));
    expect(hex(run({ code: stakeCode(opcode), input: word(9) }).output)).toBe(word(0));
  }
});

test.each([
  [0x1000006, 20, '', 1],
  [0x1000007, 500, word(1), 1],
  [0x1000010, 50, word(1), 1],
  [0x1000011, 50, word(1), 3],
  [0x1000012, 50, '', 2],
])('query %i with a wrong input length answers zero words', (target, energy, input, words) => {
  expect(callPrecompile(target, input)).toMatchObject({ success: true, energy, output: word(0).repeat(words) });
});

test('queries read the chain', () => {
  const prepare: Scene['prepare'] = (host) => {
    host.addAccount(BB, 50_000_000n);
    host.freezeBalanceV2(BB, 20_000_000n, 0);
    host.witnesses.add(OWNER);
    host.voteWitness(BB, [{ witness: OWNER, count: 7n }]);
  };
  const ask = (target: number, ...words: (number | bigint | string)[]) =>
    callPrecompile(target, words.map(word).join(''), {}, { prepare }).output;
  const b = `0x${BB.slice(2)}`;
  const witness = `0x${OWNER.slice(2)}`;
  expect(ask(0x1000006, witness)).toBe(word(1));
  expect(ask(0x1000007, b, witness)).toBe(word(7));
  expect(ask(0x1000008, b)).toBe(word(7));
  expect(ask(0x1000009, witness)).toBe(word(7));
  expect(ask(0x100000a, b)).toBe(word(20));
  expect(ask(0x100000c, b)).toBe(word(32));
  expect(ask(0x100000d, b, 0)).toBe(word(20_000_000));
  expect(ask(0x1000010, b, b, 0)).toBe(word(20_000_000));
  expect(ask(0x1000011, b, 5_000_000, 0)).toBe(word(5_000_000) + word(0) + word(0));
  expect(ask(0x1000013, b, 0)).toBe(word(20_000_000));
});

test('no shielded proof verifies', () => {
  expect(callPrecompile(0x1000001, '00'.repeat(1504))).toMatchObject({
    success: true,
    energy: 150_000,
    output: word(0),
  });
  expect(callPrecompile(0x1000004, word(0).repeat(3)).success).toBe(false);
});
