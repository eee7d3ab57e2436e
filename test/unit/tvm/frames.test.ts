/**
 * Calls, creations, self-destructs: what moves, what is recorded, what a failure takes with it
 * (protocol/calls.md#call-callcode-delegatecall-staticcall,
 * #selfdestruct, #internal-transactions).
 */

import { expect, test } from 'vitest';
import { create2ContractAddress, createdContractAddress } from '../../../src/protocol/address.js';
import { keccak256OfHex } from '../../../src/protocol/hashes.js';
import { ContractResult } from '../../../src/tvm/errors.js';
import { WorkBudget } from '../../../src/tvm/work.js';
import { AA, BB, CC, deploy, hex, OWNER, RETURN_TOP, run, type Scene, TXID } from './fixture.js';

const top = (code: string): string => code + RETURN_TOP;
const word = (value: number | bigint): string => value.toString(16).padStart(64, '0');

/** Copies `code` (at most 32 bytes) to memory 0 and creates with it. */
function creating(code: string, opcode: 'f0' | 'f5'): string {
  const length = code.length / 2;
  const at = (32 - length).toString(16).padStart(2, '0');
  const salt = opcode === 'f5' ? '6007' : '';
  return `${(0x5f + length).toString(16)}${code}5f52${salt}60${length.toString(16).padStart(2, '0')}60${at}5f${opcode}`;
}

/** Init code that deploys `runtime` (at most a few bytes). */
const initOf = (runtime: string): string => {
  const length = runtime.length / 2;
  const at = (32 - length).toString(16).padStart(2, '0');
  return `${(0x5f + length).toString(16)}${runtime}5f5260${length.toString(16).padStart(2, '0')}60${at}f3`;
};

test('a callee sees its own context, the caller and the value; DELEGATECALL keeps all three of the caller', () => {
  const report = '305f52336020523460405260605ff3';
  const call = run({ code: '60605f5f5f600360bb5af160605ff3', callee: report });
  expect(hex(call.output)).toBe(word(0xbb) + word(0xaa) + word(3));
  const delegate = run({ code: '60605f5f5f60bb5af460605ff3', callee: report });
  expect(hex(delegate.output)).toBe(word(0xaa) + word(1) + word(0));
  const code = run({ code: '60605f5f5f600360bb5af260605ff3', callee: report });
  expect(hex(code.output)).toBe(word(0xaa) + word(0xaa) + word(3));
  expect(code.host.balance(AA)).toBe(10n);
});

test('a REVERT gives back what is left, its data, and undoes the callee', () => {
  const { host, output, logs, internalTransactions } = run({
    code: '60205f5f5f600360bb5af13d5f5260205ff3',
    callee: '60015f555f5fa060205ffd',
  });
  expect(hex(output)).toBe(word(32));
  expect(host.rows.size).toBe(0);
  expect(host.balance(BB)).toBe(0n);
  expect(logs).toEqual([]);
  expect(internalTransactions).toMatchObject([{ note: 'call', callValueSun: 3n, rejected: true }]);
});

test('what a static call forbids', () => {
  const forbidden = [
    '5f5f55',
    '5f5f5d',
    '5f5fa0',
    '5f5f5ff0',
    '5f5f5f5ff5',
    '60ccff',
    '5f5f5f5f600160cc5af1',
    'd9',
    '5f5fda',
  ];
  for (const callee of forbidden) {
    const { output } = run({ code: top('5f5f5f5f60bb620186a0fa'), callee, calleeBalance: 5n });
    expect([callee, hex(output)]).toEqual([callee, word(0)]);
  }
  const allowed = run({ code: top('5f5f5f5f60bb620186a0fa'), callee: '5f5f5f5f600160cc5af2', calleeBalance: 5n });
  expect(hex(allowed.output)).toBe(word(1));
});

test('a failure rejects what was recorded, but not the REVERT of a constant call', () => {
  const rejected = (end: string, isConstant: boolean) =>
    run({ code: `5f5f5f5f5f60bb5af1${end}`, callee: '00', context: { isConstant } }).internalTransactions.map(
      (internal) => internal.rejected,
    );
  expect(rejected('5f5ffd', true)).toEqual([false]);
  expect(rejected('5f5ffd', false)).toEqual([true]);
  expect(rejected('fe', true)).toEqual([true]);
});

test('65 frames can be nested', () => {
  // Adds one to the depth in storage on the way in, through DELEGATECALL of itself.
  const code = '60015f54015f555f5f5f5f305af400';
  const { host } = run({ code, energyLimit: 10_000_000 });
  expect([...host.rows.values()]).toEqual([65n]);
});

test('CREATE takes its address from the nonce, CREATE2 from the salt', () => {
  const init = initOf('00');
  const made = run({ code: `${creating(init, 'f0')}${RETURN_TOP}`, energyLimit: 1_000_000 });
  const expected = createdContractAddress(TXID, 0n);
  expect(hex(made.output).slice(22)).toBe(expected);
  expect(hex(made.host.code(expected))).toBe('00');
  expect(made.internalTransactions).toMatchObject([{ note: 'create', transferToAddress: expected }]);

  const salted = run({ code: `${creating(init, 'f5')}${RETURN_TOP}` });
  const address2 = create2ContractAddress(AA, word(7), keccak256OfHex(init));
  expect(hex(salted.output).slice(22)).toBe(address2);
  expect(salted.host.contract(address2)).toMatchObject({ trx_hash: TXID });
});

test('a collision costs everything, and so does code that begins with 0xef', () => {
  const init = initOf('00');
  const twice = run({ code: `${creating(init, 'f5')}50${creating(init, 'f5')}50` });
  expect(twice.contractResult).toBe(ContractResult.OUT_OF_ENERGY);
  const ef = run({ code: `${creating(initOf('ef'), 'f0')}50` });
  expect(ef.contractResult).toBe(ContractResult.OUT_OF_ENERGY);
});

test('a reverting constructor gives its data back; after CREATE2 the return data of an earlier call stays', () => {
  const reverting = run({ code: `${creating('60205ffd', 'f0')}503d${RETURN_TOP}` });
  expect(hex(reverting.output)).toBe(word(32));
  const kept = (opcode: 'f0' | 'f5') =>
    hex(
      run({ code: `5f5f5f5f60bb5afa50${creating(initOf('00'), opcode)}503d${RETURN_TOP}`, callee: '60205ff3' }).output,
    );
  expect(kept('f5')).toBe(word(32));
  expect(kept('f0')).toBe(word(0));
});

test('a creation that cannot pay for its code', () => {
  expect(deploy(initOf('6000'), {}, 200)).toMatchObject({
    contractResult: ContractResult.OUT_OF_ENERGY,
    energyUsed: 200,
    runtimeError: expect.stringMatching(
      /^Not enough energy for 'save just created contract code' executing: needEnergy\[400\], leftEnergy\[\d+\];$/,
    ),
  });
  const { host, energyUsed } = deploy(initOf('6000'));
  expect(hex(host.code(AA))).toBe('6000');
  expect(energyUsed).toBe(3 + 2 + 4 + 3 + 3 + 400);
});

test('a destroyed contract gives coins and tokens to its heir and goes when the transaction has succeeded', () => {
  const scene: Scene = {
    code: '5f5f5f5f5f60bb5af160bb3b5f5260205ff3',
    callee: '60ccff',
    calleeBalance: 7n,
    prepare: (host) => host.addTokens(BB, '1000001', 5n),
  };
  const { host, output, internalTransactions, deletedContracts } = run(scene);
  expect(hex(output)).toBe(word(3));
  expect(host.balance(CC)).toBe(7n);
  expect(host.tokenBalance(CC, 1_000_001n)).toBe(5n);
  expect(host.accountExists(BB)).toBe(false);
  expect(deletedContracts).toEqual([BB]);
  expect(internalTransactions[1]).toMatchObject({ note: 'suicide', callValueSun: 7n, tokens: [['1000001', 5n]] });
});

test('a contract that is its own heir leaves everything to the black hole', () => {
  const { host } = run({ code: '30ff', balance: 9n });
  expect(host.balance(host.blackHole)).toBe(9n);
  expect(host.accountExists(AA)).toBe(false);
});

test('delegated stake forbids the end: the frame reverts', () => {
  const { contractResult, host, internalTransactions } = run({
    code: '60ccff',
    balance: 5_000_000n,
    prepare: (chain) => {
      chain.freezeBalanceV2(AA, 2_000_000n, 0);
      chain.delegateResource(AA, OWNER, 1_000_000n, 0);
    },
  });
  expect(contractResult).toBe(ContractResult.REVERT);
  expect(internalTransactions).toEqual([]);
  expect(host.balance(AA)).toBe(3_000_000n);
});

test('TIP-6780: an older contract gives everything away and stays, one of the same transaction goes', () => {
  const flags = { selfdestructRestriction: true };
  const older = run({ code: '60ccff', balance: 9n, flags });
  expect(older.host.balance(CC)).toBe(9n);
  expect(hex(older.host.code(AA))).toBe('60ccff');
  expect(older.deletedContracts).toEqual([]);
  const selfish = run({ code: '30ff', balance: 9n, flags });
  expect(selfish.host.balance(AA)).toBe(9n);
  const young = run({ code: `${creating('60ccff', 'f0')}00`, flags });
  expect(young.deletedContracts).toEqual([createdContractAddress(TXID, 0n)]);
});

test('tokens go with CALLTOKEN and are seen by the callee only', () => {
  const prepare: Scene['prepare'] = (host) => host.addTokens(AA, '1000001', 50n);
  const report = 'd25f52d36020523460405260605ff3';
  const { host, output, internalTransactions } = run({
    code: '60605f5f5f620f4241600560bb5ad060605ff3',
    callee: report,
    prepare,
  });
  expect(hex(output)).toBe(word(5) + word(1_000_001) + word(0));
  expect(host.tokenBalance(BB, 1_000_001n)).toBe(5n);
  expect(internalTransactions).toMatchObject([{ callValueSun: 0n, tokens: [['1000001', 5n]] }]);
  expect(run({ code: '5f5f5f5f600a600160bb5ad0', callee: '00', prepare })).toMatchObject({
    contractResult: ContractResult.TRANSFER_FAILED,
    runtimeError: 'validateForSmartContract failure:not valid token id',
  });
  expect(run({ code: '5f5f5f5f620f4241600160aa5ad0', prepare }).runtimeError).toBe(
    'transfer trc10 failed: Cannot transfer asset to yourself.',
  );
});

test('a value beyond a long ends the calling frame, but not its Energy', () => {
  const result = run({ code: `5f5f5f5f7f${'ff'.repeat(32)}60bb5af1`, callee: '00' });
  expect(result).toMatchObject({
    contractResult: ContractResult.TRANSFER_FAILED,
    runtimeError: 'endowment out of long range',
    energyUsed: 4 * 2 + 3 + 3 + 2 + 9040 - 2300,
  });
  expect(run({ code: `5f5f7f${'ff'.repeat(32)}f0` })).toMatchObject({
    contractResult: ContractResult.UNKNOWN,
    runtimeError: 'BigInteger out of long range',
    energyUsed: 1_000_000,
  });
});

test('internal transactions are hashed from their parent, and the nonce never goes back', () => {
  // Two calls of 0xbb with value 1, which calls 0xcc and reverts.
  const { internalTransactions } = run({
    code: '5f5f5f5f600160bb5af15f5f5f5f5f60bb5af1',
    callee: '5f5f5f5f5f60cc5af15f5ffd',
  });
  const [first, inner, second] = internalTransactions;
  const hashOf = (parent: string, receiver: string, value: number, nonce: number) =>
    keccak256OfHex(parent + receiver + value.toString(16).padStart(16, '0') + nonce.toString(16).padStart(16, '0'));
  expect(first?.hash).toBe(hashOf(TXID, BB, 1, 1));
  expect(inner?.hash).toBe(hashOf(first?.hash ?? '', CC, 0, 2));
  expect(second?.hash).toBe(hashOf(TXID, BB, 0, 3));
  expect(internalTransactions.map(({ rejected }) => rejected)).toEqual([true, true, true, true]);
});

test('stake and vote opcodes push 0 and mark their record when they are refused', () => {
  const scene = (code: string): Scene => ({ code: top(code), balance: 5_000_000n });
  const done = run(scene('620f42406001da'));
  expect(hex(done.output)).toBe(word(1));
  expect(done.host.frozenBalanceV2(AA, 1)).toBe(1_000_000n);
  const refused = run(scene('60016001da'));
  expect(hex(refused.output)).toBe(word(0));
  expect(refused.internalTransactions).toMatchObject([
    { note: 'freezeBalanceV2ForEnergy', callValueSun: 1n, rejected: true },
  ]);
  const unknown = run(scene('620f42406003da'));
  expect(unknown.internalTransactions).toMatchObject([{ note: 'freezeBalanceV2ForUnknownType', rejected: true }]);
  const wrapped = run(scene('680100000000000000ff68010000000000000001da'));
  expect(wrapped.internalTransactions).toMatchObject([
    { note: 'freezeBalanceV2ForEnergy', callValueSun: 255n, rejected: true },
  ]);
});

test('VOTEWITNESS reads two arrays with their lengths and leaves the votes as JSON', () => {
  const prepare: Scene['prepare'] = (host) => {
    host.witnesses.add(OWNER);
    host.freezeBalanceV2(AA, 3_000_000n, 0);
  };
  // [1, 0x…01] at 0, [1, 2] at 64.
  const arrays = '60015f52600160205260016040526002606052';
  const { host, output, internalTransactions } = run({
    code: top(`${arrays}5f600160406001d8`),
    balance: 5_000_000n,
    prepare,
  });
  expect(hex(output)).toBe(word(1));
  expect(host.votesFor(AA, OWNER)).toBe(2n);
  expect(internalTransactions[0]?.extra).toMatch(
    /^\{"votes":\[\{"vote_address":"T[1-9A-HJ-NP-Za-km-z]{33}","vote_count":2\}\]\}$/,
  );
  expect(run({ code: '5f600160406001d8', balance: 5_000_000n })).toMatchObject({
    contractResult: ContractResult.UNKNOWN,
    runtimeError: 'TVM VoteWitness: memory array length do not match length parameter!',
  });
});

test('keys that share a row alias only in the next transaction', () => {
  const high = `71${'01'.padEnd(36, '0')}`;
  // Writes 1 to slot 0, then reads slot 2^136, which has the same low 16 bytes.
  const read = top(`60015f55${high}54`);
  expect(hex(run({ code: read }).output)).toBe(word(0));
  const first = run({ code: '60015f5500' });
  const { output } = run({
    code: top(`${high}54`),
    prepare: (host) => {
      for (const [row, value] of first.host.rows) host.rows.set(row, value);
    },
  });
  expect(hex(output)).toBe(word(1));
});

test('transient storage lives through calls and dies with a revert', () => {
  const bump = '60015f5c015f5d5f5c5f5260205ff3';
  const twice = run({ code: '5f5f5f5f5f60bb5af15060205f5f5f5f60bb5af15060205ff3', callee: bump });
  expect(hex(twice.output)).toBe(word(2));
  const reverted = run({ code: '5f5f5f5f5f60bb5af1505f5f5f5f60bb5af4505f5c5f5260205ff3', callee: '60055f5d5f5ffd' });
  expect(hex(reverted.output)).toBe(word(0));
});

test('BLOCKHASH answers ids of 256 blocks back', () => {
  const id = `${'00'.repeat(6)}03e7${'5a'.repeat(24)}`;
  const prepare: Scene['prepare'] = (host) => host.blockIds.set(999, id as never);
  expect(hex(run({ code: top('6103e740'), prepare }).output)).toBe(id);
  expect(hex(run({ code: top('6103e840'), prepare }).output)).toBe(word(0));
});

test('RETURNDATACOPY behind the end', () => {
  expect(run({ code: '60015f5f3e' })).toMatchObject({
    contractResult: ContractResult.UNKNOWN,
    runtimeError: `Illegal RETURNDATACOPY arguments: offset (${word(0)}) + size (${word(1)}) > RETURNDATASIZE (0)`,
  });
});

test('the step budget ends every frame, and the logs so far remain', () => {
  const result = run({ code: '5f5fa05f5f5f5f5f60bb5af1', callee: '5b5f56', context: { work: new WorkBudget(6_000) } });
  expect(result).toMatchObject({
    contractResult: ContractResult.OUT_OF_TIME,
    energyUsed: 1_000_000,
    runtimeError: expect.stringMatching(/^CPU timeout for '\w+' operation executing$/),
  });
  expect(result.logs).toHaveLength(1);
});
