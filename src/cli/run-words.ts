/** What all commands do with what was typed behind their name. */

import { type Command, CommanderError } from 'commander';

/**
 * Reads the words and does what they say. Help, and words that make no sense, commander has answered by itself.
 *
 * @param judge says what went wrong; undefined for what is no mistake of the user's
 * @returns the exit code
 */
export async function runWords(
  command: Command,
  words: readonly string[],
  judge: (error: Error) => number | undefined,
): Promise<number> {
  try {
    await command.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    const exitCode = exitCodeOf(error) ?? judge(error as Error);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

/** Undefined for an error that is not commander's. */
export function exitCodeOf(error: unknown): 0 | 2 | undefined {
  if (!(error instanceof CommanderError)) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}
