/** Energy by line and stack traces as text. Sources are somebody's: nothing in them may move the cursor of a terminal. */

import type { Amount } from '../explanation/model/amount.js';
import type { SourceSite } from '../explanation/model/explanation.js';
import type { SourceFile, SourceLines, UnattributedEnergy } from '../explanation/sources/source-lines.js';
import { formatUnits, safeName } from './amounts.js';
import { contractText } from './names.js';

/** `Vault.take (contracts/Shop.sol:10:37)` */
export function siteText({ contract, function: called, path, line, column }: SourceSite): string {
  const name = [contract, called]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => safeName(part ?? ''));
  const place = path === undefined ? 'source not known' : `${plain(path)}:${line}:${column}`;
  return name.length === 0 ? place : `${name.join('.')} (${place})`;
}

export function stackLines(stack: readonly SourceSite[]): readonly string[] {
  return stack.map((site) => `  at ${siteText(site)}`);
}

/** @param columns that a line may have */
export function sourceLineTexts({ files, unattributed, total }: SourceLines, columns: number): readonly string[] {
  const amounts = [...files.flatMap(({ lines }) => lines), ...unattributed, { energy: total, penalty: 0 }];
  const widthOf = (part: 'energy' | 'penalty') => Math.max(...amounts.map((one) => formatUnits(one[part]).length));
  const widths: Widths = {
    energy: Math.max('Energy'.length, widthOf('energy')),
    penalty: amounts.some(({ penalty }) => BigInt(penalty) > 0n) ? Math.max('penalty'.length, widthOf('penalty')) : 0,
    line: Math.max(1, ...files.flatMap(({ lines }) => lines.map(({ line }) => String(line).length))),
  };
  const head = `${'Energy'.padStart(widths.energy)}${widths.penalty === 0 ? '' : `  ${'penalty'.padStart(widths.penalty)}`}`;
  return [
    head,
    ...files.flatMap((file) => fileLines(file, widths, columns)),
    ...(unattributed.length === 0 ? [] : ['', 'Of no line:']),
    ...unattributed.map((one) => `${amountsText(one, widths)}  ${REASONS[one.why](one)}`),
    '',
    `${formatUnits(total).padStart(widths.energy)}  in all, as the receipt has it`,
  ];
}

interface Widths {
  readonly energy: number;
  /** 0: there is none. */
  readonly penalty: number;
  readonly line: number;
}

function fileLines({ path, lines }: SourceFile, widths: Widths, columns: number): readonly string[] {
  const texts = lines.map(({ line, text, ...spent }) => {
    const row = `${amountsText(spent, widths)}  ${String(line).padStart(widths.line)}  ${plain(text.trimEnd())}`;
    return row.length > columns ? `${row.slice(0, columns - 1)}…` : row;
  });
  return ['', plain(path), ...texts];
}

function amountsText(
  { energy, penalty }: { readonly energy: Amount; readonly penalty: Amount },
  widths: Widths,
): string {
  const shown = BigInt(penalty) === 0n ? '' : formatUnits(penalty);
  return `${formatUnits(energy).padStart(widths.energy)}${widths.penalty === 0 ? '' : `  ${shown.padStart(widths.penalty)}`}`;
}

const named = ({ contract }: UnattributedEnergy) => (contract === undefined ? '' : contractText(contract));

const REASONS: Readonly<Record<UnattributedEnergy['why'], (one: UnattributedEnergy) => string>> = {
  'no-artifact': (one) => `${named(one)}: no artifact with a source map has its code (--artifacts DIR)`,
  'no-source': ({ path = '' }) => `${plain(path)}: not at hand as it was compiled`,
  contract: (one) => `${named(one)}: made by the compiler for the contract as a whole`,
  generated: (one) => `${named(one)}: made by the compiler for no line`,
  deposit: () => '200 for each byte of stored code',
  forfeited: () => 'lost with an exception, unspent',
};

/** Tabs as blanks, other characters without a shape as a question mark. */
function plain(text: string): string {
  return text.replaceAll('\t', '    ').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
