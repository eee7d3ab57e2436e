/**
 * Generates `src/protocol/generated/` from `proto/`: an interface and a table of fields for every message in use.
 *
 * The .proto files are the source; what is generated is committed, so that neither a build nor a start needs a protobuf
 * compiler. A message is read and written by its table; those of which every block and transaction is made have code of
 * their own besides, which is worth its lines (the bench `message-codecs` measures both). The output depends on
 * nothing but proto/ and the lists below, so a test can show that it is up to date.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import protobuf from 'protobufjs';
import { isAddressField, visibleForm } from './field-forms.js';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PROTO = join(repository, 'proto');
const OUTPUT = join(repository, 'src', 'protocol', 'generated');
/** What Sunup serves; a message that nothing below needs is not generated. */
const SERVICES = ['protocol.Wallet', 'protocol.WalletSolidity', 'protocol.Database'];
/** Messages that no method names: kept in the state, and what recorded stores hold. */
const KEPT = ['protocol.Votes', 'protocol.MarketAccountOrder', 'protocol.MarketOrderIdList'];
/**
 * Messages with code of their own, in place of their table: the envelope of every transaction, and the account, which is
 * read most. Theirs takes 0.36 to 0.7 of the time (the bench `message-codecs`); for the median of all other messages it
 * would be 0.65 at reading and 0.85 at writing, which is not worth 9,000 lines.
 */
const UNROLLED: ReadonlySet<string> = new Set([
  'google.protobuf.Any',
  'protocol.Account',
  'protocol.Transaction',
  'protocol.Transaction.Contract',
  'protocol.Transaction.Result',
  'protocol.Transaction.raw',
]);

/** `filename` is documented but not typed: whatever is parsed remembers it. */
const parse: typeof protobuf.parse & { filename?: string | null } = protobuf.parse;
const SCALARS = new Set(['bytes', 'int64', 'int32', 'string', 'bool', 'double']);
/** Names that generated functions use themselves or that TypeScript reserves. */
const TAKEN = new Set([
  'r',
  'w',
  'm',
  'base',
  'tag',
  'outer',
  'before',
  'i',
  'default',
  'delete',
  'in',
  'new',
  'package',
]);

/** Files under `directory` as paths relative to it, sorted. */
function filesBelow(directory: string, extension: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** The network's files: not those of gRPC's own services, which `src/grpc/` reads by hand. */
function protoFiles(directory: string): string[] {
  return filesBelow(directory, '.proto').filter((file) => !file.startsWith('grpc/'));
}

/** The parsed files as one tree; `filename` of each object is its path below proto/. */
export function parseProtoFiles(directory: string = PROTO): protobuf.Root {
  const root = new protobuf.Root();
  for (const file of protoFiles(directory)) {
    parse.filename = file;
    parse(readFileSync(join(directory, file), 'utf8'), root, { keepCase: true, alternateCommentMode: true });
  }
  parse.filename = null;
  root.resolveAll();
  return root;
}

/** `core/contract/balance_contract.proto` → `balance-contract`. common.proto holds one enum and is named for it. */
function moduleName(protoFile: string): string {
  const name = protoFile.slice(protoFile.lastIndexOf('/') + 1).replace(/\.proto$/, '');
  if (name === 'common') return 'resource-code';
  return name
    .replaceAll('_', '-')
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase();
}

/** `protocol.Transaction.raw` without the leading dot that protobufjs writes. */
function fullName(object: protobuf.ReflectionObject): string {
  return object.fullName.replace(/^\./, '');
}

/** `protocol.Transaction.raw` → `Transaction_raw`. */
function identifier(object: protobuf.ReflectionObject): string {
  return fullName(object)
    .replace(/^(protocol|google\.protobuf)\./, '')
    .replaceAll('.', '_');
}

function wireType(field: protobuf.Field): number {
  if (field.map) return 2;
  if (field.resolvedType instanceof protobuf.Type) return 2;
  if (field.resolvedType instanceof protobuf.Enum) return 0;
  return field.type === 'bytes' || field.type === 'string' ? 2 : field.type === 'double' ? 1 : 0;
}

/** A field's kind in its table: of bytes, what they mean if they are an address or a name. */
function scalarKind(field: protobuf.Field): string {
  const form = field.parent === null ? undefined : visibleForm(fullName(field.parent), field.name);
  if (form !== undefined && field.type !== 'bytes') throw new Error(`${field.fullName}: only bytes have a form`);
  return form ?? field.type;
}

/** The .proto comment in front of a declaration, as TSDoc. */
function documentation(comment: string | null, indent = ''): string {
  if (comment === null || comment === '') return '';
  const lines = comment.split('\n').map((line) => line.trim());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** Where what generated code calls is declared. */
const RUNTIME: readonly (readonly [string, readonly string[]])[] = [
  ['message-codec', ['message']],
  ['message-table', ['NO_ELEMENTS', 'NO_ENTRIES']],
  ['message-type', ['type EnumType', 'enumType', 'map', 'repeated', 'type Sent', 'singular']],
];

/** Parts of a list in as few lines as they need. */
function filled(parts: readonly string[]): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length + 2 < 118) lines[lines.length - 1] = `${last} ${part},`;
    else lines.push(`  ${part},`);
  }
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

class Module {
  readonly #name: string;
  readonly #file: string;
  readonly #imports = new Map<string, Set<string>>();
  readonly #runtime = new Set<string>();
  readonly #primitives = new Set<string>();
  readonly #parts: string[] = [];

  readonly #isUnrolled: (type: protobuf.Type) => boolean;

  constructor(file: string, isUnrolled: (type: protobuf.Type) => boolean) {
    this.#isUnrolled = isUnrolled;
    this.#file = file;
    this.#name = moduleName(file);
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** The name of `object` in this module, imported where it lives elsewhere. */
  #use(object: protobuf.ReflectionObject, suffix = ''): string {
    const name = identifier(object) + suffix;
    const home = moduleName(object.filename ?? '');
    if (home !== this.#name) {
      if (!this.#imports.has(home)) this.#imports.set(home, new Set());
      this.#imports.get(home)?.add(name);
    }
    return name;
  }

  #typeOf(field: protobuf.Field): string {
    const type = field.resolvedType;
    if (type !== null) return this.#use(type);
    if (!SCALARS.has(field.type)) throw new Error(`${field.fullName}: the generator does not know ${field.type}`);
    if (field.type === 'bytes') return this.#bytesType(field);
    if (field.type === 'int64') return 'bigint';
    return field.type === 'bool' ? 'boolean' : field.type === 'string' ? 'string' : 'number';
  }

  #bytesType(field: protobuf.Field): string {
    const type = field.parent !== null && isAddressField(fullName(field.parent), field.name) ? 'Address' : 'Hex';
    this.#primitives.add(type);
    return type;
  }

  #fieldType(field: protobuf.Field): string {
    const type = this.#typeOf(field);
    if (field instanceof protobuf.MapField)
      return `ReadonlyMap<${field.keyType === 'int64' ? 'bigint' : 'string'}, ${type}>`;
    if (field.repeated) return `readonly ${type}[]`;
    return field.resolvedType instanceof protobuf.Type ? `${type} | undefined` : type;
  }

  #defaultOf(field: protobuf.Field): string {
    if (field.map) return this.#uses('NO_ENTRIES');
    if (field.repeated) return this.#uses('NO_ELEMENTS');
    if (field.resolvedType instanceof protobuf.Type) return 'undefined';
    if (field.type === 'bytes' || field.type === 'string') return "''";
    return field.type === 'int64' ? '0n' : field.type === 'bool' ? 'false' : '0';
  }

  #uses(runtimeName: string): string {
    this.#runtime.add(runtimeName);
    return runtimeName;
  }

  enumeration(type: protobuf.Enum): void {
    const name = identifier(type);
    const values = Object.entries(type.values).map(([key, value]) => `  ${key}: ${value},\n`);
    this.#parts.push(
      `${documentation(type.comment)}export const ${name} = {\n${values.join('')}} as const;\n` +
        `export type ${name} = number;\n` +
        `export const ${name}_type: EnumType = /* @__PURE__ */ ${this.#uses('enumType')}('${fullName(type)}', ${name});\n`,
    );
    this.#uses('type EnumType');
  }

  message(type: protobuf.Type, unrolled: boolean): void {
    const fields = [...type.fieldsArray].sort((a, b) => a.id - b.id);
    for (const field of fields) {
      if (TAKEN.has(field.name)) throw new Error(`${field.fullName}: the generated code uses this name itself`);
      if (field.repeated && wireType(field) !== 2) throw new Error(`${field.fullName}: packed lists are not known`);
    }
    const name = identifier(type);
    const declared = fields.map(
      (field) => `${documentation(field.comment, '  ')}  readonly ${field.name}: ${this.#fieldType(field)};\n`,
    );
    this.#uses('message');
    const code = unrolled
      ? `${this.#emptyMessage(name, fields)}${this.#reader(name, fields)}\n${this.#writer(name, fields)}\n`
      : '';
    const given = unrolled ? `, { empty: empty_${name}, read: read_${name}, write: write_${name} }` : '';
    this.#parts.push(
      `${documentation(type.comment)}export interface ${name} {\n${declared.join('')}}\n\n${code}` +
        `export const ${name} = /* @__PURE__ */ message<${name}>('${fullName(type)}', () => [` +
        `${filled(fields.map((field) => this.#description(field)))}]${given});\n`,
    );
  }

  #emptyMessage(name: string, fields: readonly protobuf.Field[]): string {
    const values = fields.map((field) => `  ${field.name}: ${this.#defaultOf(field)},\n`);
    return `const empty_${name}: ${this.#sent(name)} = {\n${values.join('')}};\n\n`;
  }

  /** The type of what a decoder gives. */
  #sent(name: string): string {
    this.#uses('type Sent');
    return `Sent<${name}>`;
  }

  #description(field: protobuf.Field): string {
    const type = field.resolvedType;
    const of =
      type === null
        ? `'${scalarKind(field)}'`
        : type instanceof protobuf.Enum
          ? this.#use(type, '_type')
          : this.#use(type);
    if (field instanceof protobuf.MapField)
      return `${this.#uses('map')}('${field.name}', ${field.id}, '${field.keyType}', ${of})`;
    if (field.repeated) return `${this.#uses('repeated')}('${field.name}', ${field.id}, ${of})`;
    return `${this.#uses('singular')}('${field.name}', ${field.id}, ${of})`;
  }

  #reader(name: string, fields: readonly protobuf.Field[]): string {
    if (fields.length === 0) {
      return (
        `function read_${name}(r: WireReader, base: ${this.#sent(name)}): ${this.#sent(name)} {\n` +
        `  while (r.pos < r.end) r.skip(r.tag());\n  return base;\n}\n`
      );
    }
    const locals = fields.map((field) => {
      const type = this.#typeOf(field);
      const declared = field.resolvedType instanceof protobuf.Type ? this.#sent(type) : type;
      if (field instanceof protobuf.MapField) {
        return `  let ${field.name}: Map<${field.keyType === 'int64' ? 'bigint' : 'string'}, ${declared}> | undefined;\n`;
      }
      if (field.repeated) return `  let ${field.name}: ${declared}[] | undefined;\n`;
      return `  let ${field.name} = base.${field.name};\n`;
    });
    const cases = fields.map((field) => this.#readCase(field)).join('');
    const result = fields.map((field) =>
      field.map || field.repeated
        ? `    ${field.name}: ${field.name} ?? base.${field.name},\n`
        : `    ${field.name},\n`,
    );
    return (
      `function read_${name}(r: WireReader, base: ${this.#sent(name)}): ${this.#sent(name)} {\n` +
      `  if (r.pos === r.end) return base;\n${locals.join('')}` +
      `  while (r.pos < r.end) {\n    const tag = r.tag();\n    switch (tag) {\n${cases}` +
      `      default:\n        r.skip(tag);\n    }\n  }\n  return {\n${result.join('')}  };\n}\n`
    );
  }

  #readCase(field: protobuf.Field): string {
    const tag = ((field.id << 3) | wireType(field)) >>> 0;
    const name = field.name;
    if (field instanceof protobuf.MapField) {
      return `      case ${tag}:\n        r.${mapMethod(field)}((${name} ??= new Map(base.${name})));\n        break;\n`;
    }
    if (field.resolvedType instanceof protobuf.Type) {
      const codec = this.#use(field.resolvedType);
      const home = this.#isWrittenHere(field.resolvedType);
      const read = home ? `read_${codec}` : `${codec}.read`;
      const empty = home ? `empty_${codec}` : `${codec}.empty`;
      const store = field.repeated
        ? `(${name} ??= [...base.${name}]).push(${read}(r, ${empty}));`
        : `${name} = ${read}(r, ${name} ?? ${empty});`;
      return (
        `      case ${tag}: {\n        const outer = r.enter();\n        ${store}\n` +
        `        r.leave(outer);\n        break;\n      }\n`
      );
    }
    if (!field.repeated) return `      case ${tag}:\n        ${name} = r.${scalarMethod(field)}();\n        break;\n`;
    return `      case ${tag}:\n        (${name} ??= [...base.${name}]).push(r.${scalarMethod(field)}());\n        break;\n`;
  }

  #writer(name: string, fields: readonly protobuf.Field[]): string {
    if (fields.length === 0) return `function write_${name}(): void {}\n`;
    // From the last field to the first: the writer fills its buffer from the end.
    const lines = [...fields].reverse().map((field) => this.#writeField(field));
    return `function write_${name}(w: WireWriter, m: ${this.#sent(name)}): void {\n${lines.join('')}}\n`;
  }

  #writeField(field: protobuf.Field): string {
    const tag = ((field.id << 3) | wireType(field)) >>> 0;
    const name = field.name;
    if (field instanceof protobuf.MapField) return `  w.${mapMethod(field)}(${tag}, m.${name});\n`;
    if (field.resolvedType instanceof protobuf.Type) {
      const codec = this.#use(field.resolvedType);
      const home = this.#isWrittenHere(field.resolvedType);
      const write = home ? `write_${codec}` : `${codec}.write`;
      const value = field.repeated ? `m.${name}[i]!` : `m.${name}`;
      const body = `    const before = w.size;\n    ${write}(w, ${value});\n    w.frame(${tag}, before);\n  }\n`;
      return field.repeated
        ? `  for (let i = m.${name}.length - 1; i >= 0; i--) {\n${body}`
        : `  if (m.${name} !== undefined) {\n${body}`;
    }
    if (!field.repeated) return `  w.${scalarMethod(field)}(${tag}, m.${name});\n`;
    return `  for (let i = m.${name}.length - 1; i >= 0; i--) w.${scalarMethod(field)}Always(${tag}, m.${name}[i]!);\n`;
  }

  /** Whether code of this module may call another message's code without asking its codec. */
  #isWrittenHere(type: protobuf.Type): boolean {
    return moduleName(type.filename ?? '') === this.#name && this.#isUnrolled(type);
  }

  text(): string {
    const body = this.#parts.join('\n');
    const imports: string[] = [];
    if (this.#primitives.has('Hex')) imports.push(`import type { Hex } from '../../primitives/hex.js';\n`);
    if (this.#primitives.has('Address')) imports.push(`import type { Address } from '../../primitives/ids.js';\n`);
    for (const [home, names] of RUNTIME) {
      const used = names.filter((name) => this.#runtime.has(name));
      if (used.length > 0) imports.push(`import { ${used.join(', ')} } from '../${home}.js';\n`);
    }
    if (/\bWireReader\b/.test(body)) imports.push(`import type { WireReader } from '../wire-reader.js';\n`);
    if (/\bWireWriter\b/.test(body)) imports.push(`import type { WireWriter } from '../wire-writer.js';\n`);
    for (const [home, names] of [...this.#imports].sort(([a], [b]) => (a < b ? -1 : 1))) {
      imports.push(`import { ${[...names].sort().join(', ')} } from './${home}.js';\n`);
    }
    return `${header(`proto/${this.#file}`)}${imports.join('')}\n${body}`;
  }
}

function mapMethod(field: protobuf.MapField): string {
  const kinds = `${field.keyType},${field.type}`;
  if (kinds === 'string,int64') return 'mapStringInt64';
  if (kinds === 'int64,int64') return 'mapInt64Int64';
  if (kinds === 'string,string') return 'mapStringString';
  throw new Error(`${field.fullName}: the generator does not know map<${kinds}>`);
}

function scalarMethod(field: protobuf.Field): string {
  if (field.resolvedType instanceof protobuf.Enum) return 'int32';
  return field.type === 'bytes' ? 'hex' : field.type;
}

function header(source: string): string {
  return `// Generated by scripts/generate-messages.ts from ${source}. Not edited by hand: npx tsx scripts/generate-messages.ts\n\n`;
}

/** Types and enums below `parent`, inner ones first where nested, each with the file that declares it. */
function* declarations(parent: protobuf.NamespaceBase): Generator<protobuf.Type | protobuf.Enum> {
  for (const object of parent.nestedArray) {
    if (object instanceof protobuf.Type) {
      yield* declarations(object);
      yield object;
    } else if (object instanceof protobuf.Enum) yield object;
    else if (object instanceof protobuf.Namespace && !(object instanceof protobuf.Service)) yield* declarations(object);
  }
}

function* servicesOf(parent: protobuf.NamespaceBase): Generator<protobuf.Service> {
  for (const object of parent.nestedArray) {
    if (object instanceof protobuf.Service) yield object;
    else if (object instanceof protobuf.Namespace && !(object instanceof protobuf.Type)) yield* servicesOf(object);
  }
}

function importsByModule(types: Iterable<protobuf.Type>): string {
  const byModule = new Map<string, Set<string>>();
  for (const type of types) {
    const home = moduleName(type.filename ?? '');
    if (!byModule.has(home)) byModule.set(home, new Set());
    byModule.get(home)?.add(identifier(type));
  }
  return [...byModule]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([home, names]) => `import {${filled([...names].sort())}} from './${home}.js';\n`)
    .join('');
}

function servicesModule(services: readonly protobuf.Service[]): string {
  const used: protobuf.Type[] = [];
  const parts = services.map((service) => {
    const methods = service.methodsArray.map((method) => {
      const request = method.resolvedRequestType;
      const response = method.resolvedResponseType;
      if (request === null || response === null) throw new Error(`${method.fullName}: unresolved types`);
      used.push(request, response);
      return `  ${method.name}: method(${identifier(request)}, ${identifier(response)}),\n`;
    });
    return (
      `${documentation(service.comment)}export const ${service.name}_service = ` +
      `/* @__PURE__ */ service('${fullName(service)}', {\n${methods.join('')}});\n`
    );
  });
  return (
    `${header('the services of proto/')}import { method, service } from '../service-type.js';\n${importsByModule(used)}\n` +
    parts.join('\n')
  );
}

/** The messages and enums that Sunup needs: of the services it serves, of every contract type, and of what it keeps. */
function usedDeclarations(root: protobuf.Root, services: readonly protobuf.Service[]): Set<protobuf.ReflectionObject> {
  const used = new Set<protobuf.ReflectionObject>();
  const add = (object: protobuf.ReflectionObject | null) => {
    if (object === null || used.has(object)) return;
    used.add(object);
    if (object instanceof protobuf.Type) for (const field of object.fieldsArray) add(field.resolvedType);
  };
  for (const { methodsArray } of services) {
    for (const { resolvedRequestType, resolvedResponseType } of methodsArray) {
      add(resolvedRequestType);
      add(resolvedResponseType);
    }
  }
  for (const name of Object.keys(root.lookupEnum('protocol.Transaction.Contract.ContractType').values)) {
    add(root.lookup(`protocol.${name}`));
  }
  for (const name of KEPT) add(root.lookupType(name));
  return used;
}

/** File name in `src/protocol/generated/` → text. */
export function generateMessages(): Map<string, string> {
  const isUnrolled = (type: protobuf.Type) => UNROLLED.has(fullName(type));
  const root = parseProtoFiles();
  const services = [...servicesOf(root)].filter((service) => SERVICES.includes(fullName(service)));
  const used = usedDeclarations(root, services);
  const modules = new Map<string, Module>();
  for (const declaration of declarations(root)) {
    if (!used.has(declaration)) continue;
    const file = declaration.filename;
    if (file === null) throw new Error(`${declaration.fullName}: declared in no file`);
    let module = modules.get(file);
    if (module === undefined) {
      module = new Module(file, isUnrolled);
      modules.set(file, module);
    }
    if (declaration instanceof protobuf.Enum) module.enumeration(declaration);
    else module.message(declaration, isUnrolled(declaration));
  }
  const files = new Map<string, string>();
  for (const [file, module] of modules) files.set(`${moduleName(file)}.ts`, module.text());
  files.set('services.ts', servicesModule(services));
  return files;
}

/** Whether `src/protocol/generated/` is what `files` says: nothing missing, stale or left over. */
export function isUpToDate(files: ReadonlyMap<string, string>): boolean {
  const present = filesBelow(OUTPUT, '.ts');
  return (
    present.join() === [...files.keys()].sort().join() &&
    present.every((name) => readFileSync(join(OUTPUT, name), 'utf8') === files.get(name))
  );
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(
      'Usage: tsx scripts/generate-messages.ts [--check]\n\n' +
        'Writes src/protocol/generated/ from proto/.\n\n' +
        '  --check  write nothing; exit 1 if the files are not what would be written\n',
    );
    return;
  }
  const files = generateMessages();
  if (values.check) {
    if (!isUpToDate(files)) {
      process.stderr.write(
        'src/protocol/generated/ is not what proto/ says: run npx tsx scripts/generate-messages.ts\n',
      );
      process.exitCode = 1;
    }
    return;
  }
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(OUTPUT, name), text);
  process.stdout.write(`${files.size} files in ${relative(process.cwd(), OUTPUT)}\n`);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main();
