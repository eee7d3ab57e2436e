/**
 * Somebody who asks what a day costs with other stakes and prices (`--what-if`): each variant is the scenario whose file
 * has these values, and the stakes that it names are those of its accounts.
 */

import { runVariant } from '../../../../src/scenario/what-if/run-variant.js';
import { variantsOf } from '../../../../src/scenario/what-if/variations.js';
import type { Choices } from '../../wild-messages.js';
import { Violation } from '../run/violation.js';
import { ranAlone } from './neighbours.js';
import type { User } from './user.js';

const NAME = 'a varied scenario is the file with these values';
const FILE = 'day.scenario.yaml';
const SUN = 1_000_000n;

/** What the file says, and what can be varied. Stakes are in TRX, the price is that of a byte in sun. */
interface Day {
  readonly clerks: number;
  readonly ownStake: number;
  readonly clerkStake: number;
  readonly price: number;
}

const NAMES = {
  'accounts.shop.stake.bandwidth': 'ownStake',
  'accounts.clerks.stake.bandwidth': 'clerkStake',
  'accounts.clerks.count': 'clerks',
  getTransactionFee: 'price',
} as const satisfies Readonly<Record<string, keyof Day>>;
type Name = keyof typeof NAMES;

const textOf = ({ clerks, ownStake, clerkStake, price }: Day, turns: number): string => `seed: a day
network: { start: 2026-01-01T00:00:00Z, parameters: { getTransactionFee: ${price} } }
accounts:
  shop: { balance: 1_000 TRX, stake: { bandwidth: ${ownStake} TRX } }
  clerks: { count: ${clerks}, balance: 50 TRX, stake: { bandwidth: ${clerkStake} TRX } }
  supplier: 10 TRX
steps:
  - repeat:
      times: ${turns}
      counter: turn
      steps:
        - transfer: { from: 'clerks.0', to: supplier, amount: 1 TRX }
        - transfer: { from: shop, to: supplier, amount: 2 TRX }
        - advance: 3h
`;

const stakedSun = ({ clerks, ownStake, clerkStake }: Day): bigint => BigInt(ownStake + clerks * clerkStake) * SUN;

function valuesFor(name: Name, choices: Choices): readonly (number | string)[] {
  const some = Array.from(
    { length: 1 + choices.below(2) },
    () => 1 + choices.below(name === 'getTransactionFee' ? 900 : 9),
  );
  return name.includes('.stake.') ? some.map((stake) => `${stake * 1_000} TRX`) : some;
}

export const varyAScenario: User = async ({ world, asker }) => {
  const { choices } = world;
  const day: Day = {
    clerks: 1 + choices.below(4),
    ownStake: choices.of([0, 1_000, 5_000]),
    clerkStake: choices.of([0, 500, 2_000]),
    price: choices.of([10, 1_000]),
  };
  const turns = 1 + choices.below(4);
  const names = (Object.keys(NAMES) as Name[]).filter(() => choices.chance(0.4));
  const variations = names.map((name) => ({ name, values: valuesFor(name, choices) }));
  const variants = variantsOf(variations);
  const variant = choices.of(variants);
  const input = { file: FILE, text: textOf(day, turns), variations, artifacts: new Map() };
  const given = names.map((name, at) => [NAMES[name], variant.values[at]] as const);
  const changed = given.filter(([, value]) => value !== undefined);
  const same: Day = {
    ...day,
    ...Object.fromEntries(changed.map(([part, value]) => [part, Number.parseInt(`${value}`, 10)])),
  };
  let wrong: string | undefined;
  await asker.library(`what if ${JSON.stringify(given)}`, async () => {
    const { digest, feeSun, stakedSun: staked } = await runVariant(input, variant);
    const alone = await ranAlone(textOf(same, turns), FILE);
    const [told, expected] = [
      [digest, feeSun, staked],
      [alone.digest, alone.feeSun, stakedSun(same)],
    ].map((parts) => parts.join(' '));
    if (told !== expected)
      wrong = `${textOf(day, turns)} with ${JSON.stringify(given)}: ${told}, as a file ${expected}`;
    return told;
  });
  if (wrong !== undefined) throw new Violation(NAME, wrong);
};
