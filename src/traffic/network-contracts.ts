/** Names, ABIs, deployers and proxies of a network's contracts, asked once each. */

import { type ContractAbi, functionOf } from '../abi/items.js';
import type { RecordedContracts } from '../explanation/recorded/explain-receipt.js';
import { minimalProxyTarget, proxySlots, storedProxyTarget } from '../explanation/recorded/proxies.js';
import { WALLET } from '../fork/network/wallet-requests.js';
import type { Connection } from '../fork/start/connect.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { SmartContractDataWrapper } from '../protocol/generated/smart-contract.js';
import { isJsonObject } from '../protocol/json/value.js';

export class NetworkContracts implements RecordedContracts {
  readonly #known = new Map<Address, SmartContractDataWrapper | undefined>();
  readonly #implementations = new Map<Address, Address>();

  constructor(private readonly connection: Connection) {}

  /** Asks for those that are not known yet. */
  async learn(addresses: Iterable<Address>): Promise<void> {
    const { wallet } = this.connection;
    const unknown = [...new Set(addresses)].filter((address) => !this.#known.has(address));
    await Promise.all(
      unknown.map(async (address) => {
        this.#known.set(address, await wallet.find(WALLET.contract, address, `contract ${address}`));
      }),
    );
  }

  /**
   * Follows a proxy whose own ABI does not have the method.
   *
   * @param data of the call
   */
  async learnImplementation(address: Address, data: Hex): Promise<void> {
    const own = this.#known.get(address)?.smart_contract?.abi;
    if (data.length < 8 || (own !== undefined && functionOf(own, data) !== undefined)) return;
    const code = this.#known.get(address)?.runtimecode ?? '';
    const implementation = minimalProxyTarget(code) ?? (await this.#storedImplementation(address));
    if (implementation === undefined) return;
    await this.learn([implementation]);
    if (this.#known.get(implementation)?.smart_contract !== undefined) {
      this.#implementations.set(address, implementation);
    }
  }

  /** A node without JSON-RPC cannot be asked: the method stays a selector. */
  async #storedImplementation(address: Address): Promise<Address | undefined> {
    const { client } = this.connection;
    const calls = proxySlots().map((slot, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getStorageAt',
      params: [`0x${address.slice(2)}`, `0x${slot}`, 'latest'],
    }));
    const words = await Promise.all(
      calls.map((call) =>
        client.post(client.jsonRpcUrl, JSON.stringify(call), `the proxy slots of ${address}`).catch(() => undefined),
      ),
    );
    return storedProxyTarget(
      words.map((answer) =>
        answer !== undefined && isJsonObject(answer) ? String(answer.get('result')).slice(2) : '',
      ),
    );
  }

  /** Undefined: unknown, or there is none. */
  contract(address: Address): SmartContractDataWrapper | undefined {
    return this.#known.get(address);
  }

  nameOf(address: Address): string {
    return this.#known.get(address)?.smart_contract?.name ?? '';
  }

  abiOf(address: Address): ContractAbi | undefined {
    const implementation = this.#implementations.get(address);
    const abi = this.#known.get(implementation ?? address)?.smart_contract?.abi;
    return abi !== undefined && abi.entrys.length > 0 ? abi : undefined;
  }

  deployerOf(address: Address): Address | undefined {
    const origin = this.#known.get(address)?.smart_contract?.origin_address ?? '';
    return origin === '' ? undefined : (origin as Address);
  }

  implementationOf(address: Address): Address | undefined {
    return this.#implementations.get(address);
  }
}
