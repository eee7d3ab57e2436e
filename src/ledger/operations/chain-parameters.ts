import { OperationError } from '../../errors/operation-error.js';
import {
  isKnownIn,
  PARAMETERS,
  type ParameterDefinition,
  parameterById,
  parameterBySpelling,
} from '../../parameters/definitions.js';
import { leastValue, proposable } from '../../parameters/presets.js';
import { operationRefusal } from '../../parameters/validation.js';
import { closest } from '../../primitives/closest-name.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { applyParameter } from '../governance/proposals.js';
import type { Ledger } from '../ledger.js';

export interface ParameterValues {
  /** By the key of `getchainparameters`, the name of the proposal type or its number, in the reported unit. */
  readonly values: Readonly<Record<string, bigint>>;
  /** Limits wider than a committee's, as far as a chain still works with them. */
  readonly force?: boolean;
}

/** Parameters that cannot be turned off, because no rule could read the data that they have created. */
const FOR_EVER: Readonly<Record<string, string>> = {
  ALLOW_SAME_TOKEN_NAME: 'tokens are stored by their ids after it is on',
  ALLOW_DELEGATE_OPTIMIZATION: 'the index of delegations is stored in another form after it is on',
};

/**
 * Sets chain parameters at once with all effects of approved proposals: price histories are dated with the head's
 * time, dependent limits are computed, contract types become available. One after another, each on the result of the
 * previous one. Switches may be turned off, which a committee cannot.
 *
 * @returns the previous values, by the key of `getchainparameters`
 * @throws OperationError with java-tron's text for a value that no proposal may have
 */
export function setChainParameters(ledger: Ledger, { values, force = false }: ParameterValues): Record<string, bigint> {
  const previous: Record<string, bigint> = {};
  for (const [spelling, value] of Object.entries(values)) {
    const parameter = settable(ledger, spelling);
    previous[parameter.key] ??= reported(ledger, parameter);
    setParameter(ledger, parameter, value, force);
  }
  return previous;
}

/** The value in `getchainparameters`, by any of its names. @throws OperationError for an unknown parameter */
export function parameterValue(ledger: Ledger, spelling: string): bigint {
  return reported(ledger, settable(ledger, spelling));
}

/** The value in `getchainparameters`. */
export function reported(ledger: Ledger, { property, storedScale }: ParameterDefinition): bigint {
  return ledger.long(property) / storedScale;
}

function settable(ledger: Ledger, spelling: string): ParameterDefinition {
  const { release } = ledger.config;
  const known = /^\d+$/.test(spelling) ? parameterById(BigInt(spelling)) : parameterBySpelling(spelling);
  const parameter = proposable(known);
  if (parameter !== undefined && isKnownIn(parameter, release)) return parameter;
  if (parameter !== undefined)
    throw new OperationError(
      `${spelling} needs java-tron ${parameter.since}, this chain has release ${release} (--node-version)`,
    );
  if (known !== undefined) throw new OperationError(`${spelling} cannot be set`);
  const close = closest(
    spelling,
    PARAMETERS.flatMap(({ key, name }) => [key, name]),
  );
  const hint = close === undefined ? 'See docs/reference/parameters.md' : `did you mean ${close}?`;
  throw new OperationError(`unknown chain parameter ${JSON.stringify(spelling)}; ${hint}`);
}

/** @throws OperationError */
export function setParameter(ledger: Ledger, parameter: ParameterDefinition, value: bigint, force: boolean): void {
  const { name, key, id, storedScale } = parameter;
  const { slotMs } = ledger.config;
  const reason = FOR_EVER[name];
  if (reason !== undefined && value === 0n && reported(ledger, parameter) !== 0n)
    throw new OperationError(`${key} cannot be turned off: ${reason}`);
  const refusal = force ? undefined : operationRefusal((property) => ledger.long(property), parameter, value, slotMs);
  if (refusal !== undefined) throw new OperationError(`${key} cannot be ${value}: ${refusal}`);
  // A committee may vote for a price of -1: java-tron checks few of the old parameters.
  const least = leastValue(name);
  const most = MAX_LONG / storedScale;
  if (value < least || value > most)
    throw new OperationError(`${key} cannot be ${value}: it must be ${least} to ${most}`);
  applyParameter(ledger, id as number, value, {
    expirationTimeMs: ledger.headTimeMs,
    currentCycle: ledger.long('CURRENT_CYCLE_NUMBER'),
    byOperation: true,
  });
}
