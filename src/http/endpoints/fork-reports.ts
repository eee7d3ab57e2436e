/** `/sunup/fork`: the network of a fork, and what the fork has changed. Sunup's own; addresses are base58check. */

import { writeJson } from '../../primitives/amount-json.js';
import type { WalletContext } from '../../wallet/context.js';
import { addressParameter, parameterReader } from '../own-request.js';
import type { HttpEndpoint } from '../table.js';

export const forkReportEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  {
    ...{ name: 'fork', services: ['sunup'], get: 'answers', post: 'answers', callers: 'trusted' },
    parameters: ['address'],
    answer: async (context, request) => {
      const { forkReport, originOf } = await import('../../wallet/fork-origin.js');
      const parameter = parameterReader(request);
      const fork = forkReport(context);
      const isAsked = parameter('address') !== undefined;
      const origin = fork !== undefined && isAsked && originOf(context, addressParameter(parameter, 'address'));
      return `${writeJson({ ...fork, ...origin })}\n`;
    },
  },
];
