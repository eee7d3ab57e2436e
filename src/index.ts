/**
 * The library: `import { createDevnet } from 'sunup'`. A devnet is a chain with its producer and its interfaces, all in
 * this process. Several devnets in one process share nothing.
 */

import type { Devnet } from './devnet/devnet.js';
import { startDevnet } from './devnet/running/start.js';
import type { DevnetOptions } from './options/declarations.js';
import { settingsForLibrary } from './options/settings.js';
import { followersOf } from './porting/followers.js';

export type { Abi } from './contracts/abi.js';
export type {
  ContractArtifact,
  DeployedContract,
  DeployOptions,
  EmittedEvent,
  Receipt,
  RevertReason,
} from './contracts/deployed-contract.js';
export { CallFailedError, TransactionFailedError, TransactionRefusedError } from './contracts/failures.js';
export {
  type Create2Terms,
  create2Address,
  createdAddress,
  deployedAddress,
  ethereumCreate2Address,
  ethereumCreateAddress,
  type PredictedAddress,
} from './contracts/predicted-addresses.js';
export type { BranchControl } from './devnet/control/branch-control.js';
export type { DevnetControl, LoadedPreset, NetworkTotals } from './devnet/control/control.js';
export type { PreviewCall, PreviewControl, PreviewOptions, PreviewSubject } from './devnet/control/preview-control.js';
export type { AnyAddress, StateControl } from './devnet/control/state-control.js';
export type { Devnet, MineRequest } from './devnet/devnet.js';
export type { Endpoint } from './devnet/endpoints.js';
export type { DevnetEvents } from './devnet/events/events.js';
export type {
  BlockReport,
  BranchedReport,
  ChangedReport,
  DroppedReport,
  FailedCallReport,
  MinedReport,
  RefusedReport,
  SnapshotReport,
  TransactionReport,
} from './devnet/events/reports.js';
export type { DevContract, DevWitness } from './devnet/genesis/genesis.js';
export type { NetworkStakeReport } from './devnet/genesis/network-stake.js';
export { OperationError, ParametersError } from './errors/operation-error.js';
export type { CallResult, CallTree, TracedCall, TraceEvent } from './explanation/calls/call-tree.js';
export type { TraceOptions } from './explanation/calls/trace.js';
export type {
  Action,
  ChargeReport,
  Explanation,
  FailureReason,
  Outcome,
  SourceSite,
} from './explanation/model/explanation.js';
export type { NamedValue } from './explanation/model/named-value.js';
export { NotExplainableError } from './explanation/model/not-explainable.js';
export type { CallLimits, ExceptionLimits, FactorCase, PreviewedContract } from './explanation/preview/limits.js';
export type {
  SourceFile,
  SourceLine,
  SourceLines,
  UnattributedEnergy,
} from './explanation/sources/source-lines.js';
export type { SpeedscopeFile } from './explanation/sources/speedscope.js';
export type { TransactionSummary } from './explanation/summary/summary.js';
export { type Mined, MiningStoppedError, UnknownSnapshotError } from './node/control.js';
export type { DevnetOptions } from './options/declarations.js';
export type { DevAccount } from './options/dev-accounts.js';
export type { GenesisFile } from './options/genesis-file.js';
export { OptionError } from './options/option-error.js';
export { type Json, toJson } from './primitives/amount-json.js';
export type { WholeNumber } from './primitives/whole-number.js';
export type { CallTreeInWords } from './prose/call-tree.js';
export type { ExplanationInWords } from './prose/explanation.js';
export type { Fees, PreviewInWords } from './prose/preview.js';
export type { RecordedExplanationInWords } from './prose/recorded-explanation.js';

/**
 * Starts a devnet in this process. By default it lives in memory, keeps virtual time, makes a block for every
 * transaction and listens for HTTP on a free port of the loopback interface.
 *
 * @throws OptionError for an unknown option or an invalid value; the message says what to do
 * @example
 * const devnet = await createDevnet();
 * const tronWeb = new TronWeb({ fullHost: devnet.http.url, privateKey: devnet.accounts[0].privateKey });
 * await devnet.close(); // or `await using devnet = …`
 */
export async function createDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const settings = settingsForLibrary(options);
  return startDevnet(settings, { followers: await followersOf(settings) });
}
