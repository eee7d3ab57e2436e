/**
 * A reporter for vitest and jest that shows the Energy of contracts by method at the end of a run:
 * `reporters: ['default', 'sunup/energy-reporter']`, with options as `['sunup/energy-reporter', { markdown: 'energy.md' }]`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printable } from './primitives/printable.js';
import { type EnergyReportOptions, writeEnergyReport } from './testing/energy/files.js';
import { FOLDER_VARIABLE } from './testing/energy/records.js';

/** jest passes its configuration before the options; vitest passes only the options. */
interface JestConfig {
  readonly rootDir: string;
}

// biome-ignore lint/style/noDefaultExport: runners take a reporter's module by its default export
export default class EnergyReporter {
  readonly #options: EnergyReportOptions;
  #root: string;
  #folder: string | undefined;

  constructor(first: JestConfig | EnergyReportOptions = {}, second: EnergyReportOptions = {}) {
    const isJest = 'rootDir' in first;
    this.#options = isJest ? second : first;
    this.#root = isJest ? first.rootDir : process.cwd();
  }

  /** vitest. */
  onInit({ config }: { readonly config: { readonly root: string } }): void {
    this.#root = config.root;
  }

  /** vitest. */
  onTestRunStart(): void {
    this.#begin();
  }

  /** vitest. */
  onTestRunEnd(): void {
    this.#end();
  }

  /** jest. */
  onRunStart(): void {
    this.#begin();
  }

  /** jest. */
  onRunComplete(): void {
    this.#end();
  }

  /** Workers start later and inherit the environment. */
  #begin(): void {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'sunup-energy-'));
    process.env[FOLDER_VARIABLE] = this.#folder;
  }

  #end(): void {
    if (this.#folder === undefined) return;
    const text = writeEnergyReport(this.#folder, this.#options, this.#root);
    rmSync(this.#folder, { recursive: true, force: true });
    delete process.env[FOLDER_VARIABLE];
    this.#folder = undefined;
    if (text !== undefined) process.stdout.write(`\n${printable(text)}\n`);
  }
}
