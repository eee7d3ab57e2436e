/** A method of java-tron's wallet has the same answer by HTTP and by gRPC, field by field. */

import { utf8ToHex } from '../../../../src/primitives/hex.js';
import { Wallet_service } from '../../../../src/protocol/generated/services.js';
import type { FieldType, MessageType } from '../../../../src/protocol/message-type.js';
import { strangerAddress } from '../../simulated-chain.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';
import { askBoth, type Fields, type MethodName, SAME_ON_ALL, type WalletQuestion } from './both-interfaces.js';

interface Question extends WalletQuestion {
  /** Where HTTP names a member of the answer otherwise: its name there. */
  readonly member?: readonly [byHttp: string, byGrpc: string];
}

const QUESTIONS_AT_A_TIME = 4;
const WITHOUT_FIELDS: readonly MethodName[] = [
  'ListWitnesses',
  'ListProposals',
  'ListExchanges',
  'GetAssetIssueList',
  'GetMarketPairList',
  'GetChainParameters',
  'GetNextMaintenanceTime',
  'GetEnergyPrices',
  'GetBandwidthPrices',
  'GetMemoFee',
];
const PAGED: readonly MethodName[] = [
  'GetPaginatedNowWitnessList',
  'GetPaginatedProposalList',
  'GetPaginatedExchangeList',
  'GetPaginatedAssetIssueList',
];

/** One of each kind of question, with what there is on the chain. */
function questions({ world, people }: Host): readonly Question[] {
  const { choices } = world;
  const { state } = world.node.chain.ledger;
  const stranger = strangerAddress(choices.below(3));
  const [address, other] = [choices.of([...people.addresses, stranger]), choices.of([...people.addresses, stranger])];
  const contract = people.programs.length === 0 ? address : choices.of(people.programs);
  const txId = people.sent.length === 0 || choices.chance(0.1) ? '00'.repeat(32) : choices.of(people.sent).txId;
  const asset = choices.of([...state.tables.assets.entries(), undefined])?.[1];
  const tokens = [utf8ToHex('_'), ...state.tables.assets.entries().map(([id]) => id)];
  const page = { offset: BigInt(choices.below(5) - 1), limit: BigInt(choices.below(5) - 1) };
  const pair = { sell_token_id: choices.of(tokens), buy_token_id: choices.of(tokens) };
  const resource = choices.below(3);
  const dueMs = choices.of([0n, world.node.chain.headTimeMs + BigInt(choices.below(200_000_000))]);
  // Of a block that is not there, each interface says so in its own way; a fork's network may not be reached.
  const number = BigInt(world.shape.isFork ? world.headNumber : choices.below(world.headNumber + 1));
  return [
    ...WITHOUT_FIELDS.map((method) => ({ method, fields: {} })),
    ...PAGED.map((method) => ({ method, fields: page })),
    { method: 'GetAccount', fields: { address } },
    { method: 'GetAccountNet', fields: { address } },
    { method: 'GetAccountResource', fields: { address } },
    { method: 'GetAssetIssueByAccount', fields: { address } },
    { method: 'GetMarketOrderByAccount', fields: { value: address } },
    { method: 'GetMarketOrderListByPair', fields: pair },
    { method: 'GetMarketPriceByPair', fields: pair },
    { method: 'GetDelegatedResource', fields: { fromAddress: address, toAddress: other } },
    { method: 'GetDelegatedResourceV2', fields: { fromAddress: address, toAddress: other } },
    { method: 'GetDelegatedResourceAccountIndex', fields: { value: address } },
    { method: 'GetDelegatedResourceAccountIndexV2', fields: { value: address } },
    { method: 'GetCanDelegatedMaxSize', fields: { owner_address: address, type: resource } },
    { method: 'GetAvailableUnfreezeCount', fields: { owner_address: address } },
    { method: 'GetCanWithdrawUnfreezeAmount', fields: { owner_address: address, timestamp: dueMs } },
    { method: 'GetContract', fields: { value: contract } },
    { method: 'GetContractInfo', fields: { value: contract } },
    { method: 'GetTransactionInfoById', fields: { value: txId } },
    { method: 'GetTransactionCountByBlockNum', fields: { num: number }, member: ['count', 'num'] },
    ...(asset === undefined
      ? []
      : [
          { method: 'GetAssetIssueByName', fields: { value: asset.name } } as const,
          { method: 'GetAssetIssueListByName', fields: { value: asset.name } } as const,
          {
            method: 'GetAssetIssueById',
            fields: { value: utf8ToHex(asset.id) },
            body: { value: asset.id },
          } as const,
        ]),
  ];
}

export async function walletMethodsAgree(host: Host): Promise<void> {
  const { world } = host;
  for (let i = 0; i < QUESTIONS_AT_A_TIME && world.isRunning; i++)
    await methodAgrees(host, world.choices.of(questions(host)));
}

async function methodAgrees(host: Host, question: Question): Promise<void> {
  const answers = await askBoth(host, question);
  if (answers === undefined) return;
  const { asked, json, message } = answers;
  const { member } = question;
  const { type } = Wallet_service.methods[question.method].response;
  const renamed = Object.entries(JSON.parse(json) as Fields).map(([name, value]) => [
    name === member?.[0] ? member[1] : name,
    // java-tron shows these bytes as text.
    name === 'asset_issued_ID' ? utf8ToHex(String(value)) : value,
  ]);
  const byHttp = JSON.stringify(shown(type, Object.fromEntries(renamed)));
  const byGrpc = JSON.stringify(shown(type, message));
  if (byHttp !== byGrpc) throw new Violation(SAME_ON_ALL, `${asked}: HTTP ${byHttp}, gRPC ${byGrpc}`);
}

/** A message without its default values, from its JSON or decoded. Members that it does not have stay. */
function shown(type: MessageType, message: Fields): Fields {
  const members: (readonly [name: string, value: unknown])[] = [];
  for (const [name, value] of Object.entries(message)) {
    const field = type.fieldByName.get(name);
    const said = field === undefined ? value : shownField(field, value);
    const isDefault = said === 0 || said === '' || said === false || said === undefined;
    if (!isDefault && !(Array.isArray(said) && said.length === 0)) members.push([name, said]);
  }
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shownField(field: FieldType, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (field.label === 'map') {
    const entries = value instanceof Map ? [...value].map(([key, of]) => ({ key, value: of })) : (value as Fields[]);
    return entries.map(({ key, value: of }) => [String(key), shownValue(field, of)]).sort();
  }
  if (field.label === 'repeated') return (value as readonly unknown[]).map((one) => shownValue(field, one));
  return shownValue(field, value);
}

function shownValue({ kind, enumType, messageType }: FieldType, value: unknown): unknown {
  if (kind === 'message') return shown(messageType as MessageType, value as Fields);
  if (kind === 'enum') return typeof value === 'string' ? enumType?.numberOf(value) : value;
  // Both lose the same digits beyond 2^53.
  return kind === 'int64' || kind === 'int32' ? Number(value) : value;
}
