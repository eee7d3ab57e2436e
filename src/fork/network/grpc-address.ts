/** Address of a node's gRPC interface: `host`, `host:port`, `grpc://host:port`, or `grpcs://host:port` with TLS. */

export interface GrpcAddress {
  /** `host:port`. */
  readonly target: string;
  readonly isSecure: boolean;
  /** As shown in errors. */
  readonly shown: string;
}

/** java-tron's port, without TLS; proxies with TLS use the TLS port. */
const PLAIN_PORT = '50051';
const SECURE_PORT = '443';

/**
 * Port 443 means TLS, whatever the scheme: no other protocol is used there.
 *
 * @returns undefined for an invalid address
 * @example grpcAddress('grpc.trongrid.io:50051') // { target: 'grpc.trongrid.io:50051', isSecure: false, … }
 */
export function grpcAddress(text: string): GrpcAddress | undefined {
  const [, scheme, host, port] =
    /^(?:(grpcs?|https?):\/\/)?(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/i.exec(text) ?? [];
  if (host === undefined || Number(port ?? 1) > 65_535) return undefined;
  const isSecure = /^(grpcs|https)$/i.test(scheme ?? '') || port === SECURE_PORT;
  const target = `${host}:${port ?? (isSecure ? SECURE_PORT : PLAIN_PORT)}`;
  return { target, isSecure, shown: `${isSecure ? 'grpcs' : 'grpc'}://${target}` };
}
