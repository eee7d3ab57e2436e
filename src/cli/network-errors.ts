/** Errors of commands that read a live network: what the command was doing, what failed, and what to do. */

import { NotExplainableError } from '../explanation/model/not-explainable.js';
import { FolderError, RemoteError as NetworkError } from '../fork/network/remote-error.js';
import { declarations } from '../options/declarations.js';
import { OptionError } from '../options/option-error.js';
import { CostsError } from '../traffic/costs/costs-error.js';
import { RemoteError } from './node-client.js';

/**
 * @param doing `explain transaction 5c…`: follows "cannot"
 * @param further a last line, for errors of the network
 * @returns a `RemoteError` if the network or the user caused the error; other errors are bugs
 */
export function networkCommandError(error: unknown, doing: string, further?: string): unknown {
  if (error instanceof NetworkError)
    return new RemoteError(
      [`cannot ${doing}: ${failureIn(error)}`, `(${error.advice})`, ...lineOf(further)].join('\n'),
    );
  if (error instanceof OptionError) {
    // A fork that did not start: its network failed, or its folder.
    if (error.cause instanceof NetworkError) return networkCommandError(error.cause, doing, further);
    const { problem, hint } = error;
    return new RemoteError([`option '${flagOf(error)}' ${problem}`, ...lineOf(hint)].join('\n'), 2);
  }
  if (error instanceof CostsError) return new RemoteError(`cannot ${doing}: ${error.message}`);
  if (error instanceof NotExplainableError) return new RemoteError(error.message);
  return error;
}

function failureIn(error: NetworkError): string {
  const { what, url, why } = error;
  return error instanceof FolderError ? `${url}: ${why}` : `${url} does not give ${what}: ${why}`;
}

const lineOf = (text: string | undefined): readonly string[] => (text === undefined ? [] : [`(${text})`]);

function flagOf({ option }: OptionError): string {
  return (declarations as Readonly<Record<string, { readonly flag?: string }>>)[option]?.flag ?? option;
}
