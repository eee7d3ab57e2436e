/**
 * Replaces a value in a recording. A recording has its network as genesis properties, so a replaced chain parameter holds
 * from the first block on. Its stakes result from its transactions and operations. So a replaced stake, balance or
 * contract factor becomes an additional operation, at the start, or where the account or contract is created. Names, units
 * and operations are those of previews (`explanation/preview/changes.ts`).
 */

import { operationLine } from '../../chain-file/lines.js';
import type { FileRow } from '../../chain-file/rows.js';
import { OperationError } from '../../errors/operation-error.js';
import { changeNamed, type ReadChange } from '../../explanation/preview/changes.js';
import type { Operation } from '../../ledger/operations/registry.js';
import type { Address } from '../../primitives/ids.js';
import { deployedContractAddress } from '../../protocol/address.js';
import { addressOfText } from '../../protocol/address-text.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { decodedTransaction } from '../steps/raw.js';
import { type GivenValue, VariationError } from './variations.js';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * @param value a scenario with `network.recorded` @throws VariationError if the value cannot be replaced in a
 * recording
 */
export function recordedWith(value: JsonObject, name: string, given: GivenValue): JsonObject {
  const change = read(name, given);
  if (change.of === 'parameter') {
    if (change.value < 0n) throw new VariationError(`--what-if ${name}=${given}: expected a number`);
    const { property, storedScale } = change.parameter;
    return withProperty(value, property, (change.value * storedScale).toString());
  }
  if (change.of !== 'account' && change.of !== 'contract') throw notReplaceable(name);
  const address = addressOfText(change.who);
  if (address === undefined) {
    const part = `${change.of}s`;
    throw new VariationError(
      `--what-if ${name}: a recording has no names: use an address, ${part}.T…, instead of ${part}.${change.who}`,
    );
  }
  return withOperation(value, address, change.operationOn(address), `--what-if ${name}`);
}

/** A change by the names that previews have, too. @throws VariationError */
function read(name: string, given: GivenValue): ReadChange {
  try {
    const change = changeNamed({ name: name.replace(/^network\.parameters\./, ''), value: String(given) });
    if (change === undefined) throw notReplaceable(name);
    return change;
  } catch (error) {
    if (error instanceof OperationError) throw new VariationError(`--what-if ${error.message}`);
    throw error;
  }
}

function notReplaceable(name: string): VariationError {
  return new VariationError(
    `--what-if ${name}: a recording accepts chain parameters (getEnergyFee), stakes and balances by address (accounts.T….stake.energy, accounts.T….balance), and energyFactor and energyUsed of contracts (contracts.T….energyFactor). Everything else results from its transactions`,
  );
}

function withProperty(value: JsonObject, property: string, stored: string): JsonObject {
  const { network } = value as { readonly network: JsonObject };
  const recorded = network.recorded as JsonObject;
  const longs = (recorded.longs as readonly (readonly [string, string])[]).map(([key, own]) =>
    key === property ? [key, stored] : [key, own],
  );
  return { ...value, network: { ...network, recorded: { ...recorded, longs } } };
}

interface Recorded {
  readonly accounts: readonly JsonObject[];
  readonly fork?: { readonly number: number };
}

/** Whether a fork's network has the account or the contract. */
function isOfNetwork(row: FileRow | undefined, address: Address): boolean {
  return row?.table === 'accounts' && row.key === address && row.value !== null;
}

/** Position in a recording between two steps. */
interface Head {
  readonly block: number;
  /** Number of operations after the block. */
  readonly operations: number;
}

function withOperation(value: JsonObject, address: Address, operation: Operation, what: string): JsonObject {
  const steps = [...(value.steps as Iterable<JsonObject>)];
  const { recorded } = value.network as { readonly recorded: Recorded };
  const isOfGenesis =
    recorded.accounts.some((account) => account.address === address) ||
    steps.some(({ networkRow }) => isOfNetwork(networkRow as FileRow | undefined, address));
  const at = isOfGenesis ? afterFirstOperations(steps) : afterComingIntoBeing(steps, address);
  if (at === undefined) {
    throw new VariationError(
      `${what}: no transaction of the recording sends to it or deploys it (values of a contract that another contract created cannot be replaced)`,
    );
  }
  const own = operationLine(operation);
  let head = steps.slice(0, at).reduce(movedBy, { block: recorded.fork?.number ?? 0, operations: 0 });
  const there = head;
  const changed: unknown[] = [...steps.slice(0, at), own];
  for (const step of steps.slice(at)) {
    head = movedBy(head, step);
    const { goBack } = step as { readonly goBack?: JsonObject };
    const isBefore = head.block < there.block || (head.block === there.block && head.operations < there.operations);
    if (goBack !== undefined && head.block === there.block && !isBefore)
      changed.push({ ...step, goBack: { ...goBack, operations: head.operations + 1 } });
    // After a reset the chain starts again with it.
    else if (goBack !== undefined && isBefore && isOfGenesis) changed.push(step, own);
    else changed.push(step);
  }
  return { ...value, steps: changed };
}

function movedBy(head: Head, step: JsonObject): Head {
  const {
    import: imported,
    produce,
    produceEmpty,
    operation,
    goBack,
  } = step as Readonly<Record<string, JsonObject | undefined>>;
  if ((imported ?? produce) !== undefined) return { block: head.block + 1, operations: 0 };
  if (produceEmpty !== undefined) return { block: head.block + Number(produceEmpty.blocks), operations: 0 };
  if (operation !== undefined) return { ...head, operations: head.operations + 1 };
  return goBack === undefined ? head : { block: Number(goBack.block), operations: Number(goBack.operations) };
}

/** Operations of the setup come first, or they would overwrite the replaced value. */
function afterFirstOperations(steps: readonly JsonObject[]): number {
  const at = steps.findIndex((step) => !('operation' in step || 'networkRow' in step));
  return at < 0 ? steps.length : at;
}

/** After the block that first sends to the account, or that deploys the contract. */
function afterComingIntoBeing(steps: readonly JsonObject[], address: Address): number | undefined {
  let isInNextBlock = false;
  for (const [at, step] of steps.entries()) {
    if ('operation' in step && JSON.stringify(step.operation).includes(address)) return at + 1;
    isInNextBlock ||= transactionsOf(step).some((hex) => makes(hex, address));
    if (('produce' in step || 'import' in step) && isInNextBlock) return at + 1;
  }
  return undefined;
}

function transactionsOf({ broadcast, import: imported, produce = imported }: JsonObject): readonly string[] {
  if (typeof broadcast === 'string') return [broadcast];
  return ((produce as JsonObject | undefined)?.transactions as readonly string[] | undefined) ?? [];
}

function makes(hex: string, address: Address): boolean {
  const { contractType, contract, txId, owner } = decodedTransaction(hex);
  if (contractType === ContractType.CreateSmartContract)
    return owner !== undefined && deployedContractAddress(txId, owner as Address) === address;
  const { to_address, account_address } = (contract ?? {}) as Readonly<Record<string, unknown>>;
  return to_address === address || account_address === address;
}

/** Stakes for Energy and Bandwidth that operations of a recording set: initial stakes and replaced ones. */
export function stakedInRecording(scenario: unknown): bigint {
  const stakes = new Map<string, bigint>();
  for (const { operation } of (scenario as JsonObject).steps as Iterable<JsonObject>) {
    const { name, arguments: given } = (operation ?? {}) as { readonly name?: string; readonly arguments?: JsonObject };
    if (name !== 'setStake') continue;
    for (const [resource, amount] of Object.entries(given?.stakes as JsonObject))
      if (resource !== 'tronPower')
        stakes.set(`${given?.address} ${resource}`, BigInt((amount as { readonly int: string }).int));
  }
  return [...stakes.values()].reduce((sum, amount) => sum + amount, 0n);
}
