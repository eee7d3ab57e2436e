/** What can only be read as of now, and in which direction it may have been different at the time of a transaction. */

import type { Today } from '../explanation/model/recorded-explanation.js';
import type { RemoteBlock } from '../fork/network/remote-chain.js';
import { WALLET } from '../fork/network/wallet-requests.js';
import type { Connection } from '../fork/start/connect.js';
import type { Address } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import type { AccountResourceMessage } from '../protocol/generated/api.js';
import type { SmartContract } from '../protocol/generated/smart-contract.js';
import { ResourceReceipt, type TransactionInfo } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import type { NetworkContracts } from './network-contracts.js';

const SUN_PER_TRX = 1_000_000n;
const FACTOR_SCALE = 10_000;

/** Call it when the contract of the receipt is known. */
export async function todayOf(
  { wallet }: Connection,
  transaction: SignedTransaction,
  info: TransactionInfo,
  head: RemoteBlock,
  contracts: NetworkContracts,
): Promise<Today> {
  const called = info.contract_address as Address;
  const deployer = info.contract_address === '' ? undefined : contracts.deployerOf(called);
  const resourcesOf = (address: Address) =>
    wallet.ask(WALLET.accountResource, address, `the resources of ${toBase58(address)}`);
  const [caller, ofDeployer] = await Promise.all([
    resourcesOf((transaction.owner ?? '') as Address),
    deployer && resourcesOf(deployer),
  ]);
  const receipt = info.receipt ?? ResourceReceipt.empty;
  const owed = receipt.energy_usage_total - receipt.origin_energy_usage;
  const { smart_contract: contract, contract_state: state } = contracts.contract(called) ?? {};
  const factor = Number(state?.energy_factor ?? 0n) / FACTOR_SCALE;
  return {
    blockNumber: head.number,
    timestampMs: Number(head.timestampMs),
    ...(contract !== undefined &&
      deployer !== undefined && {
        contract: {
          factor,
          userPercent: Number(contract.consume_user_resource_percent),
          originEnergyLimit: contract.origin_energy_limit,
          deployer: toBase58(deployer),
          deployerEnergyLeft: energyLeft(ofDeployer),
          deployerEnergyLimit: ofDeployer?.EnergyLimit ?? 0n,
        },
      }),
    callerEnergyLimit: caller.EnergyLimit,
    callerEnergyLeft: energyLeft(caller),
    energyPerTrx:
      caller.TotalEnergyWeight > 0n ? Number(caller.TotalEnergyLimit) / Number(caller.TotalEnergyWeight) : 0,
    ...(owed > 0n && stakeFor(owed, caller)),
    mayDiffer: contract === undefined ? [] : differences(receipt, factor, contract),
  };
}

function energyLeft(resources: AccountResourceMessage | undefined): bigint {
  if (resources === undefined) return 0n;
  const left = resources.EnergyLimit - resources.EnergyUsed;
  return left > 0n ? left : 0n;
}

/** The new stake increases the total stake, too. */
function stakeFor(
  energy: bigint,
  { TotalEnergyLimit, TotalEnergyWeight }: AccountResourceMessage,
): { readonly stakeForEnergySun?: bigint } {
  const left = TotalEnergyLimit - energy;
  if (left <= 0n) return {};
  const coins = TotalEnergyWeight === 0n ? 1n : (energy * TotalEnergyWeight + left - 1n) / left;
  return { stakeForEnergySun: coins * SUN_PER_TRX };
}

/** What the receipt says about values that it does not have. */
function differences(
  { energy_usage_total: total, energy_penalty_total: penalty, origin_energy_usage: origin }: ResourceReceipt,
  factor: number,
  { consume_user_resource_percent, origin_energy_limit }: SmartContract,
): readonly string[] {
  const texts: string[] = [];
  const base = total - penalty;
  if (total > 0n && penalty === 0n && factor > 0) {
    texts.push('the energy factor was 0 then: the receipt has no penalty. The same call would use more Energy today');
  } else if (penalty > 0n && base > 0n) {
    const least = Number((penalty * 10_000n) / base) / 10_000;
    texts.push(
      least > factor
        ? `the energy factor was higher then, at least ${least}: the same call would use less Energy today`
        : `the penalty was ${least} times the base Energy then. It is an average over all called contracts`,
    );
  }
  const percent = total > 0n ? Number((origin * 100n) / total) : 0;
  const agreed = 100 - Number(consume_user_resource_percent);
  if (origin > 0n && origin === origin_energy_limit) {
    texts.push(`the deployer paid as much as today's origin_energy_limit allows for one call`);
  } else if (total > 0n && percent < agreed) {
    texts.push(
      `the deployer paid ${percent} % and not ${agreed} %: its percentage, its origin_energy_limit or its stake was smaller then`,
    );
  } else if (percent > agreed) texts.push(`the deployer's percentage was higher then, at least ${percent} %`);
  return texts;
}
