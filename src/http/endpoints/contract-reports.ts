/**
 * `/sunup/contracts`, `/sunup/contractepochs`, `/sunup/storage`: the contracts of the chain by page; the Energy factor of
 * a contract in past epochs; its storage by variable. Sunup's own; addresses are base58check.
 */

import { writeJson } from '../../primitives/amount-json.js';
import type { WalletContext } from '../../wallet/context.js';
import { addressParameter, parameterReader, type ReadParameter, wholeNumber, wrongParameter } from '../own-request.js';
import type { HttpEndpoint } from '../table.js';

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;
const DEFAULT_EPOCHS = 30;
/** Longer texts match nothing: names have at most 32 bytes. */
const MAX_SEARCH = 200;

type Report = (context: WalletContext, parameter: ReadParameter) => Promise<object>;

const contracts: Report = async (context, parameter) => {
  const { CONTRACT_ORDERS, contractList } = await import('../../wallet/contract-list.js');
  const given = parameter('order');
  const order = CONTRACT_ORDERS.find((known) => known === given);
  if (given !== undefined && order === undefined) throw wrongParameter('order', CONTRACT_ORDERS.join(', '), given);
  return contractList(context, {
    order,
    search: parameter('search')?.slice(0, MAX_SEARCH),
    offset: wholeNumber(parameter, 'offset', { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }),
    limit: wholeNumber(parameter, 'limit', { least: 1, most: MAX_PAGE, otherwise: DEFAULT_PAGE }),
  });
};

const epochs: Report = async (context, parameter) => {
  const { contractEpochs } = await import('../../wallet/contract-epochs.js');
  return contractEpochs(
    context,
    addressParameter(parameter, 'contract'),
    wholeNumber(parameter, 'limit', { least: 1, most: MAX_PAGE, otherwise: DEFAULT_EPOCHS }),
    wholeNumber(parameter, 'before', { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: Number.POSITIVE_INFINITY }),
  );
};

const storage: Report = async (context, parameter) => {
  const { contractStorage } = await import('../../wallet/contract-storage.js');
  return contractStorage(context, addressParameter(parameter, 'contract'), {
    path: pathParameter(parameter('path')),
    page: {
      offset: BigInt(offsetParameter(parameter('offset'))),
      limit: wholeNumber(parameter, 'limit', { least: 1, most: MAX_PAGE, otherwise: DEFAULT_PAGE }),
    },
    layoutOf: parameter('layoutOf') === undefined ? undefined : addressParameter(parameter, 'layoutOf'),
  });
};

const MAX_STEPS = 64;

/** A list of texts, also as the text of such a list. */
function pathParameter(given: string | undefined): readonly string[] {
  if (given === undefined) return [];
  const wrong = () => wrongParameter('path', 'a list of names, indexes and keys (["balances","T…"])', given);
  let path: unknown;
  try {
    path = JSON.parse(given);
  } catch {
    throw wrong();
  }
  const isPath = Array.isArray(path) && path.length <= MAX_STEPS && path.every((step) => typeof step === 'string');
  if (!isPath) throw wrong();
  return path as readonly string[];
}

/** Arrays may be longer than a number can say. */
function offsetParameter(given = '0'): string {
  if (!/^\d{1,78}$/.test(given)) throw wrongParameter('offset', 'a whole number', given);
  return given;
}

const endpoint = (name: string, report: Report, ...parameters: readonly string[]): HttpEndpoint<WalletContext> => ({
  ...{ name, services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted', parameters },
  answer: async (context, request) => `${writeJson(await report(context, parameterReader(request)))}\n`,
});

export const contractReportEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  endpoint('contracts', contracts, 'order', 'search', 'offset', 'limit'),
  endpoint('contractepochs', epochs, 'contract', 'limit', 'before'),
  endpoint('storage', storage, 'contract', 'path', 'offset', 'limit', 'layoutOf'),
];
