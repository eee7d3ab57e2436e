/**
 * Users who try the instruments of a developer: settings, decrees, impersonation, arranged times and refusals. Each
 * instrument does what it says; and a revert takes all of it back.
 */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { type Answer, resultOf } from './asker.js';
import { replacing } from './developers.js';
import { composed, isAccepted, sendHex, transact } from './transactions.js';
import type { Host, User } from './user.js';

const WORKS = 'an instrument does what it says';
const REVERTS = 'a revert takes back what instruments did';

/** Accounts that nobody else uses. */
export const BLANKS = [901, 902, 903].map(strangerAddress);
/** Whom transfers pay: one that is still pending pays again after a balance was set. */
const PAYEE = strangerAddress(904);
const HOUR_MS = 3_600_000;

interface Instrument {
  readonly name: string;
  /** Where blocks come by the clock or with each transaction, some say nothing. */
  readonly onlyManual?: boolean;
  /** @returns what it should have done and did not; undefined: all is well, or it could not be seen */
  readonly use: (host: Host) => Promise<string | undefined>;
}

const asked = ({ asker }: Host, method: string, ...params: readonly unknown[]): Promise<Answer> =>
  asker.rpc('/tre', method, params);

const hexOf = (address: Address): string => `0x${address.slice(2)}`;

/** Reads it back with a question. @returns undefined if the change or the question was refused */
async function readBack(
  host: Host,
  change: readonly [method: string, ...params: unknown[]],
  question: readonly [method: string, ...params: unknown[]],
  expected: unknown,
): Promise<string | undefined> {
  const done = resultOf(await asked(host, ...change));
  const shown = done === undefined ? undefined : resultOf(await asked(host, ...question));
  if (shown === undefined || shown === expected) return undefined;
  return `after ${JSON.stringify(change)} the answer of ${JSON.stringify(question)} is ${JSON.stringify(shown)}`;
}

interface ShownHead {
  readonly number: number;
  readonly timeMs: number;
  readonly witness: string;
}

/** Mines a block, and shows it. */
async function mined(host: Host): Promise<ShownHead | undefined> {
  if (resultOf(await asked(host, 'hardhat_mine', '0x1')) === undefined) return undefined;
  const answer = await host.asker.post('/wallet/getnowblock', {});
  const find = (pattern: RegExp) => pattern.exec(answer ?? '')?.[1];
  const [number, time, witness] = [
    find(/"number": ?(\d+)/),
    find(/"timestamp": ?(\d+)/),
    find(/"witness_address": ?"(\w+)"/),
  ];
  if (number === undefined || time === undefined || witness === undefined) return undefined;
  return { number: Number(number), timeMs: Number(time), witness };
}

async function headOf({ world }: Host): Promise<{ readonly number: number; readonly timeMs: number } | undefined> {
  const head = await world.head();
  return head && { number: head.number, timeMs: Number(head.timeMs) };
}

/** A transfer of one sun without a signature. */
async function sendUnsigned(host: Host, owner_address: Address): Promise<Answer> {
  const fields = { owner_address, to_address: PAYEE, amount: 1n };
  const transfer = await composed(host, () => host.people.send(ContractType.TransferContract, fields));
  return transfer && sendHex(host, transfer.withSignatures([]));
}

const INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'code',
    use: (host) => {
      const address = hexOf(host.world.choices.of(BLANKS));
      const code = host.world.choices.of(['0x602a60005260206000f3', '0x00', '0x5b600056']);
      return readBack(host, ['tron_setCode', address, code], ['eth_getCode', address, 'latest'], code);
    },
  },
  {
    name: 'storage',
    use: (host) => {
      const { choices } = host.world;
      const [address, slot] = [hexOf(choices.of(BLANKS)), `0x${choices.below(3)}`];
      const word = `0x${choices.below(3).toString(16).padStart(64, '0')}`;
      const change = ['tron_setStorageAt', address, slot, word] as const;
      return readBack(host, change, ['eth_getStorageAt', address, slot, 'latest'], word);
    },
  },
  {
    name: 'balance',
    use: (host) => {
      const { choices } = host.world;
      host.world.amountsChanged = true;
      // The others may have pending income.
      const [address, sun] = [hexOf(BLANKS[2] as Address), choices.below(1_000_000)];
      const change = ['tron_setBalance', address, sun] as const;
      return readBack(host, change, ['eth_getBalance', address, 'latest'], `0x${sun.toString(16)}`);
    },
  },
  {
    name: 'nonces of creations',
    use: async (host) => void (await asked(host, 'tron_setCreateNonces', host.world.choices.chance(0.5))),
  },
  {
    name: 'name of an account',
    use: async (host) => {
      const address = host.world.choices.of(BLANKS);
      const account_name = `blank-${host.world.choices.below(5)}`;
      const done = resultOf(await asked(host, 'tron_setAccount', hexOf(address), { account_name }));
      const account = await host.asker.post('/wallet/getaccount', { address });
      if (done === undefined || !account?.startsWith('200 {"')) return undefined;
      return account.includes(Buffer.from(account_name).toString('hex'))
        ? undefined
        : `the name ${account_name} was set, and the account is ${account}`;
    },
  },
  {
    name: 'price of Energy',
    use: async (host) => {
      const getEnergyFee = 100 + host.world.choices.below(400);
      const done = resultOf(await asked(host, 'tron_setChainParameters', { getEnergyFee }));
      const shown = await host.asker.post('/wallet/getchainparameters', {});
      const price = /"getEnergyFee",\s*"value": ?(\d+)/.exec(shown ?? '')?.[1];
      if (done === undefined || price === undefined || Number(price) === getEnergyFee) return undefined;
      return `the price was set to ${getEnergyFee}, and is ${price}`;
    },
  },
  {
    name: 'factor of a contract',
    use: async (host) => {
      const { people } = host;
      const contract = people.programs.at(-1);
      if (contract === undefined) return undefined;
      const energyFactor = host.world.choices.of([0, 5_000, 12_000]);
      const done = resultOf(
        await asked(host, 'tron_setContractEnergy', toBase58(contract as Address), { energyFactor }),
      );
      const shown = resultOf(await asked(host, 'tron_getContractEnergy', toBase58(contract as Address)));
      const factor = (shown as { readonly energyFactor?: number } | undefined)?.energyFactor;
      if (done === undefined || factor === undefined || factor === energyFactor) return undefined;
      return `the factor was set to ${energyFactor}, and is ${factor}`;
    },
  },
  {
    name: 'lag of the solidity view',
    use: async (host) => {
      const lag = host.world.choices.of([0, 2, 19]);
      const done = resultOf(await asked(host, 'tron_setSolidityLag', lag));
      const head = await headOf(host);
      const shown = await host.asker.post('/walletsolidity/getnowblock', {});
      const number = Number(/"number": ?(\d+)/.exec(shown ?? '')?.[1] ?? 0);
      // The state of that height may not be kept.
      if (done === undefined || head === undefined || !/^200 \{"blockID/.test(shown ?? '')) return undefined;
      if (host.world.miningMode === 'interval' || head.number - lag < host.world.node.chain.ledger.config.beginsAt)
        return undefined;
      const expected = Math.max(0, head.number - lag);
      return number === expected ? undefined : `with a lag of ${lag} below ${head.number} it shows block ${number}`;
    },
  },
  {
    name: 'time of the next block',
    onlyManual: true,
    use: async (host) => {
      const head = await headOf(host);
      if (head === undefined) return undefined;
      const at = head.timeMs + 1_000 * (1 + host.world.choices.below(5_000));
      const done = resultOf(await asked(host, 'tron_setNextBlockTimestamp', at));
      const block = done === undefined ? undefined : await mined(host);
      if (block === undefined || block.timeMs === at) return undefined;
      return `the next block was to have the time ${at}, and has ${block.timeMs}`;
    },
  },
  {
    name: 'time between blocks',
    onlyManual: true,
    use: async (host) => {
      const seconds = 1 + host.world.choices.below(100);
      const done = resultOf(await asked(host, 'tron_setBlockTimestampInterval', seconds));
      const [one, other] = [await mined(host), await mined(host)];
      await asked(host, 'tron_removeBlockTimestampInterval');
      if (done === undefined || one === undefined || other === undefined) return undefined;
      const apart = other.timeMs - one.timeMs;
      return apart === 1_000 * seconds ? undefined : `blocks were to be ${seconds} s apart, and are ${apart} ms apart`;
    },
  },
  {
    name: 'witness of the next block',
    onlyManual: true,
    use: async (host) => {
      const witness = host.people.witness(host.world.choices.below(3));
      const done = resultOf(await asked(host, 'tron_setNextWitness', toBase58(witness)));
      const block = done === undefined ? undefined : await mined(host);
      if (block === undefined || block.witness === witness) return undefined;
      return `the next block was to be of ${witness}, and is of ${block.witness}`;
    },
  },
  {
    name: 'witness of all blocks',
    onlyManual: true,
    use: async (host) => {
      const witness = host.people.witness(host.world.choices.below(3));
      const done = resultOf(await asked(host, 'tron_setCoinbase', toBase58(witness)));
      const blocks = [await mined(host), await mined(host)];
      const ended = resultOf(await asked(host, 'tron_setCoinbase'));
      const wrong = blocks.find((block) => block !== undefined && block.witness !== witness);
      if (done === undefined) return undefined;
      if (wrong !== undefined)
        return `all blocks were to be of ${witness}, and block ${wrong.number} is of ${wrong.witness}`;
      const isAlone = new Set([0, 1, 2].map((i) => host.people.witness(i))).size < 3;
      if (isAlone || ended === undefined) return undefined;
      const scheduled = [await mined(host), await mined(host), await mined(host)];
      return scheduled.every((block) => block?.witness === witness)
        ? `the schedule was to come back, and three blocks are of ${witness} again`
        : undefined;
    },
  },
  {
    name: 'epochs',
    onlyManual: true,
    use: async (host) => {
      const count = 1 + host.world.choices.below(3);
      // Block 1 ends no epoch: the maintenance of the genesis is due then.
      if ((await headOf(host))?.number === 0) return undefined;
      const cycleOf = (answer: Answer) => (resultOf(answer) as { tron?: { cycle: number } } | undefined)?.tron?.cycle;
      const before = cycleOf(await asked(host, 'tron_nodeInfo'));
      const done = resultOf(await asked(host, 'tron_advanceCycles', count));
      const after = cycleOf(await asked(host, 'tron_nodeInfo'));
      if (done === undefined || before === undefined || after === undefined || after === before + count)
        return undefined;
      return `${count} epochs were to pass after ${before}, and this is epoch ${after}`;
    },
  },
  {
    name: 'refusal of the next broadcast',
    use: async (host) => {
      const done = resultOf(await asked(host, 'tron_failNextBroadcast', { code: 'SERVER_BUSY', count: 1 }));
      const refused = await sendUnsigned(host, host.people.address(0));
      const next = await sendUnsigned(host, host.people.address(0));
      if (done === undefined || refused === undefined || next === undefined) return undefined;
      if (/SERVER_BUSY/.test(refused) && !/SERVER_BUSY/.test(next)) return undefined;
      return `one broadcast was to be refused with SERVER_BUSY: the answers are ${refused} and ${next}`;
    },
  },
  {
    name: 'impersonation',
    use: async (host) => {
      const i = host.world.choices.below(6);
      const [somebody, text] = [host.people.address(i), host.people.text(i)];
      const done = resultOf(await asked(host, 'tron_impersonate', text));
      const first = await sendUnsigned(host, somebody);
      await asked(host, 'tron_stopImpersonating', text);
      const second = await sendUnsigned(host, somebody);
      if (done === undefined || first === undefined || second === undefined) return undefined;
      if (/SIGERROR/.test(first)) return `a transaction of the impersonated ${text} is refused: ${first}`;
      return isAccepted(second)
        ? `a transaction without a signature of ${text}, who is not impersonated any more, is accepted`
        : undefined;
    },
  },
  {
    name: 'pending transactions of an account',
    onlyManual: true,
    use: async (host) => {
      const i = host.world.choices.below(6);
      const fields = { owner_address: host.people.address(i), to_address: PAYEE, amount: 1n };
      const transfer = await composed(host, () => host.people.send(ContractType.TransferContract, fields));
      if (transfer === undefined || !isAccepted(await sendHex(host, transfer))) return undefined;
      const [method, of] = host.world.choices.of([
        ['tron_removePoolTransactions', host.people.text(i)],
        ['tron_dropTransaction', transfer.txId],
      ] as const);
      const done = resultOf(await asked(host, method, of));
      const pending = await host.asker.post('/wallet/gettransactionlistfrompending', {});
      if (done === undefined || pending?.includes(transfer.txId) !== true) return undefined;
      return `${transfer.txId} is still pending after ${method}`;
    },
  },
];

/** Only where nothing but the user makes blocks, and nothing is wrong with disk and network. */
const isQuiet = ({ world }: Host): boolean =>
  world.isRunning && world.miningMode !== 'interval' && !world.diskFails && world.network.faults.length === 0;

function usable({ world }: Host): readonly Instrument[] {
  return INSTRUMENTS.filter(({ onlyManual = false }) => !onlyManual || world.miningMode === 'manual');
}

export const useAnInstrument: User = async (host) => {
  if (!isQuiet(host)) return;
  const { name, use } = host.world.choices.of(usable(host));
  const wrong = await use(host);
  if (wrong !== undefined && isQuiet(host)) throw new Violation(WORKS, `${name}: ${wrong}`);
};

/** What instruments change, as a client sees it. */
async function portrait(host: Host): Promise<readonly string[]> {
  const { world, asker, people } = host;
  const texts = [
    await asked(host, 'tron_nodeInfo'),
    await asked(host, 'tron_getMining'),
    await asker.post('/walletsolidity/getnowblock', {}),
    await asker.post('/wallet/getchainparameters', {}),
    await asker.post('/wallet/gettransactionlistfrompending', {}),
    /"code":"\w+"/.exec((await sendUnsigned(host, BLANKS[2] as Address)) ?? '')?.[0],
    await asked(host, 'tron_getContractEnergy', toBase58((people.programs.at(-1) ?? BLANKS[0]) as Address)),
  ];
  for (const address of BLANKS.map(hexOf)) {
    texts.push(await asked(host, 'eth_getCode', address, 'latest'));
    texts.push(await asked(host, 'eth_getBalance', address, 'latest'));
    texts.push(await asked(host, 'eth_getStorageAt', address, '0x1', 'latest'));
  }
  return world.isRunning ? texts.map((text) => text ?? '') : [];
}

/** Beyond the blocks of which the state is kept; a run of empty ones goes as a whole. */
async function stayLong(host: Host): Promise<void> {
  for (let i = 0; i < 3 && isQuiet(host); i++) {
    await asked(host, 'hardhat_mine', '0x12c');
    await transact(host);
  }
}

export const tryAndRevert: User = async (host) => {
  const { world } = host;
  if (!isQuiet(host)) return;
  const before = await portrait(host);
  const height = world.headNumber;
  const id = resultOf(await asked(host, 'evm_snapshot'));
  if (typeof id !== 'string' || !world.isRunning) return;
  world.audience.filters?.save(id);
  const tried: string[] = [];
  for (let count = 1 + world.choices.below(3); count > 0 && isQuiet(host); count--) {
    const { name, use } = world.choices.of(usable(host));
    tried.push(name);
    await use(host);
  }
  if (world.choices.chance(0.3)) await asked(host, 'tron_increaseTime', world.choices.below(HOUR_MS / 1_000));
  if (world.choices.chance(0.3)) await asked(host, 'tron_setMining', world.choices.of(['instant', 'manual']));
  // What a revert needs is kept, however long ago it was.
  if (world.shape.options.stateHistory !== 'all' && world.choices.chance(0.5)) await stayLong(host);
  if (!world.isRunning) return;
  const isDone = await replacing(host, height, () => asked(host, 'evm_revert', id));
  if (!isDone || !world.isRunning) return;
  world.audience.filters?.restore(id);
  const after = await portrait(host);
  const at = after.findIndex((text, i) => text !== before[i]);
  if (at >= 0 && isQuiet(host))
    throw new Violation(
      REVERTS,
      `${tried.join(', ')}: ${before[at]?.slice(0, 1_500)}\nis now\n${after[at]?.slice(0, 1_500)}`,
    );
};
