/** From what a caller or a command line gave to checked settings with every default filled in. */

import { closest } from '../primitives/closest-name.js';
import {
  type CommandSettings,
  commandDeclarations,
  type Declaration,
  type DevnetOptions,
  declarations,
  type Settings,
} from './declarations.js';
import { BadValue } from './kinds.js';
import { OptionError } from './option-error.js';

/** A row of the table without its particular types. */
export type AnyDeclaration = Declaration<unknown, unknown, unknown>;
export type Row = readonly [name: string, declaration: AnyDeclaration];

export const libraryRows = Object.entries(declarations) as unknown as readonly Row[];
export const commandRows = [...libraryRows, ...(Object.entries(commandDeclarations) as unknown as readonly Row[])];

/** The settings for a caller of the library. @throws OptionError for an unknown name or a value that cannot be. */
export function settingsForLibrary(options: DevnetOptions): Settings {
  const names = libraryRows.map(([name]) => name);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const close = closest(name, names);
    const hint = close === undefined ? `The options are ${names.join(', ')}` : `Did you mean ${close}?`;
    throw new OptionError(name, 'does not exist', hint);
  }
  return fill(libraryRows, options, (declaration) => declaration.default) as unknown as Settings;
}

/** The settings for a command line, whose values their kinds' `fromText` has read. @throws OptionError */
export function settingsForCommand(values: Readonly<Record<string, unknown>>): CommandSettings {
  const defaultOf = (declaration: AnyDeclaration) => declaration.commandDefault ?? declaration.default;
  return fill(commandRows, values, defaultOf) as unknown as CommandSettings;
}

/** Checked settings with some of them replaced by what a caller gave. @throws OptionError */
export function settingsOver(base: Settings, given: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, unknown> = { ...base };
  for (const [name, declaration] of libraryRows) {
    const value = given[name];
    if (value !== undefined) settings[name] = checked(name, () => declaration.kind.check(value));
  }
  return together(settings, given) as unknown as Settings;
}

function fill(
  rows: readonly Row[],
  given: Readonly<Record<string, unknown>>,
  defaultOf: (declaration: AnyDeclaration) => unknown,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [name, declaration] of rows) {
    const value =
      given[name] ??
      (given.tre === true ? declaration.treDefault : undefined) ??
      (given.ports === 'java-tron' ? declaration.javaTronDefault : undefined) ??
      defaultOf(declaration);
    settings[name] = value === undefined ? undefined : checked(name, () => declaration.kind.check(value));
  }
  return together(settings, given);
}

const PBFT_PORTS = ['httpPbftPort', 'jsonrpcPbftPort', 'grpcPbftPort'] as const;

/** A fork has these of its network. */
const BEGINNINGS = ['genesis', 'genesisTime', 'preset', 'networkStake', 'predeploy'] as const;

const QUEUE_OPTIONS = ['eventTriggers', 'eventContracts', 'eventTopics'] as const;

/** Settings that fit each other. @throws OptionError where they do not */
function together(settings: Record<string, unknown>, given: Readonly<Record<string, unknown>>) {
  if (settings.blockTime !== undefined && (settings.mining !== 'interval' || settings.clock === 'virtual')) {
    const hint = settings.mining === 'interval' ? "Also set clock: 'wall'" : `Mining is ${settings.mining}`;
    throw new OptionError('blockTime', 'needs interval mining by the clock of the machine', hint);
  }
  const idle = settings.pbft === false ? PBFT_PORTS.find((name) => settings[name] !== false) : undefined;
  if (idle !== undefined) throw new OptionError(idle, 'needs PBFT', 'Also set pbft (--pbft)');
  const isFork = settings.fork !== undefined || settings.forkOffline === true;
  const beginning = isFork ? BEGINNINGS.find((name) => given[name] !== undefined) : undefined;
  if (beginning !== undefined)
    throw new OptionError(
      beginning,
      'cannot be used with a fork, which has no genesis block of its own',
      'Remove it, or remove --fork',
    );
  if (isFork && given.unknownWitnesses === 'miss')
    throw new OptionError(
      'unknownWitnesses',
      "cannot be 'miss' on a fork: the keys of its witnesses are not known",
      'Leave it out',
    );
  const unheard =
    settings.eventQueue === undefined ? QUEUE_OPTIONS.find((name) => given[name] !== undefined) : undefined;
  if (unheard !== undefined)
    throw new OptionError(unheard, 'needs the event queue', 'Also set eventQueue (--event-queue)');
  // A phrase that is given says more than a text that one could be made of.
  return given.mnemonic === undefined ? settings : { ...settings, seed: undefined };
}

/** Runs a check of a kind, which does not know the option's name. */
export function checked<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadValue) throw new OptionError(name, error.message, error.hint);
    throw error;
  }
}
