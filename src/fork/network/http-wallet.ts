/** The Wallet service over a node's HTTP interface, below `/wallet`. */

import { isJsonObject, type JsonValue } from '../../protocol/json/value.js';
import { objectOf, type RequestContext } from './answers.js';
import type { RemoteClient } from './remote-client.js';
import { RemoteWallet } from './remote-wallet.js';
import type { WalletRequest } from './wallet-requests.js';

export class HttpWallet extends RemoteWallet {
  constructor(private readonly client: RemoteClient) {
    super();
  }

  get address(): string {
    return this.client.url;
  }

  protected async answerTo<Parameters, Answer>(
    question: WalletRequest<Parameters, Answer>,
    parameters: Parameters,
    what: string,
  ): Promise<Answer | undefined> {
    const asked = this.asked(question, what);
    const answered = await this.client.wallet(question.path, question.body(parameters), what);
    const { list } = question;
    const json = list !== undefined && Array.isArray(answered) ? new Map([[list, answered as JsonValue]]) : answered;
    if (isJsonObject(json) && question.saysNone?.(String(json.get('Error') ?? ''))) return undefined;
    const object = objectOf(json, asked);
    return object.size === 0 ? undefined : question.ofJson(object, asked);
  }

  asked({ path }: { readonly path: string }, what: string): RequestContext {
    return { url: `${this.client.url}/wallet/${path}`, what };
  }
}
