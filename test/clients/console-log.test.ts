/** `console.log` of a contract: in the node's events, and in the format that TronBox reads. */

import solc from 'solc';
import { TronWeb } from 'tronweb';
import { expect, test } from 'vitest';
import { createDevnet } from '../../src/index.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Talker {
  uint256 public count;
  function say(string memory text, uint256 value) internal view {
    (bool ok, ) = address(0x000000000000000000636F6e736F6c652e6c6f67)
      .staticcall(abi.encodeWithSignature("log(string,uint256)", text, value));
    ok;
  }
  function greet(uint256 value) external { count = value; say("hello", value); }
  function peek(uint256 value) external view returns (uint256) { say("peek", value); return count; }
}`;

interface Compiled {
  readonly abi: readonly object[];
  readonly evm: { readonly bytecode: { readonly object: string } };
}

function compile(source: string, name: string): Compiled {
  const input = {
    language: 'Solidity',
    sources: { 'c.sol': { content: source } },
    settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } }, evmVersion: 'shanghai' },
  };
  return JSON.parse(solc.compile(JSON.stringify(input))).contracts['c.sol'][name] as Compiled;
}

const CONSOLE = '41000000000000000000636f6e736f6c652e6c6f67';

test('is printed by the node, and included in the answers', async () => {
  await using devnet = await createDevnet();
  const blocks: string[] = [];
  const called: string[] = [];
  devnet.on('block', ({ transactions }) => blocks.push(...transactions.flatMap(({ consoleLines }) => consoleLines)));
  devnet.on('console', (lines) => called.push(...lines));
  const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0]?.privateKey ?? '' });
  const { abi, evm } = compile(SOURCE, 'Talker');
  const contract = await tronWeb
    .contract()
    .new({ abi, bytecode: evm.bytecode.object, feeLimit: 1_000_000_000 } as never);
  const address = contract.address as string;

  const built = await tronWeb.transactionBuilder.triggerSmartContract(
    address,
    'greet(uint256)',
    { feeLimit: 1_000_000_000 },
    [{ type: 'uint256', value: 7 }],
  );
  const signed = await tronWeb.trx.sign(built.transaction);
  const answer = await tronWeb.fullNode.request<Record<string, unknown>>('wallet/broadcasttransaction', signed, 'post');
  expect(answer).toMatchObject({ result: true, internal_transactions: [{ transferTo_address: CONSOLE }] });

  const call = await tronWeb.transactionBuilder.triggerConstantContract(address, 'peek(uint256)', {}, [
    { type: 'uint256', value: 9 },
  ]);
  expect(BigInt(`0x${call.constant_result?.[0]}`)).toBe(7n);
  expect(JSON.stringify(call)).toContain(`"transferTo_address":"${CONSOLE}"`);
  expect(JSON.stringify(call)).toContain('"data":"b60e72cc');
  expect(called).toEqual(['peek 9']);
  await devnet.mine(1);
  expect(blocks).toEqual(['hello 7']);
});
