/** What the routes of further chains (`chain-routes.ts`) need of whoever has them. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UpgradeTaker } from './upgrades.js';

/** What is told of a chain to who made it. */
export interface ChainReport {
  readonly id: string;
  /** Path below which the chain is. */
  readonly path: string;
  readonly chainId: string;
  readonly genesisId: string;
  /** The network that it is a fork of, where it is one. */
  readonly fork?: { readonly url: string | undefined; readonly blockNumber: number };
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  readonly witnesses: readonly { readonly address: string; readonly privateKey: string | undefined }[];
}

/** Answers the requests of one chain, whose paths have lost what names the chain. */
export interface ChainServer {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: UpgradeTaker;
}

export interface HostedChains {
  /**
   * @param isLocal whether a program or page of this machine asks, which is told what the network of a fork has answered
   * @throws OperationError for options that cannot be, or too many chains
   */
  create(options: unknown, isLocal: boolean): Promise<ChainReport>;
  list(): readonly ChainReport[];
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
  /** What answers a chain's requests; undefined: there is no such chain. */
  serverOf(id: string): ChainServer | undefined;
}
