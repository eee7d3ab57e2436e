/**
 * What a fork has to answer as its network does: all that it reads of the network at its start and later, asked of both
 * while neither has made a block since. Left out is what no interface of a network serves, and a fork assumes.
 */

import { hexToUtf8 } from '../../../../src/primitives/hex.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { Host } from './user.js';

/** A path of HTTP, and its body. */
export type ForkQuestion = readonly [path: string, body: object];

const QUESTIONS_AT_A_TIME = 20;

const WITHOUT_FIELDS = [
  'getchainparameters',
  'listproposals',
  'listexchanges',
  'listwitnesses',
  'getassetissuelist',
  'getenergyprices',
  'getbandwidthprices',
  'getmemofee',
  'getburntrx',
  'getnextmaintenancetime',
  'getmarketpairlist',
] as const;

/** From whom, to whom. */
function delegations({ world, people }: Host): readonly (readonly [from: Address, to: Address])[] {
  // A fork may have to read its own rows of these first.
  if (world.shape.isFork) return world.network.town?.loans ?? [];
  const { delegationPartners } = world.node.chain.ledger.state.tables;
  return people.addresses.flatMap((from) =>
    (delegationPartners.get(`03${from}`) ?? []).map(({ address }) => [from, address] as const),
  );
}

export function forkQuestions(host: Host): readonly ForkQuestion[] {
  const { world, people } = host;
  const { choices } = world;
  const { ledger } = world.node.chain;
  const { exchanges, assets, proposals, witnesses, marketPairs } = ledger.state.tables;
  // Only an operation closes a market that has orders, as no network does: a fork of a closed one reads none.
  const isMarketKnown = ledger.on('ALLOW_MARKET_TRANSACTION') || marketPairs.entries().length === 0;
  const pairs = delegations(host);
  const [address, other] =
    pairs.length > 0 && choices.chance(0.5)
      ? choices.of(pairs)
      : [choices.of(people.addresses), choices.of(people.addresses)];
  const contract = choices.of([address, ...people.programs.slice(-4), ...(people.bazaar?.coins ?? [])]);
  const pair = { fromAddress: address, toAddress: other };
  const asset = choices.of([undefined, ...assets.entries().map(([, row]) => row)]);
  const questions: readonly ForkQuestion[] = [
    ...WITHOUT_FIELDS.map((method): ForkQuestion => [`/wallet/${method}`, {}]),
    ['/wallet/getaccount', { address }],
    ['/wallet/getaccount', { address }],
    ['/wallet/getaccountresource', { address }],
    ['/wallet/getReward', { address }],
    ['/wallet/getBrokerage', { address: choices.of([address, ...witnesses.entries().map(([witness]) => witness)]) }],
    ['/wallet/getdelegatedresourcev2', pair],
    ['/wallet/getdelegatedresourcev2', pair],
    ['/wallet/getdelegatedresource', pair],
    ['/wallet/getdelegatedresourceaccountindexv2', { value: address }],
    ['/wallet/getdelegatedresourceaccountindexv2', { value: other }],
    ['/wallet/getdelegatedresourceaccountindex', { value: address }],
    ['/wallet/getavailableunfreezecount', { ownerAddress: address }],
    [
      '/wallet/getcanwithdrawunfreezeamount',
      { owner_address: address, timestamp: Number(world.node.chain.headTimeMs) },
    ],
    ['/wallet/getcontract', { value: contract }],
    ['/wallet/getcontract', { value: contract }],
    ['/wallet/getmarketorderbyaccount', { value: address }],
    ['/wallet/getexchangebyid', { id: 1 + choices.below(exchanges.entries().length + 1) }],
    ['/wallet/getproposalbyid', { id: 1 + choices.below(proposals.entries().length + 1) }],
    ...(asset === undefined ? [] : [['/wallet/getassetissuebyid', { value: hexToUtf8(asset.id) }] as const]),
  ];
  const known = questions.filter(([path]) => isMarketKnown || !path.startsWith('/wallet/getmarket'));
  return Array.from({ length: QUESTIONS_AT_A_TIME }, () => choices.of(known));
}

/**
 * Usages recover by another way in a fork, and which records are merged it does not know: without that, a network does not
 * say of which tokens somebody has nothing left.
 */
const ASSUMED = /usage|window|^(Free)?NetUsed$|^EnergyUsed$|AssetNet(Used|Limit)|^asset(_optimized|V2)?$/i;

/** An answer without what a fork assumes. The order of members depends on how many there are. */
export function seenInFork(text: string): string {
  try {
    return JSON.stringify(seen(JSON.parse(text)));
  } catch {
    return text;
  }
}

function seen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(seen);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !ASSUMED.test(name));
  return Object.fromEntries(
    members.map(([name, one]) => [name, seen(one)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
