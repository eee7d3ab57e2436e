/**
 * Reading a contract: latency and throughput of `triggerconstantcontract` and of `eth_call`, each call about another
 * holder. References: the stock `@ethereumjs/evm` with the same contract in one process, without any wire, and anvil
 * where it is installed, and a bare fastify that reads the same requests: what one thread of Node can answer at most.
 */

import { createEVM } from '@ethereumjs/evm';
import { createAccount, createAddressFromString } from '@ethereumjs/util';
import { hexToBytes } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { deployOnAnvil, startAnvil } from './anvil.js';
import { type Bench, medianMilliseconds } from './bench.js';
import { type Load, runLoadElsewhere } from './load.js';
import { plainServer } from './plain-server.js';
import { latencyAndThroughput } from './queries.js';
import { startCommand } from './sunup-command.js';
import { balanceOfData, tokenInitCode } from './token.js';
import { deployToken } from './token-transfers.js';

const CALLS = 15_000;
const CALLER = '41b84c3a91e5e6a57a1e3b3a3c4cbd1b9ea5e5f0aa';
const holders = Array.from(
  { length: CALLS },
  (_, i) => `41${(0x5000000 + i).toString(16).padStart(40, '0')}` as Address,
);

export const bench: Bench = {
  about: 'triggerconstantcontract and eth_call: latency and throughput, against anvil and @ethereumjs/evm',

  async *measure(progress) {
    progress('@ethereumjs/evm');
    const inProcess = await ethereumjsMicroseconds();
    const command = await startCommand(['--manual']);
    const token = await deployToken(command);
    const anvil = await startAnvil();
    const peer = anvil && {
      port: anvil.port,
      path: '/',
      bodies: ethCalls(await deployOnAnvil(anvil, tokenInitCode())),
    };
    if (anvil === undefined) progress('anvil is not installed: not measured');
    const plain = await plainServer();

    const trigger: Omit<Load, 'connections'> = {
      port: command.port,
      path: '/wallet/triggerconstantcontract',
      bodies: holders.map((holder) =>
        JSON.stringify({
          owner_address: CALLER,
          contract_address: token,
          function_selector: 'balanceOf(address)',
          parameter: balanceOfData(holder).slice(8),
        }),
      ),
    };
    const call: Omit<Load, 'connections'> = {
      port: command.port,
      path: '/jsonrpc',
      bodies: ethCalls(`0x${token.slice(2)}`),
    };
    for (const connections of [1, 8]) {
      for (const [what, load] of [
        ['triggerconstantcontract', trigger],
        ['eth_call', call],
      ] as const) {
        progress(`${what}, ${connections} connections`);
        const reference = peer ?? load;
        for await (const figure of latencyAndThroughput(
          what,
          { ...load, connections },
          { ...reference, connections },
          'anvil eth_call',
        )) {
          yield {
            ...figure,
            reference: anvil === undefined ? undefined : figure.reference,
            aim:
              figure.unit === '/s' && what === 'eth_call' && anvil !== undefined
                ? { of: 'ratio', atLeast: 1 }
                : undefined,
          };
        }
      }
      progress(`bare fastify, ${connections} connections`);
      const bare = { ...call, port: plain.port, connections };
      await runLoadElsewhere({ ...bare, bodies: bare.bodies.slice(0, 5_000) });
      const { requests, seconds } = await runLoadElsewhere(bare);
      yield {
        name: `eth_call to a bare fastify, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
        value: requests / seconds,
        unit: '/s',
      };
    }
    plain.process.kill();
    yield {
      name: 'the call in @ethereumjs/evm, in process',
      value: inProcess,
      unit: 'µs',
    };
    anvil?.stop();
    await command.stop();
  },
};

function ethCalls(to: string): string[] {
  return holders.map((holder, id) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: [{ to, data: `0x${balanceOfData(holder)}` }, 'latest'],
    }),
  );
}

async function ethereumjsMicroseconds(): Promise<number> {
  const evm = await createEVM();
  const caller = createAddressFromString(`0x${CALLER.slice(2)}`);
  await evm.stateManager.putAccount(caller, createAccount({ balance: 1n }));
  const gasLimit = 10_000_000n;
  const { createdAddress } = await evm.runCall({ caller, data: hexToBytes(tokenInitCode()), gasLimit });
  if (createdAddress === undefined) throw new Error('not deployed');
  const calls = holders.slice(0, 2_000).map((holder) => hexToBytes(balanceOfData(holder)));
  const time = await medianMilliseconds(5, async () => {
    for (const data of calls) await evm.runCall({ caller, to: createdAddress, data, gasLimit, isStatic: true });
  });
  return (1000 * time) / calls.length;
}
