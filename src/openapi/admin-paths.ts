/** What the TronBox Runtime Environment has below `/admin`, as paths: mostly text for people (docs/how-to/tre.md). */

import { type Answer, answers, NOT_LET_IN, type Operation, type Parameter, type Paths } from './operation.js';
import { hex, list, members, text } from './schema.js';

const TEXT: Answer = { description: 'Text', content: { 'text/plain': { schema: { type: 'string' } } } };

const FORMAT: Parameter = {
  name: 'format',
  in: 'query',
  description: 'Format of addresses',
  schema: { enum: ['base58', 'hex', 'all'] },
  example: 'base58',
};

export function adminPaths(): Paths {
  return {
    '/admin': { get: ofTre('admin', 'Returns a greeting', 'A text by which tools recognise the service.', [], TEXT) },
    '/admin/accounts': {
      get: ofTre(
        'admin_accounts',
        'Lists the funded accounts',
        'Text with balances, keys and the mnemonic phrase.',
        [FORMAT],
        TEXT,
      ),
    },
    '/admin/accounts-json': { get: accountsJson() },
    '/admin/accounts-generation': {
      get: ofTre(
        'admin_accounts_generation',
        'Generates the accounts, which exist already',
        'TRE generates its accounts with this request; the response is empty.',
        [],
        TEXT,
      ),
    },
    '/admin/temporary-accounts-generation': {
      get: refusing(
        ofTre(
          'admin_temporary_accounts',
          'Creates additional accounts',
          'Their keys come from a random phrase. They are funded when the response arrives.',
          [
            query('accounts', 'Number of accounts, 1 to 10,000', '1'),
            query('defaultBalance', 'Balance of each account, in TRX', '100'),
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
          'The parameter instamine turns instant blocks on or off; accounts and defaultBalance apply to temporary accounts.',
          [query('instamine', 'false: one block per slot', 'true')],
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
  return { ...operation, responses: { ...operation.responses, 400: { ...TEXT, description: 'Invalid request' } } };
}

function accountsJson(): Operation {
  const wallet = { hdPath: text(), mnemonic: text(), privateKeys: list(hex()) };
  return ofTre(
    'admin_accounts_json',
    'Lists the funded accounts and their keys',
    'The result is JSON; TronBox reads its accounts from here. Accounts that were created later are in more.',
    [],
    answers(members({ ...wallet, more: list(members(wallet)) })),
  );
}
