/** The command, forking over gRPC with TLS: certificates are verified. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterAll, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { FaultyGrpcProxy } from '../wire/grpc-proxy.js';
import { RunningCommand } from './command.js';

/** For `localhost`, valid for a hundred years, with a publicly known key. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtpG1+O5jLWeHZMGI
L1aPnJhdJ3M5T2UL9mGFDzuhh0GhRANCAAThNX0ytmlHUKXcxeVFq8vZpyXKMHbw
Ka9OY6TsdzaWVhmp1CghN1P1ujtEQrEXRelL+NmhbR/0WkP4DMxlC+cX
-----END PRIVATE KEY-----
`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUL/PUTRUKHJtW2SQU0fcIOALTMvswCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA0NTMwM1oYDzIxMjYxMDMw
MDQ1MzAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAThNX0ytmlHUKXcxeVFq8vZpyXKMHbwKa9OY6TsdzaWVhmp1CghN1P1
ujtEQrEXRelL+NmhbR/0WkP4DMxlC+cXo2kwZzAdBgNVHQ4EFgQU05zgO6ce/7WD
lIcHuNzkyO+FGD0wHwYDVR0jBBgwFoAU05zgO6ce/7WDlIcHuNzkyO+FGD0wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgSrq6cx2bs3ES3WVS33QFNWQOmLGx1p4mCyqiA7VHrXACIDptr07Cgoui
k6kHr9pEHRSteNzlOT+NDM9igkzwZ5NT
-----END CERTIFICATE-----
`;

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-roots-'));
const roots = path.join(folder, 'roots.pem');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('reads from a node with a trusted certificate for its host name', async () => {
  writeFileSync(roots, CERTIFICATE);
  const pair = { private_key: Buffer.from(KEY), cert_chain: Buffer.from(CERTIFICATE) };
  await using network = await createDevnet({ grpcPort: 0 });
  const proxy = await FaultyGrpcProxy.open(network.grpc!.url, ServerCredentials.createSsl(null, [pair]));
  try {
    const port = proxy.address.split(':')[1];
    const over = (grpc: string, env: NodeJS.ProcessEnv) => {
      const words = ['--json', '--fork', network.http.url, '--fork-grpc', `${grpc}:${port}`];
      return RunningCommand.start(words, undefined, { env });
    };
    // The gRPC package has its own variable for trusted certificates, which outranks Node's.
    const trusting = { NODE_EXTRA_CA_CERTS: roots, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: '' };
    await using fork = await over('grpcs://localhost', trusting);
    expect((await fork.ready()).genesisId).toBe(network.genesisId);
    const seen = proxy.seen.length;
    expect(seen).toBeGreaterThan(10);
    const refusals: [string, NodeJS.ProcessEnv, RegExp][] = [
      ['grpcs://localhost', {}, /does not give its head: UNAVAILABLE.*self-signed certificate/],
      ['localhost', trusting, /does not give its head: UNAVAILABLE/],
    ];
    for (const [grpc, env, says] of refusals) {
      await using refused = await over(grpc, env);
      const { code, errors } = await refused.end();
      expect([code, errors]).toEqual([1, expect.stringMatching(says)]);
    }
    expect(proxy.seen.length).toBe(seen);
  } finally {
    proxy.close();
  }
});
