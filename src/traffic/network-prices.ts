/** Prices and other chain parameters of a network's past, from what its node serves today. */

import { ParameterHistory, type ParametersThen } from '../explanation/recorded/parameter-history.js';
import { WALLET } from '../fork/network/wallet-requests.js';
import type { Connection } from '../fork/start/connect.js';

/** @throws RemoteError */
export async function parameterHistoryOf({ wallet }: Connection): Promise<ParameterHistory> {
  const [{ chainParameter }, energy, bandwidth, memo, { proposals }] = await Promise.all([
    wallet.ask(WALLET.parameters, undefined, 'the chain parameters'),
    wallet.ask(WALLET.energyPrices, undefined, 'the prices of Energy'),
    wallet.ask(WALLET.bandwidthPrices, undefined, 'the prices of bandwidth'),
    wallet.ask(WALLET.memoFees, undefined, 'the fees of memos'),
    wallet.ask(WALLET.proposals, undefined, 'the proposals'),
  ]);
  return new ParameterHistory({
    now: new Map(chainParameter.map(({ key, value }) => [key, value])),
    priceHistories: new Map([
      ['ENERGY_PRICE_HISTORY', energy.prices],
      ['BANDWIDTH_PRICE_HISTORY', bandwidth.prices],
      ['MEMO_FEE_HISTORY', memo.prices],
    ]),
    proposals,
  });
}

interface SeenBlock {
  readonly number: number;
  readonly timestampMs: bigint;
}

/**
 * The parameters of many blocks, in ascending order. The time of the parent decides, and it is asked for only if a
 * parameter may have changed between parent and block: about once for each change, not once for each block.
 */
export class BlockPrices {
  /** The highest block whose time is known and that is below the next one. */
  #seen: SeenBlock | undefined;
  #newest: { readonly number: number; readonly then: ParametersThen } | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly history: ParameterHistory,
  ) {}

  /** @throws RemoteError */
  async of(number: number, timestampMs: number): Promise<ParametersThen> {
    if (this.#newest?.number === number) return this.#newest.then;
    const block = { number, timestampMs: BigInt(timestampMs) };
    const changeMs = this.history.newestChangeMs(block.timestampMs);
    const seen = this.#seen !== undefined && this.#seen.number < number ? this.#seen : undefined;
    // The parent is not older than a block below it.
    const isSettled = changeMs === undefined || (seen !== undefined && seen.timestampMs >= changeMs);
    const parentMs = isSettled ? block.timestampMs : (await this.#parentOf(number)).timestampMs;
    this.#see(block);
    const then = this.history.inBlockAfter(parentMs);
    this.#newest = { number, then };
    return then;
  }

  async #parentOf(number: number): Promise<SeenBlock> {
    const parent = await this.connection.chain.blockAt(Math.max(0, number - 1));
    this.#see(parent);
    return parent;
  }

  #see(block: SeenBlock): void {
    if (this.#seen === undefined || block.number > this.#seen.number) this.#seen = block;
  }
}
