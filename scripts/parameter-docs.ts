/**
 * Writes docs/reference/parameters.md from the table of chain parameters.
 *
 *     npx tsx scripts/parameter-docs.ts           writes the file
 *     npx tsx scripts/parameter-docs.ts --print   prints it
 */

import { chainParameters, PARAMETERS, type ParameterDefinition } from '../src/parameters/definitions.js';
import { genesisProperties, PRESETS } from '../src/parameters/presets.js';
import { makeFile } from './made-file.js';

/** What a new chain of each preset answers, derived values included. */
const reported = PRESETS.map((preset) => {
  const { longs } = genesisProperties(preset);
  const listed = chainParameters((property) => longs.get(property) as bigint, preset.release);
  return new Map(listed.map(({ key, value }) => [key, value]));
});

export const file = new URL('../docs/reference/parameters.md', import.meta.url);

export function parameterDocs(): string {
  const header = ['Id', 'Parameter', 'Values for proposals', ...PRESETS.map(({ name }) => `\`${name}\``), 'Meaning'];
  return `# Chain parameters

This page lists the chain parameters, the values that proposals can set, and the values of each preset.

\`--param KEY=VALUE\` (library: \`parameters: { KEY: value }\`; genesis file: \`"parameters"\`) sets a parameter from the start, as if a proposal had been approved at genesis. KEY is the key in \`getchainparameters\` or the name of the proposal type.

| Preset | Source | Rules of java-tron |
|---|---|---|
${PRESETS.map(({ name, description, release }) => `| \`${name}\` | ${description} | ${release} |`).join('\n')}

The columns of the presets have what \`getchainparameters\` of a new chain answers. \`none\` has java-tron's defaults.

${row(header)}
${row(header.map(() => '---'))}
${PARAMETERS.map((parameter) => row(cells(parameter))).join('\n')}
`;
}

function cells(parameter: ParameterDefinition): string[] {
  const { id, name, key, initial, since, meaning } = parameter;
  return [
    id === undefined ? '' : String(id),
    `\`${key}\`<br>${name}`,
    values(parameter),
    ...reported.map((values) => grouped(values.get(key) ?? initial)),
    since === '4.8.0' ? meaning : `${meaning} Since ${since}.`,
  ];
}

function values({ rule }: ParameterDefinition): string {
  switch (rule.accepts) {
    case 'nothing':
      return 'nothing';
    case 'amount':
      return '0 to 10^17';
    case 'range':
      return `${grouped(rule.min)} to ${grouped(rule.max)}`;
    case 'switch':
    case 'zeroOrOne':
      return '0 or 1';
    case 'one':
      return ['1', ...(rule.after ?? []).map((other) => `after ${other}`)].join('<br>');
    case 'anything':
      return 'anything';
    case 'special':
      return 'see [proposals](../protocol/proposals.md#parameters)';
  }
}

function grouped(value: bigint): string {
  return value.toLocaleString('en-US');
}

function row(columns: readonly string[]): string {
  return `| ${columns.join(' | ')} |`;
}

await makeFile(import.meta.filename, { file, text: parameterDocs });
