/**
 * Writes docs/reference/options.md from the table of options.
 *
 *     npx tsx scripts/option-docs.ts           writes the file
 *     npx tsx scripts/option-docs.ts --print   prints it
 */

import { variableOf } from '../src/options/environment.js';
import { type AnyDeclaration, commandOptions, libraryOptions } from '../src/options/settings.js';
import { makeFile } from './made-file.js';

export const file = new URL('../docs/reference/options.md', import.meta.url);

export function optionDocs(): string {
  const groups = [...new Set(commandOptions.map(([, { group }]) => group))];
  const inLibrary = new Set(libraryOptions.map(([name]) => name));
  const tables = groups.map((group) => {
    const rows = commandOptions
      .filter(([, declaration]) => declaration.group === group)
      .map(([name, declaration]) => cells(inLibrary.has(name) ? name : undefined, declaration));
    return `## ${group}

| Command | Library | Default | Description |
|---|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
  });
  return `# Options

This page lists every option of the command \`sunup\` and of the library function \`createDevnet\`.

Each flag has an environment variable: \`--http-port\` is \`${variableOf('--http-port')}\`. A flag overrides its variable. The library takes the same settings as properties: \`createDevnet({ httpPort: 9090 })\`. A repeatable flag is given once per value; its property is an array (an object for \`parameters\`). The column Default has the value of the command; the library's value follows where it differs.

${tables.join('\n')}`;
}

function cells(
  name: string | undefined,
  { flag, short, alias, shorthands = {}, kind, ...rest }: AnyDeclaration,
): string[] {
  const value = kind.placeholder === undefined ? '' : ` ${kind.placeholder}`;
  const flags = flag === undefined ? [] : [...(short === undefined ? [] : [short]), `${flag}${value}`];
  if (alias !== undefined) flags.push(alias);
  flags.push(...Object.keys(shorthands));
  return [
    flags.map(code).join(' '),
    name === undefined ? '' : `${code(name)}: ${code(kind.type)}`,
    defaults(rest),
    linked(rest.description.replaceAll('<', '&lt;')),
  ];
}

/** `docs/reference/limits.md`, as `--help` names a page, is a link here. */
function linked(text: string): string {
  return text.replace(/docs\/reference\/([\w-]+)\.md/g, '[$1]($1.md)');
}

function defaults(declaration: Pick<AnyDeclaration, 'default' | 'commandDefault' | 'defaultText'>): string {
  if (declaration.defaultText !== undefined) return declaration.defaultText;
  const { default: library, commandDefault: command } = declaration;
  if (library === undefined) return '';
  return command === undefined ? code(String(library)) : `${code(String(command))}; library: ${code(String(library))}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

await makeFile(import.meta.filename, { file, text: optionDocs });
