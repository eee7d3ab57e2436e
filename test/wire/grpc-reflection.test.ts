import protobuf from 'protobufjs';
import descriptorJson from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseProtoFiles } from '../../scripts/generate-messages.js';
import { createDevnet, type Devnet } from '../../src/index.js';
import { askReflection as ask, type ReflectionReply as Reply } from './reflection-client.js';

/** google/protobuf/descriptor.proto, with which a client decodes descriptors. */
const FileDescriptorProto = protobuf.Root.fromJSON(descriptorJson as protobuf.INamespace).lookupType(
  'google.protobuf.FileDescriptorProto',
);

interface File {
  readonly name: string;
  readonly dependency?: readonly string[];
  readonly messageType?: readonly { readonly name: string; readonly field: readonly { readonly name: string }[] }[];
  readonly service?: readonly { readonly name: string; readonly method: readonly { readonly name: string }[] }[];
}

function filesOf(reply: Reply | undefined): File[] {
  const files = reply?.file_descriptor_response?.file_descriptor_proto ?? [];
  return files.map((bytes) => FileDescriptorProto.toObject(FileDescriptorProto.decode(bytes)) as unknown as File);
}

describe.each(['v1', 'v1alpha'] as const)('reflection %s', (version) => {
  let devnet: Devnet;
  const asked = (...requests: object[]) => ask(devnet.grpc!.url, version, ...requests);

  beforeAll(async () => {
    devnet = await createDevnet({ grpcPort: 0, grpcSolidityPort: 0 });
  });
  afterAll(() => devnet.close());

  test('lists the services of the port', async () => {
    const services = async (url: string) => {
      const [reply] = await ask(url, version, { list_services: '' });
      return reply?.list_services_response?.service.map(({ name }) => name).sort();
    };
    const itself = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];
    expect(await services(devnet.grpc!.url)).toEqual([...itself, 'protocol.Database', 'protocol.Wallet']);
    expect(await services(devnet.grpcSolidity[0]!.url)).toEqual([
      ...itself,
      'protocol.Database',
      'protocol.WalletSolidity',
    ]);
  });

  test('returns the file of a symbol with all its imports', async () => {
    const [reply] = await asked({ host: 'here', file_containing_symbol: 'protocol.Wallet' });
    expect(reply).toMatchObject({
      valid_host: 'here',
      original_request: { file_containing_symbol: 'protocol.Wallet' },
    });
    const files = filesOf(reply);
    expect(files[0]?.name).toBe('api/api.proto');
    // Unused imports are not included, but clients can request them.
    const names = new Set(files.map(({ name }) => name));
    const imported = files.flatMap(({ dependency = [] }) => dependency).filter((name) => !names.has(name));
    const rest = await asked(...imported.map((file_by_filename) => ({ file_by_filename })));
    expect(rest.map((reply) => filesOf(reply)[0]?.name)).toEqual(imported);

    const root = parseProtoFiles();
    const described = files.flatMap(({ messageType = [] }) => messageType.map(({ name }) => name));
    expect(described).toEqual(expect.arrayContaining(['Account', 'Transaction', 'TransactionExtention', 'Any']));
    const wallet = files[0]?.service?.find(({ name }) => name === 'Wallet');
    const declared = root.lookupService('protocol.Wallet').methodsArray.map(({ name }) => name);
    expect(wallet?.method.map(({ name }) => name)).toEqual(declared);
  });

  test('finds methods, nested messages, enums and files, also those of the reflection service', async () => {
    const symbols = [
      'protocol.Wallet.GetNowBlock2',
      'protocol.Transaction.raw',
      'protocol.Transaction.Contract.ContractType',
      `grpc.reflection.${version}.ServerReflection`,
    ];
    const replies = await asked(...symbols.map((file_containing_symbol) => ({ file_containing_symbol })), {
      file_by_filename: 'core/contract/balance_contract.proto',
    });
    expect(replies.map((reply) => filesOf(reply)[0]?.name)).toEqual([
      'api/api.proto',
      'core/Tron.proto',
      'core/Tron.proto',
      `grpc/reflection/${version}/reflection.proto`,
      'core/contract/balance_contract.proto',
    ]);
  });

  test("has java-tron's field names, without JSON names", async () => {
    const [reply] = await asked({ file_by_filename: 'core/Tron.proto' });
    const transaction = filesOf(reply)
      .find(({ name }) => name === 'core/Tron.proto')
      ?.messageType?.find(({ name }) => name === 'Transaction');
    expect(transaction?.field).toEqual([
      { name: 'raw_data', number: 1, label: 1, type: 11, typeName: '.protocol.Transaction.raw' },
      { name: 'signature', number: 2, label: 3, type: 12 },
      { name: 'ret', number: 5, label: 3, type: 11, typeName: '.protocol.Transaction.Result' },
    ]);
  });

  test('reports unknown symbols', async () => {
    const replies = await asked(
      { file_containing_symbol: 'protocol.Wallet.Nope' },
      { file_by_filename: 'nope.proto' },
      { file_containing_extension: { containing_type: 'protocol.Account', extension_number: 1 } },
      { all_extension_numbers_of_type: 'protocol.Nope' },
      {},
    );
    expect(replies.map(({ error_response }) => error_response?.error_code)).toEqual([5, 5, 5, 5, 12]);
    // proto3 has no extensions.
    const [account] = await asked({ all_extension_numbers_of_type: 'protocol.Account' });
    expect(account?.error_response?.error_code).toBe(5);
  });
});
