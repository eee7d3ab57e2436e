/**
 * A transaction of a fork's network, from the block and the receipt that the fork passes on. Names, ABIs and prices are
 * rows of the fork: those of the forked block, unless the fork changed them.
 */

import { functionOf } from '../../abi/items.js';
import { proposalById } from '../../ledger/governance/proposals.js';
import type { Ledger } from '../../ledger/ledger.js';
import { namesOn } from '../../ledger/smart-contracts/names.js';
import { slotValue } from '../../ledger/smart-contracts/storage-slots.js';
import type { Chain } from '../../node/chain/chain.js';
import { chainParameters } from '../../parameters/definitions.js';
import { PRICE_HISTORIES } from '../../parameters/effects.js';
import { bytesToHex } from '../../primitives/hex.js';
import type { Address, TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import {
  Transaction_Contract_ContractType as ContractType,
  type Proposal,
  TransactionInfo,
} from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { RecordedExplanation } from '../model/recorded-explanation.js';
import { explainReceipt, type RecordedContracts } from './explain-receipt.js';
import { ParameterHistory } from './parameter-history.js';
import { minimalProxyTarget, proxySlots, storedProxyTarget } from './proxies.js';

/**
 * @returns undefined if it is no transaction of the network
 * @throws MissingRow
 */
export async function explainEarlier(
  { ledger, networkBlocks }: Pick<Chain, 'ledger' | 'networkBlocks'>,
  txid: TxId,
): Promise<RecordedExplanation | undefined> {
  const stored = networkBlocks?.transaction(txid);
  // Transactions of the genesis block have no receipt.
  if (networkBlocks === undefined || stored === undefined || stored.info.length === 0) return undefined;
  const { blockNumber: number, index } = stored;
  const block = networkBlocks.block(number);
  const parent = networkBlocks.block(Math.max(0, number - 1));
  if (block === undefined || parent === undefined) throw new Error(`block ${number} of the network is missing`);
  const transaction = SignedTransaction.decode(stored.transaction);
  return explainReceipt({
    transaction,
    info: TransactionInfo.decode(stored.info),
    block: {
      number,
      index,
      transactions: block.transactions.length,
      timestampMs: Number(block.header.raw_data?.timestamp ?? 0n),
    },
    parameters: historyOf(ledger).inBlockAfter(parent.header.raw_data?.timestamp ?? 0n),
    contracts: contractsOf(ledger, transaction),
  });
}

function historyOf(ledger: Ledger): ParameterHistory {
  const { release } = ledger.config;
  const now = chainParameters((property) => ledger.long(property), release);
  return new ParameterHistory({
    now: new Map(now.map(({ key, value }) => [key, value])),
    priceHistories: new Map([...PRICE_HISTORIES.values()].map((name) => [name, ledger.text(name)])),
    proposals: proposalsOf(ledger),
  });
}

function proposalsOf(ledger: Ledger): readonly Proposal[] {
  const proposals: Proposal[] = [];
  for (let id = ledger.long('LATEST_PROPOSAL_NUM'); id > 0n; id--) {
    const proposal = proposalById(ledger, id);
    if (proposal !== undefined) proposals.push(proposal);
  }
  return proposals;
}

function contractsOf(ledger: Ledger, transaction: SignedTransaction): RecordedContracts {
  const names = namesOn(ledger);
  const call =
    transaction.contractType === ContractType.TriggerSmartContract
      ? (transaction.contract as unknown as TriggerSmartContract)
      : undefined;
  const target = call && targetOf(ledger, names.abiOf(call.contract_address as Address), call);
  const implementationOf = (address: Address) => (address === call?.contract_address ? target : undefined);
  return {
    nameOf: names.nameOf,
    abiOf: (address) => names.abiOf(implementationOf(address) ?? address),
    deployerOf: (address) => {
      const origin = ledger.state.tables.contracts.get(address)?.origin_address ?? '';
      return origin === '' ? undefined : (origin as Address);
    },
    implementationOf,
  };
}

/** Only for a method that the contract's own ABI does not have. */
function targetOf(
  ledger: Ledger,
  abi: ReturnType<RecordedContracts['abiOf']>,
  { contract_address, data }: TriggerSmartContract,
): Address | undefined {
  const contract = contract_address as Address;
  // Without an ABI, the method may still be one of a standard.
  if (data.length < 8 || (abi !== undefined && functionOf(abi, data) !== undefined)) return undefined;
  const code = ledger.state.tables.codes.get(contract);
  if (code === undefined) return undefined;
  const words = () =>
    proxySlots().map((slot) =>
      slotValue(ledger, contract, BigInt(`0x${slot}`))
        .toString(16)
        .padStart(64, '0'),
    );
  const target = minimalProxyTarget(bytesToHex(code)) ?? storedProxyTarget(words());
  return target !== undefined && ledger.state.tables.contracts.has(target) ? target : undefined;
}
