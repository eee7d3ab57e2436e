/** Changes of a devnet's chain without a transaction: the methods of `devtools/` with types. */

import type { Sun } from '../../primitives/ids.js';
import type { WholeNumber } from '../../primitives/whole-number.js';
import type { BranchControl } from './branch-control.js';
import type { PreviewControl } from './preview-control.js';
import type { StateControl } from './state-control.js';
import type { TimeControl } from './time-control.js';

/** Totals of the network: stakes in whole TRX, daily limits in Energy and bytes. */
export interface NetworkTotals<Value = bigint> {
  readonly totalEnergyWeight: Value;
  readonly totalNetWeight: Value;
  readonly totalTronPowerWeight: Value;
  readonly totalEnergyCurrentLimit: Value;
  readonly totalNetLimit: Value;
  /** Used part of the free bandwidth of all accounts together; it recovers within a day. */
  readonly publicNetUsage: Value;
}

export interface LoadedPreset {
  /** `mainnet@2025-09` */
  readonly name: string;
  /** The month of the values; absent for `genesis`. */
  readonly takenAt?: string;
  /** By the key of `getchainparameters`, or the name of a total. */
  readonly changed: Readonly<Record<string, { readonly from: bigint; readonly to: bigint }>>;
}

/**
 * Each change is a step of the chain's history: it takes effect at once without a block, `revert` undoes it, and a
 * replay repeats it. All methods throw OperationError (ParametersError for invalid parameters), and then nothing has
 * changed.
 */
export interface DevnetControl extends StateControl, BranchControl, PreviewControl, TimeControl {
  /**
   * Sets totals of the network. The difference counts as stake of accounts that this chain lacks. Later stakes add to
   * them. A total cannot be less than the accounts' stakes.
   *
   * @returns all totals
   * @example await devnet.setNetworkTotals({ totalEnergyWeight: 38_000_000_000 }) // half the Energy for each TRX
   */
  setNetworkTotals(totals: Partial<NetworkTotals<WholeNumber>>): Promise<NetworkTotals>;

  /**
   * Sets chain parameters at once, by the key of `getchainparameters` or the number of the proposal, with all effects
   * of approved proposals. It may also turn switches off.
   *
   * @param options `force`: values that no committee could vote for
   * @returns the previous values
   * @example await devnet.setChainParameters({ getEnergyFee: 210 })
   */
  setChainParameters(
    values: Readonly<Record<string, WholeNumber>>,
    options?: { readonly force?: boolean },
  ): Promise<Readonly<Record<string, bigint>>>;

  /**
   * Sets all chain parameters to those of a dated preset, or to the chain's initial ones (`genesis`).
   *
   * @param options `stakeTotals`: also set the totals of stake of that network
   * @example await devnet.loadPreset('mainnet', { stakeTotals: true })
   */
  loadPreset(name: string, options?: { readonly stakeTotals?: boolean }): Promise<LoadedPreset>;
}

/** The methods over a function that calls developer methods by name. */
export abstract class Control implements DevnetControl {
  readonly setBalance: DevnetControl['setBalance'] = this.balance('tron_setBalance');
  readonly setNetworkTotals: DevnetControl['setNetworkTotals'] = this.row('tron_setNetworkTotals');
  readonly setChainParameters: DevnetControl['setChainParameters'] = this.row('tron_setChainParameters');
  readonly loadPreset: DevnetControl['loadPreset'] = this.row('tron_loadPreset');
  readonly addBalance: DevnetControl['addBalance'] = this.balance('tron_addBalance');
  readonly setCode: DevnetControl['setCode'] = this.row('tron_setCode');
  readonly setStorageAt: DevnetControl['setStorageAt'] = this.row('tron_setStorageAt');
  readonly setCreateNonces: DevnetControl['setCreateNonces'] = this.row('tron_setCreateNonces');
  readonly setNonce: DevnetControl['setNonce'] = this.row('tron_setNonce');
  readonly setAccount: DevnetControl['setAccount'] = this.row('tron_setAccount');
  readonly setTrc10Balance: DevnetControl['setTrc10Balance'] = this.row('tron_setTrc10Balance');
  readonly dealTrc20: DevnetControl['dealTrc20'] = this.row('tron_dealTrc20');
  readonly preview: DevnetControl['preview'] = this.row('tron_preview');
  readonly setStake: DevnetControl['setStake'] = this.row('tron_setStake');
  readonly setDelegation: DevnetControl['setDelegation'] = this.row('tron_setDelegation');
  readonly setAccountResources: DevnetControl['setAccountResources'] = this.row('tron_setAccountResources');
  readonly setContractEnergy: DevnetControl['setContractEnergy'] = this.row('tron_setContractEnergy');
  readonly getContractEnergy: DevnetControl['getContractEnergy'] = this.row('tron_getContractEnergy');
  readonly rollback: DevnetControl['rollback'] = this.row('tron_rollback');
  readonly reorg: DevnetControl['reorg'] = this.row('tron_reorg');
  readonly reset: DevnetControl['reset'] = this.row('tron_reset');
  readonly increaseTime: DevnetControl['increaseTime'] = this.row('tron_increaseTime');
  readonly setNextBlockTimestamp: DevnetControl['setNextBlockTimestamp'] = this.row('tron_setNextBlockTimestamp');
  readonly setBlockTimestampInterval: DevnetControl['setBlockTimestampInterval'] = this.row(
    'tron_setBlockTimestampInterval',
  );
  readonly removeBlockTimestampInterval: DevnetControl['removeBlockTimestampInterval'] = this.row(
    'tron_removeBlockTimestampInterval',
  );
  readonly setClock: DevnetControl['setClock'] = this.row('tron_setClock');
  readonly setMining: DevnetControl['setMining'] = this.row('tron_setMining');
  readonly runMaintenance: DevnetControl['runMaintenance'] = this.row('tron_runMaintenance');
  readonly advanceCycles: DevnetControl['advanceCycles'] = this.row('tron_advanceCycles');
  readonly setNextWitness: DevnetControl['setNextWitness'] = this.row('tron_setNextWitness');
  readonly setSolidityLag: DevnetControl['setSolidityLag'] = this.row('tron_setSolidityLag');
  readonly impersonate: DevnetControl['impersonate'] = this.row('tron_impersonate');
  readonly stopImpersonating: DevnetControl['stopImpersonating'] = this.row('tron_stopImpersonating');
  readonly setAutoImpersonate: DevnetControl['setAutoImpersonate'] = this.row('tron_setAutoImpersonate');
  readonly dropTransaction: DevnetControl['dropTransaction'] = this.row('tron_dropTransaction');
  readonly dropAllTransactions: DevnetControl['dropAllTransactions'] = this.row('tron_dropAllTransactions');
  readonly failNextBroadcast: DevnetControl['failNextBroadcast'] = this.row('tron_failNextBroadcast');

  protected abstract callMethod(name: string, parameters: readonly unknown[]): Promise<unknown>;

  /** A method that answers with a balance in digits, also for small ones. */
  private balance(name: string): (...parameters: unknown[]) => Promise<{ readonly balance: Sun }> {
    return async (...parameters) => {
      const { balance } = (await this.callMethod(name, parameters)) as { readonly balance: string };
      return { balance: BigInt(balance) };
    };
  }

  private row(name: string): (...parameters: unknown[]) => Promise<never> {
    return (...parameters) => this.callMethod(name, parameters) as Promise<never>;
  }
}
