/**
 * Witnesses, rewards and proposals (protocol/http.md#chain-governance-node,
 * protocol/http-endpoints.md#rewards-prices-fees, #witnesses-nodes-node-info, #proposals-and-exchanges).
 */

import { JavaException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import {
  BytesMessage,
  EmptyMessage,
  NumberMessage,
  PaginatedMessage,
  ProposalList,
  WitnessList,
} from '../../protocol/generated/api.js';
import { Proposal } from '../../protocol/generated/tron.js';
import { decodeHexStrictly, readBase58Address } from '../../protocol/json/hex-text.js';
import { asObject } from '../../protocol/json/lenient-reader.js';
import { printLong } from '../../protocol/json/message-printer.js';
import { textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  getBrokerageInfo,
  getPaginatedNowWitnessList,
  getPaginatedProposalList,
  getProposalById,
  getRewardInfo,
  listProposals,
  listWitnesses,
} from '../../wallet/governance.js';
import { readIdBody, readIdQuery } from '../number-id.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint, SOLIDITY } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/**
 * The address for getReward and getBrokerage. They ignore `visible`, and a POST without content type has no address.
 */
function addressText(request: WireRequest): string | undefined {
  if (request.method === 'GET') {
    return request.parameter('address');
  }
  const contentType = request.contentType ?? '';
  if (contentType.trim() === '') {
    return undefined;
  }
  if (contentType.includes('application/x-www-form-urlencoded')) {
    return request.parameter('address');
  }
  const object = asObject(request.bodyWithoutLineEnds.value);
  return object === null ? undefined : textMember(object, 'address');
}

/** `null` if the text is not an address: then the answer is 0. */
function readAddress(text: string): Hex | null {
  if (text.trim() === '') {
    return null;
  }
  return text.startsWith('41') ? decodeHexStrictly(text) : readBase58Address(text);
}

function perAddressEndpoint(
  name: string,
  member: string,
  operation: (view: WalletContext, request: BytesMessage) => NumberMessage,
): HttpEndpoint<WalletContext> {
  return {
    name,
    services: CONFIRMED,
    get: 'answers',
    post: 'answers',
    callers: 'anyone',
    parameters: ['address'],
    request: BytesMessage.type,
    response: NumberMessage.type,
    answer: (view, request) => {
      const text = addressText(request);
      let address: Hex | null;
      try {
        address = text === undefined ? null : readAddress(text);
      } catch (error) {
        if (error instanceof JavaException) {
          // Not escaped, as in java-tron: a quote or a backslash makes the answer invalid JSON.
          return `{"Error": "INVALID address, ${error.javaMessage}"}\n`;
        }
        throw error;
      }
      const value = address === null ? 0n : operation(view, { value: address }).num;
      // java-tron prints the percentage as an int.
      return `{"${member}": ${printLong(value, member === 'brokerage' ? 'numbers' : request.longs)}}\n`;
    },
  };
}

export const governanceEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  perAddressEndpoint('getReward', 'reward', getRewardInfo),
  perAddressEndpoint('getBrokerage', 'brokerage', getBrokerageInfo),
  queryEndpoint({
    name: 'listwitnesses',
    services: CONFIRMED,
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: listWitnesses,
    response: WitnessList,
  }),
  queryEndpoint({
    name: 'getpaginatednowwitnesslist',
    since: '4.8.1',
    services: SOLIDITY,
    body: 'form',
    request: PaginatedMessage,
    query: { offset: 'i64', limit: 'i64' },
    operation: getPaginatedNowWitnessList,
    response: WitnessList,
  }),
  queryEndpoint({
    name: 'listproposals',
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: listProposals,
    response: ProposalList,
  }),
  queryEndpoint({
    name: 'getpaginatedproposallist',
    body: 'form',
    request: PaginatedMessage,
    query: { offset: 'i64', limit: 'i64' },
    operation: getPaginatedProposalList,
    response: ProposalList,
  }),
  queryEndpoint({
    name: 'getproposalbyid',
    body: 'form',
    request: BytesMessage,
    parameters: ['id'],
    readGet: readIdQuery,
    readPost: readIdBody,
    operation: getProposalById,
    response: Proposal,
  }),
];
