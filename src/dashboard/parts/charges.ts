/** Names of charges, by what they paid for. */

import type { Charge } from '../chain/answers.js';

const REASONS: Readonly<Record<string, string>> = {
  energy: 'Energy',
  bandwidth: 'Bandwidth',
};

const SOURCES: Readonly<Record<string, string>> = {
  staked: 'from stake',
  free: 'free',
  burned: 'burned',
};

/** @example chargeName({ resource: 'coin', reason: 'energy', … }) // 'Energy' */
export function chargeName({ reason }: Pick<Charge, 'reason'>): string {
  return REASONS[reason] ?? reason.replace(/-/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
}

export function sourceName({ source }: Pick<Charge, 'source'>): string {
  return SOURCES[source] ?? source.replace(/-/g, ' ');
}
