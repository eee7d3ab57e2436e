/** `/sunup/storage`: variables of real contracts, by the layouts that solc writes, from the files of each tool. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import solc from 'solc';
import { TronWeb } from 'tronweb';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDevnet, type DeployedContract, type Devnet } from '../../src/index.js';

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
type Price is uint128;
contract Base { address owner = msg.sender; bool paused = true; }
interface Other {}
contract Shelf is Base {
  enum Kind { None, Small, Large }
  struct Inner { int8 a; uint16 b; }
  struct Entry { address who; uint64 amount; string note; uint8[3] marks; Inner inner; }
  uint256 total = 2**255 + 7;
  Kind kind = Kind.Large;
  int16 low = -300;
  bytes4 selector = 0xa9059cbb;
  string short = "1234567890123456789012345678901";
  string brief = unicode"Grüße";
  string long = "The text of a string of more than thirty-one bytes is in slots of its own, from a hash on.";
  bytes blob = hex"00ff10";
  bytes notText = hex"c0";
  Price price = Price.wrap(12);
  Other other = Other(address(0x1234));
  uint8[40] small;
  uint24[] packed;
  uint256[] empty;
  Entry[] entries;
  Entry one;
  bytes32[2][] nested;
  mapping(address => uint256) balances;
  mapping(address => mapping(uint256 => Entry)) deep;
  mapping(string => bool) byName;
  mapping(bytes4 => int32) byBytes;
  mapping(int32 => uint256[]) lists;
  mapping(bool => Kind) byFlag;
  constructor(address who) {
    small[0] = 1; small[31] = 31; small[32] = 32; small[39] = 39;
    for (uint24 i; i < 130; i++) packed.push(i * 100);
    entries.push(); entries.push(Entry(who, 5, "second", [1, 2, 3], Inner(-1, 9)));
    one = Entry(who, 2**63, "", [0, 0, 7], Inner(-128, 65535));
    nested.push([bytes32(uint256(1)), bytes32(uint256(2))]);
    balances[who] = 42;
    deep[who][7] = Entry(address(1), 1, "in a mapping", [9, 0, 0], Inner(0, 0));
    byName["a.b[c]"] = true;
    byBytes[0xa9059cbb] = -5;
    lists[-3].push(11); lists[-3].push(12);
    byFlag[true] = Kind.Small;
  }
}
contract Store { uint256 number; address admin; }
contract Proxy {
  constructor(address implementation) {
    assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) sstore(0, 77) }
  }
}`;

interface Contract {
  readonly abi: DeployedContract['abi'];
  readonly evm: { readonly bytecode: { readonly object: string }; readonly deployedBytecode: object };
  readonly storageLayout: object;
}
type Output = { readonly contracts: { readonly 'Shelf.sol': Readonly<Record<string, Contract>> } };

let output: Output;
beforeAll(() => {
  const input = {
    language: 'Solidity',
    sources: { 'Shelf.sol': { content: SOURCE } },
    settings: {
      evmVersion: 'london',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'storageLayout'] } },
    },
  };
  output = JSON.parse(solc.compile(JSON.stringify(input)));
});

const contractOf = (name: string): Contract => output.contracts['Shelf.sol'][name]!;

/** What each tool leaves in its folder, by file. */
const TOOLS: Readonly<Record<string, () => Readonly<Record<string, object>>>> = {
  "solc's standard output": () => ({ 'output.json': output }),
  'one contract of it': () => ({ 'Shelf.json': contractOf('Shelf') }),
  Foundry: () => {
    const { abi, storageLayout, evm } = contractOf('Shelf');
    return { 'out/Shelf.sol/Shelf.json': { abi, ...evm, storageLayout } };
  },
  // Its artifacts have no layout: only the build info has one.
  Hardhat: () => {
    const { abi, evm } = contractOf('Shelf');
    const { object } = evm.deployedBytecode as { readonly object: string };
    return {
      'contracts/Shelf.sol/Shelf.json': {
        ...{ contractName: 'Shelf', sourceName: 'Shelf.sol', abi },
        ...{ bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${object}` },
      },
      'build-info/one.json': { id: 'one', output },
    };
  },
};

async function open(files: Readonly<Record<string, object>>): Promise<Devnet> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  }
  const devnet = await createDevnet({ mining: 'instant', artifacts: [folder] });
  onTestFinished(() => devnet.close());
  return devnet;
}

function deploy(devnet: Devnet, name: string, args: readonly unknown[] = []) {
  const { abi, evm } = contractOf(name);
  return devnet.deploy({ contractName: name, abi, bytecode: evm.bytecode.object }, { args: args as never });
}

interface Stored {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: string;
  readonly kind: string;
  readonly slot: string;
  readonly offset: number;
  readonly value?: string;
  readonly length?: number;
  readonly keyType?: string;
  readonly members?: readonly Stored[];
}

interface Answer {
  readonly layout: string;
  readonly layoutOf?: string;
  readonly variables: readonly Stored[];
  readonly found: Stored;
  readonly Error?: string;
}

async function ask(devnet: Devnet, contract: string, query: object = {}) {
  const body = JSON.stringify({ contract, ...query });
  const answer = await devnet.fetch('/sunup/storage', { method: 'POST', body });
  return { status: answer.status, json: (await answer.json()) as Answer };
}

const addressOf = (end: string) => TronWeb.address.fromHex(`41${end.padStart(40, '0')}`);
const valuesOf = ({ members = [] }: Stored) => Object.fromEntries(members.map(({ name, value }) => [name, value]));

describe('a contract with variables of every kind', () => {
  const shelf = async () => {
    const devnet = await open({ 'output.json': output });
    const who = devnet.accounts[1]!.address;
    const { address } = await deploy(devnet, 'Shelf', [who]);
    const at = async (steps: readonly string[], query: object = {}) =>
      (await ask(devnet, address, { path: steps, ...query })).json.found;
    const refusal = async (steps: readonly unknown[]) => (await ask(devnet, address, { path: steps })).json.Error;
    return { devnet, who, address, at, refusal };
  };

  it('has their values, also of those that share a slot', async () => {
    const { devnet, address, who } = await shelf();
    const { variables, layout } = (await ask(devnet, address)).json;
    expect(layout).toBe('Shelf');
    const named = (name: string) => variables.find((variable) => variable.name === name)!;
    expect(named('owner')).toEqual({
      ...{ name: 'owner', path: ['owner'], type: 'address', kind: 'value' },
      ...{ slot: '0x0', offset: 0, bytes: 20, value: devnet.accounts[0]!.address },
    });
    expect(named('paused')).toMatchObject({ slot: '0x0', offset: 20, value: 'true' });
    expect(named('total').value).toBe(String(2n ** 255n + 7n));
    expect(named('kind')).toMatchObject({ type: 'enum Shelf.Kind', value: '2' });
    expect(named('low').value).toBe('-300');
    expect(named('selector').value).toBe('0xa9059cbb');
    expect(named('short')).toMatchObject({ value: '1234567890123456789012345678901', length: 31 });
    expect(named('brief')).toMatchObject({ value: 'Grüße', length: 7 });
    expect(named('long').value).toMatch(/^The text of a string.*hash on\.$/);
    expect(named('blob')).toMatchObject({ kind: 'bytes', value: '0x00ff10' });
    expect(named('price').value).toBe(`0x${'0c'.padStart(32, '0')}`);
    expect(named('other')).toMatchObject({ type: 'contract Other', value: addressOf('1234') });
    expect(named('packed')).toMatchObject({ kind: 'array', length: 130 });
    expect(named('packed').members).toBeUndefined();
    expect(named('balances')).toMatchObject({ kind: 'mapping', keyType: 'address' });
    expect(valuesOf(named('one'))).toMatchObject({ who, amount: String(2n ** 63n), note: '' });
  });

  it('has elements of arrays by page', async () => {
    const { at } = await shelf();
    const small = await at(['small'], { offset: 30 });
    expect(small.length).toBe(40);
    expect(small.members!.map(({ value }) => value)).toEqual(['0', '31', '32', ...Array(6).fill('0'), '39']);
    expect(small.members![2]).toMatchObject({ name: '32', path: ['small', '32'], offset: 0 });
    const packed = await at(['packed'], { offset: 100, limit: 3 });
    expect(packed.members!.map(({ value }) => value)).toEqual(['10000', '10100', '10200']);
    expect((await at(['packed', '129'])).value).toBe('12900');
    expect((await at(['nested', '0', '1'])).value).toBe(`0x${'2'.padStart(64, '0')}`);
    expect(await at(['empty'])).toMatchObject({ length: 0, members: [] });
  });

  it('has structs, and entries of mappings by key', async () => {
    const { at, who } = await shelf();
    expect(valuesOf(await at(['entries', '1']))).toMatchObject({ who, amount: '5', note: 'second' });
    expect((await at(['entries', '1', 'marks'])).members!.map(({ value }) => value)).toEqual(['1', '2', '3']);
    expect(valuesOf(await at(['entries', '1', 'inner']))).toEqual({ a: '-1', b: '9' });
    const { members } = await at(['entries']);
    expect(members!.map(valuesOf)[1]).toMatchObject({ note: 'second' });
    expect((await at(['balances', who])).value).toBe('42');
    expect(valuesOf(await at(['deep', who, '7']))).toMatchObject({ note: 'in a mapping' });
    expect((await at(['deep', who, '0x7', 'amount'])).value).toBe('1');
    expect((await at(['byName', 'a.b[c]'])).value).toBe('true');
    expect((await at(['byName', ' a.b[c]'])).value).toBe('false');
    expect((await at(['byBytes', '0xa9059cbb'])).value).toBe('-5');
    expect((await at(['lists', '-3'])).members!.map(({ value }) => value)).toEqual(['11', '12']);
    expect((await at(['byFlag', 'true'])).value).toBe('1');
    expect((await at(['balances', '0x0000000000000000000000000000000000000001'])).value).toBe('0');
  });

  it('says why a path leads nowhere', async () => {
    const { refusal } = await shelf();
    expect(await refusal(['nothing'])).toBe('path: Shelf has no variable nothing');
    expect(await refusal(['one', 'what'])).toBe('path: one has no member what');
    expect(await refusal(['entries', '2'])).toBe('path: entries has 2 elements, and no element 2');
    expect(await refusal(['total', '1'])).toBe('path: total is of type uint256 and has nothing inside');
    expect(await refusal(['balances', 'Bob'])).toBe(
      'path: the key is of type address: expected an address (T…, 41… or 0x…), got Bob',
    );
    expect(await refusal(['lists', '3000000000'])).toBe(
      'path: the key is of type int32: expected a number of this type, got 3000000000',
    );
    expect(await refusal([1])).toBe('path: expected a list of names, indexes and keys (["balances","T…"]), got [1]');
  });
});

describe.each(Object.keys(TOOLS))('the files of %s', (tool) => {
  it('have the layout', async () => {
    const devnet = await open(TOOLS[tool]!());
    const { address } = await deploy(devnet, 'Shelf', [devnet.accounts[1]!.address]);
    expect((await ask(devnet, address, { path: ['low'] })).json.found.value).toBe('-300');
  });
});

it('a proxy of EIP-1967 has the variables of its implementation', async () => {
  const devnet = await open({ 'output.json': output });
  const store = await deploy(devnet, 'Store');
  const proxy = await deploy(devnet, 'Proxy', [store.address]);
  const { json } = await ask(devnet, proxy.address);
  expect(json).toMatchObject({ layout: 'Store', layoutOf: store.address });
  expect(json.variables).toMatchObject([
    { name: 'number', value: '77' },
    { name: 'admin', value: addressOf('') },
  ]);
  const own = await ask(devnet, proxy.address, { layoutOf: proxy.address });
  expect(own.json).toMatchObject({ layout: 'Proxy', variables: [] });
});

it('without a layout, the answer says how to get one', async () => {
  const devnet = await open({});
  const { address } = await deploy(devnet, 'Store');
  expect(await ask(devnet, address)).toEqual({
    status: 200,
    json: {
      contract: address,
      missing: `no artifact has the storage layout of ${address}: compile its source with the output storageLayout, and start the node with --artifacts and the folder of the artifacts`,
    },
  });
  const account = devnet.accounts[0]!.address;
  expect(await ask(devnet, account)).toMatchObject({
    status: 404,
    json: { Error: `there is no contract with code at ${account}` },
  });
});

it('a layout that a compiler writes while the node runs is found', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const devnet = await createDevnet({ mining: 'instant', artifacts: [folder] });
  onTestFinished(() => devnet.close());
  const { address } = await deploy(devnet, 'Store');
  expect((await ask(devnet, address)).json.variables).toBeUndefined();
  writeFileSync(path.join(folder, 'output.json'), JSON.stringify(output));
  expect((await ask(devnet, address)).json.variables).toHaveLength(2);
});
