/** `/sunup/scenarios`: examples, settings and runs of scenarios (docs/reference/scenarios.md#over-http). */

import { type Answer, answers, JSON_MEDIA, NOT_LET_IN, type Operation, type Paths } from './operation.js';
import { allMembers, body, component, list, members, type Schema, text, truth } from './schema.js';

const EXAMPLE =
  'accounts: { shop: 1_000 TRX, supplier: }\nsteps: [transfer: { from: shop, to: supplier, amount: 5 TRX }]\n';

const VALUE: Schema = { type: ['string', 'number', 'boolean', 'null'] };

const REQUEST: Schema = {
  ...members({
    file: text('Name in messages; default: scenario'),
    scenario: text('The text of a scenario file'),
    set: { type: 'object', additionalProperties: VALUE, description: 'Values for this run, by name' },
    whatIf: list(text('NAME=VALUES, as of sunup run --what-if')),
    artifacts: { type: 'object', description: 'Compiled contracts by the names that the scenario gives their files' },
    report: truth('Adds report: sentences, plots and tables'),
  }),
  required: ['scenario'],
};

const SETTING: Schema = {
  ...body({
    name: text('As of sunup run --what-if'),
    value: { type: 'number' },
    unit: { enum: ['TRX', 'sun'] },
    least: { type: 'number', description: 'The smallest value that the scenario accepts' },
    most: { type: 'number', description: 'A value that is worth a try; the scenario accepts it' },
    isGiven: truth('Whether the file has it'),
    meaning: text('Of a chain parameter'),
  }),
  required: ['name', 'value', 'least', 'most', 'isGiven'],
};

const RESULT: Schema = {
  type: 'object',
  description: 'The JSON of sunup run --json; with whatIf, that of sunup run --what-if --json',
};

export function scenarioPaths(): Paths {
  return {
    '/sunup/scenarios': {
      get: {
        operationId: 'sunup_scenarios',
        summary: 'Lists example scenarios',
        description: 'Each with its text.',
        tags: ['sunup'],
        responses: {
          200: answers(list(allMembers({ name: text(), file: text(), about: text(), scenario: text() }))),
          403: NOT_LET_IN,
        },
      },
    },
    '/sunup/scenarios/settings': {
      post: posted(
        'sunup_scenarios_settings',
        'Lists the numbers of a scenario that can be changed',
        'Each is a name for set and for whatIf.',
        answers({ ...body({ about: text(), settings: list(SETTING) }), required: ['settings'] }),
      ),
    },
    '/sunup/scenarios/run': {
      post: posted(
        'sunup_scenarios_run',
        'Runs a scenario on a chain of its own',
        'The run is in a process of its own; this chain does not change. It ends when the client disconnects. With Accept: text/event-stream the answer is a stream of the events progress ({"done":1,"total":3}), and at the end result or problem ({"Error":"…"}).',
        answers(RESULT),
      ),
    },
  };
}

function posted(operationId: string, summary: string, description: string, answer: Answer): Operation {
  return {
    ...{ operationId, summary, description, tags: ['sunup'] },
    requestBody: { required: true, content: { [JSON_MEDIA]: { schema: REQUEST, example: { scenario: EXAMPLE } } } },
    responses: {
      200: answer,
      400: answers(
        component('Error'),
        'The scenario or the request is invalid; a line for each problem, with its place',
      ),
      403: NOT_LET_IN,
      409: answers(component('Error'), 'Two scenarios are running'),
      413: answers(component('Error'), 'The body is too long'),
    },
  };
}
