/** What a transaction would do and cost, without sending it; and what one has cost, by its fees. */

import * as v from 'valibot';
import { JavaException } from '../../errors/java-exception.js';
import { OperationError, ParametersError } from '../../errors/operation-error.js';
import { feeBreakdown } from '../../explanation/costs/fee-breakdown.js';
import { explain } from '../../explanation/explain.js';
import type { Explanation } from '../../explanation/model/explanation.js';
import { NotExplainableError } from '../../explanation/model/not-explainable.js';
import { estimateCall } from '../../explanation/preview/estimate.js';
import { explainWithPreset, simulate } from '../../explanation/preview/simulation.js';
import { handedContracts } from '../../explanation/rerun/read-handed-contracts.js';
import { withRows } from '../../node/with-rows.js';
import { hexToBytes } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { record } from '../../primitives/record-schema.js';
import { callTreeInWords } from '../../prose/call-tree.js';
import { estimateInWords } from '../../prose/estimate.js';
import { bandwidthSentences, explanationInWords } from '../../prose/explanation.js';
import { printTransactionInfo } from '../../protocol/json/transaction-json.js';
import { MAX_OVERRIDDEN_ROWS, overridesTooMuch, type StateOverrides, withOverrides } from '../../wallet/calls.js';
import { contextAt, fullContext } from '../../wallet/context.js';
import { address, bytes, integer, members, sun, truth, word } from '../kinds.js';
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

const simulateOptions = members(
  'at: block number; overrides: as in eth_call; trace: include the call tree; lines, profile (function, line), codes, contracts: with trace, as in /sunup/trace',
  {
    at: v.optional(integer),
    overrides: v.optional(overrides),
    trace: v.optional(truth),
    lines: v.optional(truth),
    profile: v.optional(v.picklist(['function', 'line'])),
    codes: v.optional(truth),
    contracts: v.optional(handedContracts),
  },
);
const feeOptions = members('use the chain parameters and stake totals of a network: mainnet', {
  preset: v.optional(v.string()),
});

const CALL = { from: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', to: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC', value: 1 };

/** A contract that returns nothing, and takes what storing one byte of code takes. */
const DEPLOYMENT = { from: 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6', data: '0x60016000f3' };

/** What it would be refused with is the caller's to know. */
async function inWords<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof JavaException) {
      throw new OperationError(`the transaction would be refused: ${error.javaMessage ?? error.javaClass}`);
    }
    if (error instanceof NotExplainableError) throw new OperationError(error.message);
    throw error;
  }
}

function feesOf(explanation: Explanation): unknown {
  const { bandwidth, ...fees } = feeBreakdown(explanation);
  const { bandwidth: reasons } = explanation;
  if (bandwidth === undefined || reasons === undefined) return fees;
  return { ...fees, bandwidth: { ...bandwidth, why: bandwidthSentences(reasons, explanation).join(' ') } };
}

const isTxId = (given: unknown): given is string => typeof given === 'string' && /^(0x)?[\da-f]{64}$/i.test(given);

export const costMethods: readonly DevMethod[] = [
  method({
    name: 'tron_simulate',
    about:
      'runs a transaction as the next block would, without a signature and without a change of the chain; returns receipt and explanation',
    parameters: [parameter('tx', transaction), parameter('options', v.optional(simulateOptions))],
    example: [CALL],
    answer: ({ node }, given, options) =>
      inWords(async () => {
        const { at, trace: wantsTrace = false, overrides: state = null, ...traced } = options ?? {};
        const { headNumber } = node.chain;
        if (at !== undefined && (at < 0n || at > headNumber)) {
          throw new ParametersError(`options.at: expected a height of 0 to ${headNumber}, got ${at}`);
        }
        const full = fullContext(node);
        const context = at === undefined ? full : contextAt(full, Number(at));
        const transaction = await withRows(() => withOverrides(context, state, () => transactionOf(context, given)));
        const finish = await withRows(() =>
          withOverrides(context, state, () =>
            simulate(context, transaction, { trace: wantsTrace ? traced : undefined }),
          ),
        );
        const { explanation, info, trace } = await finish();
        return {
          receipt: jsonOf(printTransactionInfo(info, true)),
          explanation: explanationInWords(explanation),
          fees: feesOf(explanation),
          ...(trace !== undefined && { trace: callTreeInWords(trace, true) }),
        };
      }),
  }),
  method({
    name: 'tron_explainFee',
    about: 'returns the fees, by cause, of a transaction on the chain (by its id) or of one that is not sent',
    parameters: [parameter('tx', transaction), parameter('options', v.optional(feeOptions))],
    example: [CALL],
    answer: ({ node }, given, options) =>
      inWords(async () => {
        const preset = options?.preset;
        if (isTxId(given)) {
          return feesOf(
            preset === undefined ? await explain(node, given) : await explainWithPreset(node, given, preset),
          );
        }
        const context = fullContext(node);
        const transaction = await withRows(() => transactionOf(context, given));
        const { explanation } = await (await withRows(() => simulate(context, transaction, { preset })))();
        return feesOf(explanation);
      }),
  }),
  method({
    name: 'tron_estimateCall',
    about:
      'estimates a call that is not sent: its Energy now and at higher Energy factors of the called contracts, who pays, and a sufficient feeLimit',
    parameters: [parameter('tx', transaction)],
    example: [DEPLOYMENT],
    answer: ({ node }, given) =>
      inWords(async () => {
        const context = fullContext(node);
        const transaction = await withRows(() => transactionOf(context, given));
        // Built anew, whenever a row is missing, it would make its contract at another address each time.
        return estimateInWords(await withRows(() => estimateCall(context, transaction)));
      }),
  }),
];
