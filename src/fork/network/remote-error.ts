import { OperationError } from '../../errors/operation-error.js';

/** What a fork's user is told when the remote does not give a row: where it was asked, for what, and what to do. */

export class RemoteError extends OperationError {
  override readonly name = 'RemoteError';
  override readonly httpStatus = 502;

  /**
   * @param url that was asked, without the key
   * @param what was asked for, in words: `account TXyz…`
   * @param why it was not had
   * @param advice what the user can do
   */
  constructor(
    readonly url: string,
    readonly what: string,
    readonly why: string,
    readonly advice: string,
  ) {
    super(`The fork could not read ${what} from ${url}: ${why}. ${advice}`);
  }
}

/** Not the remote but the folder of `--fork-cache`, whose file stands in the place of the URL. */
export class FolderError extends RemoteError {}

/** The remote does not serve that at all: its owner has switched it off, or it keeps no history. */
export class ClosedError extends RemoteError {}
