/**
 * Generates `src/grpc/file-descriptors.ts` from `proto/`: each file as the descriptor that protoc would make of it, for
 * gRPC reflection.
 *
 * Without `json_name`, which java-tron's descriptors lack too: grpcurl then shows fields by their own names, as scripts
 * written against a node expect (protocol/grpc.md#reflection-details-that-tools-notice). protobufjs' own
 * descriptors merge all files of a package into one, with which reflection clients find nothing; so its parsed tree is
 * put into descriptors here.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import protobuf from 'protobufjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PROTO = join(repository, 'proto');
const OUTPUT = join(repository, 'src', 'grpc', 'file-descriptors.ts');
const parse: typeof protobuf.parse & { filename?: string | null } = protobuf.parse;

/** `google/protobuf/descriptor.proto`, which protobufjs brings. */
const FileDescriptorProto = protobuf.Root.fromJSON(
  createRequire(import.meta.url)('protobufjs/google/protobuf/descriptor.json') as protobuf.INamespace,
).lookupType('google.protobuf.FileDescriptorProto');

/** Numbers of FieldDescriptorProto.Type. */
const SCALARS: Readonly<Record<string, number>> = {
  double: 1,
  int64: 3,
  int32: 5,
  bool: 8,
  string: 9,
  bytes: 12,
};
const TYPE_MESSAGE = 11;
const TYPE_ENUM = 14;
const LABEL_OPTIONAL = 1;
const LABEL_REPEATED = 3;

interface ProtoFile {
  readonly name: string;
  readonly package: string;
  readonly imports: readonly string[];
}

function parseFiles(directory: string): { readonly root: protobuf.Root; readonly files: readonly ProtoFile[] } {
  const root = new protobuf.Root();
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.proto'))
    .sort();
  const files = names.map((name) => {
    parse.filename = name;
    const parsed = parse(readFileSync(join(directory, name), 'utf8'), root, { keepCase: true });
    return { name, package: parsed.package ?? '', imports: parsed.imports ?? [] };
  });
  parse.filename = null;
  root.resolveAll();
  return { root, files };
}

/** `.protocol.Transaction.raw`, fully qualified as protoc writes it. */
function reference(type: protobuf.Type | protobuf.Enum): string {
  return type.fullName;
}

/** Scalar, message or enum. */
function typeOf(name: string, resolved: protobuf.Type | protobuf.Enum | null) {
  if (resolved instanceof protobuf.Type) return { type: TYPE_MESSAGE, typeName: reference(resolved) };
  if (resolved instanceof protobuf.Enum) return { type: TYPE_ENUM, typeName: reference(resolved) };
  const type = SCALARS[name];
  if (type === undefined) throw new Error(`no descriptor type for ${name}`);
  return { type };
}

/** The message that stands for the entries of a map: `cancel_unfreezeV2_amount` → `CancelUnfreezeV2AmountEntry`. */
function entryName(field: protobuf.MapField): string {
  return `${field.name.replaceAll(/(?:^|_)([a-zA-Z])/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

function entryType(field: protobuf.MapField) {
  return {
    name: entryName(field),
    field: [
      { name: 'key', number: 1, label: LABEL_OPTIONAL, ...typeOf(field.keyType, null) },
      { name: 'value', number: 2, label: LABEL_OPTIONAL, ...typeOf(field.type, field.resolvedType) },
    ],
    options: { mapEntry: true },
  };
}

function fieldDescriptor(field: protobuf.Field, type: protobuf.Type) {
  const common = { name: field.name, number: field.id };
  if (field instanceof protobuf.MapField) {
    const typeName = `${type.fullName}.${entryName(field)}`;
    return { ...common, label: LABEL_REPEATED, type: TYPE_MESSAGE, typeName };
  }
  const index = field.partOf === null ? {} : { oneofIndex: type.oneofsArray.indexOf(field.partOf) };
  const label = field.repeated ? LABEL_REPEATED : LABEL_OPTIONAL;
  return { ...common, label, ...typeOf(field.type, field.resolvedType), ...index };
}

function messageDescriptor(type: protobuf.Type): object {
  const maps = type.fieldsArray.filter((field) => field instanceof protobuf.MapField);
  const nested = type.nestedArray.filter((object) => object instanceof protobuf.Type);
  const enums = type.nestedArray.filter((object) => object instanceof protobuf.Enum);
  return {
    name: type.name,
    field: type.fieldsArray.map((field) => fieldDescriptor(field, type)),
    nestedType: [...nested.map(messageDescriptor), ...maps.map(entryType)],
    enumType: enums.map(enumDescriptor),
    oneofDecl: type.oneofsArray.map(({ name }) => ({ name })),
  };
}

function enumDescriptor(type: protobuf.Enum): object {
  const value = Object.entries(type.values).map(([name, number]) => ({ name, number }));
  return { name: type.name, value };
}

function serviceDescriptor(service: protobuf.Service): object {
  const method = service.methodsArray.map((method) => {
    const { name, resolvedRequestType, resolvedResponseType, requestStream, responseStream } = method;
    if (resolvedRequestType === null || resolvedResponseType === null) throw new Error(`${method.fullName} is open`);
    return {
      name,
      inputType: reference(resolvedRequestType),
      outputType: reference(resolvedResponseType),
      ...(requestStream ? { clientStreaming: true } : {}),
      ...(responseStream ? { serverStreaming: true } : {}),
    };
  });
  return { name: service.name, method };
}

interface DescribedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function describeFiles(directory: string = PROTO): readonly DescribedFile[] {
  const { root, files } = parseFiles(directory);
  return files.map((file) => {
    const space = root.lookup(file.package);
    const all = space instanceof protobuf.Namespace ? space.nestedArray : [];
    const own = all.filter(({ filename }) => filename === file.name);
    const types = own.filter((object) => object instanceof protobuf.Type);
    const enums = own.filter((object) => object instanceof protobuf.Enum);
    const services = own.filter((object) => object instanceof protobuf.Service);
    const descriptor = {
      name: file.name,
      package: file.package,
      dependency: file.imports,
      messageType: types.map(messageDescriptor),
      enumType: enums.map(enumDescriptor),
      service: services.map(serviceDescriptor),
      syntax: 'proto3',
    };
    const bytes = FileDescriptorProto.encode(FileDescriptorProto.fromObject(descriptor)).finish();
    return { name: file.name, bytes };
  });
}

/** The text of `src/grpc/file-descriptors.ts`. */
export function generateDescriptors(directory: string = PROTO): string {
  const entries = describeFiles(directory).map(
    ({ name, bytes }) => `  // ${name}\n  '${Buffer.from(bytes).toString('base64')}',\n`,
  );
  return `// Generated by scripts/generate-descriptors.ts from proto/. Not edited by hand: npx tsx scripts/generate-descriptors.ts

/** The .proto files for reflection: google.protobuf.FileDescriptorProto, base64. */
// biome-ignore format: bytes
export const FILE_DESCRIPTORS: readonly string[] = [
${entries.join('')}];
`;
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(
      'Usage: tsx scripts/generate-descriptors.ts [--check]\n\nWrites src/grpc/file-descriptors.ts from proto/.\n\n' +
        '  --check  write nothing; exit 1 if the file is not what would be written\n',
    );
    return;
  }
  const text = generateDescriptors();
  if (values.check) {
    if (readFileSync(OUTPUT, 'utf8') === text) return;
    process.stderr.write(
      'src/grpc/file-descriptors.ts is not what proto/ says: run npx tsx scripts/generate-descriptors.ts\n',
    );
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(OUTPUT), { recursive: true });
  writeFileSync(OUTPUT, text);
  process.stdout.write(`${relative(process.cwd(), OUTPUT)}, ${text.length} characters\n`);
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main();
