/** Instruments for what comes from Ethereum's wallets: nonces, replacements, what waits; and what each should do. */

import { Wallet } from 'ethers';
import type { Address } from '../../../../src/primitives/ids.js';
import { resultOf } from './asker.js';
import { asked, hexOf, type Instrument, PAYEE } from './instruments.js';
import { nextNonce, sendAsEthereum } from './transactions.js';
import type { Host } from './user.js';

interface Transfer {
  readonly nonce: number;
  readonly to: Address;
  readonly gasPrice?: bigint;
}

async function signedTransfer(
  { world, people }: Host,
  from: Address,
  { nonce, to, gasPrice = 420n }: Transfer,
): Promise<string | undefined> {
  const key = people.keyOf(from);
  if (key === undefined || !Number.isSafeInteger(nonce)) return undefined;
  const transfer = { to: hexOf(to), value: 1n, nonce, gasLimit: 100_000n, gasPrice, chainId: BigInt(world.chainId) };
  return new Wallet(`0x${key}`).signTransaction(transfer);
}

/** @returns its hash; undefined: it was refused */
async function ethereumTransfer(host: Host, from: Address, transfer: Transfer): Promise<string | undefined> {
  const signed = await signedTransfer(host, from, transfer);
  return signed && resultOf<string>(await host.asker.rpc('/eth', 'eth_sendRawTransaction', [signed]));
}

export const ETHEREUM_INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'nonce of what is pending',
    onlyManual: true,
    use: async (host) => {
      const { world } = host;
      const { chain } = world.node;
      await sendAsEthereum(host);
      const owners = chain.pool.members().flatMap(({ transaction: { owner, ethereum } }) => (ethereum ? [owner] : []));
      const [owner] = owners;
      if (owner === undefined || !world.isQuiet) return undefined;
      const inBlocks = await host.asker.rpc('/eth', 'eth_getTransactionCount', [hexOf(owner), 'latest']);
      const latest = Number(resultOf<string>(inBlocks));
      const pending = await nextNonce(host, hexOf(owner));
      const own = owners.filter((one) => one === owner).length;
      if (Number.isNaN(latest + pending) || pending - latest === own) return undefined;
      return `${owner} has ${own} pending transactions, and a nonce of ${latest}, with them of ${pending}`;
    },
  },
  {
    name: 'nonce of what waits',
    use: async (host) => {
      if (host.world.shape.isFork) return undefined;
      const owner = host.people.address(host.world.choices.below(6));
      const nonce = await nextNonce(host, hexOf(owner));
      const waiting = await ethereumTransfer(host, owner, { nonce: nonce + 2, to: PAYEE });
      if (waiting === undefined) return undefined;
      const done = resultOf(await asked(host, 'tron_setNonce', hexOf(owner), nonce + 2));
      const next = await nextNonce(host, hexOf(owner));
      // Others may wait after it.
      if (done === undefined || Number.isNaN(next) || next > nonce + 2) return undefined;
      return `${waiting} of ${owner} waited for nonce ${nonce + 2}, which was set, and the next nonce is ${next}`;
    },
  },
  {
    name: 'what waits of another',
    use: async (host) => {
      const { world, people, asker } = host;
      if (world.shape.isFork) return undefined;
      const i = world.choices.below(6);
      const [owner, other] = [people.address(i), people.address((i + 1 + world.choices.below(5)) % 6)];
      const nonce = await nextNonce(host, hexOf(owner));
      const waiting = await ethereumTransfer(host, owner, { nonce: nonce + 2, to: PAYEE });
      if (waiting === undefined || owner === other) return undefined;
      const done = resultOf(await asked(host, 'tron_removePoolTransactions', hexOf(other)));
      const shown = await asker.rpc('/eth', 'eth_getTransactionByHash', [waiting]);
      if (done === undefined || !/"result":null/.test(shown ?? '')) return undefined;
      return `${waiting} of ${owner} waited, and is gone with the pending transactions of ${other}`;
    },
  },
  {
    name: 'receipt as the answer',
    use: async (host) => {
      if (host.world.miningMode !== 'instant' || host.world.shape.isFork) return undefined;
      const owner = host.people.address(host.world.choices.below(6));
      const nonce = await nextNonce(host, hexOf(owner));
      const signed = await signedTransfer(host, owner, { nonce, to: PAYEE });
      if (signed === undefined) return undefined;
      const answer = await host.asker.rpc('/eth', 'eth_sendRawTransactionSync', [signed]);
      const next = await nextNonce(host, hexOf(owner));
      if (answer?.startsWith('200 ') !== true || next !== nonce + 1 || /"transactionHash":/.test(answer))
        return undefined;
      return `nonce ${nonce} of ${owner} is in a block, and its receipt is ${answer}`;
    },
  },
  {
    name: 'replacement that is refused',
    onlyManual: true,
    use: async (host) => {
      if (host.world.shape.isFork) return undefined;
      const owner = host.people.address(host.world.choices.below(6));
      const nonce = await nextNonce(host, hexOf(owner));
      const first = await ethereumTransfer(host, owner, { nonce, to: PAYEE });
      if (first === undefined || (await nextNonce(host, hexOf(owner))) !== nonce + 1) return undefined;
      const done = resultOf(await asked(host, 'tron_failNextBroadcast', { code: 'SERVER_BUSY', count: 1 }));
      const second = await ethereumTransfer(host, owner, { nonce, to: PAYEE, gasPrice: 900n });
      const next = await nextNonce(host, hexOf(owner));
      if (done === undefined || second !== undefined || Number.isNaN(next) || next > nonce) return undefined;
      return `${first} of ${owner} is gone: its replacement was refused, and the next nonce is ${next}`;
    },
  },
  {
    name: 'replacement that is too cheap',
    onlyManual: true,
    use: async (host) => {
      const { shape, choices } = host.world;
      if (shape.isFork) return undefined;
      const owner = host.people.address(choices.below(6));
      const nonce = await nextNonce(host, hexOf(owner));
      const first = await ethereumTransfer(host, owner, { nonce, to: PAYEE, gasPrice: 10_000n });
      if (first === undefined || (await nextNonce(host, hexOf(owner))) !== nonce + 1) return undefined;
      // A tenth more is enough.
      const gasPrice = choices.of([9_000n, 10_000n, 10_999n]);
      const to = host.people.address(choices.below(6));
      if (to === owner) return undefined;
      const second = await ethereumTransfer(host, owner, { nonce, to, gasPrice });
      return second && `${first} of ${owner} with a price of 10000 was replaced by ${second} with ${gasPrice}`;
    },
  },
];
