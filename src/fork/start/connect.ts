/** The interfaces of a network's node: nothing is asked yet. */

import { grpcAddress } from '../network/grpc-address.js';
import { HttpWallet } from '../network/http-wallet.js';
import { RemoteChain } from '../network/remote-chain.js';
import { RemoteClient, type RemoteOptions, type RemotePlatform } from '../network/remote-client.js';
import type { RemoteWallet } from '../network/remote-wallet.js';

export interface Connection {
  readonly client: RemoteClient;
  readonly wallet: RemoteWallet;
  readonly chain: RemoteChain;
}

/** @example const { wallet } = await connect({ url: 'https://api.trongrid.io' }, { fetch, clock, random }) */
export async function connect(options: RemoteOptions, platform: RemotePlatform): Promise<Connection> {
  const client = new RemoteClient(options, platform);
  const wallet = await walletOf(client, options, platform);
  return { client, wallet, chain: new RemoteChain(wallet, client.retryPolicy) };
}

async function walletOf(
  client: RemoteClient,
  options: RemoteOptions,
  { answers }: RemotePlatform,
): Promise<RemoteWallet> {
  if (options.grpc === undefined) return new HttpWallet(client);
  const address = grpcAddress(options.grpc);
  if (address === undefined) throw new Error(`${options.grpc} is not the address of a gRPC interface`);
  const { GrpcWallet } = await import('../network/grpc-wallet.js');
  return new GrpcWallet(address, options, client.retryPolicy, answers);
}
