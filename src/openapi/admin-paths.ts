/** What the TronBox Runtime Environment has below `/admin`, as paths: mostly text for people (docs/how-to/tre.md). */

import { type Answer, answers, NOT_LET_IN, type Operation, type Parameter, type Paths } from './operation.js';
import { hex, list, members, text } from './schema.js';

const TEXT: Answer = { description: 'Text', content: { 'text/plain': { schema: { type: 'string' } } } };

const FORMAT: Parameter = {
  name: 'format',
  in: 'query',
  description: 'How addresses are shown',
  schema: { enum: ['base58', 'hex', 'all'] },
  example: 'base58',
};

export function adminPaths(): Paths {
  return {
    '/admin': { get: ofTre('admin', 'Who answers', 'A greeting, by which tools know the place.', [], TEXT) },
    '/admin/accounts': {
      get: ofTre(
        'admin_accounts',
        'The funded accounts',
        'With balances, keys and the phrase, as text.',
        [FORMAT],
        TEXT,
      ),
    },
    '/admin/accounts-json': { get: accountsJson() },
    '/admin/accounts-generation': {
      get: ofTre(
        'admin_accounts_generation',
        'Makes the accounts, which are there already',
        'In TRE they are made so; the answer is empty.',
        [],
        TEXT,
      ),
    },
    '/admin/temporary-accounts-generation': {
      get: refusing(
        ofTre(
          'admin_temporary_accounts',
          'Makes further accounts',
          'Of a phrase that nobody has. They are funded when the answer comes.',
          [
            query('accounts', 'How many, 1 to 10,000', '1'),
            query('defaultBalance', 'TRX that each of them gets', '100'),
            FORMAT,
          ],
          TEXT,
        ),
      ),
    },
    '/admin/set-env': {
      get: refusing(
        ofTre(
          'admin_set_env',
          'Sets variables of TRE',
          'Of these, instamine turns instant blocks on and off; accounts and defaultBalance count for temporary accounts.',
          [query('instamine', 'false: a block for each slot', 'true')],
          TEXT,
        ),
      ),
    },
  };
}

function query(name: string, description: string, example: string): Parameter {
  return { name, in: 'query', description, schema: text(), example };
}

function ofTre(
  operationId: string,
  summary: string,
  description: string,
  parameters: readonly Parameter[],
  answer: Answer,
): Operation {
  const responses = { 200: answer, 403: NOT_LET_IN };
  return { operationId, summary, description, tags: ['admin'], parameters, responses };
}

function refusing(operation: Operation): Operation {
  return { ...operation, responses: { ...operation.responses, 400: { ...TEXT, description: 'What is wrong' } } };
}

function accountsJson(): Operation {
  const wallet = { hdPath: text(), mnemonic: text(), privateKeys: list(hex()) };
  return ofTre(
    'admin_accounts_json',
    'The funded accounts and their keys',
    'As data; tronbox takes its accounts from here. Those that were made later are in more.',
    [],
    answers(members({ ...wallet, more: list(members(wallet)) })),
  );
}
