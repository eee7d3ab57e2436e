/**
 * Writes docs/reference/control.md from the table of developer methods. Examples are made on a chain, and taken back.
 *
 *     npx tsx scripts/devtools-docs.ts           writes the file
 *     npx tsx scripts/devtools-docs.ts --print   prints it
 */

import { getDescription } from 'valibot';
import { commandName } from '../src/cli/control-commands.js';
import { devMethodTable } from '../src/devtools/methods.js';
import { type Alias, type DevMethod, type Parameter, signatureText } from '../src/devtools/table.js';
import { createDevnet, type Devnet } from '../src/index.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/control.md', import.meta.url);

/** The chapters of the page, each with the methods that belong to it. */
const CHAPTERS: readonly (readonly [title: string, about: RegExp])[] = [
  ['Accounts, contracts, tokens', /^tron_(add|deal|set(Balance|Code|Storage|Account$|Trc|Contract)|getContract)/],
  ['Stakes and resources', /^tron_set(Stake|Delegation|AccountResources)/],
  ['The network', /^tron_(setNetwork|setChain|loadPreset)/],
  ['Costs', /^tron_preview$/],
  ['Time', /Time|Clock/],
  ['Blocks', /[mM]in(e|ing)|Maintenance|Cycles|Witness|Coinbase|Lag/],
  ['Impersonation', /mpersonat|Unlocked/],
  ['Snapshots, rollbacks, dumps', /napshot|revert|rollback|reorg|reset|dump|load/],
  ['Pending transactions', /Transaction|Broadcast/],
  ['The node', /./],
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
  const rest = new Set(devMethodTable);
  const chapters: string[] = [];
  for (const [title, about] of CHAPTERS) {
    const methods = [...rest].filter(({ name }) => about.test(name));
    if (methods.length === 0) continue;
    const sections: string[] = [];
    for (const method of methods) {
      rest.delete(method);
      sections.push(await sectionOf(method, devnet));
    }
    chapters.push(`## ${title}\n\n${sections.join('\n')}`);
  }
  return `# Control of the chain

This page lists the methods that change or inspect a chain without a transaction.

Each method is available in three ways, with the same effect:

- as a JSON-RPC method at \`/tre\`, \`/jsonrpc\` and \`/eth\`, under its own name (\`tron_…\`) and under the names that other tools use for it;
- as a method of the library (\`devnet.…\`);
- as a subcommand of \`sunup\`.

\`\`\`sh
curl -s http://127.0.0.1:9090/tre -d '{"jsonrpc":"2.0","id":1,"method":"tron_setBalance","params":["TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC",5000000]}'
sunup set-balance TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC 5000000
\`\`\`

- **Changes** take effect at once, without a block. They are part of the chain's history: \`revert\` undoes them, earlier blocks do not have them, and \`sunup check --replay\` applies them again.
- **Errors**: a change that would make totals, indexes or records inconsistent is refused with code -32000 and the violated rule. Invalid parameters have code -32602. The endpoints below \`/sunup/\` have HTTP statuses instead ([http-api.md](http-api.md#sunup)).
- **Formats**: an address is \`T…\`, \`41…\` or \`0x…\`. A number is a JSON number, decimal text or \`0x\` hex. Amounts are in sun and times in milliseconds, unless stated otherwise. Amounts in results are numbers, or text above 2^53; methods of the library return \`bigint\`.
- **Results**: under its own name, a method returns the new state. Under the name of another tool, it returns what that tool expects, usually \`true\`.
- **Access**: only callers on this machine can use these methods, unless \`--allow-origin\` or \`--allow-host\` permits others ([options](options.md)). \`--no-dev-methods\` disables all of them.

${chapters.join('\n')}`;
}

async function sectionOf(method: DevMethod, devnet: Devnet): Promise<string> {
  const { name, about, parameters, aliases } = method;
  const same = aliases.filter((alias) => alias.parameters === parameters).map((alias) => `\`${alias.name}\``);
  const others = aliases.filter((alias) => alias.parameters !== parameters).map(aliasText);
  return [
    `### ${name}`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...parameters.map(parameterText),
    ...(same.length > 0 ? [`- other names: ${same.join(', ')}`] : []),
    ...(others.length > 0 ? [`- other names, with other parameters: ${others.join(', ')}`] : []),
    `- ${callText(method, devnet)}`,
    ...(await exampleLines(method, devnet)),
    '',
  ].join('\n');
}

function parameterText({ name, schema }: Parameter): string {
  const inner = (schema as { wrapped?: Parameter['schema'] }).wrapped ?? schema;
  const words = getDescription(schema) ?? getDescription(inner) ?? schema.expects;
  return `- \`${name}\`${schema.type === 'optional' ? ' (optional)' : ''}: ${words.replaceAll('<', '&lt;')}`;
}

function aliasText({ name, parameters }: Alias): string {
  return `\`${name} ${signatureText(parameters)}\``;
}

function callText(method: DevMethod, devnet: Devnet): string {
  const name = method.name.slice('tron_'.length);
  const list = signatureText(method.parameters).slice(1, -1);
  const command = method.parameters.map((one) => (one.schema.type === 'optional' ? `[${one.name}]` : `<${one.name}>`));
  const words =
    method.command === undefined
      ? `\`${['sunup', commandName(method), ...command].join(' ')}\``
      : `\`sunup ${method.command}\` ([commands](commands.md))`;
  const isMethod = typeof (devnet as unknown as Record<string, unknown>)[name] === 'function';
  return isMethod ? `\`devnet.${name}(${list})\`, ${words}` : words;
}

async function exampleLines(
  { name, example, exampleAfter, usesUpSnapshots }: DevMethod,
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
