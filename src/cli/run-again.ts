/** `sunup explain TXID --fork URL --run`: the transaction once more, on the present state of the network. */

import type { RecordedExplanation } from '../explanation/model/recorded-explanation.js';
import { bytesToHex, type Hex } from '../primitives/hex.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';
import { wrapped } from '../prose/explanation.js';
import { SignedTransaction } from '../protocol/transaction.js';
import { sectionTable } from '../scenario/report/table.js';
import {
  type DifferingRow,
  differingRows,
  FIGURES,
  type Figure,
  fixedFees,
  rowSentences,
} from '../traffic/differing-rows.js';
import {
  type PreviewAnswer,
  previewSettings,
  readVariations,
  type SettingOutcome,
  settingTable,
} from './estimate-what-if.js';
import { askRpc, askWallet } from './node-client.js';
import { searchSlots } from './slot-search.js';
import { type TraceAnswer, type TraceRequest, type TraceWords, tracedWith, traceText } from './trace-request.js';

const EXPIRES_AFTER_MS = 60_000;

export interface RunAgain {
  readonly preview: PreviewAnswer;
  /** Figures that differ from the receipt, by name. */
  readonly differs: readonly {
    readonly figure: Figure;
    readonly name: string;
    readonly recorded: string;
    readonly now: string;
  }[];
  /** The rows of the state behind them, as far as they can be known. */
  readonly rows: readonly DifferingRow[];
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
  const differs = differences(recorded, now);
  const figures = differs.map(({ figure }) => figure);
  const withStorage = async (overrides: object) =>
    (await askRpc(node, 'tron_preview', [subject, { overrides }])) as PreviewAnswer;
  const isSearched =
    figures.includes('base') &&
    recorded.energy !== undefined &&
    !figures.includes('result') &&
    now.outcome.result !== 'OUT_OF_ENERGY';
  const slots = isSearched ? await searchSlots(node, transaction, baseOf(recorded.energy), withStorage) : undefined;
  return {
    preview: now,
    differs,
    rows: differingRows(figures, recorded, now, slots),
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

type Amount = bigint | number | string | undefined;

function differences(then: RecordedExplanation, now: PreviewAnswer): RunAgain['differs'] {
  const energy = (of: Amount) => (of === undefined ? '' : formatUnits(BigInt(of)));
  const base = (of: { readonly total: NonNullable<Amount>; readonly penalty: NonNullable<Amount> } | undefined) =>
    of === undefined ? '' : formatUnits(baseOf(of));
  const rows: readonly (readonly [figure: Figure, recorded: string, now: string])[] = [
    ['result', then.outcome.result, now.outcome.result],
    ['energy', energy(then.energy?.total), energy(now.energy?.total)],
    ['base', base(then.energy), base(now.energy)],
    ['penalty', energy(then.energy?.penalty), energy(now.energy?.penalty)],
    [
      'deployer',
      energy(then.energy && (then.energy.origin?.paid ?? 0n)),
      energy(now.energy && (now.energy.origin?.paid ?? 0)),
    ],
    ['bought', energy(then.energy?.caller.bought), energy(now.energy?.caller.bought)],
    ['energyPrice', energy(then.energy?.priceSun), energy(now.energy?.priceSun)],
    ['bytesBought', energy(bytesBought(then.charges)), energy(bytesBought(now.charges))],
    [
      'bytePrice',
      energy(then.bandwidth.bytePriceSun),
      energy(now.bandwidth?.bytePriceSun ?? then.bandwidth.bytePriceSun),
    ],
    ['fixedFees', formatTrx(sumOf(then.charges)), formatTrx(sumOf(now.charges))],
    ['fee', formatTrx(then.feeSun), formatTrx(BigInt(now.feeSun))],
  ];
  return rows.flatMap(([figure, recorded, present]) =>
    recorded === present ? [] : [{ figure, name: FIGURES[figure], recorded, now: present }],
  );
}

function baseOf({
  total,
  penalty,
}: {
  readonly total: NonNullable<Amount>;
  readonly penalty: NonNullable<Amount>;
}): bigint {
  return BigInt(total) - BigInt(penalty);
}

function sumOf(charges: Parameters<typeof fixedFees>[0]): bigint {
  return [...fixedFees(charges).values()].reduce((sum, fee) => sum + fee, 0n);
}

function bytesBought(charges: readonly { readonly reason: string; readonly units?: Amount }[]): bigint {
  return charges.reduce((sum, { reason, units }) => (reason === 'bandwidth' ? sum + BigInt(units ?? 0) : sum), 0n);
}

/** In words, below the explanation of the receipt. */
export function runAgainText({ preview, differs, rows, outcomes, trace }: RunAgain, whatIf: readonly string[]): string {
  const title = 'Run again on the present state:';
  const table =
    differs.length === 0
      ? 'Same result, Energy and fee as in the receipt.\n'
      : `${sectionTable({
          title: '',
          columns: [
            { name: '', kind: 'text' },
            { name: 'receipt', kind: 'text' },
            { name: 'now', kind: 'text' },
          ],
          rows: differs.map(({ name, recorded, now }) => [name, recorded, now]),
        })}\n`;
  const sentences = rowSentences(rows);
  const hangs = sentences.length === 0 ? '' : `Why:\n${wrapped(sentences.map((one) => `  ${one}`)).join('\n')}\n`;
  const settings = outcomes === undefined ? '' : `\n${settingTable(readVariations(whatIf), outcomes)}`;
  return `${title}\n${table}${hangs}\n${wrapped(preview.text).join('\n')}\n${trace === undefined ? '' : `\n${traceText(trace)}`}${settings}`;
}
