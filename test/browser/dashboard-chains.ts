/** Chains with something to see on the screens of accounts and of governance. */

import { TronWeb } from 'tronweb';
import type { Devnet, DevnetOptions } from '../../src/index.js';

const TRX = 1_000_000;
/** In blocks. */
const DAY_BLOCKS = 28_800;
const ENERGY_FEE = 11;

type Transaction = Parameters<TronWeb['trx']['sign']>[0];

/** A client that sends as one of the devnet's accounts. */
export function clientOf({ http, accounts }: Devnet, account: number) {
  const { address, privateKey } = accounts[account]!;
  const tronWeb = new TronWeb({ fullHost: http.url, privateKey });
  return {
    address,
    tronWeb,
    builder: tronWeb.transactionBuilder,
    /** @returns its id */
    async send(transaction: Promise<unknown>): Promise<string> {
      const signed = await tronWeb.trx.sign((await transaction) as Transaction);
      const { result, txid, code, message } = await tronWeb.trx.sendRawTransaction(signed as never);
      if (result !== true) throw new Error(`${code}: ${tronWeb.toUtf8(message ?? '')}`);
      return txid;
    },
  };
}

/** The first account has stakes, delegations, an unstaking and votes; the third has a permission of several keys. */
export async function stakedChain(devnet: Devnet): Promise<void> {
  const [first, second, third] = [0, 1, 2].map((account) => clientOf(devnet, account));
  if (first === undefined || second === undefined || third === undefined) throw new Error('three accounts');
  const { builder, address } = first;
  await first.send(builder.freezeBalanceV2(4_000 * TRX, 'ENERGY', address));
  await first.send(builder.freezeBalanceV2(2_000 * TRX, 'BANDWIDTH', address));
  await first.send(builder.delegateResource(1_000 * TRX, second.address, 'ENERGY', address, true, DAY_BLOCKS));
  await first.send(builder.delegateResource(500 * TRX, third.address, 'BANDWIDTH', address));
  await first.send(builder.unfreezeBalanceV2(300 * TRX, 'ENERGY', address));
  await first.send(builder.vote({ [devnet.witnesses[0]!.address]: 1_234 }, address));
  const [usdt] = devnet.predeployed;
  if (usdt !== undefined) {
    const call = await builder.triggerSmartContract(
      usdt.address,
      'transfer(address,uint256)',
      { feeLimit: 100 * TRX },
      [
        { type: 'address', value: second.address },
        { type: 'uint256', value: 1_500_000 },
      ],
    );
    await first.send(Promise.resolve(call.transaction));
  }
  const keys = [second, third].map(({ tronWeb, address }, at) => ({
    address: tronWeb.address.toHex(address),
    weight: at + 1,
  }));
  const owner = { type: 0, permission_name: 'owner', threshold: 1, keys: [{ ...keys[1]!, weight: 1 }] };
  // Bits 1 and 31: TransferContract, TriggerSmartContract.
  const operations = `0200008${'0'.repeat(57)}`;
  const active = { type: 2, permission_name: 'payments', threshold: 3, operations, keys };
  await third.send(third.builder.updateAccountPermissions(third.address, owner, undefined, [active]));
}

/** The first account of every devnet with the default mnemonic. */
const FIRST_KEY = '15f0bbb1774be40b7a8d7965d637f324bda2f711fc5726a3dcc19585c6950954';

/** The witness is the first account, so that it can propose. */
export const FIRST_IS_WITNESS: DevnetOptions = {
  mining: 'instant',
  genesis: { witnesses: [{ privateKey: FIRST_KEY, url: 'http://me.example', voteCount: 100 }] },
};

/** An open proposal. */
export async function propose(devnet: Devnet, energyFee: number): Promise<void> {
  const { address, builder, send } = clientOf(devnet, 0);
  await send(builder.createProposal({ key: ENERGY_FEE, value: energyFee }, address));
}

export async function approve(devnet: Devnet, proposal: number): Promise<void> {
  const { address, builder, send } = clientOf(devnet, 0);
  await send(builder.voteProposal(proposal, true, address));
}
