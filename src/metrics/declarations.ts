/**
 * What `/metrics` tells: each with its name, by Prometheus' conventions (base units, `_total` for what only grows), and
 * what a person reads about it. docs/reference/metrics.md is made from here.
 */

export interface Declaration {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Work that was done since the start. They never go down: a block that is taken back was made nevertheless. */
export const COUNTERS = {
  blocks: {
    name: 'sunup_blocks_total',
    help: 'Blocks that were made or taken over, those that were taken back later included',
    labels: [],
  },
  epochs: {
    name: 'sunup_epochs_total',
    help: 'Epochs (maintenance periods) that have ended',
    labels: [],
  },
  accepted: {
    name: 'sunup_transactions_accepted_total',
    help: 'Transactions that entered the pool; those that came back to it from blocks that were taken back are not counted again',
    labels: [],
  },
  transactions: {
    name: 'sunup_transactions_total',
    help: 'Transactions applied in blocks, by type of contract and by contractRet',
    labels: ['type', 'result'],
  },
  refused: {
    name: 'sunup_transactions_refused_total',
    help: 'Broadcasts that were refused, by the code of the answer',
    labels: ['code'],
  },
  dropped: {
    name: 'sunup_transactions_dropped_total',
    help: 'Transactions that were accepted and then left out of the chain, by the reason',
    labels: ['code'],
  },
  energy: {
    name: 'sunup_energy_used_total',
    help: "Energy used by applied transactions: staked (the caller's own or delegated to it), origin (the deployer's share), or paid for in coin (burned, blackhole, fee-pool: where the coin went)",
    labels: ['source'],
  },
  penalty: {
    name: 'sunup_energy_penalty_total',
    help: 'Energy that dynamic Energy added; it is part of sunup_energy_used_total',
    labels: [],
  },
  bandwidth: {
    name: 'sunup_bandwidth_used_bytes_total',
    help: 'Bandwidth used by applied transactions: staked, free, issuer (granted by the issuer of a TRC-10 token), or paid for in coin (burned, blackhole, fee-pool)',
    labels: ['source'],
  },
  fees: {
    name: 'sunup_fees_sun_total',
    help: 'Coin that applied transactions cost, in sun, by the reason and by where it went (burned, blackhole, fee-pool)',
    labels: ['reason', 'source'],
  },
  reverts: {
    name: 'sunup_reverts_total',
    help: 'How often the chain went back: to a snapshot, by a rollback, a reorganisation or a reset',
    labels: [],
  },
} as const satisfies Record<string, Declaration>;

/** The chain as it is when it is asked. */
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
  pending: { name: 'sunup_pending_transactions', help: 'Transactions that wait for a block', labels: [] },
  poolLimit: {
    name: 'sunup_pool_limit_transactions',
    help: 'How many may wait before broadcasts are refused as SERVER_BUSY (--pool-size)',
    labels: [],
  },
  snapshots: { name: 'sunup_snapshots', help: 'Snapshots that can be gone back to', labels: [] },
  info: {
    name: 'sunup_info',
    help: 'Always 1; version of Sunup and of java-tron that it is like',
    labels: ['version', 'node_version'],
  },
} as const satisfies Record<string, Declaration>;

/** How long requests took; `_count` of each is how many there were. Labels are rows of our tables, never a client's text. */
export const HISTOGRAMS = {
  http: {
    name: 'sunup_http_request_duration_seconds',
    help: 'Requests over HTTP by route, from the headers until the answer has left; unknown: paths that there are not; streams are not counted',
    labels: ['route', 'status'],
  },
  jsonrpc: {
    name: 'sunup_jsonrpc_request_duration_seconds',
    help: 'JSON-RPC requests by method, each of a batch and those over WebSockets included; unknown: methods that there are not',
    labels: ['method', 'result'],
  },
  grpc: {
    name: 'sunup_grpc_request_duration_seconds',
    help: 'gRPC calls by method and status, with those for further chains',
    labels: ['method', 'status'],
  },
} as const satisfies Record<string, Declaration>;

/** In seconds: a read takes 50 µs, a `--vm-limit` half a second, mining an hour of blocks longer. */
export const DURATION_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5];
