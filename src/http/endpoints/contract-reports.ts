/**
 * `/sunup/contracts`, `/sunup/contractepochs`: the contracts of the chain by page; the Energy factor of a contract in
 * past epochs. Sunup's own; addresses are base58check.
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

const endpoint = (name: string, report: Report, ...parameters: readonly string[]): HttpEndpoint<WalletContext> => ({
  ...{ name, services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted', parameters },
  answer: async (context, request) => `${writeJson(await report(context, parameterReader(request)))}\n`,
});

export const contractReportEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  endpoint('contracts', contracts, 'order', 'search', 'offset', 'limit'),
  endpoint('contractepochs', epochs, 'contract', 'limit', 'before'),
];
