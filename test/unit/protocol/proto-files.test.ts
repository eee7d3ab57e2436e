import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { generateMessages, isUpToDate, parseProtoFiles } from '../../../scripts/generate-messages.js';
import { contractCodec, contractTypesWithMessage, typeUrlOf } from '../../../src/protocol/contract-types.js';
import * as services from '../../../src/protocol/generated/services.js';
import type { FieldType, MessageType } from '../../../src/protocol/message-type.js';
import { messageTypes } from './message-types.js';

interface Field {
  readonly name: string;
  readonly number: number;
  readonly label: 'singular' | 'repeated' | 'map';
  readonly type: string;
  readonly kind: 'scalar' | 'enum' | 'message';
  readonly keyType?: string;
  readonly packed?: boolean;
}
interface Network {
  readonly counts: Readonly<Record<string, number>>;
  readonly files: readonly { name: string; package?: string; imports?: readonly string[]; empty?: boolean }[];
  readonly services: readonly {
    fullName: string;
    file: string;
    methods: readonly { name: string; path: string; requestType: string; responseType: string }[];
  }[];
  readonly enums: readonly { fullName: string; file: string; values: readonly { name: string; number: number }[] }[];
  readonly messages: readonly { fullName: string; file: string; fields: readonly Field[] }[];
  readonly contractTypes: readonly {
    number: number;
    name: string;
    message: string | null;
    typeUrl: string | null;
    executedBy: string | null;
  }[];
}

/** The network's definitions, taken from the descriptors of its release: what is compared with, never generated from. */
const network: Network = JSON.parse(
  readFileSync(new URL('../../../fixtures/protobuf-fields.json', import.meta.url), 'utf8'),
);
const root = parseProtoFiles();

function everything(namespace: protobuf.NamespaceBase): protobuf.ReflectionObject[] {
  return namespace.nestedArray.flatMap((object) =>
    object instanceof protobuf.Namespace ? [object, ...everything(object)] : [object],
  );
}
const objects = everything(root.lookup('protocol') as protobuf.Namespace);
const nameOf = (object: protobuf.ReflectionObject) => object.fullName.slice(1);

function fieldOf(field: protobuf.Field): Field {
  const type = field.resolvedType;
  const kind = type instanceof protobuf.Enum ? 'enum' : type instanceof protobuf.Type ? 'message' : 'scalar';
  const packable = kind === 'enum' || (kind === 'scalar' && field.type !== 'bytes' && field.type !== 'string');
  return {
    name: field.name,
    number: field.id,
    label: field instanceof protobuf.MapField ? 'map' : field.repeated ? 'repeated' : 'singular',
    type: type === null ? field.type : nameOf(type),
    kind,
    ...(field instanceof protobuf.MapField ? { keyType: field.keyType } : {}),
    ...(field.repeated && packable ? { packed: true } : {}),
  };
}

function described(field: FieldType): Field {
  return {
    name: field.name,
    number: field.number,
    label: field.label,
    type: field.messageType?.fullName ?? field.enumType?.fullName ?? field.kind,
    kind: field.kind === 'message' || field.kind === 'enum' ? field.kind : 'scalar',
    ...(field.keyKind === undefined ? {} : { keyType: field.keyKind }),
  };
}

const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;

describe('proto/', () => {
  it('declares every message of the network with the same fields, in the same file, and none besides', () => {
    const ours = objects
      .filter((object) => object instanceof protobuf.Type)
      .map((type) => ({ fullName: nameOf(type), file: type.filename, fields: type.fieldsArray.map(fieldOf) }));
    const theirs = network.messages.map(({ fullName, file, fields }) => ({ fullName, file, fields }));
    const byName = (a: { fullName: string }, b: { fullName: string }) => (a.fullName < b.fullName ? -1 : 1);
    expect(ours.toSorted(byName)).toEqual(theirs.toSorted(byName));
    expect(ours).toHaveLength(network.counts.messages!);
    expect(ours.flatMap(({ fields }) => fields)).toHaveLength(network.counts.fields!);
  });

  it('declares every enum with the same values', () => {
    const ours = objects
      .filter((object) => object instanceof protobuf.Enum)
      .map((type) => [nameOf(type), { file: type.filename, values: type.values }] as const);
    const theirs = network.enums.map(
      ({ fullName, file, values }) =>
        [fullName, { file, values: Object.fromEntries(values.map(({ name, number }) => [name, number])) }] as const,
    );
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it('declares every service with the same methods', () => {
    const ours = objects
      .filter((object) => object instanceof protobuf.Service)
      .map((service) => ({
        fullName: nameOf(service),
        file: service.filename,
        methods: service.methodsArray.map((method) => [
          method.name,
          nameOf(method.resolvedRequestType!),
          nameOf(method.resolvedResponseType!),
          method.requestStream ?? false,
          method.responseStream ?? false,
        ]),
      }));
    const theirs = network.services.map(({ fullName, file, methods }) => ({
      fullName,
      file,
      methods: methods.map(({ name, requestType, responseType }) => [name, requestType, responseType, false, false]),
    }));
    expect(ours.toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1))).toEqual(
      theirs.toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1)),
    );
  });

  it('has the files that reflection shows, with their imports', () => {
    for (const file of network.files.filter(({ empty }) => empty !== true)) {
      const path = new URL(`../../../proto/${file.name}`, import.meta.url);
      const parsed = protobuf.parse(readFileSync(path, 'utf8'));
      expect({ package: parsed.package, imports: parsed.imports ?? [] }, file.name).toEqual({
        package: file.package,
        imports: file.imports,
      });
    }
  });
});

describe('src/protocol/generated/', () => {
  it('is what the generator makes of proto/', () => {
    expect(isUpToDate(generateMessages())).toBe(true);
  });

  it('describes its messages as the network does, and only those that are used', () => {
    const theirs = new Map(network.messages.map(({ fullName, fields }) => [fullName, [...fields].sort(byNumber)]));
    for (const type of messageTypes) {
      if (type.fullName === 'google.protobuf.Any') continue;
      expect(type.fields.map(described), type.fullName).toEqual(theirs.get(type.fullName));
    }
    expect(messageTypes.length).toBeGreaterThan(150);
    expect(messageTypes.length).toBeLessThan(theirs.size);
  });

  it('names every enum value', () => {
    const types = messageTypes.flatMap((type: MessageType) => type.fields.flatMap(({ enumType }) => enumType ?? []));
    const ours = new Map(types.map((type) => [type.fullName, type]));
    for (const { fullName, values } of network.enums) {
      const type = ours.get(fullName);
      if (type === undefined) continue; // used by no field
      for (const { name, number } of values) {
        expect(type.numberOf(name)).toBe(number);
        expect(type.nameOf(number)).toBe(name);
      }
      expect(type.numberOf('toString')).toBeUndefined();
      expect(type.nameOf(98_765)).toBeUndefined();
    }
  });

  it('pairs every method with its messages', () => {
    const ours = Object.values(services).map((service) => [
      service.fullName,
      Object.fromEntries(
        Object.entries(service.methods).map(([name, method]) => [
          name,
          [method.request.type.fullName, method.response.type.fullName],
        ]),
      ),
    ]);
    const theirs = network.services
      .filter(({ fullName }) => /\.(Wallet|WalletSolidity|Database)$/.test(fullName))
      .map(({ fullName, methods }) => [
        fullName,
        Object.fromEntries(methods.map(({ name, requestType, responseType }) => [name, [requestType, responseType]])),
      ]);
    expect(theirs).toHaveLength(3);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it('registers the message of every contract type that something executes', () => {
    const executed = network.contractTypes.filter(({ executedBy }) => executedBy !== null);
    expect(contractTypesWithMessage()).toEqual(executed.map(({ number }) => number));
    for (const { number, message, typeUrl } of executed) {
      const codec = contractCodec(number)!;
      expect(codec.type.fullName).toBe(message);
      expect(typeUrlOf(codec)).toBe(typeUrl);
    }
    expect(contractCodec(3)).toBeUndefined();
    expect(contractCodec(20)).toBeUndefined();
  });
});
