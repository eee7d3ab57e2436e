import { describe, expect, it } from 'vitest';
import { droppedReport } from '../../../src/devnet/events/reports.js';
import { JavaException } from '../../../src/errors/java-exception.js';
import { refusalOf } from '../../../src/ledger/admission/refusal-answer.js';
import type { DroppedTransaction } from '../../../src/ledger/apply-block.js';
import { hexToBytes } from '../../../src/primitives/hex.js';
import { decodeBlock } from '../../../src/protocol/block.js';
import { Return_response_code } from '../../../src/protocol/generated/api.js';
import { SmartContract } from '../../../src/protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_Result_contractResult,
} from '../../../src/protocol/generated/tron.js';
import { fullBlockWork, workLimit } from '../../../src/tvm/work.js';
import { COIN, SimulatedChain, strangerAddress } from '../../simulation/simulated-chain.js';

function refusal(work: () => unknown): { code: number; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof JavaException) return refusalOf(error);
    throw error;
  }
  throw new Error('was not refused');
}

async function withDropped(options: Parameters<typeof SimulatedChain.open>[0] = {}) {
  const dropped: DroppedTransaction[] = [];
  const chain = await SimulatedChain.open({
    ...options,
    observer: { transactionsDropped: (transactions) => dropped.push(...transactions) },
  });
  chain.node.mine(2);
  return { chain, dropped };
}

describe('the pending pool', () => {
  it('answers SERVER_BUSY when more than its size are waiting, until a block has taken them', async () => {
    const chain = await SimulatedChain.open({ poolSize: 3 });
    chain.node.mine(2);
    // The limit is passed before it is refused: java-tron compares with `>`.
    for (let i = 0; i < 4; i++) chain.transfer(i, chain.address(5), 1n);
    expect(refusal(() => chain.transfer(0, chain.address(5), 1n))).toEqual({
      code: Return_response_code.SERVER_BUSY,
      message: 'Server busy.',
    });
    expect(chain.node.chain.pool.size).toBe(4);
    chain.node.mine(1);
    chain.transfer(0, chain.address(5), 1n);
    expect(chain.node.chain.pool.size).toBe(1);
  });

  it('answers SERVER_BUSY when contracts of a block would run for long, until a block has taken them', async () => {
    const chain = await SimulatedChain.open({ vmLimit: workLimit(1), poolWork: fullBlockWork(workLimit(1)) });
    const owner_address = chain.address(0);
    // JUMPDEST PUSH1 0 JUMP, for as long as it may.
    const new_contract = SmartContract.create({
      origin_address: owner_address,
      bytecode: '5b600056',
      origin_energy_limit: 1n,
    });
    const loop = () =>
      chain.send(ContractType.CreateSmartContract, { owner_address, new_contract }, { feeLimitSun: 1_000_000_000n });
    for (let i = 0; i < 2; i++) expect(loop().contractRet).toBe(Transaction_Result_contractResult.OUT_OF_TIME);
    expect(refusal(loop)).toEqual({ code: Return_response_code.SERVER_BUSY, message: 'Server busy.' });
    expect(refusal(() => chain.transfer(0, chain.address(1), 1n)).code).toBe(Return_response_code.SERVER_BUSY);
    chain.node.mine(1);
    for (let i = 0; i < 2; i++) loop();
    expect(chain.node.chain.pool.size).toBe(2);
  });

  it('shows in balances at once, and not in the solid state', async () => {
    const chain = await SimulatedChain.open();
    chain.node.mine(2);
    const before = chain.ledger.state.tables.accounts.get(chain.address(1))!.balance;
    chain.transfer(0, chain.address(1), 5n);
    const balanceAt = (ledger: typeof chain.ledger) => ledger.state.tables.accounts.get(chain.address(1))!.balance;
    expect([balanceAt(chain.ledger), balanceAt(chain.node.chain.solidLedger)]).toEqual([before + 5n, before]);
    chain.node.mine(1);
    expect(balanceAt(chain.node.chain.solidLedger)).toBe(before + 5n);
  });

  it('refuses the same transaction twice, pending or in a block', async () => {
    const chain = await SimulatedChain.open();
    chain.node.mine(2);
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    const twice = () => refusal(() => chain.node.broadcast(transaction)).code;
    expect(twice()).toBe(Return_response_code.DUP_TRANSACTION_ERROR);
    chain.node.mine(1);
    expect(twice()).toBe(Return_response_code.DUP_TRANSACTION_ERROR);
  });

  it('leaves no trace of what it refuses', async () => {
    const chain = await SimulatedChain.open();
    chain.node.mine(2);
    chain.transfer(0, chain.address(1), 1n);
    const before = chain.ledger.state.mark();
    expect(refusal(() => chain.transfer(2, chain.address(1), 2_000_000n * COIN)).code).toBe(
      Return_response_code.CONTRACT_VALIDATE_ERROR,
    );
    expect(chain.ledger.state.mark()).toBe(before);
    expect(chain.node.chain.pool.size).toBe(1);
  });

  it('keeps what a block that could not be made would have taken', async () => {
    const { chain, dropped } = await withDropped();
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    const { headId } = chain.node.chain;
    const plan = { timestampMs: chain.node.chain.headTimeMs + 3_000n, sign: () => '00'.repeat(65) };
    expect(() => chain.node.chain.produce({ ...plan, producer: 'nobody' as never })).toThrow();
    expect([chain.node.chain.headId, chain.node.chain.pool.size]).toEqual([headId, 1]);
    chain.node.mine(1);
    expect(chain.ledger.state.tables.transactions.get(transaction.txId)?.blockNumber).toBe(3);
    expect(dropped).toEqual([]);
  });
});

describe('an accepted transaction that gets into no block', () => {
  it('is none, however late the block is: what counts is the time of the head before it', async () => {
    const { chain, dropped } = await withDropped();
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    chain.node.advance(120_000n);
    const stored = chain.ledger.state.tables.transactions.get(transaction.txId);
    expect([stored?.blockNumber, dropped]).toEqual([3, []]);
    expect(chain.node.chain.headTimeMs).toBeGreaterThan(transaction.raw.expiration);
  });

  it('is reported: it has waited for more than a minute while others made blocks', async () => {
    const { chain, dropped } = await withDropped();
    const elsewhere = await SimulatedChain.open();
    elsewhere.node.mine(2);
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    for (const byMs of [57_000n, 6_000n]) {
      expect(dropped).toEqual([]);
      elsewhere.node.advance(byMs);
      const { header, transactions } = decodeBlock(hexToBytes(elsewhere.blocks(elsewhere.node.chain.headNumber)[0]!));
      chain.node.chain.import(header, transactions);
    }
    expect(dropped.map((one) => one.transaction)).toEqual([transaction]);
    expect(droppedReport(dropped[0]!)).toEqual({
      txid: transaction.txId,
      code: 'PENDING_TIMEOUT',
      reason: 'it was pending for more than 60 s of chain time',
    });
    expect(chain.node.chain.pool.size).toBe(0);
  });

  it('is reported: a second one of the same owner after a change of permissions', async () => {
    const { chain, dropped } = await withDropped();
    const { owner_permission, active_permission } = chain.ledger.state.tables.accounts.get(chain.address(0))!;
    chain.send(ContractType.AccountPermissionUpdateContract, {
      owner_address: chain.address(0),
      owner: owner_permission,
      actives: active_permission,
    });
    const { transaction } = chain.transfer(0, chain.address(1), 1n);
    const other = chain.transfer(1, chain.address(2), 1n);
    chain.node.mine(1);
    expect(dropped).toEqual([{ transaction, reason: 'permission-changed-in-block', after: 1 }]);
    expect(chain.ledger.state.tables.transactions.has(transaction.txId)).toBe(false);
    expect(chain.ledger.state.tables.transactions.has(other.transaction.txId)).toBe(true);
  });

  it('is reported: what it was to spend is gone with a block that was taken over', async () => {
    const { chain, dropped } = await withDropped();
    const elsewhere = await SimulatedChain.open();
    elsewhere.node.mine(2);
    const balance = chain.ledger.state.tables.accounts.get(chain.address(0))!.balance;
    const kept = chain.transfer(1, chain.address(2), 1n);
    const { transaction } = chain.transfer(0, chain.address(1), balance - COIN);
    elsewhere.transfer(0, elsewhere.address(2), balance - COIN);
    elsewhere.node.mine(1);
    const { header, transactions } = decodeBlock(hexToBytes(elsewhere.blocks(3)[0]!));
    chain.node.chain.import(header, transactions);
    expect(dropped.map((one) => one.transaction)).toEqual([transaction]);
    expect(String(dropped[0]!.reason)).toContain('balance is not sufficient');
    // What is still valid waits for the next block.
    expect(chain.node.chain.pool.members().map((member) => member.transaction)).toEqual([kept.transaction]);
  });

  it('is reported: it was taken out', async () => {
    const { chain } = await withDropped();
    const first = chain.transfer(0, strangerAddress(1), COIN);
    const second = chain.transfer(1, chain.address(2), 1n);
    const drop = () => chain.node.chain.pool.remove(({ txId }) => txId === first.transaction.txId);
    expect([drop(), drop()]).toEqual([1, 0]);
    expect(chain.ledger.state.tables.accounts.has(strangerAddress(1))).toBe(false);
    expect(chain.node.chain.pool.members().map(({ transaction }) => transaction)).toEqual([second.transaction]);
  });
});
