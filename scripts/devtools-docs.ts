/**
 * Writes docs/reference/control.md from the table of developer methods. Examples are made on a chain, and taken back.
 *
 *     npx tsx scripts/devtools-docs.ts           writes the file
 *     npx tsx scripts/devtools-docs.ts --print   prints it
 */

import { getDescription } from 'valibot';
import { commandName } from '../src/cli/control-commands.js';
import { devRows } from '../src/devtools/rows.js';
import { type Alias, type DevRow, type Parameter, signatureText } from '../src/devtools/table.js';
import { createDevnet, type Devnet } from '../src/index.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/control.md', import.meta.url);

/** What rows are about, by the order in which somebody looks for them. */
const CHAPTERS: readonly (readonly [title: string, about: RegExp])[] = [
  ['Accounts, contracts, tokens', /^tron_(add|deal|set(Balance|Code|Storage|Account$|Trc|Contract)|getContract)/],
  ['Stakes and resources', /^tron_set(Stake|Delegation|AccountResources)/],
  ['The network', /^tron_(setNetwork|setChain|loadPreset)/],
  ['Costs and trial runs', /^tron_(simulate|explain)/],
  ['Time', /Time|Clock/],
  ['Blocks', /[mM]in(e|ing)|Maintenance|Cycles|Witness|Lag/],
  ['Sending for others', /mpersonat|Unlocked/],
  ['Snapshots, branches, files', /napshot|revert|rollback|reorg|reset|dump|load/],
  ['Everything else', /./],
];

export async function devtoolsDocs(): Promise<string> {
  const devnet = await createDevnet({
    httpPort: false,
    clock: 'virtual',
    networkStake: 'none',
    genesis: { timestamp: 0 },
  });
  try {
    await devnet.mine(2);
    return await textOf(devnet);
  } finally {
    await devnet.close();
  }
}

async function textOf(devnet: Devnet): Promise<string> {
  const rest = new Set(devRows);
  const chapters: string[] = [];
  for (const [title, about] of CHAPTERS) {
    const rows = [...rest].filter(({ name }) => about.test(name));
    if (rows.length === 0) continue;
    const sections: string[] = [];
    for (const row of rows) {
      rest.delete(row);
      sections.push(await sectionOf(row, devnet));
    }
    chapters.push(`## ${title}\n\n${sections.join('\n')}`);
  }
  return `# Control of the chain

Made from the rows in \`src/devtools/rows/\` by \`scripts/devtools-docs.ts\`; a test keeps it so.

What may be done to a chain other than by a transaction. Each is a JSON-RPC method at \`/tre\`, \`/jsonrpc\` and \`/eth\` under its own name (\`tron_…\`) and under those that other tools have for it, a method of the library and a subcommand, which all do the same:

\`\`\`sh
curl -s http://127.0.0.1:9090/tre -d '{"jsonrpc":"2.0","id":1,"method":"tron_setBalance","params":["TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC",5000000]}'
sunup set-balance TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC 5000000
\`\`\`

- A change of the state is there at once, without a block, and is a step of the chain's history: \`revert\` takes it back, older heights do not see it, and \`sunup check --replay\` makes it again. It never leaves a total, an index or a record that says something else: what would is refused in a sentence that names the rule (code -32000; -32602 for parameters).
- Addresses are \`T…\`, \`41…\` or \`0x…\`; numbers are numbers, decimal text or \`0x\` hex; amounts are sun and names of time are milliseconds where nothing else is said. Amounts in answers are numbers, and digits in a string beyond 2^53.
- Under a name of its own a method answers the state that it leaves, under the names of other tools what these expect, mostly \`true\`.
- Only callers of this machine are answered ([options](options.md): \`--allow-origin\`, \`--allow-host\`). \`--no-dev-methods\` leaves all of it out.

${chapters.join('\n')}`;
}

async function sectionOf(row: DevRow, devnet: Devnet): Promise<string> {
  const { name, about, parameters, aliases } = row;
  const same = aliases.filter((alias) => alias.parameters === parameters).map((alias) => `\`${alias.name}\``);
  const others = aliases.filter((alias) => alias.parameters !== parameters).map(aliasText);
  return [
    `### ${name}`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...parameters.map(parameterText),
    ...(same.length > 0 ? [`- also: ${same.join(', ')}`] : []),
    ...(others.length > 0 ? [`- with parameters of their own: ${others.join(', ')}`] : []),
    `- ${callText(row, devnet)}`,
    ...(await exampleLines(row, devnet)),
    '',
  ].join('\n');
}

function parameterText({ name, schema }: Parameter): string {
  const inner = (schema as { wrapped?: Parameter['schema'] }).wrapped ?? schema;
  const words = getDescription(schema) ?? getDescription(inner) ?? schema.expects;
  return `- \`${name}\`${schema.type === 'optional' ? ' (may be left out)' : ''}: ${words.replaceAll('<', '&lt;')}`;
}

function aliasText({ name, parameters }: Alias): string {
  return `\`${name} ${signatureText(parameters)}\``;
}

function callText(row: DevRow, devnet: Devnet): string {
  const method = row.name.slice('tron_'.length);
  const list = signatureText(row.parameters).slice(1, -1);
  const command = row.parameters.map(({ name, schema }) => (schema.type === 'optional' ? `[${name}]` : `<${name}>`));
  const words = `\`${['sunup', commandName(row), ...command].join(' ')}\``;
  const isMethod = typeof (devnet as unknown as Record<string, unknown>)[method] === 'function';
  return isMethod ? `\`devnet.${method}(${list})\`, ${words}` : words;
}

async function exampleLines(
  { name, example, exampleAfter, usesUpSnapshots }: DevRow,
  devnet: Devnet,
): Promise<string[]> {
  if (example === undefined) return [];
  const request = JSON.stringify({ method: name, params: example });
  if (usesUpSnapshots) return ['', '```json', request, '```'];
  const lines: string[] = [];
  const snapshot = devnet.snapshot();
  for (const [earlier, ...params] of exampleAfter) {
    await call(devnet, earlier, params);
    lines.push(JSON.stringify({ method: earlier, params }));
  }
  const result = JSON.stringify(await call(devnet, name, example)).replace(/(?<="instanceId":"0x)\w+/, '…');
  await devnet.revert(snapshot);
  const short = result.length > 400 ? `${result.slice(0, 399)}…` : result;
  return ['', '```json', ...lines, request, `→ ${short}`, '```'];
}

async function call(devnet: Devnet, method: string, params: readonly unknown[]): Promise<unknown> {
  const answer = await devnet.fetch('/tre', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method} ${JSON.stringify(params)}: ${error.message}`);
  return result;
}

await makeFile(import.meta.filename, { file, text: devtoolsDocs });
