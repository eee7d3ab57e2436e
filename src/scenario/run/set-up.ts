/**
 * Sets up the accounts, tokens and contracts of a scenario before its first step. Contracts and tokens are created by
 * transactions, as on the network; their deployers get the TRX for it. Everything else is set by operations. The setup
 * costs no named account anything.
 */

import { OperationError } from '../../errors/operation-error.js';
import type { ArgumentsOf, OperationName } from '../../ledger/operations/registry.js';
import type { Node } from '../../node/node.js';
import { whole } from '../../node/with-rows.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { AssetIssueContract } from '../../protocol/generated/asset-issue-contract.js';
import {
  Permission_PermissionType as PermissionType,
  type TransactionInfo,
  Transaction_Contract_ContractType as Type,
} from '../../protocol/generated/tron.js';
import { MissingRow } from '../../state/missing-row.js';
import { fullContext } from '../../wallet/context.js';
import { highestFeeLimitSun } from '../../wallet/transactions.js';
import { permissionPatch } from '../actions/permissions.js';
import { StepError } from '../actions/step-error.js';
import type { ResultStream, StepRun } from '../actions/step-run.js';
import type { AccountPart, ContractPart, TokenPart } from '../format/party-fields.js';
import type { PermissionFields, PermissionsFields } from '../format/permission-fields.js';
import { type Path, ScenarioError } from '../format/problems.js';
import type { Scenario, StepPart } from '../format/scenario.js';

/** Balance of a deployer while it deploys. */
const COIN_TO_DEPLOY = 1_000_000_000_000n;
const DAY_MS = 86_400_000n;

/** Runs the setup; yields results only for what belongs to no step. @throws ScenarioError */
export function* setUp(scenario: Scenario, run: StepRun): ResultStream {
  // The steps of a recording include its setup.
  if (scenario.network.recorded === undefined) yield* new SetUp(scenario, run).all();
}

class SetUp {
  readonly #scenario: Scenario;
  readonly #run: StepRun;
  readonly #node: Node;

  constructor(scenario: Scenario, run: StepRun) {
    this.#scenario = scenario;
    this.#run = run;
    this.#node = run.node;
  }

  *all(): ResultStream {
    const { accounts, contracts, tokens, network, fork } = this.#scenario;
    const members = [...accounts].flatMap(([name, part]) =>
      part.count === undefined
        ? [{ name, part, path: ['accounts', name] }]
        : Array.from({ length: part.count }, (_, i) => ({ name: `${name}.${i}`, part, path: ['accounts', name] })),
    );
    for (const { name, part, path } of members) yield* this.#introduce(name, part, path);
    for (const [name, part] of contracts) if (part.address !== undefined) yield* this.#know(name, part.address, part);
    if (fork !== undefined) yield* this.#setParameters(network.parameters);
    if (network.totals !== undefined) yield* this.#setTotals(network.totals);
    const makers = new Set([
      ...[...contracts.values()].map(({ deployer }) => deployer),
      ...[...tokens.values()].map(({ issuer }) => issuer),
    ]);
    const had = new Map<string, bigint>();
    for (const { name, part, path } of members) {
      const isMaker = makers.has(name);
      if (isMaker) had.set(name, part.balance ?? (yield* whole(() => this.#balanceOf(name))));
      const balanceSun = isMaker ? COIN_TO_DEPLOY : part.balance;
      if (balanceSun !== undefined)
        yield* this.#operate([...path, 'balance'], 'setBalance', { address: this.#address(name), balanceSun });
    }
    for (const [name, token] of tokens) yield* this.#issue(name, token);
    for (const [name, contract] of contracts) if (contract.address === undefined) yield* this.#deploy(name, contract);
    for (const { name, part, path } of members) {
      const address = this.#address(name);
      const balanceSun = had.get(name);
      if (balanceSun !== undefined) yield* this.#operate(path, 'setBalance', { address, balanceSun });
      yield* this.#stake(address, part, path);
    }
    for (const { name, part, path } of members) yield* this.#holdVoteAndPermit(this.#address(name), part, path);
    // On a fork, this would change the prices of the network's contracts.
    if (fork === undefined) yield* this.#run.passSilently(this.#node.producer.passEpochs(1));
    for (const { name, part, path } of members)
      yield* this.#lendAndUse(this.#address(name), part, path, makers.has(name));
    for (const [name, { energyFactor, energyUsed }] of contracts) {
      if (energyFactor === undefined && energyUsed === undefined) continue;
      yield* this.#operate(['contracts', name], 'setContractEnergy', {
        address: this.#address(name),
        state: {
          ...(energyFactor !== undefined && { energyFactor }),
          ...(energyUsed !== undefined && { energyUsage: energyUsed }),
        },
      });
    }
  }

  *#introduce(name: string, { address, privateKey }: AccountPart, path: Path): ResultStream {
    const { parties } = this.#run;
    if (address === undefined) {
      parties.addAccount(name, privateKey);
      return;
    }
    parties.addStranger(name, address);
    yield* this.#operate([...path, 'address'], 'impersonate', { accounts: [address] });
  }

  /** An existing contract: its ABI is the file's or the chain's. */
  *#know(name: string, address: Address, part: ContractPart): ResultStream {
    const { parties, contracts } = this.#run;
    const { tables } = this.#node.chain.ledger.state;
    if (!(yield* whole(() => tables.contracts.has(address)))) {
      const why =
        this.#scenario.fork === undefined ? '; to use a contract of a live network, add fork (--fork URL)' : '';
      throw this.#problem(['contracts', name, 'address'], `no contract at ${toBase58(address)}${why}`);
    }
    parties.addAddress(name, address);
    if (part.fixture !== undefined || part.artifact !== undefined) contracts.deployed(address, part);
    else contracts.onChain(address, yield* whole(() => tables.abis.get(address)));
  }

  #balanceOf(name: string): bigint {
    return this.#node.chain.ledger.state.tables.accounts.get(this.#address(name))?.balance ?? 0n;
  }

  #address(name: string): Address {
    return this.#run.addressOf(name);
  }

  *#operate<Name extends OperationName>(path: Path, name: Name, given: ArgumentsOf<Name>): ResultStream {
    try {
      yield* whole(() => this.#node.operations.apply(name, given));
    } catch (error) {
      if (error instanceof OperationError) throw this.#problem(path, error.message);
      throw error;
    }
  }

  #problem(path: Path, message: string): ScenarioError {
    return new ScenarioError([this.#scenario.place({ path, message })]);
  }

  *#setTotals(totals: NonNullable<Scenario['network']['totals']>): ResultStream {
    const given: Record<string, bigint | undefined> = {
      totalEnergyWeight: totals.energyWeight,
      totalNetWeight: totals.bandwidthWeight,
      totalTronPowerWeight: totals.tronPowerWeight,
      totalEnergyCurrentLimit: totals.energyLimit,
      totalNetLimit: totals.bandwidthLimit,
      publicNetUsage: totals.publicBandwidthUsed,
    };
    const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    yield* this.#operate(['network', 'totals'], 'setNetworkTotals', known as ArgumentsOf<'setNetworkTotals'>);
  }

  /** On a fork, which starts with its network's parameters. */
  *#setParameters(values: Scenario['network']['parameters']): ResultStream {
    if (values !== undefined) yield* this.#operate(['network', 'parameters'], 'setChainParameters', { values });
  }

  *#stake(address: Address, { stake }: AccountPart, path: Path): ResultStream {
    if (stake === undefined) return;
    const stakes = Object.fromEntries(Object.entries(stake).filter(([, amount]) => amount !== undefined));
    yield* this.#operate([...path, 'stake'], 'setStake', { address, stakes, keepTotals: false });
  }

  *#holdVoteAndPermit(address: Address, { tokens = {}, votes, permissions }: AccountPart, path: Path): ResultStream {
    for (const [name, amount] of Object.entries(tokens)) {
      const place = [...path, 'tokens', name];
      if (this.#scenario.tokens.has(name) || /^\d+$/.test(name))
        yield* this.#operate(place, 'setTokenBalance', {
          address,
          tokenId: this.#run.objects.id('token', name),
          amount,
          force: false,
        });
      else yield* this.#operate(place, 'dealToken', { account: address, token: this.#address(name), amount });
    }
    if (permissions !== undefined) yield* this.#permit(address, permissions, path);
    if (votes === undefined) return;
    const list = Object.entries(votes).map(([name, vote_count]) => ({ vote_address: this.#address(name), vote_count }));
    yield* this.#operate([...path, 'votes'], 'setAccount', { address, patch: { votes: list } });
  }

  *#permit(address: Address, { owner, witness, actives }: PermissionsFields, path: Path): ResultStream {
    const made = (type: PermissionType, given: PermissionFields, name: string) =>
      permissionPatch(this.#run, given, type, name);
    const patch = {
      ...(owner && { owner_permission: made(PermissionType.Owner, owner, 'owner') }),
      ...(witness && { witness_permission: made(PermissionType.Witness, witness, 'witness') }),
      ...(actives && {
        active_permission: actives.map((given, at) => made(PermissionType.Active, given, `active${at}`)),
      }),
    };
    yield* this.#operate([...path, 'permissions'], 'setAccount', { address, patch });
  }

  *#lendAndUse(from: Address, { delegations = [], used }: AccountPart, path: Path, hasMade: boolean): ResultStream {
    for (const [at, { to, energy, bandwidth, lock }] of delegations.entries()) {
      yield* this.#operate([...path, 'delegations', at], 'setDelegation', {
        from,
        to: this.#address(to),
        lent: { ...(energy !== undefined && { energy }), ...(bandwidth !== undefined && { bandwidth }) },
        ...(lock !== undefined && { lockUntilMs: this.#run.nowMs + BigInt(lock) }),
      });
    }
    // Reverts the deployer's use of resources.
    const { energy = 0n, bandwidth = 0n, freeBandwidth = 0n } = used ?? {};
    if (used === undefined && !hasMade) return;
    const usage = { energyUsage: energy, netUsage: bandwidth, freeNetUsage: freeBandwidth };
    yield* this.#operate([...path, 'used'], 'setAccountResources', { address: from, used: usage });
  }

  *#issue(name: string, part: TokenPart): ResultStream {
    const path = ['tokens', name];
    const owner = this.#address(part.issuer);
    const message = AssetIssueContract.create({
      owner_address: owner,
      name: utf8ToHex(part.name ?? name),
      abbr: utf8ToHex(part.abbreviation ?? ''),
      total_supply: part.supply,
      precision: part.precision ?? 0,
      trx_num: 1,
      num: 1,
      start_time: this.#run.nowMs + DAY_MS,
      end_time: this.#run.nowMs + 2n * DAY_MS,
      url: utf8ToHex('http://sunup.local'),
      free_asset_net_limit: part.freeBandwidth ?? 0n,
      public_free_asset_net_limit: part.publicFreeBandwidth ?? 0n,
    });
    yield* this.#send(path, part.issuer, Type.AssetIssueContract, message, (info) =>
      this.#run.objects.add('token', name, info.assetIssueID),
    );
  }

  *#deploy(name: string, part: ContractPart): ResultStream {
    const path = ['contracts', name];
    try {
      const { deployer = '' } = part;
      const message = this.#run.contracts.deployment(name, this.#address(deployer), part);
      yield* this.#send(path, deployer, Type.CreateSmartContract, message, (info) => {
        const address = info.contract_address as Address;
        this.#run.parties.addAddress(name, address);
        this.#run.contracts.deployed(address, part);
      });
    } catch (error) {
      if (error instanceof StepError) throw this.#problem(path, error.message);
      throw error;
    }
  }

  *#send(
    path: Path,
    from: string,
    contractType: number,
    message: never | object,
    made: (info: TransactionInfo) => void,
  ): ResultStream {
    const part: StepPart = { path, place: path.join('.'), kind: '', given: {}, steps: [] };
    const sending = {
      contractType,
      message: message as never,
      from,
      permission: 0,
      signers: [from],
      feeLimitSun: highestFeeLimitSun(fullContext(this.#node)),
      made,
    };
    for (const result of this.#run.send(part, sending)) {
      if (result instanceof MissingRow) {
        yield result;
        continue;
      }
      if (!('kind' in result) || result.kind !== 'transaction' || result.outcome === 'SUCCESS') continue;
      const why = result.refusal?.message ?? result.failure?.message ?? result.outcome;
      throw this.#problem(path, `cannot be created: ${why}`);
    }
  }
}
