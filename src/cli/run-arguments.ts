/** Common handling of a command's arguments. */

import { type Command, CommanderError } from 'commander';

/**
 * Parses the arguments and runs the command. For help and invalid arguments, commander has already written the answer.
 *
 * @param exitCodeFor reports an error and returns its exit code; undefined for a bug
 * @returns the exit code
 */
export async function runArguments(
  command: Command,
  words: readonly string[],
  exitCodeFor: (error: Error) => number | undefined,
): Promise<number> {
  try {
    await command.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    const exitCode = exitCodeOf(error) ?? exitCodeFor(error as Error);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

/** Undefined for an error that is not commander's. */
export function exitCodeOf(error: unknown): 0 | 2 | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}
