/** The instruments of a developer: settings, decrees, impersonation, arranged times and refusals; and what each should do. */

import type { Address } from '../../../../src/primitives/ids.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../../src/protocol/generated/tron.js';
import { strangerAddress } from '../../simulated-chain.js';
import { type Answer, resultOf } from './asker.js';
import { dealt, holdersOf } from './holders.js';
import { composed, isAccepted, sendHex, transact } from './transactions.js';
import type { Host } from './user.js';

/** Accounts that nobody else uses. */
export const BLANKS = [901, 902, 903].map(strangerAddress);
/** Whom transfers pay: one that is still pending pays again after a balance was set. */
export const PAYEE = strangerAddress(904);

export interface Instrument {
  readonly name: string;
  /** Where blocks come by the clock or with each transaction, some say nothing. */
  readonly onlyManual?: boolean;
  /** @returns what it should have done and did not; undefined: all is well, or it could not be seen */
  readonly use: (host: Host) => Promise<string | undefined>;
  /** Only tried where a revert follows: others do not reckon with it. */
  readonly isReverted?: boolean;
}

export const asked = ({ asker }: Host, method: string, ...params: readonly unknown[]): Promise<Answer> =>
  asker.rpc('/tre', method, params);

export const hexOf = (address: Address): string => `0x${address.slice(2)}`;

/** Reads it back with a question. @returns undefined if the change or the question was refused */
async function readBack(
  host: Host,
  change: readonly [method: string, ...params: unknown[]],
  question: readonly [method: string, ...params: unknown[]],
  expected: unknown,
): Promise<string | undefined> {
  // The first change after a block, seen beside a pending transaction: the head is read as blocks of the past are.
  if (host.world.miningMode === 'manual' && host.world.choices.chance(0.4)) {
    await mined(host);
    await transact(host);
  }
  // What was answered before the change is not what is answered after it.
  if (host.world.isRunning) await asked(host, ...question);
  if (!host.world.isRunning) return undefined;
  const done = resultOf(await asked(host, ...change));
  const shown = done === undefined ? undefined : resultOf(await asked(host, ...question));
  if (shown === undefined || shown === expected) return undefined;
  return `after ${JSON.stringify(change)} the answer of ${JSON.stringify(question)} is ${JSON.stringify(shown)}`;
}

interface HeadFee {
  readonly hash: string;
  readonly baseFeePerGas: string;
}

interface ShownHead {
  readonly number: number;
  readonly timeMs: number;
  readonly witness: string;
}

/** Mines a block, and shows it. */
export async function mined(host: Host): Promise<ShownHead | undefined> {
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

export async function headOf({
  world,
}: Host): Promise<{ readonly number: number; readonly timeMs: number } | undefined> {
  const head = await world.head();
  return head && { number: head.number, timeMs: Number(head.timeMs) };
}

/** A transfer of one sun without a signature. */
export async function sendUnsigned(host: Host, owner_address: Address): Promise<Answer> {
  const fields = { owner_address, to_address: PAYEE, amount: 1n };
  const transfer = await composed(host, () => host.people.send(ContractType.TransferContract, fields));
  return transfer && sendHex(host, transfer.withSignatures([]));
}

export const INSTRUMENTS: readonly Instrument[] = [
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
    name: 'lock of a loan',
    isReverted: true,
    use: async (host) => {
      const { world, asker } = host;
      const [from, to] = [toBase58(BLANKS[0] as Address), toBase58(PAYEE)];
      world.amountsChanged = world.recordsChanged = true;
      await asked(host, 'tron_setStake', from, { energy: 5_000_000 });
      const [first, second] = [0, 0].map(() => 1_000_000 * (1 + world.choices.below(2)));
      await asked(host, 'tron_setDelegation', from, to, { energy: first });
      const head = await headOf(host);
      if (head === undefined) return undefined;
      const lockUntil = head.timeMs + 3_000_000;
      const done = resultOf(await asked(host, 'tron_setDelegation', from, to, { energy: second, lockUntil }));
      const question = { fromAddress: from, toAddress: to, visible: true };
      const shown = await asker.post('/wallet/getdelegatedresourcev2', question);
      if (done === undefined || !/^200 \{"delegatedResource/.test(shown ?? '')) return undefined;
      const until = /"expire_time_for_energy": ?(\d+)/.exec(shown ?? '')?.[1];
      if (until === String(lockUntil)) return undefined;
      return `after a loan of ${first}, one of ${second} was locked until ${lockUntil}; it is ${shown}`;
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
    name: 'id of an account',
    use: async (host) => {
      const [one, other] = [hexOf(BLANKS[0] as Address), hexOf(BLANKS[1] as Address)];
      const giveId = (address: string, account_id: string) => asked(host, 'tron_setAccount', address, { account_id });
      const steps = [[other, 'another-id'] as const, [one, 'first-id'] as const, [one, 'second-id'] as const];
      for (const [address, id] of steps) if (resultOf(await giveId(address, id)) === undefined) return undefined;
      const answer = await giveId(other, 'first-id');
      return answer?.includes('already belongs') ? `${one} has another id than first-id now: ${answer}` : undefined;
    },
  },
  {
    name: 'transactions of everybody',
    onlyManual: true,
    isReverted: true,
    use: async (host) => {
      const done = resultOf(await asked(host, 'tron_setAutoImpersonate', true));
      const sent = await sendUnsigned(host, host.people.address(host.world.choices.below(6)));
      const txId = isAccepted(sent) ? /"txid": ?"(\w+)"/.exec(sent ?? '')?.[1] : undefined;
      const ended = resultOf(await asked(host, 'tron_setAutoImpersonate', false));
      const block = await mined(host);
      if (done === undefined || ended === undefined || block === undefined || txId === undefined) return undefined;
      const answer = await host.asker.post('/wallet/gettransactioninfobyid', { value: txId });
      return answer === undefined || answer.includes(txId)
        ? undefined
        : `${txId} was pending when impersonation of everybody ended, and block ${block.number} dropped it`;
    },
  },
  {
    name: 'impersonation of everybody',
    // A rollback may take back that it ended.
    isReverted: true,
    use: async (host) => {
      const somebody = host.people.address(host.world.choices.below(6));
      const done = resultOf(await asked(host, 'tron_setAutoImpersonate', true));
      const first = await sendUnsigned(host, somebody);
      await asked(host, 'tron_setAutoImpersonate', false);
      const second = await sendUnsigned(host, somebody);
      if (done === undefined || first === undefined || second === undefined) return undefined;
      if (/SIGERROR/.test(first)) return `everybody is impersonated, and a transaction is refused: ${first}`;
      return isAccepted(second)
        ? 'nobody is impersonated any more, and an unsigned transaction is accepted'
        : undefined;
    },
  },
  {
    name: 'balance of a token',
    use: async (host) => {
      host.world.amountsChanged = true;
      const [address, amount] = [BLANKS[2] as Address, 1 + host.world.choices.below(1_000)];
      const done = resultOf(
        await asked(host, 'tron_setTrc10Balance', hexOf(address), 1_000_900, amount, { force: true }),
      );
      const account = await host.asker.post('/wallet/getaccount', { address });
      const shown = /"1000900", ?"value": ?(\d+)/.exec(account ?? '')?.[1];
      if (done === undefined || !account?.startsWith('200 ') || Number(shown) === amount) return undefined;
      return `the balance was set to ${amount}, and the account is ${account}`;
    },
  },
  {
    name: 'tokens of a contract',
    // Others add up what was transferred.
    isReverted: true,
    use: async (host) => {
      const { people } = host;
      const token = people.bazaar?.coins[0];
      if (token === undefined) return undefined;
      const before = await holdersOf(host, token);
      // Who was never named in a transfer is not listed.
      const listed = people.addresses.map(toBase58).filter((one) => before?.has(one));
      if (listed.length === 0) return undefined;
      const [holder, amount] = [host.world.choices.of(listed), 1 + host.world.choices.below(1_000)];
      const done = await dealt(host, holder, token, BigInt(amount));
      const shown = (await holdersOf(host, token))?.get(holder);
      if (!done || shown === undefined || Number(shown) === amount) return undefined;
      return `${holder} was given ${amount} of ${toBase58(token)}, and is listed with ${shown}`;
    },
  },
  {
    name: 'totals of the network',
    isReverted: true,
    use: async (host) => {
      const { choices, node } = host.world;
      // A pending transaction changes them again, as soon as they are set.
      if (node.chain.pool.size > 0) return undefined;
      const totalEnergyWeight = 1_000_000 + choices.below(1_000_000_000);
      const done = resultOf(await asked(host, 'tron_setNetworkTotals', { totalEnergyWeight }));
      const shown = await host.asker.post('/wallet/getaccountresource', { address: host.people.address(0) });
      const weight = /"TotalEnergyWeight": ?(\d+)/.exec(shown ?? '')?.[1];
      if (done === undefined || weight === undefined || Number(weight) === totalEnergyWeight) return undefined;
      return `the weight was set to ${totalEnergyWeight}, and is ${weight}`;
    },
  },
  {
    name: 'parameters of a preset',
    isReverted: true,
    use: async (host) => {
      const done = resultOf(await asked(host, 'tron_loadPreset', 'mainnet'));
      const shown = await host.asker.post('/wallet/getchainparameters', {});
      const price = /"getTransactionFee",\s*"value": ?(\d+)/.exec(shown ?? '')?.[1];
      if (done === undefined || price === undefined || price === '1000') return undefined;
      return `a byte was to cost 1000 sun, as on mainnet, and costs ${price}`;
    },
  },
  {
    name: 'price of Energy',
    use: async (host) => {
      const getEnergyFee = 100 + host.world.choices.below(400);
      const askHead = () => host.asker.rpc('/eth', 'eth_getBlockByNumber', ['latest', false]);
      const feeBefore = resultOf<HeadFee>(await askHead());
      const done = resultOf(await asked(host, 'tron_setChainParameters', { getEnergyFee }));
      const feeAfter = resultOf<HeadFee>(await askHead());
      // The head was made before.
      if (feeBefore?.hash === feeAfter?.hash && feeBefore?.baseFeePerGas !== feeAfter?.baseFeePerGas)
        return `the head has had a price of ${feeBefore?.baseFeePerGas}, and after a change of ${feeAfter?.baseFeePerGas}`;
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
      // A rollback may have taken back that it ended.
      if (resultOf(await asked(host, 'tron_setAutoImpersonate', false)) === undefined) return undefined;
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
