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
  return `# Metrics

This page lists the metrics that the node provides for Prometheus.

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
      - targets: ['127.0.0.1:9090']     # in a compose file: sunup:9090
\`\`\`

Without \`--metrics\`, nothing is counted and \`/metrics\` returns 404 with this hint, because measuring requests and charges has a small cost. \`/metrics\` is on the HTTP port, open to every caller like \`/wallet/getnodeinfo\`, and not subject to rate limits.

- **Chains**: each chain has its own metrics; those of a chain of \`POST /sunup/chains\` are at \`/~ID/metrics\`. The metrics of the process (\`process_…\`, \`nodejs_…\`: memory, CPU time, event loop lag, garbage collection) are the same for all chains in it.
- **Counters** start at 0 with each start and never decrease. A transaction in a block that is rolled back stays counted, and is counted again when it is applied in another block. Gauges show the current state.
- **Amounts** are sums of the charges in [explain.md](explain.md), so they agree with the receipts.
- **Labels** are endpoints, methods and terms of the protocol, never text of a client. All unknown paths and methods have the label \`unknown\`.

## Counters

${table(Object.values(COUNTERS))}

## Gauges

${table(Object.values(GAUGES))}

## Durations

The durations are histograms, with \`_bucket\`, \`_sum\` and \`_count\`. A JSON-RPC request over HTTP counts in two of them: as an HTTP request of its path and by its method. Requests that a program makes to its own devnet in the process (\`devnet.deploy\`, in-process providers) are not HTTP requests. A path with a variable part is one route: \`/v1/accounts/:address\`.

${table(Object.values(HISTOGRAMS))}

## Example queries

| Result | Query |
|---|---|
| requests per second | \`sum by (route) (rate(sunup_http_request_duration_seconds_count[1m]))\` |
| 95th percentile of a method | \`histogram_quantile(0.95, sum by (le) (rate(sunup_jsonrpc_request_duration_seconds_bucket{method="eth_call"}[1m])))\` |
| Energy bought with TRX | \`rate(sunup_energy_used_total{source="burned"}[5m])\` |
| failed transactions | \`sum by (result) (rate(sunup_transactions_total{result!="SUCCESS"}[5m]))\` |
| pool usage | \`sunup_pending_transactions / sunup_pool_limit_transactions\` |
`;
}

function table(declared: readonly Declaration[]): string {
  const lines = declared.map(
    ({ name, labels, help }) => `| \`${name}\` | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return ['| Name | Labels | Meaning |', '|---|---|---|', ...lines].join('\n');
}

await makeFile(import.meta.filename, { file, text: metricsDocs });
