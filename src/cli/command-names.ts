/** The words that may come first on the command line, and what is said of others. What they do is elsewhere. */

import { closest } from '../primitives/closest-name.js';

/** To a node that is running (`remote.ts`). */
const REMOTE = ['mine', 'explain', 'trace', 'snapshot', 'revert', 'dump', 'load'] as const;
/** To one as well, about what a transaction would cost (`estimate-command.ts`). */
const ESTIMATE = 'estimate';
/** On a directory (`database-commands.ts`). */
const DATABASE = ['check', 'upgrade'] as const;
/** On chains of their own (`run-command.ts`), and on what came of them (`what-if-command.ts`). */
const SCENARIO = ['run', 'merge'] as const;
/** On a chain that there is (`record-command.ts`). */
const RECORD = 'record';

/** On what tests have written down (`energy-report-command.ts`). */
const ENERGY_REPORT = 'energy-report';

/** Lists the commands that the table of `devtools/` makes (`control-commands.ts`). */
export const CONTROL = 'control';

/** Which kind of command the line is; undefined: it starts a chain, or nothing. */
export function kindOfCommand([first = '']: readonly string[]):
  | 'remote'
  | 'estimate'
  | 'database'
  | 'scenario'
  | 'record'
  | 'energy-report'
  | undefined {
  if ((REMOTE as readonly string[]).includes(first)) return 'remote';
  if (first === ESTIMATE) return ESTIMATE;
  if ((SCENARIO as readonly string[]).includes(first)) return 'scenario';
  if (first === RECORD) return RECORD;
  if (first === ENERGY_REPORT) return ENERGY_REPORT;
  return (DATABASE as readonly string[]).includes(first) ? 'database' : undefined;
}

const NAMES = [...REMOTE, ESTIMATE, ...DATABASE, ...SCENARIO, RECORD, ENERGY_REPORT, CONTROL];

/** What to say of a word that stands where a command is expected. @param further names that `devtools/` makes */
export function unknownCommand(word: string, further: readonly string[]): string {
  const close = closest(word, [...NAMES, ...further]);
  const hint =
    close === undefined
      ? `Without a command, sunup starts a chain. Commands: ${NAMES.join(', ')}`
      : `Did you mean ${close}?`;
  return `unknown command ${word}\n(${hint})`;
}

/** What to say of a word that stands among the options that start a chain, where no word belongs. */
export function misplacedWord(word: string): string {
  if (kindOfCommand([word]) !== undefined) return `the command ${word} must come first: sunup ${word} …`;
  return `${word} is not an option, and a command must come first\n(sunup --help lists options and commands, sunup control lists more commands)`;
}
