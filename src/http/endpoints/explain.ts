/**
 * `/sunup/explain?txid=…`, `/sunup/trace?txid=…`, `/sunup/steps?txid=…`: the effects of a transaction, its costs with
 * reasons, its call tree, as data and as text, and its steps. Sunup's own; addresses are base58check.
 */

import type { TraceOptions } from '../../explanation/calls/trace.js';
import { explain } from '../../explanation/explain.js';
import { NotExplainableError, OfNetworkError } from '../../explanation/model/not-explainable.js';
import { type Stage, stageFor } from '../../explanation/rerun/in-place.js';
import { withRows } from '../../node/with-rows.js';
import { nextTurn } from '../../platform/turns.js';
import { writeJson } from '../../primitives/amount-json.js';
import { explanationInWords } from '../../prose/explanation.js';
import type { WalletContext } from '../../wallet/context.js';
import { parameterReader, type ReadParameter, wholeNumber } from '../own-request.js';
import type { HttpEndpoint } from '../table.js';
import type { WireRequest } from '../wire-request.js';

type Report = (stage: Stage, txid: string, parameter: ReadParameter) => Promise<object>;

const explanation: Report = async (stage, txid) => {
  try {
    return explanationInWords(await explain(stage, txid));
  } catch (error) {
    if (!(error instanceof OfNetworkError)) throw error;
    const [{ explainEarlier }, { recordedExplanationInWords }] = await Promise.all([
      import('../../explanation/recorded/explain-earlier.js'),
      import('../../prose/recorded-explanation.js'),
    ]);
    const recorded = await withRows(() => explainEarlier(stage.chain, error.txid));
    if (recorded === undefined) throw error;
    return recordedExplanationInWords(recorded);
  }
};

const trace: Report = async (stage, txid, parameter) => {
  const { traceOf } = await import('../../explanation/calls/trace.js');
  const { callTreeInWords } = await import('../../prose/call-tree.js');
  const given = parameter('profile');
  const profile: TraceOptions['profile'] = given === 'function' || given === 'line' ? given : undefined;
  if (profile === undefined && given !== undefined) {
    throw new NotExplainableError(`profile: expected function or line, got ${given.slice(0, 40)}`);
  }
  const contracts = parameter('contracts');
  const options = {
    lines: parameter('lines') === 'true',
    sources: parameter('sources') === 'true',
    changes: parameter('changes') === 'true',
    codes: parameter('codes') === 'true',
    ...(profile && { profile }),
    ...(contracts !== undefined && { contracts: await readContracts(contracts) }),
  };
  return callTreeInWords(await traceOf(stage, txid, options));
};

const steps: Report = async (stage, txid, parameter) => {
  const { stepsOf } = await import('../../explanation/calls/steps.js');
  const state = parameter('state') === 'true';
  const most = state ? MOST_STATES : MOST_STEPS;
  return stepsOf(stage, txid, {
    from: wholeNumber(parameter, 'from', { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
    count: wholeNumber(parameter, 'count', { least: 1, most, otherwise: DEFAULT_STEPS }),
    state,
  });
};

const DEFAULT_STEPS = 100;
/** Bounds of an answer: a state is a thousand times as large as a step without one. */
const MOST_STEPS = 100_000;
const MOST_STATES = 100;

/** @throws NotExplainableError */
async function readContracts(text: string): Promise<TraceOptions['contracts']> {
  const [{ suppliedContracts }, { safeParse, pipe, string, parseJson, getDotPath }, { IN_WORDS }] = await Promise.all([
    import('../../explanation/rerun/supplied-contracts.js'),
    import('valibot'),
    import('../../primitives/schema-words.js'),
  ]);
  const schema = pipe(string(), parseJson({}, 'JSON'), suppliedContracts);
  const { success, output, issues } = safeParse(schema, text, IN_WORDS);
  if (success) return output;
  const place = getDotPath(issues[0]);
  throw new NotExplainableError(`contracts${place === null ? '' : `.${place}`}: expected ${issues[0].message}`);
}

async function answer({ node }: WalletContext, request: WireRequest, report: Report): Promise<string> {
  // The work is asynchronous, so the turn of the request does not bound it.
  await nextTurn(request.caller, true);
  const parameter = parameterReader(request);
  return `${writeJson(await report(stageFor(node, request.requester), parameter('txid') ?? '', parameter))}\n`;
}

const endpoint = (name: string, report: Report, ...parameters: readonly string[]): HttpEndpoint<WalletContext> => ({
  parameters: ['txid', ...parameters],
  ...{ name, services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted' },
  answer: (view, request) => answer(view, request, report),
});

export const explainEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  endpoint('explain', explanation),
  endpoint('trace', trace, 'lines', 'profile', 'sources', 'changes'),
  endpoint('steps', steps, 'from', 'count', 'state'),
];
