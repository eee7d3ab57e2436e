/** Balances of accounts before and after a block, read where a step expects balance changes. */

import { tokenBalance } from '../../ledger/accounts/assets.js';
import type { Node } from '../../node/node.js';
import { hexToBytes, utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import { fullContext } from '../../wallet/context.js';
import { triggerConstantContract } from '../../wallet/contracts.js';
import type { TransactionExpectations } from '../format/expect-fields.js';
import type { Parties } from '../parties.js';
import type { NamedObjects } from './named-objects.js';

type Changes = TransactionExpectations['balanceChanges'];

const BALANCE_OF = '70a08231';

interface Watched {
  readonly account: string;
  /** `TRX`, or the name of a token or of a contract. */
  readonly token: string;
  readonly before: bigint;
}

export class Balances {
  readonly #watched: readonly Watched[];

  constructor(
    private readonly run: { readonly parties: Parties; readonly node: Node; readonly objects: NamedObjects },
    expected: readonly Changes[],
  ) {
    this.#watched = expected.flatMap((changes) =>
      Object.entries(changes ?? {}).flatMap(([account, wanted]) =>
        (typeof wanted === 'bigint' ? ['TRX'] : Object.keys(wanted)).map((token) => ({
          account,
          token,
          before: this.#balanceOf(account, token),
        })),
      ),
    );
  }

  /** The change since that reading, by `account token`. */
  changes(): ReadonlyMap<string, bigint> {
    return new Map(
      this.#watched.map(({ account, token, before }) => [
        `${account} ${token}`,
        this.#balanceOf(account, token) - before,
      ]),
    );
  }

  #balanceOf(name: string, token: string): bigint {
    const { parties, node } = this.run;
    const { ledger } = node.chain;
    const { address } = parties.get(name);
    const account = ledger.state.tables.accounts.get(address);
    if (token === 'TRX') return account?.balance ?? 0n;
    const contract = parties.named(token);
    if (contract !== undefined) return this.#tokensOf(contract.address, address);
    const id = utf8ToHex(this.run.objects.id('token', token));
    return account === undefined ? 0n : (tokenBalance(ledger, account, id) ?? 0n);
  }

  #tokensOf(contract: Address, holder: Address): bigint {
    const call = TriggerSmartContract.create({
      owner_address: holder,
      contract_address: contract,
      data: BALANCE_OF + holder.slice(2).padStart(64, '0'),
    });
    const [answer = ''] = triggerConstantContract(fullContext(this.run.node), call).constant_result;
    return hexToBytes(answer).length < 32 ? 0n : BigInt(`0x${answer.slice(0, 64)}`);
  }
}
