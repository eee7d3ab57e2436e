/** `sunup explain TXID --fork URL --run`: the transaction once more, on the present state of the network. */

import type { RecordedExplanation } from '../explanation/model/recorded-explanation.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';
import { wrapped } from '../prose/explanation.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { sectionTable } from '../scenario/report/table.js';
import {
  type PreviewAnswer,
  previewSettings,
  readVariations,
  type SettingOutcome,
  settingTable,
} from './estimate-what-if.js';
import { askRpc, askWallet } from './node-client.js';
import { type TraceAnswer, type TraceRequest, type TraceWords, tracedWith, traceText } from './trace-request.js';

const BASE_ENERGY = 'Energy at the base price';
const EXPIRES_AFTER_MS = 60_000;

export interface RunAgain {
  readonly preview: PreviewAnswer;
  /** Figures that differ from the receipt, by name. */
  readonly differs: readonly { readonly name: string; readonly recorded: string; readonly now: string }[];
  /** Its call tree, on request. */
  readonly trace?: TraceAnswer;
  /** With other values, if any were given. */
  readonly outcomes?: readonly SettingOutcome[];
}

/**
 * @param node a fork of the network
 * @param whatIf as for `sunup estimate --what-if`
 * @param traceWords as for `sunup trace`; undefined: no call tree
 * @throws RemoteError if the present state refuses the transaction
 */
export async function runAgain(
  node: URL,
  transaction: SignedTransaction,
  recorded: RecordedExplanation,
  whatIf: readonly string[],
  traceWords?: TraceWords,
): Promise<RunAgain> {
  const variations = readVariations(whatIf);
  const subject = await withPresentReference(node, transaction);
  const preview = async (changes: object) =>
    (await askRpc(node, 'tron_preview', [subject, { changes }])) as PreviewAnswer;
  const now = await preview({});
  const traced: TraceRequest = async (options) => {
    const answer = await askRpc(node, 'tron_preview', [subject, { trace: true, ...options }]);
    return (answer as { readonly trace: TraceAnswer }).trace;
  };
  return {
    preview: now,
    differs: differences(recorded, now),
    ...(traceWords !== undefined && { trace: await tracedWith(traced, traceWords) }),
    ...(variations.length > 0 && { outcomes: await previewSettings(variations, preview) }),
  };
}

/** A transaction refers to a recent block and expires: the same contract, as if it was sent now. @returns hex */
async function withPresentReference(node: URL, { raw, signatures }: SignedTransaction): Promise<string> {
  const { blockID, block_header } = (await askWallet(node, 'getnowblock', {})) as unknown as {
    readonly blockID: string;
    readonly block_header: { readonly raw_data: { readonly number?: number; readonly timestamp: number } };
  };
  const { number = 0, timestamp } = block_header.raw_data;
  const raw_data = {
    ...raw,
    ref_block_bytes: (number % 65_536).toString(16).padStart(4, '0') as Hex,
    ref_block_hash: blockID.slice(16, 32) as Hex,
    expiration: BigInt(timestamp + EXPIRES_AFTER_MS),
  };
  return bytesToHex(SignedTransaction.fromRaw(raw_data, signatures).bytes);
}

function differences(then: RecordedExplanation, now: PreviewAnswer): RunAgain['differs'] {
  const energy = (of: bigint | number | string | undefined) => (of === undefined ? '' : formatUnits(BigInt(of)));
  const base = (
    of: { readonly total: bigint | number | string; readonly penalty: bigint | number | string } | undefined,
  ) => (of === undefined ? '' : formatUnits(BigInt(of.total) - BigInt(of.penalty)));
  const rows = [
    { name: 'result', recorded: then.outcome.result, now: now.outcome.result },
    { name: 'Energy', recorded: energy(then.energy?.total), now: energy(now.energy?.total) },
    { name: BASE_ENERGY, recorded: base(then.energy), now: base(now.energy) },
    { name: 'penalty of energy factors', recorded: energy(then.energy?.penalty), now: energy(now.energy?.penalty) },
    {
      name: "the deployer's part",
      recorded: energy(then.energy && (then.energy.origin?.paid ?? 0n)),
      now: energy(now.energy && (now.energy.origin?.paid ?? 0)),
    },
    { name: 'Energy bought', recorded: energy(then.energy?.caller.bought), now: energy(now.energy?.caller.bought) },
    { name: 'price of one Energy, sun', recorded: energy(then.energy?.priceSun), now: energy(now.energy?.priceSun) },
    { name: 'fee', recorded: formatTrx(then.feeSun), now: formatTrx(BigInt(now.feeSun)) },
  ];
  return rows.filter((row) => row.recorded !== row.now);
}

/** In words, below the explanation of the receipt. */
export function runAgainText({ preview, differs, outcomes, trace }: RunAgain, whatIf: readonly string[]): string {
  const title = 'Run again on the present state:';
  const table =
    differs.length === 0
      ? 'Same result, Energy and fee as in the receipt.\n'
      : sectionTable({
          title: '',
          columns: [
            { name: '', kind: 'text' },
            { name: 'receipt', kind: 'text' },
            { name: 'now', kind: 'text' },
          ],
          rows: differs.map(({ name, recorded, now }) => [name, recorded, now]),
        });
  const slots = slotSentence(differs);
  const settings = outcomes === undefined ? '' : `\n${settingTable(readVariations(whatIf), outcomes)}`;
  return `${title}\n${table}${slots}\n${wrapped(preview.text).join('\n')}\n${trace === undefined ? '' : `\n${traceText(trace)}`}${settings}`;
}

/** SSTORE of a slot that was zero costs 20,000, of any other 5,000: the usual reason why one transfer costs twice another. */
const SLOT_DIFFERENCE = 15_000;

function slotSentence(differs: RunAgain['differs']): string {
  const base = differs.find(({ name }) => name === BASE_ENERGY);
  if (base === undefined) return '';
  const [recorded = 0, now = 0] = [base.recorded, base.now].map((text) => Number(text.replaceAll(',', '')));
  const slots = (recorded - now) / SLOT_DIFFERENCE;
  if (!Number.isInteger(slots) || slots === 0) return '';
  const [fewer, count] = [slots > 0, Math.abs(slots)];
  const which = count === 1 ? 'One storage slot that was' : `${formatUnits(count)} storage slots that were`;
  const was = fewer ? 'empty then has a value now' : 'in use then is empty now';
  return `${which} ${count === 1 ? was : was.replace(/ (has|is) /, (_, verb) => (verb === 'has' ? ' have ' : ' are '))}: ${formatUnits(SLOT_DIFFERENCE)} Energy each, for example a receiver without any of the token.\n`;
}
