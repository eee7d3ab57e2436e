/** Every switch of protocol/virtual-machine.md#flags changes what a program does. */

import { expect, test } from 'vitest';
import { ContractResult } from '../../../src/tvm/errors.js';
import type { TvmFlags } from '../../../src/tvm/flags.js';
import { AA, BLOCK, deploy, hex, RETURN_TOP, run, type Scene } from './fixture.js';
import { MAINNET_FLAGS } from './mainnet-flags.js';

interface Outcome {
  readonly energy?: number;
  readonly top?: bigint;
  readonly result?: ContractResult;
  readonly text?: string;
}

type Row = [flag: keyof TvmFlags, what: string, scene: Scene, on: Outcome, off: Outcome];

const illegal = (opcode: string): Outcome => ({
  result: ContractResult.ILLEGAL_OPERATION,
  text: `Invalid operation code: opCode[${opcode}];`,
});

const top = (code: string): string => code + RETURN_TOP;
/** STATICCALL of a precompiled contract with the first `length` (hex byte) bytes of memory; answers its return data's size. */
const sizeOf = (target: string, length: string): string => top(`5f5f60${length}5f${target}620f4240fa503d`);
const number = (value: bigint): string => value.toString(16).padStart(64, '0');

const rows: Row[] = [
  ['transferTrc10', 'CALLTOKENVALUE', { code: top('d2') }, { top: 0n }, illegal('d2')],
  [
    'transferTrc10',
    'CALLTOKEN',
    { code: '5f5f5f5f5f5f60cc5fd0' },
    { result: ContractResult.TRANSFER_FAILED },
    illegal('d0'),
  ],
  [
    'multiSign',
    'ADDRESS has 21 bytes without it',
    { code: top('30') },
    { top: 0xaan },
    { top: (0x41n << 160n) + 0xaan },
  ],
  ['constantinople', 'SHL', { code: top('600160011b') }, { top: 2n }, illegal('1b')],
  ['constantinople', 'EXTCODEHASH', { code: top('60cc3f') }, { top: 0n }, illegal('3f')],
  ['constantinople', 'CREATE2', { code: '5f5f5f5ff5' }, {}, illegal('f5')],
  [
    'constantinople',
    'a failed transfer keeps the rest of the Energy',
    { code: '5f5f5f5f600160aa5af1' },
    { result: ContractResult.TRANSFER_FAILED, energy: 6756 },
    { result: ContractResult.UNKNOWN, energy: 1_000_000 },
  ],
  ['solidity059', 'ISCONTRACT', { code: top('60aad4') }, { top: 1n }, illegal('d4')],
  ['solidity059', '0x09 answers a word', { code: sizeOf('6009', '20') }, { top: 32n }, { top: 0n }],
  [
    'solidity059',
    'a value creates a missing account',
    { code: '5f5f5f5f600160cc5af1' },
    { energy: 31_756 },
    {
      result: ContractResult.TRANSFER_FAILED,
      text:
        'transfer trx failed: Validate InternalTransfer error, no ToAccount. ' +
        'And not allowed to create an account in a smartContract.',
    },
  ],
  [
    'solidity059',
    'self-destruct without coins to a missing account',
    { code: '60ccff', balance: 0n },
    { energy: 25_003 },
    { result: ContractResult.UNKNOWN, energy: 1_000_000, text: 'Unknown Exception' },
  ],
  ['shieldedTrc20', '0x1000003 answers a word', { code: sizeOf('6301000003', '20') }, { top: 32n }, { top: 0n }],
  ['istanbul', 'CHAINID', { code: top('46') }, { top: 0x2b6653dcn }, illegal('46')],
  ['istanbul', 'BN128 addition', { code: '5f5f5f5f6006620f4240fa' }, { energy: 204 }, { energy: 554 }],
  [
    'freezeV1',
    'FREEZE costs 20,000 and with stake 2.0 does nothing else',
    { code: top('60bb620f42405fd5'), callee: '00' },
    { top: 0n },
    illegal('d5'),
  ],
  ['vote', 'WITHDRAWREWARD', { code: top('d9') }, { top: 0n }, illegal('d9')],
  ['vote', '0x1000005 answers a word', { code: sizeOf('6301000005', '00') }, { top: 32n }, { top: 0n }],
  [
    'vote',
    'FREEZE is forbidden in a static call',
    { code: top('5f5f5f5f60bb620186a0fa'), callee: '60bb620f42405fd5', flags: { freezeV1: true } },
    { top: 0n },
    { top: 1n },
  ],
  [
    'vote',
    'UNFREEZE is forbidden in a static call',
    { code: top('5f5f5f5f60bb620186a0fa'), callee: '60bb5fd6', flags: { freezeV1: true } },
    { top: 0n },
    { top: 1n },
  ],
  ['london', 'BASEFEE', { code: top('48') }, { top: 100n }, illegal('48')],
  ['higherCpuLimit', 'MLOAD costs 1 more', { code: '5f51' }, { energy: 6 }, { energy: 5 }],
  ['freezeV2', 'CANCELALLUNFREEZEV2', { code: top('dc') }, { top: 1n }, illegal('dc')],
  ['freezeV2', '0x100000b answers a word', { code: sizeOf('630100000b', '20') }, { top: 32n }, { top: 0n }],
  ['shanghai', 'PUSH0', { code: '5f00' }, { energy: 2 }, illegal('5f')],
  ['energyAdjustment', 'self-destruct to a missing account', { code: '60ccff' }, { energy: 25_003 }, { energy: 3 }],
  [
    'energyAdjustment',
    'VOTEWITNESS pays for the length words',
    { code: '60205f60205fd8' },
    { result: ContractResult.SUCCESS, energy: 2 + 3 + 2 + 3 + 30_000 + 6 },
    { result: ContractResult.SUCCESS, energy: 2 + 3 + 2 + 3 + 30_000 },
  ],
  ['cancun', 'MCOPY', { code: '60205f60205e' }, { energy: 20 }, illegal('5e')],
  ['cancun', 'TLOAD', { code: top('5f5c') }, { top: 0n }, illegal('5c')],
  ['blob', 'BLOBBASEFEE', { code: top('4a') }, { top: 0n }, illegal('4a')],
  ['selfdestructRestriction', 'SUICIDE costs 5,000', { code: '6001ff' }, { energy: 5003 }, { energy: 3 }],
  [
    'osaka',
    'lengths of VOTEWITNESS do not wrap',
    // A length of 2^251, which is 2^256 bytes.
    { code: `5f7f08${'00'.repeat(31)}5f5fd8`, flags: { energyAdjustment: true } },
    { result: ContractResult.OUT_OF_MEMORY },
    { result: ContractResult.UNKNOWN },
  ],
  ['osaka', 'CLZ', { code: top('60011e') }, { top: 255n }, illegal('1e')],
  ['compatibleEvm', 'GASPRICE of a version 1 contract', { code: top('3a'), version: 1 }, { top: 100n }, { top: 0n }],
  [
    'compatibleEvm',
    'one 64th stays with the caller',
    { code: '5f5f5f5f60bb5af450', callee: 'fe', version: 1 },
    { result: ContractResult.SUCCESS },
    { result: ContractResult.OUT_OF_ENERGY },
  ],
  ['compatibleEvm', '0x20003 is RIPEMD-160', { code: sizeOf('62020003', '00') }, { top: 32n }, { top: 0n }],
];

function check(scene: Scene, flags: Partial<TvmFlags>, expected: Outcome): void {
  const outcome = run({ ...scene, flags: { ...scene.flags, ...flags } });
  expect(outcome.contractResult).toBe(expected.result ?? ContractResult.SUCCESS);
  if (expected.energy !== undefined) expect(outcome.energyUsed).toBe(expected.energy);
  if (expected.top !== undefined) expect(hex(outcome.output)).toBe(number(expected.top));
  if (expected.text !== undefined) expect(outcome.runtimeError).toBe(expected.text);
}

test.each(rows)('%s: %s', (flag, _what, scene, on, off) => {
  // RETURN_TOP begins with PUSH0, which has a switch of its own.
  const others = flag === 'shanghai' ? {} : { shanghai: true };
  check(scene, { ...others, [flag]: true }, on);
  check(scene, { ...others, [flag]: false }, off);
});

test('optimizedChainId: without it and without compatible EVM, CHAINID is the whole genesis id', () => {
  const genesisId = `${'12'.repeat(28)}2b6653dc`;
  const scene: Scene = { code: top('46') };
  const context = { block: { ...BLOCK, genesisId: genesisId as typeof BLOCK.genesisId } };
  expect(hex(run({ ...scene, context }).output)).toBe(number(0x2b6653dcn));
  expect(hex(run({ ...scene, context, flags: { optimizedChainId: false } }).output)).toBe(genesisId);
});

test('dynamicEnergy: the factor of the context multiplies prices', () => {
  const hot: Scene['prepare'] = (host) => host.energy.set(AA, { factor: 2000, usage: 0 });
  const scene: Scene = { code: '5f5460015f55', prepare: hot };
  expect(run(scene)).toMatchObject({ energyUsed: 20_057 + 10 + 4000, energyPenalty: 4010 });
  expect(run({ ...scene, flags: { dynamicEnergy: false } })).toMatchObject({ energyUsed: 20_057, energyPenalty: 0 });
});

test('london: code that begins with 0xef is refused', () => {
  const returnEf = '60ef5f5360015ff3';
  expect(deploy(returnEf)).toMatchObject({
    contractResult: ContractResult.INVALID_CODE,
    energyUsed: 1_000_000,
    runtimeError: 'invalid code: must not begin with 0xef',
    output: Uint8Array.of(0xef),
  });
  expect(deploy(returnEf, { london: false }).contractResult).toBe(ContractResult.SUCCESS);
});

test('every flag of the section has a test above', () => {
  const tested = new Set<string>([...rows.map(([flag]) => flag), 'optimizedChainId', 'dynamicEnergy']);
  expect(Object.keys(MAINNET_FLAGS).filter((flag) => !tested.has(flag))).toEqual([]);
});
