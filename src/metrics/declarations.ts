/**
 * All metrics of `/metrics`: names by Prometheus' conventions (base units, `_total` for counters), and help texts.
 * docs/reference/metrics.md is generated from here.
 */

export interface Declaration {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Counters of work since the start. They never decrease: a block that is rolled back counts. */
export const COUNTERS = {
  blocks: {
    name: 'sunup_blocks_total',
    help: 'Blocks produced or imported, including those that were rolled back later',
    labels: [],
  },
  epochs: {
    name: 'sunup_epochs_total',
    help: 'Epochs (maintenance periods) that ended',
    labels: [],
  },
  accepted: {
    name: 'sunup_transactions_accepted_total',
    help: 'Transactions added to the pool; those that return to it after a rollback are not counted again',
    labels: [],
  },
  transactions: {
    name: 'sunup_transactions_total',
    help: 'Transactions applied in blocks, by contract type and contractRet',
    labels: ['type', 'result'],
  },
  refused: {
    name: 'sunup_transactions_refused_total',
    help: 'Refused broadcasts, by response code',
    labels: ['code'],
  },
  dropped: {
    name: 'sunup_transactions_dropped_total',
    help: 'Transactions that were accepted and later dropped from the pool, by reason code',
    labels: ['code'],
  },
  energy: {
    name: 'sunup_energy_used_total',
    help: 'Energy used by applied transactions, by source: staked (by the caller or delegated to it), origin (staked by the deployer), or bought with TRX (burned, blackhole, fee-pool: destination of the TRX)',
    labels: ['source'],
  },
  penalty: {
    name: 'sunup_energy_penalty_total',
    help: 'Penalty Energy of the dynamic Energy model; included in sunup_energy_used_total',
    labels: [],
  },
  bandwidth: {
    name: 'sunup_bandwidth_used_bytes_total',
    help: 'Bandwidth used by applied transactions, by source: staked, free, issuer (granted by the issuer of a TRC-10 token), or bought with TRX (burned, blackhole, fee-pool)',
    labels: ['source'],
  },
  fees: {
    name: 'sunup_fees_sun_total',
    help: 'TRX paid by applied transactions, in sun, by reason and destination (burned, blackhole, fee-pool)',
    labels: ['reason', 'source'],
  },
  reverts: {
    name: 'sunup_reverts_total',
    help: 'Reverts to a snapshot, rollbacks, reorganisations, resets and loads, each once',
    labels: [],
  },
} as const satisfies Record<string, Declaration>;

/** Gauges, read on request. */
export const GAUGES = {
  head: { name: 'sunup_head_block_number', help: 'Number of the newest block', labels: [] },
  headTime: {
    name: 'sunup_head_block_timestamp_seconds',
    help: 'Timestamp of the newest block, in Unix time',
    labels: [],
  },
  solidified: {
    name: 'sunup_solidified_block_number',
    help: 'Number of the newest block that /walletsolidity shows',
    labels: [],
  },
  pending: { name: 'sunup_pending_transactions', help: 'Pending transactions', labels: [] },
  poolLimit: {
    name: 'sunup_pool_limit_transactions',
    help: 'Maximum number of pending transactions; above it broadcasts are refused with SERVER_BUSY (--pool-size)',
    labels: [],
  },
  snapshots: { name: 'sunup_snapshots', help: 'Snapshots that can be restored', labels: [] },
  info: {
    name: 'sunup_info',
    help: 'Always 1; the labels are the version of Sunup and the java-tron release that it matches',
    labels: ['version', 'node_version'],
  },
} as const satisfies Record<string, Declaration>;

/**
 * Durations of requests; `_count` of each is their number. Labels come from Sunup's tables, never from a client's
 * text.
 */
export const HISTOGRAMS = {
  http: {
    name: 'sunup_http_request_duration_seconds',
    help: 'HTTP requests by route, from the request headers to the end of the response; unknown: paths that do not exist; streams are not counted',
    labels: ['route', 'status'],
  },
  jsonrpc: {
    name: 'sunup_jsonrpc_request_duration_seconds',
    help: 'JSON-RPC requests by method, including each request of a batch and those over WebSockets; unknown: methods that do not exist',
    labels: ['method', 'result'],
  },
  grpc: {
    name: 'sunup_grpc_request_duration_seconds',
    help: 'gRPC calls by method and status, including those for additional chains',
    labels: ['method', 'status'],
  },
} as const satisfies Record<string, Declaration>;

/** In seconds: a read takes 50 µs, a `--vm-limit` half a second, mining an hour of blocks more. */
export const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
