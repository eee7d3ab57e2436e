/** `/sunup/fork`: what is the network's, and what is the fork's own. */

import { expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.js';
import { clientOf } from '../browser/dashboard-chains.js';

const ask = async (devnet: Devnet, query = ''): Promise<unknown> => (await devnet.fetch(`/sunup/fork${query}`)).json();

it('a chain that is no fork has no network', async () => {
  await using devnet = await createDevnet();
  expect(await ask(devnet)).toEqual({});
  expect(await ask(devnet, `?address=${devnet.accounts[0]!.address}`)).toEqual({});
});

it('accounts, contracts and parameters are of the network, changed, or of the fork, also after a revert', async () => {
  await using network = await createDevnet({ mining: 'instant', predeploy: ['usdt'] });
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  await using fork = await createDevnet({ mining: 'instant', fork: network.http.url, mnemonic });
  const theirs = network.accounts[1]!.address;
  const token = network.predeployed[0]!.address;
  const origin = async (address: string) => {
    const { account, contract } = (await ask(fork, `?address=${address}`)) as Record<string, unknown>;
    return [account, contract];
  };
  const { block } = (await ask(fork)) as { readonly block: number };
  expect(await ask(fork)).toMatchObject({ network: new URL(network.http.url).host, block, parameters: [] });
  expect(await origin(theirs)).toEqual(['network', undefined]);
  expect(await origin(token)).toEqual(['network', 'network']);
  expect(await origin(fork.accounts[0]!.address)).toEqual(['fork', undefined]);
  expect(await origin('TLBaRhANQoJFTqre9Nf1mjuwNWjCJeYqUL')).toEqual([undefined, undefined]);

  const snapshot = await fork.snapshot();
  const { address, builder, send } = clientOf(fork, 0);
  await send(builder.sendTrx(theirs, 5, address));
  await fork.setChainParameters({ getEnergyFee: 99 });
  expect(await origin(theirs)).toEqual(['changed', undefined]);
  expect(await ask(fork)).toMatchObject({ parameters: [{ key: 'getEnergyFee', network: 100, fork: 99 }] });
  await fork.revert(snapshot);
  expect(await origin(theirs)).toEqual(['network', undefined]);
  expect(await ask(fork)).toMatchObject({ parameters: [] });
  expect(await ask(fork, '?address=nobody')).toEqual({
    Error: 'address: expected an address (T…, 41… or 0x…), got nobody',
  });
});
