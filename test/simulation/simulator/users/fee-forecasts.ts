/**
 * A wallet that works costs out for itself, from a node's answers, with `sunup/fees`: then it sends, and the receipt must
 * say the same. The fee limit that it is advised must suffice.
 */

import {
  accountFrom,
  adviseFeeLimit,
  callCost,
  contractFrom,
  type FeeNetwork,
  grantedBytes,
  networkFrom,
  type TransactionCost,
  transactionBytes,
  transactionCost,
} from '../../../../src/fees.js';
import { bytesToHex, utf8ToHex } from '../../../../src/primitives/hex.js';
import { toBase58 } from '../../../../src/protocol/address.js';
import {
  Transaction_Contract_ContractType as ContractType,
  Transaction_raw,
} from '../../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { COIN, strangerAddress, word } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import { isAlone } from './promises.js';
import { composed, isAccepted, sendHex } from './transactions.js';
import type { Host, User } from './user.js';

const NAME = 'a receipt is what a wallet works out';

type Members = Readonly<Record<string, never>>;

/** What a wallet sends, and what it says of it. */
interface Forecast {
  readonly transaction: SignedTransaction;
  readonly cost: TransactionCost;
  /** Of a call, once its Energy is known. */
  readonly shares?: (energy: number) => {
    readonly origin: number;
    readonly caller: number;
    readonly burnedSun: bigint;
  };
}

/** As a client reads it that keeps numbers beyond 2^53 as digits. Undefined: there is no answer. */
export async function askedWallet({ asker }: Host, path: string, body: object): Promise<Members | undefined> {
  const answer = await asker.post(`/wallet/${path}`, { ...body, visible: true });
  if (!answer?.startsWith('200 {')) return undefined;
  return JSON.parse(answer.slice(4).replaceAll(/:\s*(-?\d{16,})/g, ':"$1"')) as Members;
}

/** No answer tells how much of everybody's free bandwidth is left. */
function publicSuffices({ world: { ledger } }: Host): boolean {
  return 2n * ledger.long('PUBLIC_NET_USAGE') < ledger.long('PUBLIC_NET_LIMIT');
}

async function networkOf(host: Host, address: string): Promise<FeeNetwork | undefined> {
  const parameters = await askedWallet(host, 'getchainparameters', {});
  const totals = await askedWallet(host, 'getaccountresource', { address });
  return parameters && totals && networkFrom(parameters as never, totals);
}

const bytesOf = (transaction: SignedTransaction): number =>
  transactionBytes(bytesToHex(Transaction_raw.encode(transaction.raw)), transaction.signatures.length);

async function forecastTransfer(host: Host, owner: number, network: FeeNetwork): Promise<Forecast | undefined> {
  const { world, people } = host;
  const { choices } = world;
  const stranger = choices.chance(0.3) ? strangerAddress(choices.below(40)) : undefined;
  const to = stranger ?? people.address((owner + 1 + choices.below(5)) % 6);
  const account = await askedWallet(host, 'getaccount', { address: people.text(owner) });
  const resource = await askedWallet(host, 'getaccountresource', { address: people.text(owner) });
  const receiver = await host.asker.post('/wallet/getaccount', { address: to });
  // A fork may not know the receiver: its network does not answer.
  const isKnown = receiver?.startsWith('200 ') === true && !receiver.includes('"Error"');
  if (account === undefined || resource === undefined || !isKnown) return undefined;
  const tokens = (account.assetV2 ?? []) as readonly { readonly key: string }[];
  const token = tokens.length > 0 && choices.chance(0.5) ? choices.of(tokens).key : undefined;
  const memo = choices.chance(0.2) ? 'forecast' : '';
  const coin = { owner_address: people.address(owner), to_address: to, amount: 1n };
  const [type, fields] =
    token === undefined
      ? ([ContractType.TransferContract, coin] as const)
      : ([ContractType.TransferAssetContract, { ...coin, asset_name: utf8ToHex(token) }] as const);
  const granted = token === undefined ? 0 : await grantOf(host, token, account, network);
  const transaction = await composed(host, () => people.send(type, fields, { memo }));
  if (transaction === undefined || granted === undefined) return undefined;
  const payer = accountFrom({ account }, network);
  // Both answers are of one account: what can be paid with is the same.
  const other = accountFrom({ resource }, network);
  if (payer.bandwidth !== other.bandwidth || payer.freeBandwidth !== other.freeBandwidth)
    throw new Violation(NAME, `getaccount ${shown(account)} is ${shown(payer)}, getaccountresource ${shown(other)}`);
  const createsAccount = /^200 \{\s*\}/.test(receiver);
  const terms = { bytes: bytesOf(transaction), memo: memo !== '', createsAccount, grantedBytes: granted };
  return { transaction, cost: transactionCost(terms, payer, network) };
}

async function grantOf(host: Host, id: string, holder: Members, network: FeeNetwork): Promise<number | undefined> {
  const token = await askedWallet(host, 'getassetissuebyid', { value: id });
  const address = token?.owner_address;
  if (token === undefined || address === undefined) return undefined;
  const issuer = await askedWallet(host, 'getaccount', { address });
  if (issuer === undefined) return undefined;
  // Its issuer is asked for no grant.
  if (holder.address === address) return 0;
  return grantedBytes({ token, holder, issuer: accountFrom({ account: issuer }, network) });
}

async function forecastCall(host: Host, owner: number, network: FeeNetwork): Promise<Forecast | undefined> {
  const { world, people } = host;
  const { choices } = world;
  const called = people.notebook;
  if (called === undefined) return undefined;
  const data = word(BigInt(choices.below(3) * 10)) + word(BigInt(choices.below(2) * choices.below(1_000)));
  const value = { owner_address: people.address(owner), contract_address: called, data };
  const constant = JSON.parse((await host.asker.post('/wallet/triggerconstantcontract', value))?.slice(4) || '{}');
  const info = await askedWallet(host, 'getcontractinfo', { value: toBase58(called) });
  const account = await askedWallet(host, 'getaccount', { address: people.text(owner) });
  if (info?.smart_contract === undefined || account === undefined || !constant.energy_used) return undefined;
  const contract = contractFrom(info);
  const deployer = await askedWallet(host, 'getaccount', { address: contract.deployer });
  if (deployer === undefined) return undefined;
  const payer = accountFrom({ account }, network);
  const isOwn = contract.deployer === people.text(owner);
  const shares = isOwn ? {} : { contract, originEnergy: accountFrom({ account: deployer }, network).energy };
  const compose = (feeLimitSun: bigint) =>
    composed(host, () => people.send(ContractType.TriggerSmartContract, value, { feeLimitSun }));
  const draft = await compose(1_000n * COIN);
  if (draft === undefined) return undefined;
  // The factor may rise only at the end of an epoch, and this is the next transaction.
  const advice = adviseFeeLimit(constant, { bytes: bytesOf(draft), ...shares, epochs: 0 }, payer, network);
  if (advice.beyondMaximum || advice.missingSun > 0n || advice.feeLimitSun === 0n) return undefined;
  const transaction = await compose(advice.feeLimitSun);
  if (transaction === undefined) return undefined;
  const terms = { bytes: bytesOf(transaction), feeLimitSun: advice.feeLimitSun, ...shares };
  const cost = callCost(constant.energy_used, terms, payer, network);
  return { transaction, cost, shares: (energy) => callCost(energy, terms, payer, network).energy };
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one)).slice(0, 1_500);

/** @throws Violation */
function compare({ transaction, cost, shares }: Forecast, info: Members): void {
  const receipt = (info.receipt ?? {}) as Readonly<Record<string, number | string | undefined>>;
  const amount = (name: string) => BigInt(receipt[name] ?? 0);
  const { bytes, burnedSun } = cost.bandwidth;
  const energy = shares?.(Number(amount('energy_usage_total')));
  const expected = {
    fee: cost.burnedSun,
    net_usage: BigInt(bytes),
    net_fee: burnedSun,
    energy_usage: BigInt(energy?.caller ?? 0),
    origin_energy_usage: BigInt(energy?.origin ?? 0),
    energy_fee: energy?.burnedSun ?? 0n,
  };
  const { fee, ...usages } = expected;
  const found = {
    fee: BigInt(info.fee ?? 0),
    ...Object.fromEntries(Object.keys(usages).map((name) => [name, amount(name)])),
  };
  if (shown(expected) !== shown(found))
    throw new Violation(
      NAME,
      `${transaction.txId}: ${shown(expected)} with ${shown(cost)}; its receipt is ${shown(info)}`,
    );
  if (receipt.result === 'OUT_OF_ENERGY')
    throw new Violation(NAME, `${transaction.txId}: the advised fee limit is too low: ${shown(info)}`);
}

export const workOutFees: User = async (host) => {
  const { world, people } = host;
  const owner = world.choices.below(6);
  if (!isAlone(host) || !publicSuffices(host)) return;
  const network = await networkOf(host, people.text(owner));
  if (network === undefined) return;
  const forecast = await world.choices.of([forecastTransfer, forecastCall])(host, owner, network);
  const { headNumber } = world;
  if (forecast === undefined || forecast.cost.missingSun > 0n || !isAlone(host)) return;
  const answer = await sendHex(host, forecast.transaction);
  if (!isAccepted(answer) || world.headNumber !== headNumber + 1) return;
  const info = await askedWallet(host, 'gettransactioninfobyid', { value: forecast.transaction.txId });
  if (info?.id === undefined || world.diskFails) return;
  compare(forecast, info);
};
