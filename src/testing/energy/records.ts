/**
 * Records Energy of contract calls and deployments in a test run. Each process writes its own file in a shared folder,
 * one line of JSON for each transaction.
 */

import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Devnet } from '../../devnet/devnet.js';
import type { BlockReport, TransactionReport } from '../../devnet/events/reports.js';
import type { EnergyRecord } from '../../explanation/summary/energy-by-method.js';
import { type Json, writeJson } from '../../primitives/amount-json.js';
import type { Sun } from '../../primitives/ids.js';

/** The folder. Unset: nothing is recorded. */
export const FOLDER_VARIABLE = 'SUNUP_ENERGY_REPORT';

/**
 * Records the contract runs of a devnet from now on, if the variable SUNUP_ENERGY_REPORT names a folder. The fixtures
 * of `sunup/vitest` and `useDevnet` call it.
 */
export function recordEnergy(devnet: Pick<Devnet, 'on'>): void {
  const folder = process.env[FOLDER_VARIABLE];
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${process.pid}.jsonl`);
  devnet.on('block', (block) => {
    const lines = recordsOf(block).map((record) => `${writeJson(record)}\n`);
    if (lines.length > 0) appendFileSync(file, lines.join(''));
  });
}

export function isRecording(): boolean {
  return (process.env[FOLDER_VARIABLE] ?? '') !== '';
}

function recordsOf({ transactions }: BlockReport): readonly EnergyRecord[] {
  return transactions.flatMap(({ action, energy, outcome, charges, codeBytes }) => {
    if (energy === undefined || (action.kind !== 'call' && action.kind !== 'deployment')) return [];
    return [
      {
        contract: action.contract.name,
        method: action.kind === 'deployment' ? undefined : (action.method.signature ?? selector(action.method)),
        succeeded: outcome.succeeded,
        energy: energy.total,
        penalty: energy.penalty,
        burnedSun: coin(charges),
        codeBytes,
      },
    ];
  });
}

function selector({ selector: digits }: { readonly selector: string }): string {
  return digits === '' ? '(no data)' : `0x${digits}`;
}

function coin(charges: TransactionReport['charges']): Sun {
  return charges.reduce((sum, { resource, amount }) => (resource === 'coin' ? sum + amount : sum), 0n);
}

/** All records of a folder. @throws Error for an invalid file */
export function readRecords(folder: string): readonly EnergyRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const lines = readFileSync(path.join(folder, name), 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => read(JSON.parse(line) as Json<EnergyRecord>));
    });
}

function read({ energy, penalty, burnedSun, ...record }: Json<EnergyRecord>): EnergyRecord {
  return { ...record, energy: BigInt(energy), penalty: BigInt(penalty), burnedSun: BigInt(burnedSun) };
}
