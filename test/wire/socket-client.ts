/** A JSON-RPC client over a WebSocket with access to all messages, in order. */

import WebSocket from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: whatever is answered
export type Answer = any;

export interface Notification {
  readonly subscription: string;
  readonly result: Answer;
}

export class SocketClient implements AsyncDisposable {
  readonly #answers = new Map<unknown, (answer: Answer) => void>();
  readonly #unread: string[] = [];
  readonly #readers: ((text: string) => void)[] = [];
  #lastId = 0;
  /** Unread notifications of `eth_subscribe`, in order. */
  readonly notifications: Notification[] = [];
  #told: (() => void) | undefined;

  private constructor(
    readonly socket: WebSocket,
    readonly closed: Promise<{ readonly code: number; readonly reason: string }>,
  ) {
    socket.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('an answer came as a binary frame');
      this.#receive(String(data));
    });
  }

  /**
   * @param url HTTP URL.
   * @throws the server's answer if it is not a WebSocket
   */
  static connect(url: string, headers: Record<string, string> = {}): Promise<SocketClient> {
    return SocketClient.over(new WebSocket(url.replace(/^http/, 'ws'), { headers }));
  }

  /** @param socket that is not open yet */
  static async over(socket: WebSocket): Promise<SocketClient> {
    const closed = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    const client = new SocketClient(socket, closed);
    await new Promise((resolve, reject) => {
      socket.on('open', resolve);
      socket.on('error', reject);
    });
    return client;
  }

  /** The whole answer. */
  request(method: string, ...params: unknown[]): Promise<Answer> {
    const id = ++this.#lastId;
    const answer = new Promise<Answer>((resolve) => this.#answers.set(id, resolve));
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }

  /**
   * The result.
   *
   * @throws the error
   */
  async ask(method: string, ...params: unknown[]): Promise<Answer> {
    const { result, error } = await this.request(method, ...params);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  }

  /** The next message that is neither an answer to `request` nor a notification. */
  async raw(message: string | Buffer): Promise<string> {
    const next = this.#unread.length > 0 ? this.#unread.shift()! : undefined;
    this.socket.send(message);
    return next ?? new Promise((resolve) => this.#readers.push(resolve));
  }

  /** Reads notifications up to the first one for which `isLast` holds. */
  async until(isLast: (notification: Notification) => boolean): Promise<readonly Notification[]> {
    for (let seen = 0; ; ) {
      for (; seen < this.notifications.length; seen++) {
        if (isLast(this.notifications[seen]!)) return this.notifications.splice(0, seen + 1);
      }
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  async next(): Promise<Notification> {
    const [first] = await this.until(() => true);
    return first!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  #receive(text: string): void {
    const message = JSON.parse(text);
    if (message.method === 'eth_subscription') {
      this.notifications.push(message.params);
      this.#told?.();
      return;
    }
    const waiting = this.#answers.get(message.id);
    this.#answers.delete(message.id);
    if (waiting !== undefined) waiting(message);
    else {
      const reader = this.#readers.shift();
      if (reader === undefined) this.#unread.push(text);
      else reader(text);
    }
  }
}
