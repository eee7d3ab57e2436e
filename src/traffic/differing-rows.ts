/**
 * On which rows of the state it hangs that a transaction of a network costs something else on the present state. A receipt
 * has figures and no rows, so a row is named where only it can cause the difference, or where a run with another value of
 * it gives the figure of the receipt. For everything else it is said why no row is known.
 */

import type { RecordedExplanation } from '../explanation/model/recorded-explanation.js';
import type { Json } from '../primitives/amount-json.js';
import { formatUnits } from '../prose/amounts.js';
import type { PreviewInWords } from '../prose/preview.js';
import { fromBase58 } from '../protocol/address.js';
import { keccak256OfHex } from '../protocol/hashes.js';

/** The figures of a receipt that are compared. */
export const FIGURES = {
  result: 'result',
  energy: 'Energy',
  base: 'Energy at the base price',
  penalty: 'penalty of energy factors',
  deployer: "the deployer's part",
  bought: 'Energy bought',
  energyPrice: 'price of one Energy, sun',
  bytesBought: 'bytes bought',
  bytePrice: 'price of one byte, sun',
  fixedFees: 'fixed fees',
  fee: 'fee',
} as const;

export type Figure = keyof typeof FIGURES;

export interface DifferingRow {
  /** The figure that differs because of the row. */
  readonly figure: Figure;
  /** `storage`, `contractStates`, `contracts`, `accounts`, `parameters`; absent: no row is known. */
  readonly table?: 'storage' | 'contractStates' | 'contracts' | 'accounts' | 'parameters';
  /** base58check, or the key of a chain parameter. */
  readonly of?: string;
  /** The part of the row; of storage the slot, 64 hex digits. */
  readonly field?: string;
  /** Of storage: the slot is that of an address in the mapping at another slot. */
  readonly entry?: { readonly holder: string; readonly mapping: number };
  /** For people. */
  readonly recorded?: string;
  readonly now?: string;
  /** How the row is known, or why none is. */
  readonly why: string;
}

/** A slot that the call writes now, with the figure that a run with another value of it has. */
export interface SlotFound {
  /** base58check */
  readonly contract: string;
  readonly slot: string;
  readonly wasEmpty: boolean;
  /** Before the call, as hex; zero: empty. */
  readonly value: string;
}

export interface SlotSearch {
  /** Those that give the receipt's Energy together; empty: none do. */
  readonly found: readonly SlotFound[];
  /** Slots that the call writes now. */
  readonly written: number;
}

type Now = Json<PreviewInWords>;
type Row = Omit<DifferingRow, 'figure'>;

/** @param slots undefined: the storage was not searched */
export function differingRows(
  figures: readonly Figure[],
  then: RecordedExplanation,
  now: Now,
  slots: SlotSearch | undefined,
): readonly DifferingRow[] {
  return figures.flatMap((figure) => (ROWS[figure]?.(then, now, slots) ?? []).map((row) => ({ figure, ...row })));
}

type RowsOf = (then: RecordedExplanation, now: Now, slots: SlotSearch | undefined) => readonly Row[];

/** Energy and fee follow from the other figures. */
const ROWS: Readonly<Partial<Record<Figure, RowsOf>>> = {
  result: () => [
    {
      why: 'a receipt does not have the balances and slots that the call read, so the row behind the result is not known',
    },
  ],
  base: storageRows,
  penalty: factorRows,
  deployer: deployerRows,
  bought: (then, now) => {
    const [was, is] = [then.energy?.caller, now.energy?.caller];
    // With the same Energy of stakes, what is bought follows from the other figures.
    if (was === undefined || is === undefined || was.staked === BigInt(is.staked)) return [];
    return [
      {
        table: 'accounts',
        of: is.address,
        field: 'stake, delegations and usage of Energy',
        recorded: `${formatUnits(was.staked)} Energy of stakes paid`,
        now: `${units(is.staked)} paid, of a limit of ${units(is.stake.limit)} with ${units(is.stake.used)} in use`,
        why: 'only the caller pays with its stake; a receipt does not say whether the limit or the usage was another',
      },
    ];
  },
  energyPrice: (then, now) => [parameterRow('getEnergyFee', then.energy?.priceSun, now.energy?.priceSun)],
  bytePrice: (then, now) => [
    parameterRow('getTransactionFee', then.bandwidth.bytePriceSun, now.bandwidth?.bytePriceSun),
  ],
  fixedFees: fixedFeeRows,
  bytesBought: (then, now) => {
    if (isForNewAccount(then.charges) || isForNewAccount(now.charges))
      return [{ why: 'bytes of a transaction that creates an account have a fixed fee' }];
    const { free, staked } = now.bandwidth ?? {};
    const left = [
      ...(staked === undefined ? [] : [`${units(staked.left)} of ${units(staked.limit)} staked bytes`]),
      ...(free === undefined ? [] : [`${units(free.left)} of ${units(free.limit)} free bytes`]),
    ];
    return [
      {
        table: 'accounts',
        of: then.owner,
        field: 'stake and usage of bandwidth',
        now: left.length === 0 ? 'its own bandwidth pays' : `left: ${left.join(', ')}`,
        why: 'one source pays for all bytes; a receipt does not say what was left',
      },
    ];
  },
};

interface ChargeOfFee {
  readonly reason: string;
  readonly resource: string;
  readonly amount: bigint | number | string;
}

const NEW_ACCOUNT = new Set(['account-activation', 'account-creation-bandwidth']);

function isForNewAccount(charges: readonly ChargeOfFee[]): boolean {
  return charges.some(({ reason }) => NEW_ACCOUNT.has(reason));
}

/** In sun, by reason: what was paid for neither Energy nor bytes. */
export function fixedFees(charges: readonly ChargeOfFee[]): ReadonlyMap<string, bigint> {
  const fees = new Map<string, bigint>();
  for (const { reason, resource, amount } of charges)
    if (resource === 'coin' && reason !== 'energy' && reason !== 'bandwidth')
      fees.set(reason, (fees.get(reason) ?? 0n) + BigInt(amount));
  return fees;
}

const FEE_PARAMETERS: ReadonlyMap<string, string> = new Map([
  ['account-activation', 'getCreateNewAccountFeeInSystemContract'],
  ['account-creation-bandwidth', 'getCreateAccountFee'],
  ['asset-issue', 'getAssetIssueFee'],
  ['exchange-creation', 'getExchangeCreateFee'],
  ['market-order', 'getMarketSellFee'],
  ['memo', 'getMemoFee'],
  ['multi-signature', 'getMultiSignFee'],
  ['permission-update', 'getUpdateAccountPermissionFee'],
  ['witness-creation', 'getAccountUpgradeCost'],
]);

function fixedFeeRows(then: RecordedExplanation, now: Now): readonly Row[] {
  const [was, is] = [fixedFees(then.charges), fixedFees(now.charges)];
  const created = [isForNewAccount(then.charges), isForNewAccount(now.charges)] as const;
  const rows: Row[] = [];
  if (created[0] !== created[1] && 'to' in then.action)
    rows.push({
      table: 'accounts',
      ...(then.action.to !== undefined && { of: then.action.to }),
      recorded: created[0] ? 'did not exist' : 'existed',
      now: created[1] ? 'does not exist' : 'exists',
      why: 'a transaction that creates an account pays for it',
    });
  for (const reason of new Set([...was.keys(), ...is.keys()])) {
    const isCancel = then.type === 'MarketCancelOrderContract';
    const of = isCancel && reason === 'market-order' ? 'getMarketCancelFee' : FEE_PARAMETERS.get(reason);
    if (was.get(reason) === is.get(reason) || of === undefined) continue;
    if (NEW_ACCOUNT.has(reason) && created[0] !== created[1]) continue;
    rows.push(parameterRow(of, was.get(reason) ?? 0n, is.get(reason) ?? 0n));
  }
  return rows;
}

const units = (amount: bigint | number | string): string => formatUnits(BigInt(amount));

function parameterRow(of: string, then: bigint | undefined, now: bigint | number | string | undefined): Row {
  return {
    table: 'parameters',
    of,
    ...(then !== undefined && { recorded: `${formatUnits(then)} sun` }),
    ...(now !== undefined && { now: `${units(now)} sun` }),
    why: 'both prices are known from the history of the parameter',
  };
}

function storageRows(then: RecordedExplanation, now: Now, slots: SlotSearch | undefined): readonly Row[] {
  if (then.outcome.result === OUT_OF_ENERGY || now.outcome.result === OUT_OF_ENERGY)
    return [{ why: 'it ran out of Energy, so feeLimit, price and stake decide how much it used, and not its steps' }];
  if (slots === undefined || slots.found.length === 0) {
    const tried =
      slots === undefined
        ? ''
        : `. With no other value of the ${slots.written} slots that it writes now it uses that Energy`;
    return [{ why: `a receipt has neither calls nor slots, and it may have taken another path${tried}` }];
  }
  return slots.found.map(({ contract, slot, wasEmpty, value }) => ({
    table: 'storage',
    of: contract,
    field: slot,
    ...entryAt(slot, then),
    recorded: wasEmpty ? 'empty' : 'not empty',
    now: /^0*$/.test(value) ? 'empty' : `0x${value.replace(/^0+/, '')}`,
    why: `run with the slot ${wasEmpty ? 'empty' : 'in use'}, the call uses the Energy of the receipt`,
  }));
}

const OUT_OF_ENERGY = 'OUT_OF_ENERGY';
const WORD_DIGITS = 64;
/** Slots of a contract's own variables that are tried as mappings. */
const MAX_MAPPINGS = 64;

/** Solidity keeps the entry of an address at the hash of the address and the mapping's slot. */
function entryAt(slot: string, { owner, arguments: values = [] }: RecordedExplanation): Pick<Row, 'entry'> {
  const given = values.flatMap(({ type, value }) => (type === 'address' ? [String(value)] : []));
  for (const holder of new Set([owner, ...given])) {
    const key = (fromBase58(holder) ?? '').slice(2).padStart(WORD_DIGITS, '0');
    for (let mapping = 0; mapping < MAX_MAPPINGS; mapping++)
      if (keccak256OfHex(`${key}${mapping.toString(16).padStart(WORD_DIGITS, '0')}`) === slot)
        return { entry: { holder, mapping } };
  }
  return {};
}

function factorRows({ energy }: RecordedExplanation, now: Now): readonly Row[] {
  const contracts = now.energy?.contracts ?? [];
  const base = (energy?.total ?? 0n) - (energy?.penalty ?? 0n);
  const [only] = contracts;
  const field = 'energy_factor';
  if (contracts.length === 1 && only !== undefined && base > 0n) {
    const least = Number(((energy?.penalty ?? 0n) * 10_000n) / base) / 10_000;
    const recorded = least === 0 ? '0' : `about ${least}`;
    const why = 'the only contract that runs; the receipt has the penalty of then';
    return [{ table: 'contractStates', of: only.address, field, recorded, now: String(only.factor), why }];
  }
  return contracts.map(({ address, factor }) => ({
    table: 'contractStates',
    of: address,
    field,
    now: String(factor),
    why: 'one of the contracts that run; a receipt has one penalty for all',
  }));
}

/** The deployer pays the smallest of three: its percentage, its limit for one call, its stake. */
function deployerRows({ energy, action }: RecordedExplanation, now: Now): readonly Row[] {
  const origin = now.energy?.origin;
  const contract = action.kind === 'call' ? action.contract.address : undefined;
  const paid = energy?.origin?.paid ?? 0n;
  if (energy === undefined || origin === undefined || contract === undefined)
    return [{ why: 'the contract has no deployer now, or the caller is the deployer' }];
  const recorded = `${formatUnits(paid)} Energy paid`;
  const agreed = (energy.total * BigInt(origin.percent)) / 100n;
  const limits = {
    percent: {
      table: 'contracts',
      of: contract,
      field: 'consume_user_resource_percent',
      recorded,
      now: `${100 - origin.percent} %`,
    },
    origin_energy_limit: {
      table: 'contracts',
      of: contract,
      field: 'origin_energy_limit',
      recorded,
      now: units(origin.originEnergyLimit),
    },
    stake: {
      table: 'accounts',
      of: origin.address,
      field: 'stake, delegations and usage of Energy',
      recorded,
      now: `${units(origin.stake.left)} of ${units(origin.stake.limit)} left`,
    },
  } as const;
  if (paid > agreed) return [{ ...limits.percent, why: 'the deployer paid more than its present percentage' }];
  if (paid < agreed) {
    const why = 'one of three: the deployer pays the smallest of percentage, limit and stake';
    return [limits.percent, limits.origin_energy_limit, limits.stake].map((row) => ({ ...row, why }));
  }
  if (origin.boundBy === 'percent')
    return [{ why: 'its percentage is the same; the difference follows from the Energy' }];
  return [{ ...limits[origin.boundBy], why: 'the percentage decided then, and this limit decides now' }];
}

/** Sentences below the table of figures. */
export function rowSentences(rows: readonly DifferingRow[]): readonly string[] {
  return rows.map(({ figure, table, of, field, entry, recorded, now, why }) => {
    if (table === undefined) return `${FIGURES[figure]}: no row is known: ${why}.`;
    const holder = entry && `, the entry of ${entry.holder} in the mapping at slot ${entry.mapping}`;
    const part = table === 'storage' ? `slot ${field}${holder ?? ''}` : field;
    const values = [
      ...(recorded === undefined ? [] : [`then ${recorded}`]),
      ...(now === undefined ? [] : [`now ${now}`]),
    ];
    return `${FIGURES[figure]}: ${WORDS[table]} ${of}${part === undefined ? '' : `, ${part}`}: ${values.join('; ')} (${why}).`;
  });
}

const WORDS = {
  storage: 'storage of',
  contractStates: 'factor of',
  contracts: 'contract',
  accounts: 'account',
  parameters: 'chain parameter',
} as const;
