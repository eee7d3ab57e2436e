import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../../../src/primitives/hex.js';
import { blockHash, decodeBlock } from '../../../src/protocol/block.js';
import type { BlockHeader, BlockHeader_raw } from '../../../src/protocol/generated/tron.js';
import { sign } from '../../../src/protocol/signature.js';
import type { SignedTransaction } from '../../../src/protocol/transaction.js';
import { allAddresses, portrait } from '../../simulation/portrait.js';
import { COIN, SimulatedChain, strangerAddress, witnessKey } from '../../simulation/simulated-chain.js';

interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly SignedTransaction[];
}

/** Two nodes on the same block 2, and what the first has made of three transfers. */
async function twoNodes(): Promise<{ chain: SimulatedChain; block: Block }> {
  const [producer, chain] = [
    await SimulatedChain.open({ witnessVotes: [3, 2, 1] }),
    await SimulatedChain.open({ witnessVotes: [3, 2, 1] }),
  ];
  for (const one of [producer, chain]) {
    one.node.mine(1);
    one.node.mine(1);
  }
  for (let i = 0; i < 3; i++) producer.transfer(i, strangerAddress(i), COIN);
  producer.node.mine(1);
  const { header, transactions } = decodeBlock(hexToBytes(producer.blocks(3)[0]!));
  return { chain, block: { header, transactions } };
}

/** The same block with another header, signed for by witness `signer`. */
function resigned(block: Block, change: Partial<BlockHeader_raw>, signer?: number): Block {
  const raw_data = { ...block.header.raw_data!, ...change };
  const key = signer === undefined ? undefined : witnessKey(signer);
  const witness_signature = key === undefined ? block.header.witness_signature : sign(blockHash(raw_data), key);
  return { ...block, header: { raw_data, witness_signature } };
}

function witnessOf({ header }: Block, chain: SimulatedChain): number {
  return [0, 1, 2].findIndex((i) => chain.witness(i) === header.raw_data!.witness_address);
}

describe('a block from elsewhere', () => {
  it('is taken over whole', async () => {
    const { chain, block } = await twoNodes();
    const applied = chain.node.chain.import(block.header, block.transactions);
    expect(applied.transactions.length).toBe(3);
    expect(chain.node.chain.headId).toBe(applied.id);
    expect(chain.ledger.state.tables.accounts.get(strangerAddress(1))?.balance).toBe(COIN);
    expect(chain.node.chain.strict).toBe(true);
  });

  it.each<[string, (block: Block, chain: SimulatedChain) => Block, RegExp]>([
    ['a number that is not the next', (block) => resigned(block, { number: 4n }), /does not follow head 2/],
    ['another parent', (block) => resigned(block, { parentHash: '00'.repeat(32) }), /does not follow head 2/],
    [
      'a witness whose turn it is not',
      (block, chain) => {
        const other = (witnessOf(block, chain) + 1) % 3;
        return resigned(block, { witness_address: chain.witness(other) }, other);
      },
      /validateWitnessSchedule error/,
    ],
    [
      'a time that is on no slot',
      (block, chain) => resigned(block, { timestamp: block.header.raw_data!.timestamp + 1n }, witnessOf(block, chain)),
      /validateWitnessSchedule error/,
    ],
    [
      'the signature of another key',
      (block, chain) => resigned(block, {}, (witnessOf(block, chain) + 1) % 3),
      /The signature is not validated/,
    ],
    [
      'a root of other transactions',
      (block, chain) => resigned(block, { txTrieRoot: '11'.repeat(32) }, witnessOf(block, chain)),
      /The merkle hash is not validated/,
    ],
    [
      'a transaction less than its root says',
      (block) => ({ ...block, transactions: block.transactions.slice(1) }),
      /The merkle hash is not validated/,
    ],
  ])('with %s leaves everything as it was', async (_, spoil, message) => {
    const { chain, block } = await twoNodes();
    chain.transfer(4, chain.address(5), 1n);
    const people = [...(await allAddresses(chain)), strangerAddress(0), strangerAddress(1)];
    const before = await portrait(chain, people);
    const spoilt = spoil(block, chain);
    expect(() => chain.node.chain.import(spoilt.header, spoilt.transactions)).toThrow(message);
    expect(await portrait(chain, people)).toBe(before);
    // And the true one is still welcome.
    chain.node.chain.import(block.header, block.transactions);
    expect(chain.node.chain.headNumber).toBe(3);
  });

  it('with a transaction that is refused leaves everything as it was', async () => {
    const { chain, block } = await twoNodes();
    // It has been in a block of ours already.
    chain.node.broadcast(block.transactions[2]!);
    chain.node.mine(1);
    const people = await allAddresses(chain);
    const before = await portrait(chain, people);
    // Three slots on it is the same witness's turn.
    const forged = resigned(
      block,
      {
        number: 4n,
        parentHash: chain.node.chain.headId,
        timestamp: chain.node.chain.headTimeMs + 9_000n,
      },
      witnessOf(block, chain),
    );
    expect(() => chain.node.chain.import(forged.header, block.transactions)).toThrow('dup trans');
    expect(await portrait(chain, people)).toBe(before);
  });
});

describe('a genesis between two slots', () => {
  it('makes a chain that is not strict, and that others of its kind take over', async () => {
    const options = { genesisTimestampMs: 1_735_689_600_500 };
    const [producer, other] = [await SimulatedChain.open(options), await SimulatedChain.open(options)];
    producer.node.mine(1);
    producer.node.mine(1);
    for (const bytes of producer.blocks(1)) {
      const { header, transactions } = decodeBlock(hexToBytes(bytes));
      other.node.chain.import(header, transactions);
    }
    expect(other.blocks()).toEqual(producer.blocks());
    expect([producer.node.chain.strict, other.node.chain.strict]).toEqual([false, false]);
  });
});
