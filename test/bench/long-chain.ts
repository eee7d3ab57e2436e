/**
 * A long chain in a directory, for `ten-million`: an account pays transfers to new accounts, and calls that write logs.
 * The transactions take the way of broadcasts: signers recovered by threads, pool, block, batch. The command opens the
 * same directory with `CHAIN_FLAGS`.
 */

import { type ChainFolder, chainFolderAt } from '../../src/devnet/database/chain-folder.js';
import { closeStored } from '../../src/devnet/database/closed-mark.js';
import { devnetGenesis } from '../../src/devnet/genesis/genesis.js';
import { openNode } from '../../src/devnet/running/open-node.js';
import type { Node } from '../../src/node/node.js';
import { type DevAccount, devAccounts } from '../../src/options/dev-accounts.js';
import { settingsForLibrary } from '../../src/options/settings.js';
import type { Address } from '../../src/primitives/ids.js';
import { deployedContractAddress } from '../../src/protocol/address.js';
import { CreateSmartContract, SmartContract } from '../../src/protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { SignerThreads } from '../../src/signers/threads.js';
import { numberKey } from '../../src/state/tables.js';
import { headOf } from './bench-chain.js';
import { compiledContract } from './contract-source.js';
import { signedBlocks } from './long-chain-signer.js';
import { signed } from './signed-transactions.js';
import { ownMegabytes } from './sunup-command.js';

/** More than ten million new accounts cost. */
const BALANCE_TRX = 1_000_000_000;
export const CHAIN_FLAGS = ['--manual', '--accounts', '1', '--balance', String(BALANCE_TRX)] as const;
/** A new chain begins with two blocks. */
export const DEPLOYMENT_BLOCK = 3;
const DEPLOYMENT_FEE_LIMIT_SUN = 1_000_000_000n;

export interface Growth {
  /** Blocks that were added. */
  readonly blocks: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Memory of the process at its end, without mapped files, and of its JavaScript heap. */
  readonly ownMegabytes: number;
  readonly heapMegabytes: number;
}

/**
 * Adds blocks until the chain has `blocks` of this kind; a chain that was interrupted goes on where it is. Measured
 * without opening and closing.
 */
export async function growChain(
  directory: string,
  blocks: number,
  progress: (blocks: number) => void,
): Promise<Growth> {
  const threads = new SignerThreads();
  const folder = chainFolderAt(directory);
  const { node, account } = await openChain(folder, threads);
  const contract = logContract(node, account);
  const from = node.chain.headNumber - DEPLOYMENT_BLOCK;
  const wanted = { privateKey: account.privateKey, reference: headOf(node), contract, from, blocks: blocks - from };
  const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()];
  let made = from;
  for await (const transactions of signedBlocks(wanted)) {
    await addBlock(
      node,
      threads,
      transactions.map((bytes) => SignedTransaction.decode(bytes)),
    );
    progress(++made);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(usedBefore);
  const grownTo = ownMegabytes(process.pid);
  const { heapUsed } = process.memoryUsage();
  await closeStored(node, folder);
  await threads.close();
  return {
    blocks: blocks - from,
    seconds,
    processorSeconds: (user + system) / 1e6,
    ownMegabytes: grownTo,
    heapMegabytes: heapUsed / 1e6,
  };
}

async function addBlock(node: Node, threads: SignerThreads, transactions: readonly SignedTransaction[]): Promise<void> {
  const asked = transactions.map(({ txId: digest, signatures }) => threads.ahead({ digest, signatures }));
  await Promise.all(asked.map((recovered) => recovered?.()));
  for (const transaction of transactions) node.broadcast(transaction);
  node.mine(1);
  const { transactionIds } = node.chain.ledger.state.tables.blocks.get(numberKey(node.chain.headNumber))!;
  if (transactionIds.length !== transactions.length)
    throw new Error(`a block has ${transactionIds.length} transactions, not ${transactions.length}`);
  // A running node awaits it before it answers.
  await node.chain.durable();
}

async function openChain(folder: ChainFolder, signers: SignerThreads): Promise<{ node: Node; account: DevAccount }> {
  const settings = settingsForLibrary({
    ...{ db: folder.path, mining: 'manual', clock: 'virtual', accounts: 1, balance: BALANCE_TRX },
  });
  const accounts = await devAccounts(settings);
  const node = await openNode(settings, devnetGenesis(settings, accounts), {
    folder,
    wall: undefined,
    observer: {},
    controls: {},
    signers,
    accounts,
    indexProgress: undefined,
    dump: undefined,
    loadProgress: undefined,
    failed: (failure) => {
      throw failure;
    },
  });
  return { node, account: accounts[0]! };
}

/** The contract that writes logs; deployed in the first block after those that every chain begins with. */
function logContract(node: Node, { privateKey, addressHex: owner_address }: DevAccount): Address {
  if (node.chain.headNumber < DEPLOYMENT_BLOCK) {
    const new_contract = SmartContract.create({
      origin_address: owner_address,
      bytecode: compiledContract('Logs').bytecode,
      name: 'Logs',
      consume_user_resource_percent: 100n,
      origin_energy_limit: 10_000_000n,
    });
    const deployment = CreateSmartContract.create({ owner_address, new_contract });
    const nonce = { reference: headOf(node), nonce: 0 };
    node.broadcast(signed(privateKey, ContractType.CreateSmartContract, deployment, nonce, DEPLOYMENT_FEE_LIMIT_SUN));
    node.mine(1);
  }
  const [deployment] = node.chain.ledger.state.tables.blocks.get(numberKey(DEPLOYMENT_BLOCK))!.transactionIds;
  return deployedContractAddress(deployment!, owner_address);
}
