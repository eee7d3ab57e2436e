/** Code and storage that nobody deployed: what runs sees them at once, and nobody loses what is his. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesToHex, utf8ToHex } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import { TriggerSmartContract } from '../../../../src/protocol/generated/smart-contract.js';
import {
  AccountType,
  Transaction_Contract_ContractType as ContractType,
} from '../../../../src/protocol/generated/tron.js';
import { NO_TRANSACTION } from '../../../../src/wallet/calls.js';
import { fullContext } from '../../../../src/wallet/context.js';
import { contractEnergyReport } from '../../../../src/wallet/contract-energy.js';
import { COIN, SimulatedChain, strangerAddress } from '../../../simulation/simulated-chain.js';

/** Returns the word of slot 0. */
const READ_SLOT_0 = '60005460005260206000f3';
const RETURN_42 = '602a60005260206000f3';
const RETURN_43 = '602b60005260206000f3';
/** Jumps over an INVALID to where it returns 1: right only by its own analysis. */
const JUMPS = '600456fe5b600160005260206000f3';

let chain: SimulatedChain;
beforeEach(async () => {
  chain = await SimulatedChain.open({});
  chain.node.mine(1);
});
afterEach(() => chain.close());

function call(address: Address): string {
  const run = chain.node.calls.run(
    chain.ledger,
    TriggerSmartContract.create({ owner_address: chain.address(0), contract_address: address }),
    { txId: NO_TRANSACTION },
  );
  return run.runtimeError ?? String(BigInt(`0x${bytesToHex(run.output)}`));
}

const setCode = (address: Address, code: string) => chain.node.operations.apply('setCode', { address, code });
const accountOf = (address: Address) => chain.ledger.state.tables.accounts.get(address);

it('code runs at once, and so does what replaces it', () => {
  const address = strangerAddress(1);
  const hash = setCode(address, RETURN_42);
  expect(call(address)).toBe('42');
  expect(call(address)).toBe('42');
  setCode(address, RETURN_43);
  expect(call(address)).toBe('43');
  setCode(address, JUMPS);
  expect(call(address)).toBe('1');
  const snapshot = chain.node.snapshot();
  setCode(address, `fe${JUMPS}`);
  expect(call(address)).toMatch(/invalid/i);
  chain.node.revert(snapshot);
  expect(call(address)).toBe('1');
  expect(chain.ledger.state.tables.contracts.get(address)).toMatchObject({
    name: 'CreatedByTre',
    consume_user_resource_percent: 100n,
    version: 0,
  });
  expect(hash).not.toBe(chain.ledger.state.tables.contracts.get(address)?.code_hash);
  expect(accountOf(address)).toMatchObject({ type: AccountType.Contract, account_name: utf8ToHex('CreatedByTre') });
});

it('an account that gets code keeps what it owns and loses its permissions', () => {
  const address = chain.address(1);
  const before = accountOf(address)!;
  setCode(address, RETURN_42);
  expect(accountOf(address)).toEqual({
    ...before,
    type: AccountType.Contract,
    owner_permission: undefined,
    active_permission: [],
  });
  chain.send(
    ContractType.TriggerSmartContract,
    { owner_address: chain.address(0), contract_address: address },
    { feeLimitSun: COIN },
  );
  setCode(address, '');
  expect(accountOf(address)).toEqual(before);
  expect(chain.ledger.state.tables.contracts.has(address)).toBe(false);
  expect(chain.ledger.state.tables.codes.has(address)).toBe(false);
});

it('a witness that gets code goes on making blocks with the key it had', () => {
  const witness = chain.witness(0);
  const { witness_permission } = accountOf(witness)!;
  setCode(witness, RETURN_42);
  expect(accountOf(witness)?.witness_permission).toEqual(witness_permission);
  chain.node.mine(2);
  setCode(witness, '');
  expect(accountOf(witness)?.witness_permission).toEqual(witness_permission);
});

it.each([
  ['before', 0],
  ['since', 1],
])('a slot is the one that Solidity counts, %s ALLOW_TVM_COMPATIBLE_EVM', async (_, flag) => {
  const other = await SimulatedChain.open({ parameters: { ALLOW_TVM_COMPATIBLE_EVM: flag } });
  await chain.close();
  chain = other;
  chain.node.mine(1);
  const address = strangerAddress(2);
  const setStorage = (value: bigint) => chain.node.operations.apply('setStorage', { address, slot: 0n, value });
  setStorage(7n);
  expect(chain.ledger.state.tables.contracts.get(address)).toMatchObject({ version: flag });
  setCode(address, READ_SLOT_0);
  expect(call(address)).toBe('7');
  setStorage(2n ** 256n - 1n);
  expect(call(address)).toBe(String(2n ** 256n - 1n));
  setStorage(0n);
  expect(call(address)).toBe('0');
});

it('stake 1.0 of others is in the way', async () => {
  const old = await SimulatedChain.open({
    parameters: { UNFREEZE_DELAY_DAYS: 0, ALLOW_CANCEL_ALL_UNFREEZE_V2: 0, MAX_DELEGATE_LOCK_PERIOD: 86_400 },
  });
  await chain.close();
  chain = old;
  chain.node.mine(1);
  chain.send(ContractType.FreezeBalanceContract, {
    owner_address: chain.address(0),
    frozen_balance: 5n * COIN,
    frozen_duration: 3n,
    resource: 1,
    receiver_address: chain.address(1),
  });
  chain.node.mine(1);
  expect(() => setCode(chain.address(1), RETURN_42)).toThrow('unfreeze it first');
  expect(accountOf(chain.address(1))).toMatchObject({ type: AccountType.Normal });
});

it('a factor makes the next call as much dearer, and falls in the cycles that follow', () => {
  const address = strangerAddress(5);
  const setEnergy = (state: object) => chain.node.operations.apply('setContractEnergy', { address, state });
  const report = () => contractEnergyReport(fullContext(chain.node), address)!;
  expect(() => setEnergy({ energyFactor: 1n })).toThrow('no contract at');
  setCode(address, RETURN_42);
  chain.node.advance(21_600_000n);
  expect(report()).toMatchObject({ stored: undefined, enabled: true, current: { energy_factor: 0n } });
  const energyOf = () => {
    const { info } = chain.send(
      ContractType.TriggerSmartContract,
      { owner_address: chain.address(0), contract_address: address },
      { feeLimitSun: COIN },
    );
    return info.receipt!.energy_usage_total;
  };
  const normal = energyOf();
  chain.node.mine(1);
  expect(setEnergy({ energyFactor: 10_000n })).toMatchObject({ energyFactor: 10_000n, energyUsage: normal });
  expect(energyOf()).toBe(2n * normal);
  chain.node.mine(1);
  const { threshold } = report();
  setEnergy({ energyUsage: threshold + 1n });
  chain.node.advance(21_600_000n);
  expect(report().current.energy_factor).toBe(14_000n);
  chain.node.advance(21_600_000n);
  expect(report().current.energy_factor).toBe(12_800n);
  for (const state of [{ energyFactor: 100_001n }, { energyUsage: -1n }, { updateCycle: 99n }]) {
    expect(() => setEnergy(state)).toThrow('must be 0 to');
  }
});
