/** Users who deploy generated programs and call them. */

import { deployedContractAddress } from '../../../../src/protocol/address.js';
import {
  SmartContract,
  SmartContract_ABI,
  SmartContract_ABI_Entry,
} from '../../../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { COIN } from '../../simulated-chain.js';
import { programCall, programOf } from './programs.js';
import { broadcast, composed } from './transactions.js';
import type { SharedHost, SharedUser } from './user.js';

const KNOWN_PROGRAMS = 12;
/** A program looks at no selector: the name alone is on the chain. */
const ABI = SmartContract_ABI.create({ entrys: [SmartContract_ABI_Entry.create({ name: 'run' })] });

export const deployProgram: SharedUser = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const owner = people.address(choices.below(6));
  const bytecode = programOf(choices, people.programs);
  const new_contract = {
    ...SmartContract.empty,
    origin_address: owner,
    name: 'Program',
    ...(choices.chance(0.5) && { abi: ABI }),
    bytecode,
    call_value: BigInt(choices.of([0, 0, 10_000])),
    consume_user_resource_percent: BigInt(choices.of([0, 50, 100])),
    origin_energy_limit: 10_000_000n,
  };
  const transaction = await composed(host, () =>
    people.send(
      ContractType.CreateSmartContract,
      { owner_address: owner, new_contract },
      { feeLimitSun: 1_000n * COIN },
    ),
  );
  if (transaction === undefined) return;
  people.programs.push(deployedContractAddress(transaction.txId, owner));
  if (people.programs.length > KNOWN_PROGRAMS) people.programs.shift();
  await broadcast(host, transaction);
};

export const callProgram: SharedUser = async (host) => {
  const { world, people } = host;
  const { choices } = world;
  const { programs } = people;
  if (programs.length === 0) return deployProgram(host);
  for (let count = choices.of([1, 1, 1, 4]); count > 0 && world.isRunning; count--)
    await call(host, choices.of(programs));
};

/** Several calls of one program in one block: a page of a list may end within it. */
export const callTogether: SharedUser = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (people.programs.length === 0) return deployProgram(host);
  const program = choices.of(people.programs);
  for (let count = 2 + choices.below(3); count > 0 && world.isRunning; count--) await call(host, program);
  if (world.isRunning) await asker.rpc('/tre', 'hardhat_mine', ['0x1']);
};

async function call(host: SharedHost, contract_address: string): Promise<void> {
  const { people, world } = host;
  const { choices } = world;
  const fields = {
    owner_address: people.address(choices.below(6)),
    contract_address,
    data: programCall(choices),
    call_value: BigInt(choices.of([0, 0, 1, 100_000])),
  };
  const feeLimitSun = choices.of([1_000n, 1_000n, 300n, 5n]) * COIN;
  await broadcast(
    host,
    await composed(host, () => people.send(ContractType.TriggerSmartContract, fields, { feeLimitSun })),
  );
}
