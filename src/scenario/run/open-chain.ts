/**
 * The initial chain of a scenario. Its genesis is one epoch before `network.start`, and the setup happens in that
 * epoch (`set-up.ts`). A fork starts in the slot after its network's newest block.
 */

import type { KnownContracts } from '../../artifacts/known-contracts.js';
import { readBeginning } from '../../chain-file/beginning.js';
import { type FileRow, rowIn } from '../../chain-file/rows.js';
import { ChainFileError } from '../../chain-file/shapes.js';
import { chainFolderAt } from '../../devnet/database/chain-folder.js';
import { forkOf } from '../../devnet/fork/fork.js';
import { devnetGenesis } from '../../devnet/genesis/genesis.js';
import { openNode } from '../../devnet/running/open-node.js';
import type { Remote } from '../../fork/start/open-remote.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import type { Node } from '../../node/node.js';
import type { DevnetOptions } from '../../options/declarations.js';
import { OptionError } from '../../options/option-error.js';
import { settingsForLibrary } from '../../options/settings.js';
import { utf8ToHex } from '../../primitives/hex.js';
import { sha256OfHex } from '../../protocol/hashes.js';
import type { FetchedRow } from '../../state/remote-rows.js';
import type { Store } from '../../state/store.js';
import { ScenarioError } from '../format/problems.js';
import type { Scenario } from '../format/scenario.js';
import type { Parties } from '../parties.js';
import { DEFAULT_WITNESS } from '../reader/read-scenario.js';
import { openRecordedChain } from '../record/beginning.js';
import { RecentStore } from './recent-store.js';

/** 2026-01-01T00:00:00Z */
const DEFAULT_START_MS = 1_767_225_600_000;
const EPOCH_MS = 21_600_000;

export interface ChainPlace {
  /** LevelDB's folder; undefined: in memory. */
  readonly directory: string | undefined;
  readonly observer: ChainObserver;
  /** Of a scenario with `fork`: its network. */
  readonly network: Remote | undefined;
  /** Of a recorded chain. */
  readonly knownContracts?: KnownContracts | undefined;
}

/** The initial chain. @throws ScenarioError if the network is not possible */
export async function openChain(scenario: Scenario, parties: Parties, place: ChainPlace): Promise<Node> {
  const { network } = scenario;
  const recorded = beginningOf(scenario);
  if (recorded !== undefined)
    return openRecordedChain(withNames(recorded, place), {
      ...place,
      memory: memoryFor(scenario),
      rows: [...networkRows(scenario)],
      network: place.network?.rows,
      file: scenario.file,
    });
  const {
    preset = 'mainnet',
    stake = 'mainnet',
    start = DEFAULT_START_MS,
    parameters = {},
    vmLimitMs,
    slotMs,
  } = network;
  const witnesses =
    // The forked network's witnesses make its blocks; the key of this one signs for them.
    place.network !== undefined
      ? [{ privateKey: witnessKey(DEFAULT_WITNESS) as string, url: '', voteCount: 0 }]
      : (network.witnesses ?? [{ name: DEFAULT_WITNESS, votes: 100 }]).map(({ name, votes = 100 }) => {
          const { privateKey } = parties.addAccount(name, scenario.accounts.get(name)?.privateKey ?? witnessKey(name));
          return { privateKey: privateKey as string, url: `http://${name}`, voteCount: votes };
        });
  try {
    const settings = settingsForLibrary({
      accounts: 0,
      preset,
      networkStake: stake,
      nodeVersion: network.nodeVersion as DevnetOptions['nodeVersion'],
      slotMs,
      // A fork starts with its network's parameters; the file's are set afterwards.
      ...(place.network === undefined && { parameters }),
      genesis: { witnesses },
      genesisTime: start - EPOCH_MS,
      mining: 'manual',
      clock: 'virtual',
      history: false,
      poolSize: 1_000_000,
      ...(vmLimitMs !== undefined && { vmLimitMs }),
    });
    const made = devnetGenesis(settings, [], { witnesses });
    return await openNode(settings, made, {
      folder: place.directory === undefined ? undefined : chainFolderAt(place.directory),
      memory: memoryFor(scenario),
      ...(place.network && { fork: forkOf(place.network, made, settings) }),
      wall: undefined,
      observer: place.observer,
      controls: {},
      signers: { ahead: () => undefined },
      failed: (failure) => {
        throw failure;
      },
      indexProgress: undefined,
      dump: undefined,
      loadProgress: undefined,
    });
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const field = {
      preset: 'preset',
      nodeVersion: 'nodeVersion',
      slotMs: 'slotMs',
      networkStake: 'stake',
      parameters: 'parameters',
      genesisTime: 'start',
    }[error.option];
    throw new ScenarioError([
      scenario.place({
        path: field === undefined ? ['network'] : ['network', field],
        message: `${field ?? 'network'} ${error.problem}${error.hint === undefined ? '' : `. ${error.hint}`}`,
      }),
    ]);
  }
}

function withNames({ settings, ...rest }: Beginning, { knownContracts }: ChainPlace): Beginning {
  return { ...rest, settings: { ...settings, ...(knownContracts !== undefined && { knownContracts }) } };
}

/** The initial settings of a recorded chain. @throws ScenarioError */
export function beginningOf({ network: { recorded }, place }: Scenario): Beginning | undefined {
  try {
    return recorded && readBeginning(recorded);
  } catch (error) {
    if (!(error instanceof ChainFileError)) throw error;
    throw new ScenarioError([place({ path: ['network', 'recorded'], message: error.message })]);
  }
}

/** Whether a step rolls blocks back; then the whole history is kept. */
export function goesBack({ kinds }: Scenario): boolean {
  return GOING_BACK.some((kind) => kinds.has(kind));
}

/** Without rollbacks, history need not be kept. */
function memoryFor(scenario: Scenario): Store | undefined {
  return goesBack(scenario) ? undefined : new RecentStore();
}

/** Rows of the recorded chain's network, at any place of the file. @throws ScenarioError for an invalid row */
function* networkRows({ kinds, steps, place }: Scenario): Iterable<FetchedRow> {
  if (!kinds.has(NETWORK_ROW)) return;
  for (const { kind, given, path } of steps) {
    if (kind !== NETWORK_ROW) continue;
    try {
      yield rowIn(given as unknown as FileRow);
    } catch (error) {
      throw new ScenarioError([place({ path: [...path, kind], message: (error as Error).message })]);
    }
  }
}

const NETWORK_ROW = 'networkRow';

const GOING_BACK = ['revert', 'rollback', 'reorg', 'goBack'];

/** The default witness has the same key as in every devnet. */
function witnessKey(name: string): string | undefined {
  return name === DEFAULT_WITNESS ? sha256OfHex(utf8ToHex('sunup witness')) : undefined;
}
