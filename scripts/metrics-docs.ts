/**
 * Writes the table of docs/reference/metrics.md from the declarations of the metrics.
 *
 *     npx tsx scripts/metrics-docs.ts           writes the file
 *     npx tsx scripts/metrics-docs.ts --print   prints it
 */

import { COUNTERS, type Declaration, GAUGES, HISTOGRAMS } from '../src/metrics/declarations.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/metrics.md', import.meta.url);

export function metricsDocs(): string {
  return `# Metrics for Prometheus

Made from \`src/metrics/declarations.ts\` by \`scripts/metrics-docs.ts\`; a test keeps it so.

\`\`\`sh
npx sunup --metrics          # in the library: createDevnet({ metrics: true })
curl http://127.0.0.1:9090/metrics
\`\`\`

\`\`\`yaml
# prometheus.yml
scrape_configs:
  - job_name: sunup
    scrape_interval: 5s
    static_configs:
      - targets: ['127.0.0.1:9090']     # of a compose file: sunup:9090
\`\`\`

Without \`--metrics\` nothing is counted and \`/metrics\` answers 404 with these words: timing each request and counting each charge costs a little, and few look. \`/metrics\` is on the HTTP port, answers anyone, as \`/wallet/getnodeinfo\` does, and does not count against limits of callers.

- Each chain has numbers of its own: those of a chain of \`POST /sunup/chains\` are at \`/~ID/metrics\`. What is told of the process (\`process_…\`, \`nodejs_…\`: memory, processor time, lag of the event loop, garbage collection) is the same for all chains in it.
- Counters begin at 0 with each start and count work that was done. They never go down: what was in a block that is taken back was applied nevertheless, and is counted again when it comes into another block. Gauges tell the chain as it is.
- Amounts are sums of the charges that [explain.md](explain.md) shows, so they agree with the receipts.
- Labels are rows of Sunup's tables and words of the protocol, never a client's text: paths and methods that there are not are one label, \`unknown\`.

## Counters

${table(Object.values(COUNTERS))}

## Gauges

${table(Object.values(GAUGES))}

## Durations

Histograms, with \`_bucket\`, \`_sum\` and \`_count\`. A JSON-RPC request over HTTP is in two of them: as a request of its path and by its method. Requests that a program sends to its own devnet past HTTP (\`devnet.deploy\`, providers in the process) are not among those over HTTP. A path with a part that varies is one route: \`/v1/accounts/:address\`.

${table(Object.values(HISTOGRAMS))}

## Questions

| | |
|---|---|
| requests a second | \`sum by (route) (rate(sunup_http_request_duration_seconds_count[1m]))\` |
| the slow ones of a method | \`histogram_quantile(0.95, sum by (le) (rate(sunup_jsonrpc_request_duration_seconds_bucket{method="eth_call"}[1m])))\` |
| Energy that was paid for in coin | \`rate(sunup_energy_used_total{source="burned"}[5m])\` |
| transactions that failed | \`sum by (result) (rate(sunup_transactions_total{result!="SUCCESS"}[5m]))\` |
| how full the pool is | \`sunup_pending_transactions / sunup_pool_limit_transactions\` |
`;
}

function table(declared: readonly Declaration[]): string {
  const lines = declared.map(
    ({ name, labels, help }) => `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return ['| Name | Labels | What it tells |', '|---|---|---|', ...lines].join('\n');
}

await makeFile(import.meta.filename, { file, text: metricsDocs });
