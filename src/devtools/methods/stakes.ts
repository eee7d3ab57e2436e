/** Stakes, delegations, and usage of resources. */

import * as v from 'valibot';
import { AccountResourceMessage } from '../../protocol/generated/api.js';
import { Account } from '../../protocol/generated/tron.js';
import { fullContext } from '../../wallet/context.js';
import { getAccountResource } from '../../wallet/resources.js';
import { address, integer, members, sun, truth } from '../kinds.js';
import { type DevContext, type DevMethod, method, parameter } from '../table.js';

const amount = v.optional(sun);
const count = v.optional(integer);

const stakes = members('staked amounts in sun, delegated amounts included', {
  energy: amount,
  bandwidth: amount,
  tronPower: amount,
});
const stakeOptions = members(
  'adjustTotals: whether the network totals change too; if false, the stake of other accounts changes instead',
  {
    adjustTotals: v.optional(truth),
  },
);
const delegation = members('delegated amounts in sun; lockUntil: end of the lock, in ms', {
  energy: amount,
  bandwidth: amount,
  lockUntil: count,
});
const moment = v.optional(
  v.union([
    v.pipe(
      v.literal('now'),
      v.transform(() => undefined),
    ),
    integer,
  ]),
);
const used = members(
  'usages in Energy and bytes; at: time of the last use, in ms or "now"; windows: recovery time in slots',
  { energyUsage: count, netUsage: count, freeNetUsage: count, energyWindow: count, netWindow: count, at: moment },
);

const SOMEBODY = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
const SOMEBODY_ELSE = '0x00000000000000000000000000000000000c0de5';

/** The answer of `getaccountresource`, with zeros. */
function resourcesOf({ node }: DevContext, account: string): unknown {
  const resources = getAccountResource(fullContext(node), Account.create({ address: account }));
  return Object.fromEntries(
    Object.entries(resources ?? AccountResourceMessage.empty).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'bigint' ? value : Object.fromEntries(value as Map<string, bigint>),
    ]),
  );
}

export const stakeMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setStake',
    about: 'sets the stake (Stake 2.0) of an account without a change of its balance',
    parameters: [
      parameter('address', address),
      parameter('stakes', stakes),
      parameter('options', v.optional(stakeOptions)),
    ],
    example: [SOMEBODY, { energy: 5_000_000_000, bandwidth: 1_000_000_000 }],
    answer: ({ node }, account, wanted, options) =>
      node.operations.apply('setStake', {
        address: account,
        stakes: wanted,
        keepTotals: options?.adjustTotals === false,
      }),
  }),
  method({
    name: 'tron_setDelegation',
    about: 'sets how much of its stake (Stake 2.0) an account delegates to another',
    parameters: [parameter('from', address), parameter('to', address), parameter('delegated', delegation)],
    example: [SOMEBODY, SOMEBODY_ELSE, { energy: 2_000_000_000 }],
    exampleAfter: [['tron_setStake', SOMEBODY, { energy: 5_000_000_000 }]],
    answer: ({ node }, from, to, { lockUntil, ...delegated }) =>
      node.operations.apply('setDelegation', {
        from,
        to,
        lent: delegated,
        ...(lockUntil !== undefined && { lockUntilMs: lockUntil }),
      }),
  }),
  method({
    name: 'tron_setAccountResources',
    about:
      'sets the used Energy and Bandwidth of an account, and the time of use, from which they recover; a usage of 0 makes the whole limit available',
    parameters: [parameter('address', address), parameter('used', used)],
    example: [SOMEBODY, { energyUsage: 0, netUsage: 0, freeNetUsage: 200 }],
    answer: (context, account, { at, ...usages }) => {
      context.node.operations.apply('setAccountResources', {
        address: account,
        used: usages,
        ...(at !== undefined && { atMs: at }),
      });
      return resourcesOf(context, account);
    },
  }),
];
