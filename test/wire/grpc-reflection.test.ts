import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';
import descriptorJson from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' };
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseProtoFiles } from '../../scripts/generate-messages.js';
import { createDevnet, type Devnet } from '../../src/index.js';

const PROTO = fileURLToPath(new URL('../../proto', import.meta.url));

interface Reply {
  readonly valid_host: string;
  readonly original_request: Record<string, unknown>;
  readonly file_descriptor_response?: { readonly file_descriptor_proto: Buffer[] };
  readonly list_services_response?: { readonly service: { readonly name: string }[] };
  readonly all_extension_numbers_response?: { readonly base_type_name: string };
  readonly error_response?: { readonly error_code: number; readonly error_message: string };
}

/** google/protobuf/descriptor.proto, with which a client reads what it is given. */
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

/** Asks everything in one stream and takes the replies in their order. */
function ask(url: string, version: 'v1' | 'v1alpha', ...requests: object[]): Promise<Reply[]> {
  const definition = loadSync(`grpc/reflection/${version}/reflection.proto`, {
    keepCase: true,
    includeDirs: [PROTO],
  });
  const loaded = loadPackageDefinition(definition) as unknown as {
    grpc: { reflection: Record<string, { ServerReflection: new (url: string, credentials: unknown) => Client }> };
  };
  const client = new loaded.grpc.reflection[version]!.ServerReflection(url, credentials.createInsecure());
  return new Promise((resolve, reject) => {
    const replies: Reply[] = [];
    const stream = (client as unknown as { ServerReflectionInfo(): NodeJS.ReadWriteStream }).ServerReflectionInfo();
    stream.on('data', (reply: Reply) => replies.push(reply));
    stream.on('error', reject);
    stream.on('end', () => {
      client.close();
      resolve(replies);
    });
    for (const request of requests) stream.write(request as never);
    stream.end();
  });
}

describe.each(['v1', 'v1alpha'] as const)('reflection %s', (version) => {
  let devnet: Devnet;
  const asked = (...requests: object[]) => ask(devnet.grpc!.url, version, ...requests);

  beforeAll(async () => {
    devnet = await createDevnet({ grpcPort: 0, grpcSolidityPort: 0 });
  });
  afterAll(() => devnet.close());

  test('lists what the port serves', async () => {
    const services = async (url: string) =>
      (await ask(url, version, { list_services: '' }))[0]?.list_services_response?.service.map(({ name }) => name);
    const itself = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection'];
    expect(await services(devnet.grpc!.url)).toEqual(['protocol.Wallet', 'protocol.Database', ...itself]);
    expect(await services(devnet.grpcSolidity[0]!.url)).toEqual([
      'protocol.WalletSolidity',
      'protocol.Database',
      ...itself,
    ]);
  });

  test('gives a symbol with its file and everything that imports', async () => {
    const [reply] = await asked({ host: 'here', file_containing_symbol: 'protocol.Wallet' });
    expect(reply).toMatchObject({
      valid_host: 'here',
      original_request: { file_containing_symbol: 'protocol.Wallet' },
    });
    const files = filesOf(reply);
    expect(files[0]?.name).toBe('api/api.proto');
    const names = new Set(files.map(({ name }) => name));
    for (const { dependency = [] } of files) for (const name of dependency) expect(names).toContain(name);

    const root = parseProtoFiles();
    const described = files.flatMap(({ messageType = [] }) => messageType.map(({ name }) => name));
    expect(described).toEqual(expect.arrayContaining(['Account', 'Transaction', 'TransactionExtention', 'Any']));
    const wallet = files[0]?.service?.find(({ name }) => name === 'Wallet');
    const declared = root.lookupService('protocol.Wallet').methodsArray.map(({ name }) => name);
    expect(wallet?.method.map(({ name }) => name)).toEqual(declared);
  });

  test('finds methods, nested messages, enums and files; the reflection service too', async () => {
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

  test('shows fields by the names that java-tron shows, without JSON names', async () => {
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

  test('says what it does not have', async () => {
    const replies = await asked(
      { file_containing_symbol: 'protocol.Wallet.Nope' },
      { file_by_filename: 'nope.proto' },
      { file_containing_extension: { containing_type: 'protocol.Account', extension_number: 1 } },
      { all_extension_numbers_of_type: 'protocol.Nope' },
      {},
    );
    expect(replies.map(({ error_response }) => error_response?.error_code)).toEqual([5, 5, 5, 5, 12]);
    const [account] = await asked({ all_extension_numbers_of_type: 'protocol.Account' });
    expect(account?.all_extension_numbers_response).toMatchObject({ base_type_name: 'protocol.Account' });
  });
});
