/**
 * TRC-20 transfers a second through the ledger: whole blocks from check to receipt, signatures recovered before, nothing
 * written to a store. The reference is the machine alone with the same contract and the same calls in the same process.
 *
 *     npx tsx test/bench/ledger-transfers.ts [rounds]
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { produceBlock } from '../../src/ledger/apply-block.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { addressFromPrivateKey, deployedContractAddress } from '../../src/protocol/address.js';
import { refBlockBytesOf, refBlockHashOf } from '../../src/protocol/block.js';
import { packAny } from '../../src/protocol/contract-types.js';
import { keccak256 } from '../../src/protocol/hashes.js';
import {
  CreateSmartContract,
  SmartContract,
  TriggerSmartContract,
} from '../../src/protocol/messages/smart-contract.js';
import {
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
} from '../../src/protocol/messages/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';
import { EpochLedger } from '../unit/ledger/epoch-ledger.js';
import { transferRates } from './tvm-transfers.js';

const TOKEN = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../fixtures/contracts/Token.json', import.meta.url)), 'utf8'),
) as { readonly bytecode: string };

const BLOCKS = 12;
const PER_BLOCK = 1_000;
const KEYS: readonly Hex[] = Array.from({ length: 50 }, (_, i) => keccak256(Buffer.from(`bench key ${i}`)));
const OWNERS = KEYS.map(addressFromPrivateKey);
const GENESIS_MS = 1_735_689_600_000n;
const BLOCK_MS = 3_000n;

const word = (digits: string): string => digits.padStart(64, '0');

function signed(ledger: Ledger, key: Hex, type: number, parameter: ReturnType<typeof packAny>, nonce: number) {
  const raw = Transaction_raw.create({
    ref_block_bytes: refBlockBytesOf(ledger.headId),
    ref_block_hash: refBlockHashOf(ledger.headId),
    expiration: GENESIS_MS + 3_600_000n,
    timestamp: GENESIS_MS + BigInt(nonce),
    fee_limit: 1_000_000_000n,
    contract: [Transaction_Contract.create({ type, parameter })],
  });
  const unsigned = SignedTransaction.fromRaw(raw);
  return unsigned.withSignatures([sign(unsigned.txId, key)]);
}

/** The chain is the same in every round, and so are the transactions on it: signed once. */
interface Scenario {
  readonly deployment: SignedTransaction;
  readonly seeds: readonly SignedTransaction[];
  readonly blocks: readonly (readonly SignedTransaction[])[];
}

const newChain = () => new EpochLedger({ accounts: OWNERS, genesisTimestampMs: GENESIS_MS });

function scenario(): Scenario {
  const { ledger } = newChain();
  const [deployerKey, deployer] = [KEYS[0] as Hex, OWNERS[0] as Address];
  const deployment = signed(
    ledger,
    deployerKey,
    Transaction_Contract_ContractType.CreateSmartContract,
    packAny(
      CreateSmartContract,
      CreateSmartContract.create({
        owner_address: deployer,
        new_contract: SmartContract.create({
          origin_address: deployer,
          bytecode: TOKEN.bytecode + word('ffffffffffffffff'),
          name: 'Token',
          consume_user_resource_percent: 100n,
          origin_energy_limit: 1_000_000n,
        }),
      }),
    ),
    0,
  );
  const contract = deployedContractAddress(deployment.txId, deployer);
  const transfer = (from: number, to: number, amount: bigint, nonce: number) =>
    signed(
      ledger,
      KEYS[from] as Hex,
      Transaction_Contract_ContractType.TriggerSmartContract,
      packAny(
        TriggerSmartContract,
        TriggerSmartContract.create({
          owner_address: OWNERS[from] as Address,
          contract_address: contract,
          data: `a9059cbb${word((OWNERS[to] as Address).slice(2))}${word(amount.toString(16))}`,
        }),
      ),
      nonce,
    );
  const seeds = OWNERS.slice(1).map((_, i) => transfer(0, i + 1, 1_000_000_000n, 1 + i));
  const transfers = Array.from({ length: BLOCKS * PER_BLOCK }, (_, i) =>
    transfer(i % OWNERS.length, (i * 7 + 1) % OWNERS.length, 1n, 1_000 + i),
  );
  const blocks = Array.from({ length: BLOCKS }, (_, i) => transfers.slice(i * PER_BLOCK, (i + 1) * PER_BLOCK));
  return { deployment, seeds, blocks };
}

function block({ ledger }: EpochLedger, transactions: readonly SignedTransaction[], expected: number): void {
  const made = produceBlock(
    ledger,
    {
      timestampMs: ledger.headTimeMs + BLOCK_MS,
      producer: ledger.state.tables.witnesses.entries()[0]?.[0] as Address,
      sign: () => '00'.repeat(65),
    },
    transactions,
  );
  ledger.state.journal.seal();
  const kept = made.transactions.filter(({ contractRet }) => contractRet === 1).length;
  if (kept !== expected) throw new Error(`${kept} of ${expected} succeeded: ${made.dropped[0]?.reason}`);
}

/** Transfers a second, the best of `rounds` after one to warm up, in which all signatures are recovered. */
export function ledgerTransferRate(rounds = 4): number {
  const { deployment, seeds, blocks } = scenario();
  let best = 0;
  for (let round = 0; round <= rounds; round++) {
    const chain = newChain();
    block(chain, [deployment], 1);
    block(chain, seeds, seeds.length);
    const start = performance.now();
    for (const transactions of blocks) block(chain, transactions, PER_BLOCK);
    if (round > 0) best = Math.max(best, (1000 * BLOCKS * PER_BLOCK) / (performance.now() - start));
  }
  return Math.round(best);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ledger = ledgerTransferRate(Number(process.argv[2] ?? 4));
  const { sunup: machine } = await transferRates(2);
  console.log(`ledger   ${ledger} transfers/s`);
  console.log(`machine  ${machine} transfers/s`);
  console.log(`ratio    ${(ledger / machine).toFixed(2)}`);
}
