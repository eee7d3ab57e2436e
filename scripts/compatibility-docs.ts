/**
 * Writes the table of what works into docs/reference/compatibility.md, from the registry of contract types and the tables of the interfaces.
 *
 *     npx tsx scripts/compatibility-docs.ts           writes the file
 *     npx tsx scripts/compatibility-docs.ts --print   prints the table
 */

import { readFileSync } from 'node:fs';
import { databaseMethods, solidityMethods, walletMethods } from '../src/grpc/methods.js';
import { httpEndpoints } from '../src/http/endpoints.js';
import { methods as jsonRpcMethods } from '../src/jsonrpc/methods.js';
import { contractTypes } from '../src/ledger/contracts/registry.js';
import { contractTypesWithMessage, isSmartContractType } from '../src/protocol/contract-types.js';
import { Database_service, Wallet_service, WalletSolidity_service } from '../src/protocol/generated/services.js';
import { Transaction_Contract_ContractType_type as ContractType } from '../src/protocol/generated/tron.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/compatibility.md', import.meta.url);

const BEGIN = '<!-- Made by scripts/compatibility-docs.ts -->';
const END = '<!-- end of the table -->';

const system = new Set(contractTypes());
/** In the registry for its refusal: the networks that Sunup follows have shielded transfers off. */
const REFUSED: ReadonlySet<number> = new Set([
  ContractType.numberOf('ShieldedTransferContract'),
]) as ReadonlySet<number>;
const executable = (type: number) => !REFUSED.has(type) && (system.has(type) || isSmartContractType(type));

function names(types: readonly number[]): string {
  return types.map((type) => `${ContractType.nameOf(type)?.replace(/(?<!Smart)Contract$/, '')} (${type})`).join(', ');
}

function httpCount(service: 'wallet' | 'walletsolidity'): number {
  return httpEndpoints.filter(({ services }) => services.includes(service)).length;
}

function methods(answered: object, { methods: all }: { readonly methods: object }): string {
  return `${Object.keys(answered).length} of ${Object.keys(all).length} methods`;
}

export function worksTable(): string {
  const types = contractTypesWithMessage();
  const missing = types.filter((type) => !executable(type) && !REFUSED.has(type));
  return `| | |
|---|---|
| Contract types executed | ${names(types.filter(executable))} |
| Contract types not executed | ${missing.length === 0 ? 'none' : names(missing)} |
| Refused, as on the network | ${names([...REFUSED])} |
| HTTP | \`/wallet\`: ${httpCount('wallet')} endpoints, \`/walletsolidity\`: ${httpCount('walletsolidity')}; [HTTP API](http-api.md) lists them |
| gRPC | \`protocol.Wallet\`: ${methods(walletMethods, Wallet_service)}, \`protocol.WalletSolidity\`: ${methods(solidityMethods, WalletSolidity_service)}, \`protocol.Database\`: ${methods(databaseMethods, Database_service)}; server reflection |
| JSON-RPC | ${jsonRpcMethods.size} methods; [JSON-RPC](json-rpc.md) lists them |`;
}

export function withTable(page: string): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from)
    throw new Error(`docs/reference/compatibility.md has no place for the table: ${BEGIN} … ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${worksTable()}\n\n${page.slice(to)}`;
}

await makeFile(import.meta.filename, {
  file,
  text: () => withTable(readFileSync(file, 'utf8')),
  shown: () => `${worksTable()}\n`,
});
