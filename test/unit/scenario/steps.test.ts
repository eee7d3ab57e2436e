import { describe, expect, it } from 'vitest';
import { devMethodTable } from '../../../src/devtools/methods.js';
import { contractTypes } from '../../../src/ledger/contracts/registry.js';
import { Transaction_Contract_ContractType as Type } from '../../../src/protocol/generated/tron.js';
import { NO_STEPS } from '../../../src/scenario/steps/operations.js';
import { STEP_KINDS } from '../../../src/scenario/steps/registry.js';
import { PARAMETERS, stepsBefore, WORLD } from './example-world.js';
import { runText } from './run-file.js';

describe('steps', () => {
  it('are there for every type of contract that can be sent', () => {
    const types = [...contractTypes(), Type.CreateSmartContract, Type.TriggerSmartContract];
    const sent = new Set(STEP_KINDS.map(({ contractType }) => contractType));
    const missing = types.filter((type) => !sent.has(type));
    // No network takes any; a signed one can be sent as it is (raw).
    expect(missing).toEqual([Type.ShieldedTransferContract]);
  });

  it('are there for every developer method that changes the chain', () => {
    const names = new Set(STEP_KINDS.map(({ name }) => `tron_${name}`));
    expect(devMethodTable.filter(({ name }) => !NO_STEPS.has(name) && !names.has(name))).toEqual([]);
    expect([...NO_STEPS.keys()].filter((name) => !devMethodTable.some((row) => row.name === name))).toEqual([]);
  });

  it('have names of their own', () => {
    const names = STEP_KINDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(STEP_KINDS.filter(({ example }) => example !== undefined).map((kind) => [kind.name, kind] as const))(
    '%s: its example does what it says',
    async (name, { example, contractType }) => {
      const network = { ...WORLD.network, ...(PARAMETERS[name] && { parameters: PARAMETERS[name] }) };
      const staking = name.endsWith('V1');
      const accounts = staking
        ? { ...WORLD.accounts, staker: '1 TRX', leaver: '1 TRX', lender: '1 TRX' }
        : WORLD.accounts;
      const steps = [...stepsBefore(name), { label: 'it', [name]: example }];
      const { results } = await runText(JSON.stringify({ ...WORLD, network, accounts, steps }));
      const own = results.filter(({ label, step }) => label === 'it' || step.startsWith(`steps[${steps.length - 1}]`));
      expect(own.length).toBeGreaterThan(0);
      for (const result of own) {
        if (result.kind !== 'transaction') continue;
        expect(result).toMatchObject({ outcome: 'SUCCESS' });
        if (contractType !== undefined) expect(Type[result.type as keyof typeof Type]).toBe(contractType);
      }
    },
  );
});
