/** The names of the commands, and the errors for others. The commands are in their own files. */

import { closest } from '../primitives/closest-name.js';

/** Commands for a running node (`remote.ts`). */
const REMOTE = ['mine', 'explain', 'trace', 'snapshot', 'revert', 'dump', 'load'] as const;
/** Also for a running node: the cost of a transaction (`estimate-command.ts`). */
const ESTIMATE = 'estimate';
/** Commands for a data directory (`database-commands.ts`). */
const DATABASE = ['check', 'upgrade'] as const;
/** `run` starts its own chains (`run-command.ts`); `merge` joins results (`what-if-command.ts`). */
const SCENARIO = ['run', 'merge'] as const;
/** Records an existing chain (`record-command.ts`). */
const RECORD = 'record';

/** Reads the records of a test run (`energy-report-command.ts`). */
const ENERGY_REPORT = 'energy-report';

/** Reads a recording (`port-report-command.ts`). */
const PORT_REPORT = 'port-report';

/** What accounts of a live network paid (`costs-command.ts`). */
const COSTS = 'costs';

/** Lists the commands from the table of `devtools/` (`control-commands.ts`). */
export const CONTROL = 'control';

/** The kind of command; undefined: it starts a chain, or the name is unknown. */
export function kindOfCommand([first = '']: readonly string[]):
  | 'remote'
  | 'estimate'
  | 'database'
  | 'scenario'
  | 'record'
  | 'energy-report'
  | 'port-report'
  | 'costs'
  | undefined {
  if ((REMOTE as readonly string[]).includes(first)) return 'remote';
  if (first === ESTIMATE) return ESTIMATE;
  if ((SCENARIO as readonly string[]).includes(first)) return 'scenario';
  if (first === RECORD) return RECORD;
  if (first === ENERGY_REPORT) return ENERGY_REPORT;
  if (first === PORT_REPORT) return PORT_REPORT;
  if (first === COSTS) return COSTS;
  return (DATABASE as readonly string[]).includes(first) ? 'database' : undefined;
}

const NAMES = [...REMOTE, ESTIMATE, ...DATABASE, ...SCENARIO, RECORD, ENERGY_REPORT, PORT_REPORT, COSTS, CONTROL];

/** The error for an unknown command. @param further names of the commands from `devtools/` */
export function unknownCommand(word: string, further: readonly string[]): string {
  const close = closest(word, [...NAMES, ...further]);
  const hint =
    close === undefined
      ? `Without a command, sunup starts a chain. Commands: ${NAMES.join(', ')}`
      : `Did you mean ${close}?`;
  return `unknown command ${word}\n(${hint})`;
}

/** The error for a word among the options that start a chain, where only options are valid. */
export function misplacedWord(word: string): string {
  if (kindOfCommand([word]) !== undefined) return `the command ${word} must come first: sunup ${word} …`;
  return `${word} is not an option, and a command must come first\n(sunup --help lists options and commands, sunup control lists more commands)`;
}
