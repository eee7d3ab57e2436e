import { OperationError } from '../../errors/operation-error.js';

/** The error for a row that the remote does not deliver: URL, request, reason, advice. */

export class RemoteError extends OperationError {
  override readonly name = 'RemoteError';
  override readonly httpStatus = 502;

  /**
   * @param url of the request, without the key
   * @param what the request, in words: `account TXyz…`
   * @param why the reason
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

/** An error of the folder of `--fork-cache`, with its file instead of a URL. */
export class FolderError extends RemoteError {}

/** The remote does not serve this at all: disabled, or without history. */
export class ClosedError extends RemoteError {}
