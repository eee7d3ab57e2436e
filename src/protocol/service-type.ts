/** Descriptor of a gRPC service; `generated/services.ts` declares the network's. */

import type { MessageCodec, MessageType } from './message-type.js';

export interface MethodType<Request, Response> {
  readonly request: MessageCodec<Request>;
  readonly response: MessageCodec<Response>;
}

/** A method whose messages are not known at compile time. */
interface SomeMethod {
  readonly request: { readonly type: MessageType };
  readonly response: { readonly type: MessageType };
}

export interface ServiceType<
  Methods extends Readonly<Record<string, SomeMethod>> = Readonly<Record<string, SomeMethod>>,
> {
  /** Example: `protocol.Wallet`; a method's path is `/<fullName>/<name>`. */
  readonly fullName: string;
  readonly methods: Methods;
}

/** For generated code. */
export function method<Request, Response>(
  request: MessageCodec<Request>,
  response: MessageCodec<Response>,
): MethodType<Request, Response> {
  return { request, response };
}

/** For generated code. */
export function service<Methods extends Readonly<Record<string, SomeMethod>>>(
  fullName: string,
  methods: Methods,
): ServiceType<Methods> {
  return { fullName, methods };
}
