/** Converts the input of a caller or of a command line into validated settings with all defaults. */

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

/** A declaration without its specific types. */
export type AnyDeclaration = Declaration<unknown, unknown, unknown>;
export type OptionEntry = readonly [name: string, declaration: AnyDeclaration];

export const libraryOptions = Object.entries(declarations) as unknown as readonly OptionEntry[];
export const commandOptions = [
  ...libraryOptions,
  ...(Object.entries(commandDeclarations) as unknown as readonly OptionEntry[]),
];

/** The settings for a caller of the library. @throws OptionError for an unknown name or an invalid value */
export function settingsForLibrary(options: DevnetOptions): Settings {
  const names = libraryOptions.map(([name]) => name);
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    const close = closest(name, names);
    const hint = close === undefined ? `The options are ${names.join(', ')}` : `Did you mean ${close}?`;
    throw new OptionError(name, 'does not exist', hint);
  }
  return fill(libraryOptions, options, (declaration) => declaration.default) as unknown as Settings;
}

/** The settings for a command line, whose values `fromText` has parsed. @throws OptionError */
export function settingsForCommand(values: Readonly<Record<string, unknown>>): CommandSettings {
  const defaultOf = (declaration: AnyDeclaration) => declaration.commandDefault ?? declaration.default;
  return fill(commandOptions, values, defaultOf) as unknown as CommandSettings;
}

/** Validated settings, some of them replaced by the caller. @throws OptionError */
export function settingsOver(base: Settings, given: Readonly<Record<string, unknown>>): Settings {
  const settings: Record<string, unknown> = { ...base };
  for (const [name, declaration] of libraryOptions) {
    const value = given[name];
    if (value !== undefined) settings[name] = checked(name, () => declaration.kind.check(value));
  }
  return checkCombinations(settings, given) as unknown as Settings;
}

function fill(
  entries: readonly OptionEntry[],
  given: Readonly<Record<string, unknown>>,
  defaultOf: (declaration: AnyDeclaration) => unknown,
): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [name, declaration] of entries) {
    const value =
      given[name] ??
      (given.tre === true ? declaration.treDefault : undefined) ??
      (given.ports === 'java-tron' ? declaration.javaTronDefault : undefined) ??
      defaultOf(declaration);
    settings[name] = value === undefined ? undefined : checked(name, () => declaration.kind.check(value));
  }
  return checkCombinations(settings, given);
}

const PBFT_PORTS = ['httpPbftPort', 'jsonrpcPbftPort', 'grpcPbftPort'] as const;

/** A fork takes these from its network. */
const BEGINNINGS = ['genesis', 'genesisTime', 'preset', 'networkStake', 'predeploy'] as const;

const QUEUE_OPTIONS = ['eventTriggers', 'eventContracts', 'eventTopics'] as const;

/** Checks combinations of settings. @throws OptionError for an invalid one */
function checkCombinations(settings: Record<string, unknown>, given: Readonly<Record<string, unknown>>) {
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
  // A given phrase outranks a seed.
  return given.mnemonic === undefined ? settings : { ...settings, seed: undefined };
}

/** Runs a check that does not know the option's name. */
export function checked<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadValue) throw new OptionError(name, error.message, error.hint);
    throw error;
  }
}
