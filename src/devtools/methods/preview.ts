/** Previews of transactions that are not sent, and of transactions of the chain, also under other values. */

import * as v from 'valibot';
import { JavaException } from '../../errors/java-exception.js';
import { OperationError, ParametersError } from '../../errors/operation-error.js';
import { NotExplainableError } from '../../explanation/model/not-explainable.js';
import type { Change } from '../../explanation/preview/changes.js';
import { type Preview, type PreviewRequest, preview, previewInPlace } from '../../explanation/preview/preview.js';
import { stageFor } from '../../explanation/rerun/in-place.js';
import { suppliedContracts } from '../../explanation/rerun/supplied-contracts.js';
import type { Node } from '../../node/node.js';
import { withRows } from '../../node/with-rows.js';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { record } from '../../primitives/record-schema.js';
import { type PreviewInWords, previewInWords } from '../../prose/preview.js';
import { printTransactionInfo } from '../../protocol/json/transaction-json.js';
import { MAX_OVERRIDDEN_ROWS, overridesTooMuch, type StateOverrides, withOverrides } from '../../wallet/calls.js';
import { contextAt, fullContext, type WalletContext } from '../../wallet/context.js';
import { address, bytes, integer, options, sun, truth, word } from '../kinds.js';
import { jsonOf } from '../message-json.js';
import { type DevMethod, method, parameter } from '../table.js';
import { transaction, transactionOf } from '../transaction-value.js';

const slot = v.pipe(
  v.string(),
  v.check((text) => v.is(word, text), v.getDescription(word)),
);
const slots = v.optional(
  v.pipe(
    record(slot, word, 'words by slot'),
    v.transform((given) => new Map(Object.entries(given).map(([at, value]) => [BigInt(at), value]))),
  ),
);
const OVERRIDES = `an object by address, with ${MAX_OVERRIDDEN_ROWS} accounts and slots at most`;
const overrides = v.pipe(
  v.custom<object>((given) => typeof given === 'object' && given !== null && !overridesTooMuch(given), OVERRIDES),
  record(
    address,
    v.strictObject(
      { balance: v.optional(sun), code: v.optional(bytes), state: slots, stateDiff: slots },
      'an object of balance, code, state, stateDiff',
    ),
    OVERRIDES,
  ),
  v.transform(
    (given): StateOverrides =>
      new Map(
        Object.entries(given).map(([at, { balance: balanceSun, code, state, stateDiff } = {}]) => [
          at as Address,
          { balanceSun, code: code === undefined ? undefined : hexToBytes(code), state, stateDiff },
        ]),
      ),
  ),
);

const MAX_CHANGES = 1_000;
const LONGEST_CHANGE = 200;
const VALUE = 'a whole number, or an amount as in "10 TRX"';
const CHANGES = `an object of values by name, ${MAX_CHANGES} at most: {"getEnergyFee": 210, "accounts.sender.stake.energy": "10_000 TRX"}`;
/** In the order in which they are given. */
const changes = v.pipe(
  v.custom<object>(
    (given) => typeof given === 'object' && given !== null && Object.keys(given).length <= MAX_CHANGES,
    CHANGES,
  ),
  record(
    v.pipe(v.string(), v.maxLength(LONGEST_CHANGE, 'a shorter name')),
    v.union(
      [v.pipe(v.string(), v.maxLength(LONGEST_CHANGE)), v.pipe(v.number(VALUE), v.safeInteger(VALUE)), v.bigint()],
      VALUE,
    ),
    CHANGES,
  ),
  v.transform((given): readonly Change[] =>
    Object.entries(given).map(([name, value]) => ({
      name,
      value: typeof value === 'number' ? String(value) : (value as string | bigint),
    })),
  ),
);

const previewOptions = options(
  'changes: other values, by name; at: block number; overrides: as in eth_call; higherFactors: include the cost at higher Energy factors; trace: include the call tree; lines, profile (function, line), codes, contracts: with trace, as in /sunup/trace',
  {
    changes: v.optional(changes),
    at: v.optional(integer),
    overrides: v.optional(overrides),
    higherFactors: v.optional(truth),
    trace: v.optional(truth),
    lines: v.optional(truth),
    profile: v.optional(v.picklist(['function', 'line'])),
    codes: v.optional(truth),
    contracts: v.optional(suppliedContracts),
  },
);

const CALL = { from: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', to: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', value: 1 };

/** Refusals of the protocol become OperationErrors with their text. */
async function inWords(work: () => Promise<Preview>): Promise<PreviewInWords> {
  try {
    const preview = await work();
    const receipt = jsonOf(printTransactionInfo(preview.info, true)) as PreviewInWords['receipt'];
    return previewInWords(preview, receipt);
  } catch (error) {
    if (error instanceof JavaException) {
      throw new OperationError(`the transaction would be refused: ${error.javaMessage ?? error.javaClass}`);
    }
    if (error instanceof NotExplainableError) throw new OperationError(error.message);
    throw error;
  }
}

const isTxId = (given: unknown): given is string => typeof given === 'string' && /^(0x)?[\da-f]{64}$/i.test(given);

/** @throws ParametersError for a height that there is not */
function contextOf(node: Node, at: bigint | undefined): WalletContext {
  const full = fullContext(node);
  const { headNumber } = node.chain;
  if (at === undefined) return full;
  if (at < 0n || at > headNumber)
    throw new ParametersError(`options.at: expected a height of 0 to ${headNumber}, got ${at}`);
  return contextAt(full, Number(at));
}

export const previewMethods: readonly DevMethod[] = [
  method({
    name: 'tron_preview',
    about:
      'runs an unsent transaction as if in the next block, or a transaction of the chain (by its id) again in its place, and does not change the chain. Returns outcome, fees by cause, receipt, sufficient feeLimit and stake; changes sets other values. Needs no signature',
    parameters: [parameter('tx', transaction), parameter('options', v.optional(previewOptions))],
    example: [CALL, { changes: { getCreateAccountFee: 300_000 } }],
    command: 'estimate',
    answer: ({ node, requester }, given, { at, overrides: state = null, trace: wantsTrace = false, ...wished } = {}) =>
      inWords(async () => {
        const { changes: changed, higherFactors, ...traced } = wished;
        const request: PreviewRequest = {
          ...(changed !== undefined && { changes: changed }),
          ...(higherFactors !== undefined && { higherFactors }),
          overrides: state,
          trace: wantsTrace ? traced : undefined,
        };
        if (isTxId(given)) {
          if (at !== undefined)
            throw new ParametersError(
              'options.at: a transaction of the chain is previewed in its place, without a height',
            );
          const stage = requester === undefined ? node : stageFor(node, requester);
          return withRows(() => previewInPlace(stage, given, request));
        }
        const context = contextOf(node, at);
        // Built anew, whenever a row is missing, it would make its contract at another address each time.
        const tried = await withRows(() => withOverrides(context, state, () => transactionOf(context, given)));
        const finish = await withRows(() => preview(context, tried, request));
        return finish();
      }),
  }),
];
