/**
 * Requests and answers beyond the endpoints' messages: additional members, and answers that are no message. Keyed by
 * the endpoint's name, its path; protocol/http-endpoints.md describes the same.
 */

import { Return } from '../protocol/generated/api.js';
import { TransferContract } from '../protocol/generated/balance-contract.js';
import { ResourceReceipt, Transaction, TransactionInfo } from '../protocol/generated/tron.js';
import type { MessageSchemas } from './message-schemas.js';
import { allMembers, hex, integer, list, members, type Schema, text, truth } from './schema.js';

type Members = Readonly<Record<string, Schema>>;

const MEMO: Members = { extra_data: text('Memo: hex, or text with visible') };
const PERMISSION: Members = { Permission_id: integer('Id of the account permission that signs the transaction') };
const CALL: Members = {
  function_selector: text('transfer(address,uint256); its selector precedes parameter'),
  parameter: hex('Encoded arguments'),
};

/** In the body, beside the fields of the endpoint's message. */
export const FURTHER_MEMBERS: Readonly<Record<string, Members>> = {
  createtransaction: MEMO,
  transferasset: MEMO,
  marketsellasset: MEMO,
  marketcancelorder: MEMO,
  triggersmartcontract: { ...CALL, ...PERMISSION, fee_limit: integer('Sun') },
  triggerconstantcontract: { ...CALL, ...PERMISSION, ...MEMO },
  estimateenergy: CALL,
};

/** Bodies that differ from the fields of the endpoint's message. */
export const BODIES: Readonly<Record<string, (messages: MessageSchemas) => Members>> = {
  deploycontract: () => ({
    owner_address: text(),
    abi: { anyOf: [list({ type: 'object' }), text()], description: 'ABI from the compiler, as JSON or text' },
    bytecode: hex(),
    parameter: hex('Encoded constructor arguments'),
    name: text(),
    fee_limit: integer('Sun'),
    call_value: integer('Sun'),
    consume_user_resource_percent: integer('Percentage of the Energy that callers pay, 0 to 100'),
    origin_energy_limit: integer('Maximum Energy per call that the deployer pays'),
    token_id: integer(),
    call_token_value: integer(),
    ...PERMISSION,
  }),
  broadcasthex: () => ({ transaction: hex('protocol.Transaction, signed') }),
  getReward: () => ({ address: text() }),
  getBrokerage: () => ({ address: text() }),
  getproposalbyid: () => ({ id: integer() }),
  getexchangebyid: () => ({ id: integer() }),
  getassetissuebyid: () => ({ value: text('Token id') }),
  getaccount: () => ({ address: text() }),
  getaccountbyid: () => ({ account_id: text('Hex, or text with visible') }),
  getaccountresource: () => ({ address: text() }),
  getaccountnet: () => ({ address: text() }),
  getassetissuebyaccount: () => ({ address: text() }),
  validateaddress: () => ({ address: text('Hex, base58 or base64') }),
  createCommonTransaction: (messages) => ({
    contractType: text('TransferContract, …; the fields of that message follow, here those of a transfer'),
    ...messages.fields(TransferContract.type),
    permissionId: integer(),
    feeLimit: integer(),
  }),
  mine: () => ({
    blocks: integer('Number of blocks'),
    advanceMs: integer('Time to advance, in milliseconds'),
    timestampMs: integer('Timestamp of the next block'),
  }),
  revert: () => ({ id: text('Id from snapshot') }),
  load: () => ({ dump: text('base64') }),
  fork: () => ({ address: text('An account or a contract') }),
  pools: () => ({ limit: integer('Maximum number of accounts in each list') }),
  contracts: () => ({
    order: {
      type: 'string',
      enum: ['newest', 'oldest', 'name', 'energy', 'factor'],
      description: 'Default: newest; with search, the best match first',
    },
    search: text('A part of a name or of a method signature, or an address in any form'),
    offset: integer('Number of contracts to skip'),
    limit: integer('1 to 200; default 50'),
  }),
  contractepochs: () => ({
    contract: text(),
    limit: integer('Number of past epochs, 1 to 200; default 30'),
    before: integer('Only epochs with a smaller number'),
  }),
  explain: () => ({ txid: text() }),
  storage: () => ({
    contract: text(),
    path: {
      ...list(text()),
      description: 'A variable\'s name, then members, indexes and keys: ["balances","T…"]; default: all variables',
    },
    offset: integer('Number of array elements to skip'),
    limit: integer('Number of array elements, 1 to 200; default 50'),
    layoutOf: text(
      'The contract whose code has the layout; default: the contract itself, or what its EIP-1967 proxy delegates to',
    ),
  }),
  trace: () => ({
    txid: text(),
    lines: truth('Adds Energy by source line'),
    profile: { type: 'string', enum: ['function', 'line'] },
    sources: truth('Adds the source of each call'),
    changes: truth('Adds what changed on accounts'),
  }),
  steps: () => ({
    txid: text(),
    from: integer('Number of the first step'),
    count: integer('Maximum number of steps'),
    state: truth('Adds stack, memory and storage'),
  }),
  snapshot: () => ({}),
  progress: () => ({}),
  dump: () => ({}),
};

/** An object with exactly these members; the first ones are required. */
const withOptional = (always: Members, sometimes: Members): Schema => ({
  ...members({ ...always, ...sometimes }),
  required: Object.keys(always),
});

/** An object whose members are described elsewhere. */
const open = (description: string): Schema => ({ type: 'object', description });

const AMOUNT: Schema = { type: ['integer', 'string'], description: 'Text above 2^53' };

/** A variable, a member, an element or an entry of a contract's storage. */
const STORED: Schema = withOptional(
  {
    name: text(),
    path: list(text()),
    type: text('As in the source: mapping(address => uint256)'),
    kind: { type: 'string', enum: ['value', 'string', 'bytes', 'struct', 'array', 'mapping'] },
    slot: text('0x and hex'),
    offset: integer('First byte in the slot, from the right'),
    bytes: AMOUNT,
  },
  {
    value: text('Digits of a number, base58check of an address, text of a string, otherwise hex'),
    isCut: truth('Only the start of a long string is in value'),
    length: AMOUNT,
    keyType: text('Of a mapping'),
    members: list({ type: 'object', description: 'Members of a struct, or a page of elements, each of this form' }),
  },
);

const EPOCH: Members = {
  cycle: integer('The number of the epoch'),
  energyUsage: integer('Energy used in the epoch, at the base price'),
  energyFactor: integer('Surcharge in 1/10,000 of the base price'),
  threshold: integer('More Energy than this in the epoch raises the factor'),
};

const ORIGIN: Schema = { type: 'string', enum: ['network', 'changed', 'fork'] };

const POOL = members({
  dailyLimit: integer('Units that all stakes share in a day'),
  stakedTrx: integer('Staked TRX of all'),
  othersTrx: integer('The part of it that belongs to no account of this chain'),
  holders: integer('Number of accounts with a share'),
  largest: list(
    members({ account: text(), stakeSun: integer('Own stake and stake received from others'), dailyLimit: integer() }),
  ),
});

/** Answers that are not the endpoint's message. */
export const ANSWERS: Readonly<Record<string, (messages: MessageSchemas) => Schema>> = {
  getReward: () => members({ reward: integer('Sun') }),
  getBrokerage: () => members({ brokerage: integer('Percent') }),
  getburntrx: () => members({ burnTrxAmount: integer('Sun') }),
  getpendingsize: () => members({ pendingSize: integer() }),
  gettransactioncountbyblocknum: () => members({ count: integer() }),
  totaltransaction: () => members({ num: integer() }),
  getstatsinfo: () => members({}),
  validateaddress: () => members({ result: truth(), message: text() }),
  getnodeinfo: () => open('The node, its settings and its machine, in the format of java-tron'),
  gettransactioninfobyblocknum: (messages) => ({ anyOf: [list(messages.of(TransactionInfo.type)), members({})] }),
  broadcasttransaction: (messages) => members({ ...messages.fields(Return.type), txid: hex() }),
  broadcasthex: (messages) =>
    members({ ...messages.fields(Return.type), txid: hex(), transaction: text('The transaction as JSON text') }),
  gettransactionreceiptbyid: (messages) => members({ Receipt: messages.of(ResourceReceipt.type) }),
  gettransactionbyid: (messages) => messages.of(Transaction.type),
  gettransactionfrompending: (messages) => messages.of(Transaction.type),
  mine: () =>
    withOptional(
      {
        number: integer('The head'),
        id: hex(),
        timestampMs: integer(),
        blocks: integer('Number of produced blocks'),
        epochs: integer('Number of epochs that ended'),
        maintenances: integer('Number of blocks with maintenance'),
      },
      {
        lateMs: integer('After an advance of time: milliseconds by which the head is later than requested'),
        aheadMs: integer('Interval mining: milliseconds by which the head is ahead of the clock'),
      },
    ),
  progress: () =>
    members({
      name: text('mine, reorg, load, …'),
      progress: members({ done: integer(), total: integer(), unit: text('blocks, epochs, steps, ms') }),
    }),
  snapshot: () => allMembers({ id: text() }),
  revert: () => allMembers({ number: integer(), id: hex(), timestampMs: integer() }),
  load: () => allMembers({ number: integer(), id: hex(), timestampMs: integer() }),
  dump: () => allMembers({ number: integer(), id: hex(), timestampMs: integer(), dump: text('base64') }),
  fork: () =>
    members({
      network: text("Host of the network's node"),
      block: integer("Blocks up to this one are the network's; absent: the chain is no fork"),
      timestampMs: integer(),
      parameters: list(allMembers({ key: text(), network: integer(), fork: integer() })),
      account: ORIGIN,
      contract: ORIGIN,
    }),
  pools: () =>
    withOptional(
      { block: integer('The head'), energy: POOL, bandwidth: POOL },
      {
        forkBlock: integer('On a fork: the last block of its network; only accounts that the fork has read are known'),
      },
    ),
  contracts: () =>
    withOptional(
      {
        block: integer('The head'),
        total: integer('Number of contracts that match'),
        dynamicEnergy: truth('Whether the chain has the dynamic energy model'),
        threshold: integer('More Energy than this in one epoch raises the factor'),
        contracts: list(
          withOptional(
            {
              address: text(),
              name: text('On the chain, or of the artifact with the same code; may be empty'),
              deployer: text(),
              callerPercent: integer('Percentage of the Energy that callers pay'),
              energyUsage: integer('Energy used in the running epoch, at the base price'),
              energyFactor: integer('Surcharge in 1/10,000 of the base price'),
            },
            {
              createdIn: integer('Block; absent for a contract of the genesis, and if that state is not kept'),
              methods: list(text('In a search: the signatures of methods that match')),
            },
          ),
        ),
      },
      { forkBlock: integer('On a fork: the last block of its network; the list has contracts of later blocks only') },
    ),
  contractepochs: () =>
    allMembers({
      contract: text(),
      enabled: truth('Whether the chain has the dynamic energy model'),
      current: allMembers({ ...EPOCH, endsMs: integer('The next maintenance') }),
      epochs: list(allMembers({ ...EPOCH, endBlock: integer('Its last block'), endMs: integer() })),
      end: {
        type: 'string',
        enum: ['limit', 'creation', 'genesis', 'fork', 'state-history'],
        description:
          'Why there are no older epochs: limit, ask with before; creation, the contract is newer; genesis, the chain begins; fork, older epochs are of the forked network; state-history, older states are not kept',
      },
    }),
  explain: () => open('docs/reference/explain.md has every member with its unit'),
  storage: () =>
    withOptional(
      { contract: text() },
      {
        layout: text('The name of the contract that the layout describes'),
        missing: text('Without a layout: how to get one'),
        layoutOf: text('The contract with the layout, if it is another one'),
        variables: list(STORED),
        found: STORED,
      },
    ),
  trace: () => open('docs/reference/traces.md'),
  steps: () => open('docs/reference/traces.md#steps'),
};
