/** Steps of TRC-10 tokens except transfers: issue, sale, update. */

import * as v from 'valibot';
import { utf8ToHex } from '../../primitives/hex.js';
import {
  AssetIssueContract,
  ParticipateAssetIssueContract,
  UnfreezeAssetContract,
  UpdateAssetContract,
} from '../../protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../protocol/generated/tron.js';
import { members } from '../format/check-object.js';
import { account, count, definition, integer, span, sun, text, token } from '../format/fields.js';
import { type StepKind, transaction } from './step-kind.js';

const DAY_MS = 86_400_000;
const granted = v.optional(v.pipe(integer, v.description('bytes a day that the issuer pays for')));

export const tokenSteps: readonly StepKind[] = [
  transaction({
    name: 'issueAsset',
    about: 'issues a TRC-10 token; an account can issue one (AssetIssue)',
    example: { from: 'alice', as: 'points', supply: 1_000_000 },
    contractType: Type.AssetIssueContract,
    fields: {
      as: definition('token'),
      name: v.optional(text),
      abbreviation: v.optional(text),
      supply: integer,
      precision: v.optional(count(6)),
      price: v.optional(members('price of the sale, tokens for sun', { sun, tokens: integer })),
      saleAfter: v.optional(v.pipe(span, v.description('time from now until the sale begins; default 1d'))),
      saleFor: v.optional(v.pipe(span, v.description('duration of the sale; default 1d'))),
      frozen: v.optional(
        v.pipe(
          v.array(members('a part of the supply', { amount: integer, days: count(3652, 1) })),
          v.description('parts of the supply that are frozen for the issuer: a list of { amount, days }'),
        ),
      ),
      url: v.optional(text),
      description: v.optional(text),
      freeBandwidth: granted,
      publicFreeBandwidth: granted,
    },
    call: ({ from, as, price, saleAfter = DAY_MS, saleFor = DAY_MS, ...given }, run) => {
      const start = run.nowMs + BigInt(saleAfter);
      return {
        message: AssetIssueContract.create({
          owner_address: run.addressOf(from),
          name: utf8ToHex(given.name ?? as),
          abbr: utf8ToHex(given.abbreviation ?? ''),
          total_supply: given.supply,
          precision: given.precision ?? 0,
          trx_num: Number(price?.sun ?? 1n),
          num: Number(price?.tokens ?? 1n),
          start_time: start,
          end_time: start + BigInt(saleFor),
          frozen_supply: (given.frozen ?? []).map(({ amount, days }) => ({
            frozen_amount: amount,
            frozen_days: BigInt(days),
          })),
          url: utf8ToHex(given.url ?? 'http://sunup.local'),
          description: utf8ToHex(given.description ?? ''),
          free_asset_net_limit: given.freeBandwidth ?? 0n,
          public_free_asset_net_limit: given.publicFreeBandwidth ?? 0n,
        }),
      };
    },
    made: ({ as }, run, { assetIssueID }) => run.objects.add('token', as, assetIssueID),
  }),
  transaction({
    name: 'participateAsset',
    about: 'buys tokens from their issuer during the sale (ParticipateAssetIssue)',
    example: { from: 'alice', to: 'issuer', token: 'coupon', amount: '100 sun' },
    contractType: Type.ParticipateAssetIssueContract,
    fields: { to: account, token, amount: v.pipe(sun, v.description('price to pay')) },
    call: ({ from, to, token: name, amount }, run) => {
      const address = run.addressOf(to);
      return {
        message: ParticipateAssetIssueContract.create({
          owner_address: run.addressOf(from),
          to_address: address,
          asset_name: utf8ToHex(run.objects.id('token', name)),
          amount,
        }),
        to: address,
      };
    },
  }),
  transaction({
    name: 'updateAsset',
    about: "changes the URL, the description and the granted Bandwidth of the sender's token (UpdateAsset)",
    example: { from: 'issuer', url: 'http://coupon.example', freeBandwidth: 1_000, publicFreeBandwidth: 100_000 },
    contractType: Type.UpdateAssetContract,
    fields: {
      url: text,
      description: v.optional(text),
      freeBandwidth: granted,
      publicFreeBandwidth: granted,
    },
    call: ({ from, url, description = '', freeBandwidth = 0n, publicFreeBandwidth = 0n }, run) => ({
      message: UpdateAssetContract.create({
        owner_address: run.addressOf(from),
        url: utf8ToHex(url),
        description: utf8ToHex(description),
        new_limit: freeBandwidth,
        new_public_limit: publicFreeBandwidth,
      }),
    }),
  }),
  transaction({
    name: 'unfreezeAsset',
    about: 'unfreezes the expired parts of the supply for the issuer (UnfreezeAsset)',
    example: { from: 'rich' },
    contractType: Type.UnfreezeAssetContract,
    fields: {},
    call: ({ from }, run) => ({ message: UnfreezeAssetContract.create({ owner_address: run.addressOf(from) }) }),
  }),
];
