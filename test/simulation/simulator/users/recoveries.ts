/**
 * A wallet that works out when used resources are there again, with `sunup/fees`: at that moment, and not a moment
 * before; and now it says what the node says.
 */

import { recoveredWhen, type Usage, usagesFrom, usedAt } from '../../../../src/fees.js';
import { Violation } from '../run/violation.js';
import { askedWallet } from './fee-forecasts.js';
import { isAlone } from './promises.js';
import type { User } from './user.js';

const NAME = 'what was used is there again when a wallet says so';

/** @throws Violation */
function whenAgrees(name: string, usage: Usage, atMost: number): void {
  const { used, atMs, genesisMs = 0, slotMs = 0 } = usage;
  const when = recoveredWhen(usage, atMost);
  const shown = `${name} ${JSON.stringify(usage)}: at most ${atMost} is in use at ${when}`;
  if (used <= atMost) {
    if (when !== atMs) throw new Violation(NAME, `${shown}, and it is now`);
    return;
  }
  if ((when - genesisMs) % slotMs !== 0) throw new Violation(NAME, `${shown}, which is no time of a slot`);
  const [before, then] = [usedAt(usage, when - 1), usedAt(usage, when)];
  if (then > atMost || before <= atMost) throw new Violation(NAME, `${shown}: ${then} is, and ${before} before`);
}

export const workOutRecovery: User = async (host) => {
  const { world, people, asker } = host;
  const { choices } = world;
  if (!isAlone(host)) return;
  const body = { address: people.text(choices.below(6)) };
  const { headTimeMs } = world.ledger;
  const [account, resources] = [
    await askedWallet(host, 'getaccount', body),
    await askedWallet(host, 'getaccountresource', body),
  ];
  const first = await asker.post('/wallet/getblockbynum', { num: 0 });
  if (account === undefined || resources === undefined || !first?.startsWith('200 {') || !isAlone(host)) return;
  if (world.ledger.headTimeMs !== headTimeMs) return;
  const genesisMs = Number(/"timestamp": ?(\d+)/.exec(first)?.[1] ?? 0);
  const slots = { genesisMs, slotMs: Number(world.ledger.config.slotMs) };
  const { energy, bandwidth, freeBandwidth } = usagesFrom(account, Number(headTimeMs), slots);
  const kinds = { EnergyUsed: energy, NetUsed: bandwidth, freeNetUsed: freeBandwidth };
  for (const [name, usage] of Object.entries(kinds)) {
    const now = usedAt(usage, Number(headTimeMs));
    if (now !== (resources[name] ?? 0))
      throw new Violation(NAME, `${name} is ${resources[name] ?? 0}, worked out ${now} of ${JSON.stringify(usage)}`);
    whenAgrees(name, usage, choices.below(usage.used + 2));
  }
};
